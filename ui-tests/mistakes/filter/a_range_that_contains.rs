include!("../patients.rs");

fn middle_aged() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| (40..60).contains(&p.age))
        .count()
        .laplace()
}

fn main() {}
