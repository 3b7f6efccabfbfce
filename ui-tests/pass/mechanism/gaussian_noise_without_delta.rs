#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

type Price = Approx<Eps<1, 2>, Delta<1, 6>>;

fn main() {
    let _ = rows::<Patient>().count().gaussian_approx::<Price>();
}
