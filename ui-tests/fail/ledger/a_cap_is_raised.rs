//! expect: no method named `raise` found
#![forbid(unsafe_code)]
use privet::ledger::Account;

fn analyst(account: &Account) -> privet::Result<()> {
    account.raise("100".parse().unwrap())?;
    Ok(())
}

fn main() {}
