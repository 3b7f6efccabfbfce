#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn analyst(vault: Vault<Table<Patient>, Eps<1, 1>>) -> privet::Result<()> {
    let trap = count::<Eps<1, 4>>().then(|_| -> Mechanism<_, i64, Eps<1, 4>> { panic!() });
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || vault.release(trap)));

    Ok(())
}

fn main() {}
