//! expect: mismatched types
//! expect: expected `&Mechanism<_, i64, _>`, found `&Query<Table<Patient>, Count<All>>`
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::ledger::Account;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

fn reader(account: &Account) -> privet::Result<Option<i64>> {
    account.stored_answer("2026-q3/patients", &rows::<Patient>().count())
}

fn main() {}
