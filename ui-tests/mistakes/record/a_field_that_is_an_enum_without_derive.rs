include!("../patients.rs");

enum Sex {
    Female,
    Male,
}
#[derive(Record)]
struct Person {
    age: i64,
    sex: Sex,
}

fn main() {}
