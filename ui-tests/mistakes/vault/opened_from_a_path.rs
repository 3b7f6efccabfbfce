include!("../patients.rs");

fn run() -> privet::Result<()> {
    let vault: Vault<Patients, Eps<1, 1>> = Vault::open("patients.csv");
    Ok(())
}

fn main() {}
