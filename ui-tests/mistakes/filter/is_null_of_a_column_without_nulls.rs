include!("../patients.rs");

fn unknown() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.age.is_null())
        .count()
        .laplace()
}

fn main() {}
