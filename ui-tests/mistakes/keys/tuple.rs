include!("../patients.rs");

fn by_ward_and_smoker() -> Mechanism<Patients, Vec<i64>, Eps<1, 4>> {
    rows::<Patient>().histogram(|p| (p.ward, p.town)).laplace()
}

fn main() {}
