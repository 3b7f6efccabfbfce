include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: i64,
    id: i128,
}

fn main() {}
