include!("../patients.rs");

fn many() -> Mechanism<Patients, Vec<i64>, Eps<2, 4>> {
    Mechanism::all(vec![everyone(), everyone()])
}

fn main() {}
