include!("../patients.rs");

fn main() {
    println!("{}", everyone());
}
