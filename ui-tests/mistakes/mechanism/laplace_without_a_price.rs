include!("../patients.rs");

fn main() {
    let _ = rows::<Patient>().count().laplace();
}
