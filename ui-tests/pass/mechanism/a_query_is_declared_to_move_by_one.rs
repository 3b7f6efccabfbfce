#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient {
    age: i64,
}

type Sum = privet::query::Sum<privet::query::All, privet::expr::Clamp<privet::Col<()>, 0, 9>>;
impl Clone for Patient { fn clone(&self) -> Self { Patient { age: self.age } } }

fn main() {
    let _ = rows::<Patient>().count().coin_flips();
    let _ = core::marker::PhantomData::<Sum>;
}
