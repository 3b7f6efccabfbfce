include!("../patients.rs");

#[derive(Record)]
enum Person {
    Adult { age: i64 },
    Child,
}

fn main() {}
