include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: i64,
    born: std::time::SystemTime,
}

fn main() {}
