include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    let (n, vault) = vault.release(|p| p.count())?;
    Ok(())
}

fn main() {}
