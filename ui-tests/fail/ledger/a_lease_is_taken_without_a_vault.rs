//! expect: method `lease` is private
#![forbid(unsafe_code)]
use privet::ledger::Account;

fn analyst(account: &Account) {
    let _ = account.lease("1".parse().unwrap());
}

fn main() {}
