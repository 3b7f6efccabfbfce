include!("../patients.rs");

fn run(vault: Vault<Table<Patient, Replace>, Eps<1, 1>>) -> privet::Result<()> {
    let (n, vault) = vault.release(everyone())?;
    Ok(())
}

fn main() {}
