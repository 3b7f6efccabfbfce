include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: i64,
    visit: Visit,
}

fn main() {}
