include!("../patients.rs");

fn run(patients: &[Patient]) -> privet::Result<()> {
    let vault: Vault<Patients, Eps<1, 1>> = Vault::open(patients);
    Ok(())
}

fn main() {}
