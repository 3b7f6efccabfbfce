include!("../patients.rs");

fn run(patients: Vec<Patient>) -> privet::Result<()> {
    let vault = Vault::open(patients);
    Ok(())
}

fn main() {}
