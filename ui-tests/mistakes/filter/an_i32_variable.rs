include!("../patients.rs");

fn adults() -> Mechanism<Patients, i64, Eps<1, 4>> {
    let from: i32 = 18;
    rows::<Patient>()
        .filter(move |p| p.age.gt(from))
        .count()
        .laplace()
}

fn main() {}
