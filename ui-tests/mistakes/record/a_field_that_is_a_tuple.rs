include!("../patients.rs");

#[derive(Record)]
struct Person {
    age: i64,
    place: (f64, f64),
}

fn main() {}
