include!("../patients.rs");

fn kilos() -> Mechanism<Patients, f64, Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| p.weight.or("70").clamp::<0, 300>())
        .laplace()
}

fn main() {}
