include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) {
    let (a, b) = vault.split::<Eps<3, 2>>();
}

fn main() {}
