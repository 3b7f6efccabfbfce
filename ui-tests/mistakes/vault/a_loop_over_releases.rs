include!("../patients.rs");

fn run(mut vault: Vault<Patients, Eps<1, 1>>) -> privet::Result<()> {
    for _ in 0..3 {
        let (n, left) = vault.release(everyone())?;
        vault = left;
    }
    Ok(())
}

fn main() {}
