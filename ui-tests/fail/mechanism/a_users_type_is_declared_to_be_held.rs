//! expect: is not satisfied
#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::local::Held;

struct Secret;
impl Held for Secret { type Stored = u64; fn store(self) -> u64 { 0 } }

fn main() {
    let _ = Secret;
}
