include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Approx<Eps<1, 2>, Delta<10, 1>>> {
    rows::<Patient>().count().gaussian_approx()
}

fn main() {}
