include!("../patients.rs");

#[derive(Record)]
struct Person<'a> {
    name: &'a str,
}

fn main() {}
