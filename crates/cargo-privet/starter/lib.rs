//! Private statistics about visits: what may be asked, and what it costs.
#![forbid(unsafe_code)]

use privet::prelude::*;

/// One visit. `#[derive(Record)]` makes it a row that only mechanisms can read.
#[derive(Record)]
pub struct Visit {
    pub age: i64,
    pub minutes: i64,
}

/// How many visits there were.
///
/// What it costs is its type: ε = 1/4. `at_most` is the ceiling that reviewers agreed to.
#[privet::audited(at_most = "1/4")]
pub fn visits() -> Mechanism<Table<Visit>, i64, Eps<1, 4>> {
    rows::<Visit>().count().laplace()
}

/// The visits, with what they may ever be asked. Open a vault in one place only, once.
#[privet::audited(opens, at_most = "1/2")]
pub fn vault() -> Vault<Table<Visit>, Eps<1, 2>> {
    // Your data may be in a file. Then this returns `privet::Result<Vault<…>>`, with the body:
    //     Vault::load(privet::load::Csv::file("visits.csv"))
    Vault::open((0..1_000).map(|n| Visit {
        age: n % 90,
        minutes: 5 + n % 50,
    }))
}

/// What the program prints. Spends all of the vault: two releases of 1/4.
///
/// A third one is one too many, and does not compile:
///
/// ```compile_fail,E0277
/// # use NAME::{vault, visits};
/// # fn main() -> privet::Result<()> {
/// let (_, vault) = vault().release(visits())?;
/// let (_, vault) = vault.release(visits())?;
/// let (_, vault) = vault.release(visits())?;
/// # Ok(()) }
/// ```
#[privet::audited]
pub fn report(
    vault: Vault<Table<Visit>, Eps<1, 2>>,
) -> privet::Result<(String, Vault<Table<Visit>, Eps<0, 4>>)> {
    let (all, vault) = vault.release(visits())?;
    let (long, vault) = vault.release(long_visits())?;
    let line = format!("{all} visits, {long} of half an hour or more");
    Ok((line, vault))
}

/// How many visits took half an hour or more. The closure runs once, on symbols: it sees no row.
#[privet::audited(at_most = "1/4")]
pub fn long_visits() -> Mechanism<Table<Visit>, i64, Eps<1, 4>> {
    rows::<Visit>()
        .filter(|visit| visit.minutes.ge(30))
        .count()
        .laplace()
}
