include!("../patients.rs");

fn later_wards() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| p.ward.gt(Ward::Surgery))
        .count()
        .laplace()
}

fn main() {}
