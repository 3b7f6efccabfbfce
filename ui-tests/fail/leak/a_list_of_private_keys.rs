//! expect: is not a public key
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { zip: i64 }

fn main() {
    let _ = rows::<Patient>().histogram(|p| p.zip.keys_up_to::<9, _>([p.zip]));
}
