//! Approximate (ε, δ)-differential privacy.

use core::fmt;
use core::marker::PhantomData;
use core::ops::BitAnd;

use crate::number::{And, No, Yes};

use super::price::Small;
use super::{
    Approximate, Books, Budget, Cost, Dearer, Debits, Eps, ForGroups, Overspent, Passes, Plus,
    Price, Pure, Purse, Ratio, Rho, Times, sealed,
};
use crate::number::{
    self, Covers, Frac, Fraction, Group, Probability, Tiny, TinyCompare, TinyDebit, TinySum,
};

/// The probability δ = `A`·10^−`K` with which an approximate promise may fail.
///
/// `A` is at most 1024, `K` is 1 to 30, and δ is below 1. `Delta<1, 6>` is one in a million.
///
/// ```
/// # use privet::prelude::*;
/// assert_eq!(Delta::<1, 6>.to_string(), "δ = 1e-6");
/// assert_eq!(Delta::<1, 6>::ratio(), privet::Ratio::new(1, 1_000_000));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Delta<const A: usize, const K: usize>;

/// The approximate cost (ε, δ), written `Approx<Eps<NUM, DEN>, Delta<A, K>>`.
///
/// ```
/// use privet::prelude::*;
///
/// type Both = Approx<Eps<1, 2>, Delta<1, 6>>;
/// assert_eq!(Both::price().to_string(), "ε = 1/2, δ = 1e-6");
/// ```
#[derive(Debug)]
pub struct Approx<E, D>(PhantomData<fn() -> (E, D)>);

/// A well-formed [`Delta`]. Sealed.
// Not proved: not a law; it names a probability.
pub trait Failure: sealed::Sealed + Sized + Send + Sync + 'static {
    /// The same number, for arithmetic.
    type Tiny: Probability;

    /// The number itself, exact.
    #[doc(hidden)]
    const RATIO: Ratio<u128> = super::exact::lowest(
        <Self::Tiny as Probability>::A,
        10u128.pow(<Self::Tiny as Probability>::K),
    );

    /// The number itself, exact, at run time.
    #[must_use]
    fn ratio() -> Ratio<u128> {
        Self::RATIO
    }
}

impl<const A: usize, const K: usize> sealed::Sealed for Delta<A, K> {}

#[diagnostic::do_not_recommend]
impl<const A: usize, const K: usize> Failure for Delta<A, K>
where
    Tiny<A, K>: Probability,
{
    type Tiny = Tiny<A, K>;
}

impl<const A: usize, const K: usize> Delta<A, K>
where
    Delta<A, K>: Failure,
{
    /// The number itself, exact, at run time.
    #[must_use]
    pub fn ratio() -> Ratio<u128> {
        <Self as Failure>::ratio()
    }
}

impl<const A: usize, const K: usize> fmt::Display for Delta<A, K>
where
    Delta<A, K>: Failure,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "δ = {}", Small(Self::ratio()))
    }
}

/// A pure cost, for arithmetic. Sealed, and true of every well-formed [`Eps`].
// Not proved: not a law; it names a fraction.
pub trait PureCost: Cost<Notion = Pure> {
    /// The same number, for arithmetic.
    type Frac: Fraction;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize> PureCost for Eps<A, B, M>
where
    Frac<A, B, M>: Fraction,
{
    type Frac = Frac<A, B, M>;
}

/// A sum or a remainder of probabilities, read as a [`Delta`].
#[diagnostic::on_unimplemented(
    message = "the failure probability δ of these costs adds up to 1 or more",
    label = "total δ too large",
    note = "use smaller δ's: one in a million, or less than one over the number of records"
)]
// Not proved: not a law; it names a probability.
pub trait SpelledDelta {
    /// The number as a cost.
    type Delta: Failure;
}
#[diagnostic::do_not_recommend]
impl<const A: usize, const K: usize> SpelledDelta for Tiny<A, K>
where
    Tiny<A, K>: Probability<BelowOne: IfBelowOne>,
{
    type Delta = <<Tiny<A, K> as Probability>::BelowOne as IfBelowOne>::Then<Delta<A, K>>;
}

/// Only of `Yes`: where δ's add up to one, there is no such sum, and rustc stays silent about what is done
/// with it.
// Not proved: not a law; it is a switch.
pub trait IfBelowOne {
    /// `T`.
    type Then<T: Failure>: Failure;
}
impl IfBelowOne for number::Yes {
    type Then<T: Failure> = T;
}

impl<E, D> sealed::Sealed for Approx<E, D> {}

#[diagnostic::do_not_recommend]
impl<E: PureCost, D: Failure> Cost for Approx<E, D> {
    type Notion = Approximate;

    const PRICE: Price = E::PRICE.with_delta(D::RATIO);
}

impl<E, D> fmt::Display for Approx<E, D>
where
    Approx<E, D>: Cost,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::price().fmt(f)
    }
}

#[diagnostic::do_not_recommend]
impl<E: PureCost, D: Failure> Budget for Approx<E, D> where D::Tiny: number::NonZero {}

