//! Approximate (ε, δ)-differential privacy.

use core::fmt;
use core::marker::PhantomData;
use core::ops::BitAnd;

use typenum::{And, B0, B1};

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
#[derive(Clone, Copy, Debug)]
pub struct Delta<const A: usize, const K: usize>;

/// The approximate cost (ε, δ), written `Approx<Eps<NUM, DEN>, Delta<A, K>>`.
///
/// ```
/// use privet::prelude::*;
///
/// type Cost = Approx<Eps<1, 2>, Delta<1, 6>>;
/// assert_eq!(Cost::price().to_string(), "ε = 1/2, δ = 1e-6");
/// ```
#[derive(Debug)]
pub struct Approx<E, D>(PhantomData<fn() -> (E, D)>);

/// A well-formed [`Delta`]. Sealed.
pub trait Failure: sealed::Sealed + Sized + Send + Sync + 'static {
    /// The same number, for arithmetic.
    type Tiny: Probability;
}

impl<const A: usize, const K: usize> sealed::Sealed for Delta<A, K> {}

#[diagnostic::do_not_recommend]
impl<const A: usize, const K: usize> Failure for Delta<A, K>
where
    Tiny<A, K>: Probability,
{
    type Tiny = Tiny<A, K>;
}

/// A pure cost, for arithmetic. Sealed, and true of every well-formed [`Eps`].
pub trait PureCost: Cost<Notion = Pure> {
    /// The same number, for arithmetic.
    type Frac: Fraction;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize> PureCost for Eps<A, B>
where
    Frac<A, B>: Fraction,
{
    type Frac = Frac<A, B>;
}

/// A sum or a remainder of probabilities, read as a [`Delta`].
#[diagnostic::on_unimplemented(
    message = "the failure probability δ of these costs adds up to 1 or more",
    label = "total δ too large",
    note = "use smaller δ's: one in a million, or less than one over the number of records"
)]
pub trait SpelledDelta {
    /// The number as a cost.
    type Delta: Failure;
}
#[diagnostic::do_not_recommend]
impl<const A: usize, const K: usize> SpelledDelta for Tiny<A, K>
where
    Tiny<A, K>: Probability,
{
    type Delta = Delta<A, K>;
}

impl<E, D> sealed::Sealed for Approx<E, D> {}

#[diagnostic::do_not_recommend]
impl<E: PureCost, D: Failure> Cost for Approx<E, D> {
    type Notion = Approximate;

