include!("../patients.rs");

#[derive(Record)]
struct Person(i64, f64);

fn main() {}
