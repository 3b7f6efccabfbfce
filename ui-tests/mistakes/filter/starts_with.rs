include!("../patients.rs");

fn from_new_towns() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.town.starts_with_any("New"))
        .count()
        .laplace()
}

fn main() {}
