include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.age.gt(Visit::columns().cost))
        .count()
        .laplace()
}

fn main() {}
