//! Mechanisms at prices that are known at run time, and how they compose, on a meter.

use super::additive::description;
use super::gaussian::{self, spread};
use super::quantile;
use crate::cost::spent::Spent;
use crate::cost::{Cost, Price, Quoted, dearest, of_all, total};
use crate::data::{AddRemove, Domain, Record, Table};
use crate::error::{Error, Result};
use crate::expr::{Bounded, Expr, Keyed, KindOf, Summand};
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::scale;
use crate::query::{
    Averaged, Blocks, Count, Counted, HasL1, Histogram, MeanParts, Neighbours, Query, QueryKind,
    Selection, Sum,
};
use num_rational::Ratio;

/// ε or ρ as a fraction of numbers below 2^32, above zero. Meters square prices; below 2^32 their sums
/// are exact or rounded up, never wrapped.
pub(super) fn fraction(price: Price, zcdp: bool) -> Result<(u64, u64)> {
    let refused = || Error::Quote {
        price: price.into(),
    };
    let main = match zcdp {
        true => price.rho(),
        false => price.epsilon().filter(|_| price.is_pure()),
    };
    let main = main.ok_or_else(refused)?;
    let num = u32::try_from(*main.numer()).map_err(|_| refused())?;
    let den = u32::try_from(*main.denom()).map_err(|_| refused())?;
    match num {
        0 => Err(refused()),
        _ => Ok((num.into(), den.into())),
    }
}

impl<In: Domain, Out: 'static, C: Cost> Mechanism<In, Out, C> {
    /// The same mechanism with its price as a value, to compose it with others whose price is known only
    /// at run time. From then on only a [`Meter`](crate::Meter) can pay for it.
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let price = "3/10".parse()?; // from a request
    /// let count = || rows::<Patient>().count();
    /// let both = count().laplace_at(price)?.and(count().laplace::<Eps<1, 10>>().quoted());
    /// assert_eq!(both.explain().price(), Some("2/5".parse()?));
    /// # Ok(()) }
    /// ```
    pub fn quoted(self) -> Mechanism<In, Out, Quoted> {
        let (label, spread) = (self.label().clone(), self.spread());
        // PRIVACY: the quote is the price of the type.
        // Proved: Ledger.charge_sound
        self.relabel(label)
            .with_quote(Some(C::price()))
            .with_spread(spread)
    }
}

mod sealed {
    pub trait Sealed {}
    impl<In: crate::data::Domain, Out> Sealed for super::Mechanism<In, Out, super::Quoted> {}
}

/// Composition of mechanisms whose prices are known at run time, for a meter. Sealed, and in the prelude.
///
/// Prices add as in types: pure ones, zCDP ones, and (ε, δ); a pure price beside a zCDP one counts as
/// ε²/2. Prices of zCDP and of (ε, δ) have no sum, and neither have sums that outgrow 128 bits: a meter
/// refuses such a mechanism with [`Error::Unpriced`].
pub trait ByQuote: sealed::Sealed + Sized {
    /// The data.
    type In: Domain;
    /// The answer.
    type Out: 'static;

    /// Both mechanisms, on the same data: prices add
    /// ([T10](crate::guide::theory#t10-composition-adds)). A meter charges them together, or neither.
    fn and<T: 'static>(
        self,
        other: Mechanism<Self::In, T, Quoted>,
    ) -> Mechanism<Self::In, (Self::Out, T), Quoted>;

    /// Adaptive composition: the second mechanism is chosen from the first one's answer, and may cost up to `most`.
    /// A meter charges for the first and for `most` before anything runs, whatever is chosen then
    /// ([T10](crate::guide::theory#t10-composition-adds)).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let count = |price| rows::<Patient>().count().laplace_at(price);
    /// let (tenth, half) = ("1/10".parse()?, "1/2".parse()?);
    /// let (coarse, fine) = (count(tenth)?, count(half)?);
    /// let twice = count(tenth)?.then_up_to(half, move |n| match *n > 100 {
    ///     true => coarse.clone(),
    ///     false => fine.clone(),
    /// });
    /// assert_eq!(twice.explain().price(), Some("3/5".parse()?));
    /// # Ok(()) }
    /// ```
    ///
    /// When it is released: [`Error::Dearer`] if what was chosen costs more than `most`, and [`Error::Unpriced`] if nobody can
    /// say what it costs. Which of these it is depends on the first answer only, which is paid for.
    fn then_up_to<T: 'static>(
        self,
        most: Price,
        next: impl Fn(&Self::Out) -> Mechanism<Self::In, T, Quoted> + Send + Sync + 'static,
    ) -> Mechanism<Self::In, (Self::Out, T), Quoted>;

    /// Any number of mechanisms, on the same data: prices add. `Mechanism::<_, _, Quoted>::all(..)`.
    fn all(parts: impl IntoIterator<Item = Self>) -> Mechanism<Self::In, Vec<Self::Out>, Quoted>;
}

