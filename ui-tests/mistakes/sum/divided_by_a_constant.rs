include!("../patients.rs");

fn decades() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| p.age.clamp::<0, 120>() / 10)
        .laplace()
}

fn main() {}
