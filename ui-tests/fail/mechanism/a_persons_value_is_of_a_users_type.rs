//! expect: `Secret` cannot be a person's value
#![forbid(unsafe_code)]
use privet::local::person;

struct Secret;

fn main() {
    let _ = person::<Secret>();
}
