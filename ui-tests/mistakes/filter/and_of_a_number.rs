include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.smoker & p.age)
        .count()
        .laplace()
}

fn main() {}
