include!("../patients.rs");

fn adults() -> Mechanism<Patient, i64, Eps<1, 4>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
