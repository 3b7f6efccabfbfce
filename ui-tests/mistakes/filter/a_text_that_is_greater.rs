include!("../patients.rs");

fn later_towns() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.town.gt("M"))
        .count()
        .laplace()
}

fn main() {}
