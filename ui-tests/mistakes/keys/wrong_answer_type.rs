include!("../patients.rs");

fn by_ward() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().histogram(|p| p.ward).laplace()
}

fn main() {}
