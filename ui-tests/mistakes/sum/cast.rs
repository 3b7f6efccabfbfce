include!("../patients.rs");

fn whole_bills() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| (p.bill as i64).clamp::<0, 100>())
        .laplace()
}

fn main() {}
