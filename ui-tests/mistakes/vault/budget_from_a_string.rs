include!("../patients.rs");

fn run(patients: Vec<Patient>, budget: &str) -> privet::Result<()> {
    let vault: Vault<Patients, Eps<1, 1>> = Vault::open_with(patients, budget.parse()?);
    Ok(())
}

fn main() {}
