#![forbid(unsafe_code)]
#[allow(unused_imports)]
use privet::local::Held;

struct Secret;
impl Clone for Secret { fn clone(&self) -> Self { Secret } }

fn main() {
    let _ = Secret;
}
