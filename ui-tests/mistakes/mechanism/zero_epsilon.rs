include!("../patients.rs");

fn free() -> Mechanism<Patients, i64, Eps<0, 1>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
