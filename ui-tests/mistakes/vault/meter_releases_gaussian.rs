include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    let (meter, vault) = vault.metered::<Eps<1, 2>>();
    let n = meter.release(rows::<Patient>().count().gaussian::<Rho<1, 8>>())?;
    Ok(())
}

fn main() {}
