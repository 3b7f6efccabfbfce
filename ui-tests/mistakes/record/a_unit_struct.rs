include!("../patients.rs");

#[derive(Record)]
struct Person;

fn main() {}
