include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().sum(|p| p.town.clamp::<0, 10>()).laplace()
}

fn main() {}
