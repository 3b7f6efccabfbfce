include!("../patients.rs");

fn by_bill() -> Mechanism<Patients, Vec<i64>, Eps<1, 4>> {
    rows::<Patient>()
        .histogram(|p| p.bill.bins(&[0.0, 100.0]))
        .laplace()
}

fn main() {}
