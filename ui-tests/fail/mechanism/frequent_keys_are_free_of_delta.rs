//! expect: is not a price with ε and δ above zero
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

type Price = Eps<1, 1>;

fn main() {
    let _ = rows::<Patient>().frequent_keys::<Price, _>(|p| p.city);
}
