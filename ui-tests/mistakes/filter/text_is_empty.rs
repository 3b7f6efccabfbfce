include!("../patients.rs");

fn homeless() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.town.is_empty())
        .count()
        .laplace()
}

fn main() {}
