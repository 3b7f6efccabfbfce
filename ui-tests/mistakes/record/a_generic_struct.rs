include!("../patients.rs");

#[derive(Record)]
struct Person<T> {
    age: T,
}

fn main() {}
