//! expect: is not a price of Gaussian noise: that takes 0 < ε < 1 and δ > 0
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

type Price = Approx<Eps<1, 1>, Delta<1, 6>>;

fn main() {
    let _ = rows::<Patient>().count().gaussian_approx::<Price>();
}
