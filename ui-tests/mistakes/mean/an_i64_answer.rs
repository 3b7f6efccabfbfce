include!("../patients.rs");

fn mean_age() -> Mechanism<Table<Patient, Replace>, i64, Eps<1, 4>> {
    rows::<Table<Patient, Replace>>()
        .mean(|p| p.age.clamp::<0, 120>())
        .laplace()
}

fn main() {}
