include!("../patients.rs");

fn some_ages() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.age.one_of(&[20, 30]))
        .count()
        .laplace()
}

fn main() {}
