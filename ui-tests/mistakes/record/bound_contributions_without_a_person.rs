include!("../patients.rs");

fn riders() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .bound_contributions::<3>()
        .count()
        .laplace()
}

fn main() {}
