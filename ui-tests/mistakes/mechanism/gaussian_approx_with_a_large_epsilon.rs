include!("../patients.rs");

fn adults() -> Mechanism<Patients, i64, Approx<Eps<2, 1>, Delta<1, 6>>> {
    rows::<Patient>().count().gaussian_approx()
}

fn main() {}
