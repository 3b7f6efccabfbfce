include!("../patients.rs");

fn in_surgery() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| match p.ward {
            Ward::Surgery => true,
            _ => false,
        })
        .count()
        .laplace()
}

fn main() {}
