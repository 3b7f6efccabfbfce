//! Quantiles and the median among public candidates.

use super::choose::{choice, exponential};
use crate::cost::Epsilon;
use crate::data::Record;
use crate::data::Table;
use crate::error::Error;
use crate::expr::{Bounded, Expr, Keyed, Summand};
use crate::mechanism::label::Label;
use crate::mechanism::scale::{self, Noise};
use crate::mechanism::{EpsOrRho, Mechanism};
use crate::noise::LaplaceScale;
use crate::query::{Histogram, Neighbours, Query, Selection, Sensitivity};

/// What a release of a quantile of `E` returns.
pub(super) type Value<E> = <<E as Expr>::Kind as Summand>::Total;

impl<R, Rel, S, E> Query<Table<R, Rel>, Histogram<S, E>>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Bounded + Expr<Row = R, Kind: Summand>,
{
    /// The median of a bounded expression: [`quantile::<1, 2, _>`](Query::quantile).
    pub fn median<C: EpsOrRho>(self) -> Mechanism<Table<R, Rel>, Value<E>, C> {
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
    /// With q = `NUM`/`DEN`, a value v with a rows below it, c on it and b above it loses
    /// max(0, (DEN − NUM)·a − NUM·(c + b), NUM·b − (DEN − NUM)·(a + c)): nothing if it is a
    /// q-quantile, otherwise the number of rows that are missing, in steps of 1/DEN. A row added or removed moves
    /// every loss by at most m = max(NUM, DEN − NUM), a row replaced by at most DEN, in either
    /// direction, so the scale is 2m/ε or 2·DEN/ε. See [its proof](crate::guide::proofs::quantile).
    ///
    /// # Steps
    ///
    /// The candidates are the cells of the histogram. A real counts in whole units unless a grid comes before its
    /// bounds: `histogram(|p| p.score.grid::<100>().clamp::<0, 1>())` has candidates 0, 0.01, …, 1.
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
    pub fn quantile<const NUM: u32, const DEN: u32, C: EpsOrRho>(
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
        self.with_quantile(NUM, DEN, scale, label)
    }

    /// PRIVACY: mints ε or ρ. The callers derive the scale from `spread` of this quantile and the price they name.
    pub(super) fn with_quantile<C>(
        self,
        num: u32,
        den: u32,
        scale: Option<Noise<LaplaceScale>>,
        label: Label,
    ) -> Mechanism<Table<R, Rel>, Value<E>, C> {
        // Not proved: the intervals' weights; `proofs/quantile.md`. The choice is Choose.choose_private.
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            let scale = scale.ok_or(Error::Scale)?;
            let losses = losses(&self.exact_cells(exact), num, den);
            let place = exponential(run.entropy()?, &losses, scale)?;
            // Places are below 2^20, bounds within 2^51.
            Ok(E::Kind::total(E::LOW + place as i128, E::GRID))
        })
    }

    /// Several quantiles of a bounded expression, from one pass. They cost ε in all.
    ///
    /// Quantiles are given by their numerators over `DEN`; one above `DEN` counts as `DEN`. Each of the `N`
    /// is chosen as [`quantile`](Query::quantile) does, with ε/N. Then the values are put in the order of the
    /// quantiles, so that a larger quantile is never a smaller value.
    ///
    /// # Claim
    ///
    /// The mechanism is ε-differentially private for neighbours of the table.
    /// *Compiler-verified:* candidates, sensitivities, scales. *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// `N` mechanisms of ε/N each, on the same data, compose to ε; putting their answers in order is
    /// post-processing. See [its proof](crate::guide::proofs::quantile).
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
    /// let patients = (0..4001).map(|i| Patient { age: 20 + i / 80 });
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients);
    /// let ages = rows::<Patient>().histogram(|p| p.age.clamp::<0, 120>());
    /// let ([low, median, high], vault) = vault.release(ages.quantiles::<4, 3, Eps<1, 2>>([1, 2, 3]))?;
    /// assert!((30..=35).contains(&low) && (42..=48).contains(&median) && (55..=60).contains(&high));
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Overspending does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(vec![]);
    /// let ages = rows::<Patient>().histogram(|p| p.age.clamp::<0, 120>());
    /// let (_, vault) = vault.release(ages.quantiles::<4, 3, Eps<2, 2>>([1, 2, 3]))?;
    /// # drop(vault); Ok(()) }
    /// ```
    pub fn quantiles<const DEN: u32, const N: usize, C: Epsilon>(
        self,
        numerators: [u32; N],
    ) -> Mechanism<Table<R, Rel>, [Value<E>; N], C> {
        const {
            assert!(DEN > 0, "a quantile is from 0 to 1");
            assert!(N > 0, "name one quantile or more");
            assert!(
                scale::laplace(
                    spread::<Rel>(DEN, DEN, S::ROWS).times(N as u128),
                    C::NUM,
                    C::DEN
                )
                .is_some(),
                "these quantiles and ε are outside what can be drawn exactly: raise ε"
            );
        }
        let numerators = numerators.map(|numerator| numerator.min(DEN));
        let listed: Vec<String> = numerators.iter().map(u32::to_string).collect();
        let label = Label::new::<C>(format!(
            "the quantiles {} of {DEN} of {}",
            listed.join(", "),
            self.term()
        ));
        let scales: Vec<_> = numerators
            .iter()
            .filter_map(|num| {
                let moves = spread::<Rel>(*num, DEN, S::ROWS).times(N as u128);
                scale::laplace(moves, C::NUM, C::DEN)
            })
            .collect();
        // PRIVACY: mints ε for N choices of ε/N each; the scales are derived from the query's type, N, `C`
        // and the public numerators alone.
        // Not proved: as `quantile`, N times; `proofs/quantile.md`.
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            if scales.len() != N {
                return Err(Error::Scale);
            }
            let counts = self.exact_cells(exact);
            let entropy = run.entropy()?;
            let mut places = [0; N];
            for (place, (num, scale)) in places.iter_mut().zip(numerators.iter().zip(&scales)) {
                *place = exponential(entropy, &losses(&counts, *num, DEN), *scale)?;
            }
            let places = in_order(&numerators, places);
            // Places are below 2^20, bounds within 2^51.
            Ok(places.map(|place| E::Kind::total(E::LOW + place as i128, E::GRID)))
        })
    }
}

/// The values, the least for the least numerator and so on.
fn in_order<const N: usize>(numerators: &[u32; N], mut values: [usize; N]) -> [usize; N] {
    values.sort_unstable();
    let mut order: [usize; N] = core::array::from_fn(|i| i);
    order.sort_by_key(|i| numerators[*i]);
    let mut answer = [0; N];
    for (value, to) in values.into_iter().zip(order) {
        answer[to] = value;
    }
    answer
}

/// How far losses can move apart between neighbours: twice the sensitivity of one loss.
pub(super) const fn spread<Rel: Neighbours>(num: u32, den: u32, rows: u128) -> Sensitivity {
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
    fn larger_quantiles_are_larger_values() {
        assert_eq!(in_order(&[3, 1, 2], [5, 9, 1]), [9, 1, 5]);
        assert_eq!(in_order(&[1, 1], [5, 4]), [4, 5]);
    }

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
