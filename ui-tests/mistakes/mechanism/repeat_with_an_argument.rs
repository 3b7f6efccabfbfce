include!("../patients.rs");

fn many() -> Mechanism<Patients, [i64; 3], Eps<3, 4>> {
    everyone().repeat(3)
}

fn main() {}
