include!("../patients.rs");

fn wrong() -> Mechanism<Patients, i64, Eps<1, 4>> {
    let n = everyone();
    if n > 100 { everyone() } else { everyone() }
}

fn main() {}
