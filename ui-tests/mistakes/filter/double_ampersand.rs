include!("../patients.rs");

fn old_smokers() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.smoker && p.age.gt(40))
        .count()
        .laplace()
}

fn main() {}
