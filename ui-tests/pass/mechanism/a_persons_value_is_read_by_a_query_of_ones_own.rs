#![forbid(unsafe_code)]
use privet::prelude::*;

fn main() {
    let _ = Eps::<1, 1>;
    let _ = privet::local::person::<bool>().respond::<Eps<1, 1>>();
}
