include!("../patients.rs");

#[derive(Record)]
struct Person {
    #[privet(rename = "Age")]
    age: i64,
}

fn main() {}
