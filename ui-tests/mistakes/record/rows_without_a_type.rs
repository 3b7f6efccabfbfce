include!("../patients.rs");

fn main() {
    let _ = rows().count().laplace::<Eps<1, 4>>();
}
