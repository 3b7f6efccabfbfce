include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: i64,
    height: f32,
}

fn main() {}
