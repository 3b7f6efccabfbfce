include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 4>>) -> privet::Result<()> {
    let (_, vault) = vault.release(everyone())?;
    let (_, vault) = vault.release(everyone())?;
    Ok(())
}

fn main() {}
