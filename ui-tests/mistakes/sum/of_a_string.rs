include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().sum(|p| p.town).laplace()
}

fn main() {}
