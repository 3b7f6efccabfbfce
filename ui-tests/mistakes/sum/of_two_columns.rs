include!("../patients.rs");

fn both() -> Mechanism<Patients, (f64, i64), Eps<1, 4>> {
    rows::<Patient>()
        .sum(|p| (p.bill.clamp::<0, 100>(), p.age.clamp::<0, 120>()))
        .laplace()
}

fn main() {}
