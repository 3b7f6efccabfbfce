//! How much of a budget is lost to rounding, where prices of many denominators are mixed: the programs of
//! `benches/compile_time.rs`, and smaller ones. DESIGN.md has the figures.

use privet::Price;
use privet::cost::Ratio;
use privet::prelude::*;

#[derive(Record)]
struct Row {
    number: i64,
}

fn count<E: Epsilon>() -> Mechanism<Table<Row>, i64, E> {
    rows::<Row>().count().laplace()
}

fn ratio(num: u128, den: u128) -> Ratio<u128> {
    Ratio::new(num, den)
}

/// What a budget of `budget` lost, in parts of itself, if `spent` left `left`.
fn lost(budget: Ratio<u128>, spent: Ratio<u128>, left: Price) -> f64 {
    let left = left.epsilon().expect("an ε");
    let lost = budget - spent - left;
    let float = |x: Ratio<u128>| *x.numer() as f64 / *x.denom() as f64;
    let part = float(lost) / float(budget);
    println!(
        "of {budget}, spent {spent}: left {left}, lost {:.3} %",
        100.0 * part
    );
    part
}

/// Releases a count for 1/den from the vault, for each of the denominators.
macro_rules! release {
    ($vault:ident, $spent:ident: $($den:literal)*) => {
        $(
            let (_, $vault) = $vault.release(count::<Eps<1, $den>>())?;
            $spent += ratio(1, $den);
        )*
    };
}
macro_rules! everyday {
    ($vault:ident, $spent:ident) => {
        release! { $vault, $spent: 2 3 4 5 6 8 10 12 20 100 }
    };
}

/// Issue 17, item 6: the goal is 0.2 %. It is missed in the first two: a remainder near 100 has steps of a tenth.
#[test]
fn what_mixed_denominators_lose() -> privet::Result<()> {
    let vault: Vault<Table<Row>, Eps<100, 1>> = Vault::open(Vec::new());
    let mut spent = ratio(0, 1);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    let hundred = lost(ratio(100, 1), spent, vault.remaining());
    assert!((0.0371..0.0372).contains(&hundred), "{hundred}");

    let vault: Vault<Table<Row>, Eps<4, 1>> = Vault::open(Vec::new());
    let mut spent = ratio(0, 1);
    release! { vault, spent: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 }
    let twenty = lost(ratio(4, 1), spent, vault.remaining());
    assert!((0.0136..0.0137).contains(&twenty), "{twenty}");

    let vault: Vault<Table<Row>, Eps<10, 1>> = Vault::open(Vec::new());
    let mut spent = ratio(0, 1);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    let fifty = lost(ratio(10, 1), spent, vault.remaining());
    assert!((0.0049..0.0051).contains(&fifty), "{fifty}");

    // Once each, from a budget that one would open: nothing is lost.
    let vault: Vault<Table<Row>, Eps<2, 1>> = Vault::open(Vec::new());
    let mut spent = ratio(0, 1);
    everyday!(vault, spent);
    assert_eq!(lost(ratio(2, 1), spent, vault.remaining()), 0.0);
    Ok(())
}

/// On one denominator nothing is lost, whatever their number.
#[test]
fn one_denominator_loses_nothing() -> privet::Result<()> {
    let vault: Vault<Table<Row>, Eps<2, 1>> = Vault::open(Vec::new());
    let mut spent = ratio(0, 1);
    release! { vault, spent: 100 100 100 100 100 100 100 100 100 100 }
    let (_, vault) = vault.release(count::<Eps<37, 100>>())?;
    spent += ratio(37, 100);
    assert_eq!(lost(ratio(2, 1), spent, vault.remaining()), 0.0);
    Ok(())
}
