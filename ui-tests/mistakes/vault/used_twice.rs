include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    let (a, _) = vault.release(everyone())?;
    let (b, _) = vault.release(everyone())?;
    Ok(())
}

fn main() {}
