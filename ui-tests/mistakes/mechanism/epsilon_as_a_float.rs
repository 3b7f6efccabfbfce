include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Eps<0.5>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
