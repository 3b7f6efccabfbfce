include!("../patients.rs");

struct Address(String);
#[derive(Record)]
struct Person {
    age: i64,
    address: Address,
}

fn main() {}
