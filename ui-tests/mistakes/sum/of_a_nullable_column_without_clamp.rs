include!("../patients.rs");

fn kilos() -> Mechanism<Patients, f64, Eps<1, 4>> {
    rows::<Patient>().sum(|p| p.weight).laplace()
}

fn main() {}
