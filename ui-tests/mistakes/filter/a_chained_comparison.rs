include!("../patients.rs");

fn middle_aged() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.age.ge(40).le(60))
        .count()
        .laplace()
}

fn main() {}
