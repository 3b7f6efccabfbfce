include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) {
    let (a, b) = vault.split(0.5);
}

fn main() {}
