include!("../patients.rs");

fn scaled(by: i64) -> Mechanism<Patients, i64, Eps<1, 4>> {
    everyone().map(|n| n * by)
}

fn main() {}
