//! expect: this function takes a vault of `privet::Eps<1, 1>` and leaves `privet::Eps<1, 4>`: it spends more than its declared ceiling `privet::Eps<1, 2>`
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

#[privet::audited(at_most = "1/2")]
fn spend(
    title: &str,
    vault: Vault<Table<Patient>, Eps<1, 1>>,
) -> privet::Result<(i64, Vault<Table<Patient>, Eps<1, 4>>)> {
    let _ = title;
    vault.release(count::<Eps<3, 4>>())
}

fn main() {}