impl<In: Domain, Out: 'static> ByQuote for Mechanism<In, Out, Quoted> {
    type In = In;
    type Out = Out;

    fn and<T: 'static>(self, other: Mechanism<In, T, Quoted>) -> Mechanism<In, (Out, T), Quoted> {
        let quote = match (self.quote(), other.quote()) {
            (Some(a), Some(b)) => total(a, b),
            _ => None,
        };
        let label = Label::priced("all of", quote)
            .part(self.label())
            .part(other.label());
        let (mut queries, first, _) = self.into_parts();
        let (more, second, _) = other.into_parts();
        queries.extend(more);
        // PRIVACY: sequential composition; the quote is the sum of the two, or none.
        // Proved: Mechanism.T_And
        Mechanism::mint(queries, label, move |run| {
            Ok((first.make(run)?, second.make(run)?))
        })
        .with_quote(quote)
    }

    fn then_up_to<T: 'static>(
        self,
        most: Price,
        next: impl Fn(&Out) -> Mechanism<In, T, Quoted> + Send + Sync + 'static,
    ) -> Mechanism<In, (Out, T), Quoted> {
        let quote = self.quote().and_then(|first| total(first, most));
        let label = Label::priced("then", quote)
            .part(self.label())
            .later(1, Label::priced("chosen from the answer", Some(most)));
        let (queries, first, _) = self.into_parts();
        // PRIVACY: adaptive composition; `next` sees the first answer, which is paid for, and what it returns runs only
        // if `most` covers its quote, in the notion of `most`. The quote of the whole is the sum of both, or none.
        // Proved: Mechanism.mechanism_sound (rule T_Then)
        Mechanism::mint(queries, label, move |run| {
            let answer = first.make(run)?;
            let second = next(&answer);
            let price = second.quote().ok_or(Error::Unpriced)?;
            let covered = Spent::default().plus(price, most);
            if !covered.is_some_and(|spent| spent.within(most)) {
                return Err(Error::Dearer {
                    price: price.into(),
                    most: most.into(),
                });
            }
            Ok((answer, second.run_in(run)?))
        })
        .with_quote(quote)
    }

    fn all(parts: impl IntoIterator<Item = Self>) -> Mechanism<In, Vec<Out>, Quoted> {
        let parts: Vec<Self> = parts.into_iter().collect();
        let quote = of_all(parts.iter().map(Mechanism::quote), total);
        let mut label = Label::priced("all of", quote);
        let (mut queries, mut answers) = (Vec::new(), Vec::new());
        for part in parts {
            let (asked, answer, of) = part.into_parts();
            queries.extend(asked);
            answers.push(answer);
            label = label.part(&of);
        }
        // PRIVACY: sequential composition; the quote is the sum of all, or none.
        // Proved: Mechanism.T_All
        Mechanism::mint(queries, label, move |run| {
            answers.iter().map(|answer| answer.make(run)).collect()
        })
        .with_quote(quote)
    }
}

impl<In: Domain, Q: QueryKind<In>> Query<In, Q> {
    /// [Gaussian noise](Query::gaussian) at a price ρ that is known only at run time. A
    /// [`Meter`](crate::Meter) of zCDP can pay for it.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let vault: Vault<Table<Patient>, Rho<1, 1>> = Vault::open(vec![Patient { age: 71 }]);
    /// let (meter, _vault) = vault.metered::<Rho<1, 1>>();
    /// meter.release(rows::<Patient>().count().gaussian_at("rho = 1/8".parse()?)?)?;
    /// assert_eq!(meter.remaining().to_string(), "ρ = 7/8");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Quote`] unless the price is a ρ above zero, and a fraction of numbers below 2^32.
    pub fn gaussian_at(self, price: Price) -> Result<Mechanism<In, Q::Answer, Quoted>> {
        let (num, den) = fraction(price, true)?;
        let variance = scale::gaussian(Q::L2_SQUARED, num, den);
        if !scale::gaussian_fits(Q::INTEGERS, variance) {
            return Err(Error::Scale);
        }
        let does = description(&self, gaussian::KIND, variance);
        let (label, spread) = (Label::priced(does, Some(price)), spread(&self, variance));
        // PRIVACY: the quote is the price that the variance was derived from.
        Ok(self
            .with_gaussian(variance, label)
            .with_quote(Some(price))
            .with_spread(spread))
    }
}

