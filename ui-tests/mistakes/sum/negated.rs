include!("../patients.rs");

fn minus() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| (-p.bill).clamp::<-120, 0>())
        .laplace()
}

fn main() {}
