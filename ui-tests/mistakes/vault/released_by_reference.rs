include!("../patients.rs");

fn run(vault: &Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    let (n, _) = vault.release(everyone())?;
    Ok(())
}

fn main() {}
