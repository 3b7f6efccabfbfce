include!("../patients.rs");

#[derive(Category)]
enum Sex {
    Female,
    Other(String),
}

fn main() {}
