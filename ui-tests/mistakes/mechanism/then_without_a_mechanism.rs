include!("../patients.rs");

fn doubled() -> Mechanism<Patients, (i64, i64), Eps<1, 4>> {
    everyone().then(|n| n * 2)
}

fn main() {}
