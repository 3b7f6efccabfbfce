include!("../patients.rs");

fn others() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().filter(|p| p.age != 40).count().laplace()
}

fn main() {}
