#![forbid(unsafe_code)]
use privet::expr::Numeric;
use privet::prelude::*;

fn total<R: Record, C: Numeric<R>>(column: C) -> Mechanism<Table<R>, f64, Eps<1, 2>> {
    rows::<R>().sum(|_| column.clamp::<0, 99>()).laplace()
}

fn main() {}
