include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<i64> {
    let n: i64 = vault.release(everyone())?;
    Ok(n)
}

fn main() {}