    fn price() -> Price {
        let epsilon =
            Ratio::new(<E::Frac as Fraction>::NUM.into(), <E::Frac as Fraction>::DEN.into());
        let scale = 10u128.pow(<D::Tiny as Probability>::K);
        Price::approximate(epsilon, Ratio::new(<D::Tiny as Probability>::A.into(), scale))
    }
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
impl<E: PureCost, D: Failure> Budget for Approx<E, D> where D::Tiny: number::Positive {}

/// ε's add and δ's add (T10).
#[diagnostic::do_not_recommend]
impl<E, D, F, G> Plus<Approx<F, G>> for Approx<E, D>
where
    E: PureCost + Plus<F, Sum: PureCost>,
    F: PureCost,
    D: Failure<Tiny: TinySum<G::Tiny, Out: SpelledDelta>>,
    G: Failure,
{
    type Sum = Approx<E::Sum, SumOf<D, G>>;
}
type SumOf<D, G> = <<<D as Failure>::Tiny as TinySum<<G as Failure>::Tiny>>::Out as SpelledDelta>::Delta;

#[diagnostic::do_not_recommend]
impl<E, D, const A: usize, const B: usize> Plus<Eps<A, B>> for Approx<E, D>
where
    E: PureCost + Plus<Eps<A, B>, Sum: PureCost>,
    D: Failure,
    Eps<A, B>: PureCost,
{
    type Sum = Approx<E::Sum, D>;
}

#[diagnostic::do_not_recommend]
impl<E, D, const A: usize, const B: usize> Plus<Approx<E, D>> for Eps<A, B>
where
    E: PureCost,
    D: Failure,
    Eps<A, B>: PureCost + Plus<E, Sum: PureCost>,
{
    type Sum = Approx<<Eps<A, B> as Plus<E>>::Sum, D>;
}

/// K·δ is the δ of a group of K at ε = 0.
#[diagnostic::do_not_recommend]
impl<E, D, const K: usize> Times<K> for Approx<E, D>
where
    E: PureCost + Times<K, Product: PureCost>,
    D: Failure<Tiny: Group<Frac<0, 1>, K, Out: SpelledDelta>>,
{
    type Product = Approx<E::Product, GroupOf<D, Frac<0, 1>, K>>;
}
type GroupOf<D, E, const K: usize> =
    <<<D as Failure>::Tiny as Group<E, K>>::Out as SpelledDelta>::Delta;

/// (Kε, K·e^((K−1)ε)·δ), with e bounded from above (T12).
#[diagnostic::do_not_recommend]
impl<E, D, const K: usize> ForGroups<K> for Approx<E, D>
where
    E: PureCost + Times<K, Product: PureCost>,
    D: Failure<Tiny: Group<E::Frac, K, Out: SpelledDelta>>,
{
    type Group = Approx<E::Product, GroupOf<D, E::Frac, K>>;
}

/// The larger ε with the larger δ.
#[diagnostic::do_not_recommend]
impl<E, D, F, G> Dearer<Approx<F, G>> for Approx<E, D>
where
    E: PureCost + Dearer<F, Max: PureCost>,
    F: PureCost,
    D: Failure<Tiny: TinyCompare<G::Tiny, Le: Choice<D, G>>>,
    G: Failure,
{
    type Max = Approx<E::Max, ChosenDelta<D, G>>;
}
type ChosenDelta<D, G> =
    <<<D as Failure>::Tiny as TinyCompare<<G as Failure>::Tiny>>::Le as Choice<D, G>>::Out;

/// The second where the comparison "at most" holds, the first where it does not.
pub trait Choice<D: Failure, G: Failure> {
    /// The chosen one.
    type Out: Failure;
}
impl<D: Failure, G: Failure> Choice<D, G> for B1 {
    type Out = G;
}
impl<D: Failure, G: Failure> Choice<D, G> for B0 {
    type Out = D;
}

// PRIVACY: within budget only if both ε and δ are.
#[diagnostic::do_not_recommend]
impl<E, D, F, G, V, W> Debits<Approx<E, D>, Approx<F, G>> for Books
where
    E: PureCost,
    D: Failure<Tiny: TinyDebit<G::Tiny, Verdict = W>>,
    F: PureCost,
    G: Failure,
    Books: Debits<E, F, Verdict = V>,
    V: BitAnd<W>,
    And<V, W>: Settle<<Books as Debits<E, F>>::Left, LeftOf<D, G>>,
{
    type Verdict = And<V, W>;
    type Left = <And<V, W> as Settle<<Books as Debits<E, F>>::Left, LeftOf<D, G>>>::Left;
}
type LeftOf<D, G> = <<D as Failure>::Tiny as TinyDebit<<G as Failure>::Tiny>>::Left;

/// A pure cost leaves δ alone.
#[diagnostic::do_not_recommend]
impl<E, D, const A: usize, const B: usize, V> Debits<Approx<E, D>, Eps<A, B>> for Books
where
    E: PureCost,
    D: Failure,
    Eps<A, B>: PureCost,
    Books: Debits<E, Eps<A, B>, Verdict = V>,
    V: Settle<<Books as Debits<E, Eps<A, B>>>::Left, D::Tiny>,
{
    type Verdict = V;
    type Left = <V as Settle<<Books as Debits<E, Eps<A, B>>>::Left, D::Tiny>>::Left;
}

/// What is left of both, or nothing where either is overspent.
pub trait Settle<E, D> {
    /// The rest of the budget.
    type Left: Purse;
}
impl<E: PureCost, D: SpelledDelta> Settle<E, D> for B1 {
    type Left = Approx<E, D::Delta>;
}
impl<E, D> Settle<E, D> for B0 {
    type Left = Overspent;
}

// PRIVACY: compared exactly, never rounded.
#[diagnostic::do_not_recommend]
impl<E, D, F, G, V, W> Passes<Approx<E, D>, Approx<F, G>> for Books
where
    E: PureCost,
    D: Failure<Tiny: TinyCompare<G::Tiny, Le = W>>,
    F: PureCost,
    G: Failure,
    Books: Passes<E, F, Cheaper = V>,
    V: BitAnd<W>,
{
    type Cheaper = And<V, W>;
    type Implied = B1;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, F, G> Passes<Eps<A, B>, Approx<F, G>> for Books
where
    Eps<A, B>: PureCost,
    F: PureCost,
    G: Failure,
    Books: Passes<Eps<A, B>, F>,
{
    type Cheaper = <Books as Passes<Eps<A, B>, F>>::Cheaper;
    type Implied = B1;
}

// PRIVACY: T16's inequality, exact, with δ ≥ 10^−K; a δ of zero implies nothing.
#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, F, const M: usize, const K: usize, V, W>
    Passes<Rho<A, B>, Approx<F, Delta<M, K>>> for Books
where
    Rho<A, B>: Cost,
    Frac<A, B>: Fraction,
    F: PureCost<Frac: Covers<Frac<A, B>, K, Verdict = V>>,
    Delta<M, K>: Failure<Tiny = Tiny<M, K>>,
    Tiny<M, K>: Probability,
    Tiny<1, 30>: TinyCompare<Tiny<M, K>, Le = W>,
    V: BitAnd<W>,
{
    type Cheaper = B1;
    type Implied = And<V, W>;
}
