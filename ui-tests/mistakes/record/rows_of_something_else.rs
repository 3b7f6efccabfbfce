include!("../patients.rs");

struct Plain {
    age: i64,
}
fn count() -> Mechanism<Patients, i64, Eps<1, 4>> {
    rows::<Plain>().count().laplace()
}

fn main() {}
