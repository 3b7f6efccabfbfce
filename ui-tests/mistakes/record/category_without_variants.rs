include!("../patients.rs");

#[derive(Category)]
enum Sex {}

fn main() {}
