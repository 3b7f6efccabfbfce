include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Eps<1, 0>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
