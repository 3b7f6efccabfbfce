//! expect: no method named `frequent_keys`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
    bill: f64,
    city: String,
}

type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
type Rows = Table<Patient, Replace>;

fn main() {
    let _ = rows::<Rows>().frequent_keys::<Price, _>(|p| p.city);
}
