#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use privet::load::Csv;

fn main() {
    let _ = Vault::<Table<Patient>, Eps<1, 1>>::load(Csv::<Patient>::file("x").line_limit(80).skip_malformed());
}
