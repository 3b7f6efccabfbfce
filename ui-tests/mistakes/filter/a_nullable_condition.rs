include!("../patients.rs");

fn insured() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().filter(|p| p.insured).count().laplace()
}

fn main() {}
