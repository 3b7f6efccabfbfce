include!("../patients.rs");

fn mean_bill() -> Mechanism<Patients, f64, Eps<1, 4>> {
    rows::<Patient>()
        .mean(|p| p.bill.clamp::<0, 100>())
        .laplace()
}

fn main() {}
