include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    let (meter, vault) = vault.metered::<Eps<2, 1>>();
    Ok(())
}

fn main() {}
