include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    let (meter, vault) = vault.metered::<Eps<1, 2>>();
    let (n, meter) = meter.release(everyone())?;
    Ok(())
}

fn main() {}
