include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    let (meter, vault) = vault.metered::<Rho<1, 2>>();
    Ok(())
}

fn main() {}
