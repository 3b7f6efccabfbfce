include!("../patients.rs");

fn main() {
    let off = everyone().accuracy(95);
}
