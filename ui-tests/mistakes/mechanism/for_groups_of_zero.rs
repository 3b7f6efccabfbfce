include!("../patients.rs");

fn main() {
    let _ = everyone().for_groups::<0>();
}
