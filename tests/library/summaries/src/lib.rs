//! Summaries of any table: generic over the record, its columns, filters, keys and prices.
#![forbid(unsafe_code)]

use privet::expr::{
    BoundedNumber, BoxedCondition, Columns, Condition, Coordinates, Key, NullableNumeric, Numeric,
    vector,
};
use privet::prelude::*;
use privet::query::{Estimate, Regression};

/// How many rows satisfy a condition.
pub fn count_where<R, C, E>(condition: impl FnOnce(Columns<R>) -> C) -> Mechanism<Table<R>, i64, E>
where
    R: Record,
    C: Condition<R>,
    E: Epsilon,
{
    rows::<R>().filter(condition).count().laplace()
}

/// The mean of a number, of all rows or of those that a filter keeps.
pub fn mean<const LOW: i64, const HIGH: i64, R, C, E>(
    column: C,
    only: Option<BoxedCondition<R>>,
) -> Mechanism<Table<R>, Estimate, E>
where
    R: Record,
    C: Numeric<R>,
    E: Epsilon,
{
    rows::<R>()
        .filter(|_| only.unwrap_or_else(|| true.into()))
        .estimate(0.95)
        .mean(|_| column.grid::<100>().clamp::<LOW, HIGH>())
        .laplace()
}

/// Which part of the rows has no value.
pub fn missing<R, C, E>(column: C) -> Mechanism<Table<R>, Estimate, E>
where
    R: Record,
    C: NullableNumeric<R>,
    E: Epsilon,
{
    rows::<R>()
        .estimate(0.95)
        .proportion(|_| column.is_null())
        .laplace()
}

/// The part of the rows that has each key.
pub fn shares<R, K, E>(key: impl FnOnce(Columns<R>) -> K) -> Mechanism<Table<R>, Vec<f64>, E>
where
    R: Record,
    K: Key<R>,
    E: Epsilon,
{
    rows::<R>().histogram(key).laplace().map(|counts| {
        let all = counts.iter().sum::<i64>().max(1) as f64;
        counts.iter().map(|&n| n as f64 / all).collect()
    })
}

/// The line that fits one bounded number by another.
pub fn trend<R, X, Y, P>(x: X, y: Y) -> Mechanism<Table<R>, Regression<1>, P>
where
    R: Record,
    X: BoundedNumber<R>,
    Y: BoundedNumber<R>,
    P: Concentrated,
{
    rows::<R>()
        .estimate(0.95)
        .linear_regression(|_| x, |_| y)
        .gaussian()
}

/// How many rows reach each of up to `K` limits that are known at run time.
pub fn reaching<const K: usize, R, C, E>(
    column: C,
    limits: &[f64],
) -> privet::Result<Mechanism<Table<R>, Vec<i64>, E>>
where
    R: Record,
    C: Numeric<R>,
    E: Split<K>,
{
    let reaches = |&limit| {
        let kept = rows::<R>().filter(|_| column.clone().ge(limit));
        kept.count().laplace::<E::Part>()
    };
    Ok(Mechanism::at_most_of::<K>(limits.iter().map(reaches).collect())?.at_most())
}

/// The sums of several numbers at one price.
pub fn totals<R, V, P, const D: usize>(columns: V) -> Mechanism<Table<R>, [f64; D], P>
where
    R: Record,
    V: Coordinates<D, Row = R>,
    P: Concentrated,
{
    rows::<R>()
        .vector_sum(|_| vector(columns).grid::<10>().clip_l2::<1000>())
        .gaussian()
}

/// Everything at a glance.
#[derive(Debug)]
pub struct Report {
    /// How many rows.
    pub rows: i64,
    /// The mean of a number.
    pub mean: Estimate,
    /// The part of the rows that has each key.
    pub shares: Vec<f64>,
}

/// A report, at three thirds of one price.
pub fn report<const LOW: i64, const HIGH: i64, R, C, K, E>(
    column: C,
    key: impl FnOnce(Columns<R>) -> K,
) -> Mechanism<Table<R>, Report, E>
where
    R: Record,
    C: Numeric<R>,
    K: Key<R>,
    E: Split<3>,
{
    Mechanism::all((
        rows::<R>().count().laplace::<E::Part>(),
        mean::<LOW, HIGH, R, C, E::Part>(column, None),
        shares::<R, K, E::Part>(key),
    ))
    .map(|(rows, mean, shares)| Report { rows, mean, shares })
    .at_most()
}
