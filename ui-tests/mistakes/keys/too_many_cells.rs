include!("../patients.rs");

fn by_bill() -> Mechanism<Patients, Vec<i64>, Eps<1, 4>> {
    rows::<Patient>()
        .histogram(|p| p.age.clamp::<0, 10_000_000>())
        .laplace()
}

fn main() {}
