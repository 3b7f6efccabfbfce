include!("../patients.rs");

fn by_ward() -> Mechanism<Patients, Vec<i64>, Eps<1, 4>> {
    rows::<Patient>().group_by(|p| p.ward).count().laplace()
}

fn main() {}
