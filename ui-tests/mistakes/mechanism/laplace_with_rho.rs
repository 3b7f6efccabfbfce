include!("../patients.rs");

fn adults() -> Mechanism<Patients, i64, Rho<1, 4>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
