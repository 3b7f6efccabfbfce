//! expect: mismatched types
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn main() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(vec![Patient { age: 40 }]);
    let mut kept = None;
    let whole = rows::<Patient>();
    let _ = whole.clone().sampled::<1, 100>().once(|sample| {
        kept = Some(sample.clone());
        sample.count().laplace::<Eps<1, 1>>()
    });
    let sample = kept.expect("the closure ran");
    let _ = sample.clone();
    let (_, _) = vault.release(sample.count().laplace::<Eps<1, 100>>())?;
    Ok(())
}
