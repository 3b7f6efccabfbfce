include!("../patients.rs");

fn dear(limit: f32) -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Patient>()
        .filter(move |p| p.bill.gt(limit))
        .count()
        .laplace()
}

fn main() {}
