include!("../patients.rs");

fn towns() -> Mechanism<Patients, Vec<(String, i64)>, Eps<1, 4>> {
    rows::<Patient>().frequent_keys(|p| p.town)
}

fn main() {}
