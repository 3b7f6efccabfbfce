#![forbid(unsafe_code)]
use privet::local::person;

type Secret = bool;

fn main() {
    let _ = person::<Secret>();
}
