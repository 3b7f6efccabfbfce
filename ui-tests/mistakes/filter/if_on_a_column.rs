include!("../patients.rs");

fn smokers() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(|p| if p.smoker { p.age.gt(40) } else { p.age.gt(60) })
        .count()
        .laplace()
}

fn main() {}
