include!("../patients.rs");

fn run(patients: Vec<Patient>) -> privet::Result<()> {
    let vault: Vault<Patient, Eps<1, 1>> = Vault::open(patients);
    Ok(())
}

fn main() {}
