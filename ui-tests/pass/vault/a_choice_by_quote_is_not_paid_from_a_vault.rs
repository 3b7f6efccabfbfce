#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

fn run(vault: Vault<Table<Patient>, Eps<1, 1>>, most: privet::Price) {
    let count = || rows::<Patient>().count().laplace::<Eps<1, 4>>().quoted();
    let then = count().then_up_to(most, move |_| count());
    let _ = vault.metered::<Eps<1, 1>>().0.release(then);
}

fn main() {}
