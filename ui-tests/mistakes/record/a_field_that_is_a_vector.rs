include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: i64,
    grades: Vec<i64>,
}

fn main() {}
