include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| p.age.max(p.age).clamp::<0, 120>())
        .laplace()
}

fn main() {}