/// ε's add and δ's add ([T10](crate::guide::theory#t10-composition-adds)).
#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
    const P: usize,
    const Q: usize,
    const R: usize,
    const S: usize,
> Plus<Approx<Eps<C, D, N>, Delta<R, S>>> for Approx<Eps<A, B, M>, Delta<P, Q>>
where
    Eps<A, B, M>: PureCost + Plus<Eps<C, D, N>, Sum: PureCost>,
    Eps<C, D, N>: PureCost,
    Tiny<P, Q>: Probability + TinySum<Tiny<R, S>, Out: SpelledDelta>,
    Tiny<R, S>: Probability,
{
    type Sum = Approx<<Eps<A, B, M> as Plus<Eps<C, D, N>>>::Sum, SumOf<Tiny<P, Q>, Tiny<R, S>>>;
}
type SumOf<D, G> = <<D as TinySum<G>>::Out as SpelledDelta>::Delta;

#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
    const P: usize,
    const Q: usize,
> Plus<Eps<C, D, N>> for Approx<Eps<A, B, M>, Delta<P, Q>>
where
    Eps<A, B, M>: PureCost + Plus<Eps<C, D, N>, Sum: PureCost>,
    Eps<C, D, N>: PureCost,
    Delta<P, Q>: Failure,
{
    type Sum = Approx<<Eps<A, B, M> as Plus<Eps<C, D, N>>>::Sum, Delta<P, Q>>;
}

#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
    const P: usize,
    const Q: usize,
> Plus<Approx<Eps<C, D, N>, Delta<P, Q>>> for Eps<A, B, M>
where
    Eps<A, B, M>: PureCost + Plus<Eps<C, D, N>, Sum: PureCost>,
    Eps<C, D, N>: PureCost,
    Delta<P, Q>: Failure,
{
    type Sum = Approx<<Eps<A, B, M> as Plus<Eps<C, D, N>>>::Sum, Delta<P, Q>>;
}

/// K·δ is the δ of a group of K at ε = 0.
#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const P: usize, const Q: usize, const K: usize>
    Times<K> for Approx<Eps<A, B, M>, Delta<P, Q>>
where
    Eps<A, B, M>: PureCost + Times<K, Product: PureCost>,
    Tiny<P, Q>: Probability + Group<Frac<0, 1>, K, Out: SpelledDelta>,
{
    type Product = Approx<<Eps<A, B, M> as Times<K>>::Product, GroupOf<Tiny<P, Q>, Frac<0, 1>, K>>;
}
type GroupOf<D, E, const K: usize> = <<D as Group<E, K>>::Out as SpelledDelta>::Delta;

/// (Kε, K·e^((K−1)ε)·δ), with e bounded from above
/// ([T12](crate::guide::theory#t12-group-privacy)).
#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const P: usize, const Q: usize, const K: usize>
    ForGroups<K> for Approx<Eps<A, B, M>, Delta<P, Q>>
where
    Frac<A, B, M>: Fraction,
    Eps<A, B, M>: PureCost + Times<K, Product: PureCost>,
    Tiny<P, Q>: Probability + Group<Frac<A, B, M>, K, Out: SpelledDelta>,
{
    type Group = Approx<<Eps<A, B, M> as Times<K>>::Product, GroupOf<Tiny<P, Q>, Frac<A, B, M>, K>>;
}

/// The larger ε with the larger δ.
#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
    const P: usize,
    const Q: usize,
    const R: usize,
    const S: usize,
> Dearer<Approx<Eps<C, D, N>, Delta<R, S>>> for Approx<Eps<A, B, M>, Delta<P, Q>>
where
    Eps<A, B, M>: PureCost + Dearer<Eps<C, D, N>, Max: PureCost>,
    Eps<C, D, N>: PureCost,
    Delta<P, Q>: Failure,
    Delta<R, S>: Failure,
    Tiny<R, S>: Probability,
    Tiny<P, Q>: Probability + TinyCompare<Tiny<R, S>, Le: LargerDelta<Delta<P, Q>, Delta<R, S>>>,
{
    type Max = Approx<
        <Eps<A, B, M> as Dearer<Eps<C, D, N>>>::Max,
        <<Tiny<P, Q> as TinyCompare<Tiny<R, S>>>::Le as LargerDelta<Delta<P, Q>, Delta<R, S>>>::Out,
    >;
}

/// The second where the comparison "at most" holds, the first where it does not.
// Proved: Cost.dearer_sound
pub trait LargerDelta<D: Failure, G: Failure> {
    /// The chosen one.
    type Out: Failure;
}
impl<D: Failure, G: Failure> LargerDelta<D, G> for Yes {
    type Out = G;
}
impl<D: Failure, G: Failure> LargerDelta<D, G> for No {
    type Out = D;
}

// PRIVACY: within budget only if both ε and δ are.
#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
    const P: usize,
    const Q: usize,
    const R: usize,
    const S: usize,
    V,
    W,
