include!("../patients.rs");

fn both() -> Mechanism<Patients, (i64, i64), Eps<1, 2>> {
    everyone()
        .and(rows::<Patient>().count().gaussian::<Rho<1, 4>>())
        .at_most()
}

fn main() {}
