include!("../patients.rs");

fn doubled() -> Mechanism<Patients, i64, Eps<1, 4>> {
    everyone().map(|n| n as f64 * 2.0)
}

fn main() {}
