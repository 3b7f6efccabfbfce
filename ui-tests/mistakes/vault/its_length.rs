include!("../patients.rs");

fn run(vault: Vault<Patients, Eps<1, 1>>) {
    println!("{}", vault.len());
}

fn main() {}
