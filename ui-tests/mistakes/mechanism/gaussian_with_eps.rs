include!("../patients.rs");

fn adults() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>().count().gaussian()
}

fn main() {}
