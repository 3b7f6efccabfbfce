//! expect: this function costs `privet::Eps<1, 1>`, more than its declared ceiling `privet::Eps<1, 2>`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

#[privet::audited(opens, at_most = "1/2")]
fn vault() -> Option<Vault<Table<Patient>, Eps<1, 1>>> {
    Some(Vault::open([Patient { age: 71 }]))
}

fn main() {}
