include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    let (a, vault) = vault.release(everyone());
    Ok(())
}

fn main() {}
