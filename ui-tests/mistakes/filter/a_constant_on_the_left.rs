include!("../patients.rs");

fn adults() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().filter(|p| 18.lt(p.age)).count().laplace()
}

fn main() {}
