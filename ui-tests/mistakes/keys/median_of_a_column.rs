include!("../patients.rs");

fn median_age() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().median(|p| p.age.clamp::<0, 120>())
}

fn main() {}
