include!("../patients.rs");

fn mean_age() -> Mechanism<Patients, f64, Eps<1, 4>> {
    rows::<Table<Patient, Replace>>()
        .mean(|p| p.age.clamp::<0, 120>())
        .laplace()
}

fn main() {}
