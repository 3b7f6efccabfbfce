#![forbid(unsafe_code)]
use privet::local::person;
use privet::prelude::*;

fn main() {
    let _ = person::<bool>().respond::<Eps<1, 1>>();
}
