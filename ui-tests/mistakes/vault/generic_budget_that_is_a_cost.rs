include!("../patients.rs");

fn run<B: Cost>(vault: Vault<Patients, B>) -> privet::Result<()> {
    let (n, vault) = vault.release(everyone())?;
    Ok(())
}

fn main() {}
