//! expect: `Quoted` cannot be paid from a budget of
//! twin-lines: 3
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

fn main() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(vec![Patient { age: 71 }]);
    let quoted = || rows::<Patient>().count().laplace::<Eps<1, 2>>().quoted();
    let (_, _vault) = vault.release(quoted().and(quoted()))?;
    Ok(())
}
