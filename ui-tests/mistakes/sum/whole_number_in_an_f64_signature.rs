include!("../patients.rs");

fn ages() -> Mechanism<Patients, f64, Eps<1, 4>> {
    rows::<Patient>().sum(|p| p.age.clamp::<0, 120>()).laplace()
}

fn main() {}
