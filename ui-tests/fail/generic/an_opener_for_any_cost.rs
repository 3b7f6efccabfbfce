//! expect: a vault cannot be opened with the budget `B`
//! expect: in generic code, add the bound `B: Budget`
#![forbid(unsafe_code)]
use privet::prelude::*;
use privet::cost::Budget;

#[derive(Record)]
struct Patient {
    age: i64,
}

fn open<B: Cost>(rows: Vec<Patient>) -> Vault<Table<Patient>, B> {
    Vault::open(rows)
}

fn main() {
    let _ = open::<Eps<1, 1>>(vec![]).remaining();
    fn is_budget<B: Budget>() {}
    is_budget::<Eps<1, 1>>();
}
