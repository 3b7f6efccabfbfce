//! expect: only traits defined in the current crate can be implemented for types defined outside of the crate
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

type Sum = privet::query::Sum<privet::query::All, privet::expr::Clamp<privet::Col<()>, 0, 9>>;
impl privet::MovesByOne<Table<Patient>> for Sum {}

fn main() {
    let _ = rows::<Patient>().count().coin_flips();
    let _ = core::marker::PhantomData::<Sum>;
}
