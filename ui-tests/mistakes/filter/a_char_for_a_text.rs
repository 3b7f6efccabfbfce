include!("../patients.rs");

fn town_a() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.town.eq_to('A'))
        .count()
        .laplace()
}

fn main() {}
