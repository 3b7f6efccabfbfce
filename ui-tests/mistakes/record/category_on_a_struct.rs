include!("../patients.rs");

#[derive(Category)]
struct Sex {
    female: bool,
}

fn main() {}
