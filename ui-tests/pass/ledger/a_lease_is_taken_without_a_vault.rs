#![forbid(unsafe_code)]
use privet::ledger::Account;

fn analyst(account: &Account) {
    let _ = account.balance();
}

fn main() {}
