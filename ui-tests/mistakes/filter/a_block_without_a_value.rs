include!("../patients.rs");

fn smokers() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| {
            p.smoker;
        })
        .count()
        .laplace()
}

fn main() {}
