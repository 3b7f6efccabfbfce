include!("../patients.rs");

fn ages() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| p.age.grid::<100>().clamp::<0, 100>())
        .laplace()
}

fn main() {}
