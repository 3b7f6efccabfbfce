include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: Option<Option<i64>>,
}

fn main() {}
