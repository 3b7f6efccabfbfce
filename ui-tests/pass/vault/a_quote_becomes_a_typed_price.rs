#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = rows::<Patient>().count().laplace::<Eps<1, 1000>>();
    let _: Mechanism<_, i64, Eps<1, 1000>> = count.at_most();
    Ok(())
}
