include!("../patients.rs");

fn ratio() -> Mechanism<Patients, f64, Eps<2, 4>> {
    everyone().and(everyone()).map(|a, b| a as f64 / b as f64)
}

fn main() {}