> Debits<Approx<Eps<A, B, M>, Delta<P, Q>>, Approx<Eps<C, D, N>, Delta<R, S>>> for Books
where
    Tiny<R, S>: Probability,
    Tiny<P, Q>: Probability + TinyDebit<Tiny<R, S>, Verdict = W>,
    Books: Debits<Eps<A, B, M>, Eps<C, D, N>, Verdict = V>,
    V: BitAnd<W>,
    And<V, W>: Settle<LeftOf<A, B, M, C, D, N>, <Tiny<P, Q> as TinyDebit<Tiny<R, S>>>::Left>,
{
    type Verdict = And<V, W>;
    type Left = <And<V, W> as Settle<
        LeftOf<A, B, M, C, D, N>,
        <Tiny<P, Q> as TinyDebit<Tiny<R, S>>>::Left,
    >>::Left;
}
type LeftOf<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
> = <Books as Debits<Eps<A, B, M>, Eps<C, D, N>>>::Left;

/// A pure cost leaves δ alone.
#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
    const P: usize,
    const Q: usize,
    V,
> Debits<Approx<Eps<A, B, M>, Delta<P, Q>>, Eps<C, D, N>> for Books
where
    Tiny<P, Q>: Probability,
    Books: Debits<Eps<A, B, M>, Eps<C, D, N>, Verdict = V>,
    V: Settle<LeftOf<A, B, M, C, D, N>, Tiny<P, Q>>,
{
    type Verdict = V;
    type Left = <V as Settle<LeftOf<A, B, M, C, D, N>, Tiny<P, Q>>>::Left;
}

/// What is left of both, or nothing where either is overspent.
// Proved: Cost.left_sound
pub trait Settle<E, D> {
    /// The rest of the budget.
    type Left: Purse;
}
impl<E: PureCost, D: SpelledDelta> Settle<E, D> for Yes {
    type Left = Approx<E, D::Delta>;
}
impl<E, D> Settle<E, D> for No {
    type Left = Overspent;
}

// PRIVACY: compared exactly, never rounded.
#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
    const P: usize,
    const Q: usize,
    const R: usize,
    const S: usize,
    V,
    W,
> Passes<Approx<Eps<A, B, M>, Delta<P, Q>>, Approx<Eps<C, D, N>, Delta<R, S>>> for Books
where
    Tiny<R, S>: Probability,
    Tiny<P, Q>: Probability + TinyCompare<Tiny<R, S>, Le = W>,
    Books: Passes<Eps<A, B, M>, Eps<C, D, N>, Cheaper = V>,
    V: BitAnd<W>,
{
    type Cheaper = And<V, W>;
    type Implied = Yes;
}

#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
    const P: usize,
    const Q: usize,
> Passes<Eps<A, B, M>, Approx<Eps<C, D, N>, Delta<P, Q>>> for Books
where
    Books: Passes<Eps<A, B, M>, Eps<C, D, N>>,
{
    type Cheaper = <Books as Passes<Eps<A, B, M>, Eps<C, D, N>>>::Cheaper;
    type Implied = Yes;
}

// PRIVACY: the inequality of guide::theory, T16, at one order, exact; a δ of zero implies nothing.
#[diagnostic::do_not_recommend]
impl<
    const A: usize,
    const B: usize,
    const M: usize,
    const C: usize,
    const D: usize,
    const N: usize,
    const P: usize,
    const Q: usize,
    V,
    W,
> Passes<Rho<A, B, M>, Approx<Eps<C, D, N>, Delta<P, Q>>> for Books
where
    Frac<A, B, M>: Fraction,
    Frac<C, D, N>: Fraction + Covers<Frac<A, B, M>, Tiny<P, Q>, Verdict = V>,
    Tiny<P, Q>: Probability,
    Tiny<1, 30>: TinyCompare<Tiny<P, Q>, Le = W>,
    V: BitAnd<W>,
{
    type Cheaper = Yes;
    type Implied = And<V, W>;
}

// No cost passes as an inert type. This impl exists only to keep the compiler from guessing that the
// one other impl for an approximate cost must be meant.
#[diagnostic::do_not_recommend]
impl<E, D> Passes<Approx<E, D>, Overspent> for Books {
    type Cheaper = No;
    type Implied = No;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delta_is_the_number_that_it_spells() {
        assert_eq!(Delta::<25, 8>::ratio(), Ratio::new(1, 4_000_000));
        assert_eq!(
            <Delta<1, 30> as Failure>::ratio(),
            Ratio::new(1, 10_u128.pow(30))
        );
        assert_eq!(Delta::<1, 6>.to_string(), "δ = 1e-6");
    }

    #[test]
    fn an_approximate_cost_is_both_of_its_parts() {
        type Both = Approx<Eps<1, 2>, Delta<1, 6>>;
        let price = Price::approximate(Ratio::new(1, 2), Ratio::new(1, 1_000_000));
        assert_eq!(Both::price(), price);
        assert_eq!(
            Approx::<Eps<1, 2>, Delta<1, 6>>(PhantomData).to_string(),
            "ε = 1/2, δ = 1e-6"
        );
    }
}
