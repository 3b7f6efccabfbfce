include!("../patients.rs");

fn many() -> Mechanism<Patients, [i64; 3], Eps<1, 4>> {
    everyone().repeat::<3>().at_most()
}

fn main() {}
