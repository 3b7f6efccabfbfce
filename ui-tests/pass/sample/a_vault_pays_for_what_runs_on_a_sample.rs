#![forbid(unsafe_code)]
use privet::prelude::*;
#[allow(unused_imports)]
use privet::domain::Sampled;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count() -> Mechanism<Table<Patient>, i64, Eps<1, 100>> {
    rows::<Table<Patient>>().count().laplace()
}

fn main() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(vec![Patient { age: 40 }]);
    let (_, _) = vault.release(count())?;
    Ok(())
}
