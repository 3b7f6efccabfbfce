include!("../patients.rs");

fn run(patients: Vec<Patient>) -> privet::Result<()> {
    let vault = Vault::open(patients, 1.0);
    Ok(())
}

fn main() {}
