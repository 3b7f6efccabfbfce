include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) {
    for patient in vault.rows() {}
}

fn main() {}
