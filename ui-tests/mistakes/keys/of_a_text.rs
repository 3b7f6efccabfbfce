include!("../patients.rs");

fn by_town() -> Mechanism<Patients, Vec<i64>, Eps<1, 4>> {
    rows::<Patient>().histogram(|p| p.town).laplace()
}

fn main() {}
