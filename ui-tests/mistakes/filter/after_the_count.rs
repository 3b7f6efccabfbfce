include!("../patients.rs");

fn smokers() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().count().filter(|p| p.smoker).laplace()
}

fn main() {}
