include!("../patients.rs");

fn upper_quarter() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .histogram(|p| p.age.clamp::<0, 120>())
        .quantile(0.75)
}

fn main() {}
