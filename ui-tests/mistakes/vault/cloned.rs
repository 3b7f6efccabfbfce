include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    let copy = vault.clone();
    Ok(())
}

fn main() {}
