include!("../patients.rs");

fn zero() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().filter(|p| !p.age).count().laplace()
}

fn main() {}
