include!("../patients.rs");

fn look_closer() -> Mechanism<Patients, (i64, i64), Eps<2, 4>> {
    everyone().then(|n| if n > 100 { everyone() } else { everyone() })
}

fn main() {}
