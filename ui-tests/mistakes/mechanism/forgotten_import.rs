include!("../patients.rs");

fn adults() -> Mechanism<Patients, i64, privet::cost::Epsilon<1, 4>> {
    rows::<Patient>().count().laplace()
}

fn main() {}
