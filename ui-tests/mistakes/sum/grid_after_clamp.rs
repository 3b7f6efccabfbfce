include!("../patients.rs");

fn billed() -> Mechanism<Patients, f64, Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| p.bill.clamp::<0, 100>().grid::<100>())
        .laplace()
}

fn main() {}
