//! expect: `C` has no bounds, so its sum has no finite sensitivity
//! expect: clamp it first
#![forbid(unsafe_code)]
use privet::expr::Numeric;
use privet::prelude::*;

fn total<R: Record, C: Numeric<R>>(column: C) -> Mechanism<Table<R>, f64, Eps<1, 2>> {
    rows::<R>().sum(|_| column).laplace()
}

fn main() {}
