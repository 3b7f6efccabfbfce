include!("../patients.rs");

fn in_surgery() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.ward.eq_to("Surgery"))
        .count()
        .laplace()
}

fn main() {}
