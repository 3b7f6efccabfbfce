//! expect: the method `respond` exists
//! expect: `String: Category`
#![forbid(unsafe_code)]
use privet::local::person;
use privet::prelude::*;

fn main() {
    let _ = person::<String>().respond::<Eps<1, 1>>();
}
