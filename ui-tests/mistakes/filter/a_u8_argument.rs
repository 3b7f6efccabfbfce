include!("../patients.rs");

fn older_than(age: u8) -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(move |p| p.age.ge(age))
        .count()
        .laplace()
}

fn main() {}
