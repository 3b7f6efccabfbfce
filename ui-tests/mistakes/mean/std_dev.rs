include!("../patients.rs");

fn spread() -> Mechanism<Table<Patient, Replace>, f64, Eps<1, 4>> {
    rows::<Table<Patient, Replace>>()
        .std_dev(|p| p.age.clamp::<0, 120>())
        .laplace()
}

fn main() {}
