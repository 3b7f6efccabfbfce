include!("../patients.rs");

fn adults() -> i64 {
    rows::<Patient>().count().laplace::<Eps<1, 4>>()
}

fn main() {}
