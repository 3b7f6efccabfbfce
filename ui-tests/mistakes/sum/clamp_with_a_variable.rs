include!("../patients.rs");

fn billed() -> Mechanism<Patients, f64, Eps<1, 4>> {
    let top = 10_000;
    rows::<Patient>()
        .sum(|p| p.bill.clamp::<0, top>())
        .laplace()
}

fn main() {}
