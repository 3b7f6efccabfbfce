//! expect: cannot find `PersonQuery`
#![forbid(unsafe_code)]
use privet::prelude::*;

fn main() {
    let _ = Eps::<1, 1>;
    let _ = privet::local::PersonQuery::<bool>::new(|value| vec![i128::from(*value)]);
}
