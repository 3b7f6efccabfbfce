include!("../patients.rs");

fn smokers() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| p.smoker.clamp::<0, 1>())
        .laplace()
}

fn main() {}
