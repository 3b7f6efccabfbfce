include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: i64,
    name: &'static str,
}

fn main() {}
