include!("../patients.rs");

fn twice() -> Mechanism<Patients, (i64, i64), Eps<1, 2>> {
    everyone().and(everyone())
}

fn main() {}
