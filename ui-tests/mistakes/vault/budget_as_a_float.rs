include!("../patients.rs");

fn run(patients: Vec<Patient>) -> privet::Result<()> {
    let vault: Vault<Patients, 1.0> = Vault::open(patients);
    Ok(())
}

fn main() {}
