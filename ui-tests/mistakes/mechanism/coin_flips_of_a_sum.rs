include!("../patients.rs");

fn billed() -> Mechanism<Patients, f64, Eps<25, 18>> {
    rows::<Patient>()
        .sum(|p| p.bill.clamp::<0, 100>())
        .coin_flips()
}

fn main() {}
