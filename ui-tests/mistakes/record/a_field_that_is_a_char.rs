include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: i64,
    sex: char,
}

fn main() {}
