include!("../patients.rs");

fn doubled(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<i64> {
    let (n, _) = vault.map(|n| n * 2).release(everyone())?;
    Ok(n)
}

fn main() {}
