include!("../patients.rs");

fn median_age() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .histogram(|p| p.age.clamp::<0, 120>())
        .median()
        .laplace()
}

fn main() {}
