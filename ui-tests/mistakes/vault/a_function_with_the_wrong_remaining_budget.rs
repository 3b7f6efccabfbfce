include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<Vault<Patients, Eps<1, 2>>> {
    let (n, vault) = vault.release(everyone())?;
    Ok(vault)
}

fn main() {}
