include!("../patients.rs");

fn ages() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| p.age.or(0).clamp::<0, 120>())
        .laplace()
}

fn main() {}
