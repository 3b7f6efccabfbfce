include!("../patients.rs");

fn two_children() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.children.eq_to(Some(2)))
        .count()
        .laplace()
}

fn main() {}
