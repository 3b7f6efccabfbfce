//! expect: no method named `skip_malformed` found
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use privet::load::Csv;

fn main() {
    let _ = Vault::<Table<Patient>, Eps<1, 1>>::load(Csv::<Patient>::file("x").multiline_cells().skip_malformed());
}
