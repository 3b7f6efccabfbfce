include!("../patients.rs");

fn main() {
    let rows = vec![Patient::default()];
    let _: Vault<Patients, Eps<1, 1>> = Vault::open(rows);
}
