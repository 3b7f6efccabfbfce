include!("../patients.rs");

fn in_rome() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.town == "Rome")
        .count()
        .laplace()
}

fn main() {}