impl<R, Rel, S, E> Query<Table<R, Rel>, Histogram<S, E>>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    E: Keyed + Bounded + Expr<Row = R, Kind: Summand>,
{
    /// The [median](Query::median) at a price that is known only at run time: for a
    /// [`Meter`](crate::Meter).
    ///
    /// # Errors
    ///
    /// As for [`quantile_at`](Query::quantile_at).
    pub fn median_at(
        self,
        price: Price,
    ) -> Result<Mechanism<Table<R, Rel>, quantile::Value<E>, Quoted>> {
        self.quantile_at(1, 2, price)
    }

    /// The `num`/`den` [quantile](Query::quantile) at a price that is known only at run time: for a
    /// [`Meter`](crate::Meter). A fraction that is not from 0 to 1 is cut to that.
    ///
    /// # Errors
    ///
    /// [`Error::Quote`] unless the price is pure, above zero, and a fraction of numbers below 2^32.
    pub fn quantile_at(
        self,
        num: u32,
        den: u32,
        price: Price,
    ) -> Result<Mechanism<Table<R, Rel>, quantile::Value<E>, Quoted>> {
        let den = den.max(1);
        let num = num.min(den);
        let (of, over) = fraction(price, false)?;
        let scale = scale::laplace(quantile::spread::<Rel>(num, den, S::ROWS), of, over)
            .ok_or(Error::Scale)?;
        let label = Label::priced(
            format!("the {num}/{den} quantile of {}", self.term()),
            Some(price),
        );
        // PRIVACY: the quote is the price that the scale was derived from.
        Ok(self
            .with_quantile(num, den, Some(scale), label)
            .with_quote(Some(price)))
    }
}

impl<In, S, E> MeanParts<In, S, E>
where
    In: Domain,
    S: 'static,
    E: Bounded + Expr<Kind: Averaged<S, E>>,
    Sum<std::sync::Arc<S>, E>: HasL1<In, Answer = <KindOf<E> as Summand>::Total>,
    Count<Counted<S, E>>: HasL1<In, Answer = i64>,
{
    /// The mean at a price that is known only at run time, half for the sum and half for the count. A
    /// [`Meter`](crate::Meter) charges it once, or not at all.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(vec![Patient { age: 71 }]);
    /// let (meter, _vault) = vault.metered::<Eps<1, 1>>();
    /// let mean = || rows::<Patient>().mean(|p| p.age.clamp::<0, 120>());
    /// let age: f64 = meter.release(mean().laplace_at("2/3".parse()?)?)?;
    /// assert!(meter.release(mean().laplace_at("2/3".parse()?)?).is_err());
    /// assert_eq!(meter.remaining().to_string(), "ε = 1/3");
    /// # let _ = age; Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Query::laplace_at`], for half the price.
    pub fn laplace_at(self, price: Price) -> Result<Mechanism<In, f64, Quoted>> {
        let (num, den) = fraction(price, false)?;
        let half = Price::pure(Ratio::new(num.into(), 2 * u128::from(den)));
        let parts = self.sum.laplace_at(half)?.and(self.count.laplace_at(half)?);
        Ok(parts.map(|(sum, count)| Self::combine(sum, count)))
    }
}

impl<R, S, E> Blocks<R, AddRemove, S, E>
where
    R: Record,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    /// Runs one mechanism on each block, at prices that are known only at run time. The whole costs what
    /// its dearest block costs ([T15](crate::guide::theory#t15-parallel-composition),
    /// [T14](crate::guide::theory#t14-a-choice-costs-its-dearer-branch)).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { smoker: bool }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let prices = ["1/4".parse()?, "1/2".parse()?];
    /// let counts: Vec<_> = (0..2)
    ///     .map(|block| rows::<Patient>().count().laplace_at(prices[block]))
    ///     .collect::<privet::Result<_>>()?;
    /// let both = rows::<Patient>().group_by(|p| p.smoker).each_at(|block| counts[block].clone());
    /// assert_eq!(both.explain().price(), Some("1/2".parse()?));
    /// # Ok(()) }
    /// ```
    pub fn each_at<Out: 'static>(
        self,
        f: impl FnMut(usize) -> Mechanism<Table<R>, Out, Quoted>,
    ) -> Mechanism<Table<R>, Vec<Out>, Quoted> {
        let blocks: Vec<_> = (0..self.blocks()).map(f).collect();
        let quote = of_all(blocks.iter().map(Mechanism::quote), dearest);
        // PRIVACY: parallel composition; neighbours differ in one block, whose price is at most the quote.
        self.run_each(blocks, quote).with_quote(quote)
    }
}
