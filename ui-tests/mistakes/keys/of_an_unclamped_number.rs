include!("../patients.rs");

fn by_age() -> Mechanism<Patients, Vec<i64>, Eps<1, 4>> {
    rows::<Patient>().histogram(|p| p.age).laplace()
}

fn main() {}
