include!("../patients.rs");

fn older_than(age: i64) -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.age.gt(&age))
        .count()
        .laplace()
}

fn main() {}
