#![forbid(unsafe_code)]
use privet::ledger::Account;

fn analyst(account: &Account) -> privet::Result<()> {
    account.balance()?;
    Ok(())
}

fn main() {}
