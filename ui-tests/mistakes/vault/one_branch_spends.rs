include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>, closer: bool) -> privet::Result<()> {
    let vault = if closer {
        vault.release(everyone())?.1
    } else {
        vault
    };
    Ok(())
}

fn main() {}
