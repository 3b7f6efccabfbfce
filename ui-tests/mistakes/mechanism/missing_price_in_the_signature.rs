include!("../patients.rs");

fn adults() -> Mechanism<Patients, i64> {
    rows::<Patient>().count().laplace()
}

fn main() {}
