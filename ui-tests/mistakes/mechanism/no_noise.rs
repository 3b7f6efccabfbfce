include!("../patients.rs");

fn adults() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().filter(|p| p.age.gt(18)).count()
}

fn main() {}
