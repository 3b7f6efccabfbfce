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

/// Issue 17, item 6: the goal is 0.2 %. What is on denominators up to 1024 is exact, whatever stands before the point.
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
    assert_eq!(hundred, 0.0);

    let vault: Vault<Table<Row>, Eps<4, 1>> = Vault::open(Vec::new());
    let mut spent = ratio(0, 1);
    release! { vault, spent: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 }
    let twenty = lost(ratio(4, 1), spent, vault.remaining());
    assert!((0.0009..0.00092).contains(&twenty), "{twenty}");

    let vault: Vault<Table<Row>, Eps<10, 1>> = Vault::open(Vec::new());
    let mut spent = ratio(0, 1);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    everyday!(vault, spent);
    let fifty = lost(ratio(10, 1), spent, vault.remaining());
    assert_eq!(fifty, 0.0);

    // Once each, from a budget that one would open: nothing is lost.
    let vault: Vault<Table<Row>, Eps<2, 1>> = Vault::open(Vec::new());
    let mut spent = ratio(0, 1);
    everyday!(vault, spent);
    assert_eq!(lost(ratio(2, 1), spent, vault.remaining()), 0.0);
    Ok(())
}

fn price_of<Out, C: Cost>(_: &Mechanism<Table<Row>, Out, C>) -> Ratio<u128> {
    C::price().epsilon().expect("an ε")
}

/// Prices that `and` adds up, each 1/den: the sum in the type and the exact one.
macro_rules! together {
    ($first:literal $($den:literal)*) => {{
        let all = count::<Eps<1, $first>>();
        $(let all = all.and(count::<Eps<1, $den>>()).map(|(a, b)| a + b);)*
        let exact: Ratio<u128> = [$first, $($den),*].into_iter().map(|den| ratio(1, den)).sum();
        (price_of(&all), exact)
    }};
}

#[test]
fn what_sums_of_mixed_denominators_lose() {
    let (sum, exact) = together!(2 3 4 5 6 8 10 12 20 100 2 3 4 5 6 8 10 12 20 100);
    assert_eq!(sum, exact);
    // The first sums are below one and have three digits.
    let (sum, exact) = together!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21);
    assert!(sum > exact && sum < exact * ratio(10_014, 10_000), "{sum}");
}

/// The type of what is left can be written down.
#[test]
fn a_remainder_is_a_literal() -> privet::Result<()> {
    let vault: Vault<Table<Row>, Eps<100, 1>> = Vault::open(Vec::new());
    let (_, vault) = vault.release(count::<Eps<1, 6>>())?;
    let (_, vault) = vault.release(count::<Eps<1, 100>>())?;
    let vault: Vault<Table<Row>, Eps<247, 300, 99>> = vault;
    assert_eq!(Eps::<247, 300, 99>::ratio(), ratio(29_947, 300));
    assert_eq!(vault.remaining(), Price::pure(ratio(29_947, 300)));
    // And opened with.
    let vault: Vault<Table<Row>, Eps<1, 3, 20>> = Vault::open(Vec::new());
    let (_, vault) = vault.release(count::<Eps<1, 3>>())?;
    let _: Vault<Table<Row>, Eps<60, 3>> = vault;
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
