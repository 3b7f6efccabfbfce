//! Quantiles and the median among public candidates.

use super::choose::{choice, exponential};
use crate::data::Record;
use crate::data::Table;
use crate::error::Error;
use crate::expr::{Bounded, Expr, Keyed, Summand};
use crate::mechanism::label::Label;
use crate::mechanism::{ChoiceCost, Mechanism};
use crate::query::{Histogram, Neighbours, Query, Selection, Sensitivity};

/// What a release of a quantile of `E` returns.
type Value<E> = <<E as Expr>::Kind as Summand>::Total;

impl<R, Rel, S, E> Query<Table<R, Rel>, Histogram<S, E>>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Bounded + Expr<Row = R, Kind: Summand>,
{
    /// The median of a bounded expression: [`quantile::<1, 2, _>`](Query::quantile).
    pub fn median<C: ChoiceCost>(self) -> Mechanism<Table<R, Rel>, Value<E>, C> {
        self.quantile::<1, 2, C>()
    }

    /// The `NUM`/`DEN` quantile of a bounded expression, chosen among its public values by the
    /// exponential mechanism. It costs ε, or ρ = ε²/8.
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private for neighbours of the table.
    /// *Compiler-verified:* the candidates (the values between the bounds, never taken from the
    /// data), the sensitivity of the loss, the scale. *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// With q = `NUM`/`DEN`, a value v of which a rows lie below, c on it and b above loses
    /// max(0, (DEN − NUM)·a − NUM·(c + b), NUM·b − (DEN − NUM)·(a + c)): nothing if it is a
    /// q-quantile, otherwise the number of rows that are missing, in steps of 1/DEN. A row added or removed moves
    /// every loss by at most m = max(NUM, DEN − NUM), a row replaced by at most DEN, in either
    /// direction, so the scale is 2m/ε or 2·DEN/ε. See [its proof](crate::guide::proofs::quantile).
    ///
    /// # Accuracy
    ///
    /// Of k candidates, one whose rank is off by t rows or more is chosen with probability at most
    /// k·exp(−ε·t·DEN/(2m)): for a median, k·exp(−ε·t).
    ///
    /// # Example
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let patients = (0..1001).map(|i| Patient { age: 20 + i / 20 });
    /// let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients);
    /// let ages = rows::<Patient>().histogram(|p| p.age.clamp::<0, 120>());
    /// let (median, vault) = vault.release(ages.clone().median::<Eps<1, 2>>())?;
    /// let (ninth, vault) = vault.release(ages.quantile::<9, 10, Eps<1, 2>>())?;
    /// assert!((42..=48).contains(&median)); // 45, or near it
    /// assert!((60..=70).contains(&ninth)); // 65, or near it
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// # let patients = (0..1001).map(|i| Patient { age: 20 + i / 20 });
    /// let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients);
    /// let ages = rows::<Patient>().histogram(|p| p.age.clamp::<0, 120>());
    /// let (median, vault) = vault.release(ages.clone().median::<Eps<1, 2>>())?;
    /// let (ninth, vault) = vault.release(ages.quantile::<9, 10, Eps<2, 2>>())?;
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn quantile<const NUM: u32, const DEN: u32, C: ChoiceCost>(
        self,
    ) -> Mechanism<Table<R, Rel>, Value<E>, C> {
        const {
            assert!(NUM <= DEN && DEN > 0, "a quantile is from 0 to 1");
            assert!(
                choice::<C>(spread::<Rel>(NUM, DEN, S::ROWS)).is_some(),
                "this quantile and ε are outside what can be drawn exactly: raise ε"
            );
        }
        let scale = const { choice::<C>(spread::<Rel>(NUM, DEN, S::ROWS)) };
        let label = Label::new::<C>(format!("the {NUM}/{DEN} quantile of {}", self.term()));
        // PRIVACY: mints ε or ρ; the scale is derived from the query's type and `C` alone.
        // Not proved: the intervals' weights; `proofs/quantile.md`. The choice is Choose.choose_private.
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            let scale = scale.ok_or(Error::Scale)?;
            let losses = losses(&self.exact_cells(exact), NUM, DEN);
            let place = exponential(run.entropy()?, &losses, scale)?;
            // Places are below 2^20, bounds within 2^51.
            Ok(E::Kind::total(E::LOW + place as i128, E::GRID))
        })
    }
}

/// How far losses can move apart between neighbours: twice the sensitivity of one loss.
const fn spread<Rel: Neighbours>(num: u32, den: u32, rows: u128) -> Sensitivity {
    let one = if Rel::REPLACE {
        den
    } else if num > den - num {
        num
    } else {
        den - num
    };
    Sensitivity::whole(one as i128)
        .times(2)
        .times(Rel::STEPS)
        .times(rows)
}

/// The loss of each candidate, from the number of rows on it.
fn losses(counts: &[i128], num: u32, den: u32) -> Vec<u128> {
    let (up, down) = (i128::from(num), i128::from(den - num));
    let rows: i128 = counts.iter().sum();
    let mut below = 0;
    counts
        .iter()
        .map(|on| {
            let above = rows - below - on;
            // Rows are fewer than 2^63 and factors below 2^32, so nothing overflows.
            let too_high = down * below - up * (on + above);
            let too_low = up * above - down * (below + on);
            below += on;
            too_high.max(too_low).max(0).unsigned_abs()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_loses_nothing() {
        assert_eq!(losses(&[1, 1, 1], 1, 2), [1, 0, 1]);
        assert_eq!(losses(&[0, 4, 0, 0, 4], 1, 2), [8, 0, 0, 0, 0]);
        assert_eq!(losses(&[5, 0, 0], 1, 4), [0, 15, 15]);
        assert_eq!(losses(&[0, 0], 1, 2), [0, 0]);
    }

    /// All tables of up to 5 rows over 4 candidates, and all neighbours by one row.
    #[test]
    fn losses_move_by_no_more_than_the_type_says() {
        for (num, den) in [(0, 1), (1, 1), (1, 2), (1, 4), (9, 10), (3, 7)] {
            let (mut added, mut replaced) = (0, 0);
            for table in 0..6_i128.pow(4) {
                let counts: Vec<i128> = (0..4).map(|i| table / 6_i128.pow(i) % 6).collect();
                let here = losses(&counts, num, den);
                let distance = |other: &[i128]| {
                    let there = losses(other, num, den);
                    let moves = here.iter().zip(&there).map(|(x, y)| x.abs_diff(*y));
                    moves.max().unwrap_or(0)
                };
                for to in 0..4 {
                    let mut more = counts.clone();
                    more[to] += 1;
                    added = added.max(distance(&more));
                    for from in 0..4 {
                        if more[from] > 0 {
                            let mut other = more.clone();
                            other[from] -= 1;
                            replaced = replaced.max(distance(&other));
                        }
                    }
                }
            }
            assert_eq!(added, u128::from(num.max(den - num)), "{num}/{den}");
            assert!(replaced <= u128::from(den), "{num}/{den}");
        }
    }
}
