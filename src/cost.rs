//! Notions of privacy: how their prices add and compare, and which budget can pay for which cost.
//!
//! You need this page when you write a function that is generic over its price: the traits here are
//! the bounds to write. [`Split`] gives a part of a price, [`Plus`] adds two, [`Times`] multiplies,
//! [`AtMost`] compares, [`PaidFrom`] says that a budget is enough. All of them are sealed, and each is
//! a law with a proof. Programs with fixed prices need only [`Eps`], [`Rho`], [`Approx`] and [`Delta`].
//!
//! The crate uses these letters throughout: `In` (the data), `Out` (the answer), `C` (a cost),
//! `B` (a budget), `E` (an epsilon).

mod amplified;
mod approx;
mod eps;
pub(crate) mod exact;
mod in_rho;
mod one_number;
mod price;
mod quoted;
mod rho;
pub(crate) mod spent;
mod verdict;

pub use amplified::Amplified;
use approx::PureCost;
pub use approx::{Approx, Delta};
pub use eps::Eps;
pub use in_rho::InRho;
pub(crate) use in_rho::{Stated, in_rho};
pub use price::{ParsePriceError, Price};
pub use quoted::Quoted;
pub(crate) use quoted::{dearest, of_all, total};
pub use rho::Rho;
pub use verdict::Overspent;

pub use num_rational::Ratio;
pub(crate) use verdict::{Books, Debits, Passes};
use verdict::{Conversion, NotDearer, WithinBudget};

use crate::number::{self, Frac, Fraction};

mod sealed {
    /// Nothing outside the crate can be a cost, a notion or a budget.
    pub trait Sealed {}
}

/// A notion of privacy: the laws that its costs obey.
///
/// Every notion here has the same four laws, each a trait on its costs:
///
/// | law | trait | says |
/// |---|---|---|
/// | constants are free | [`Notion::Free`] | a mechanism that ignores its data costs nothing |
/// | composition adds | [`Plus`], [`Times`] | even when a step is chosen from earlier answers ([T10](crate::guide::theory#t10-composition-adds)) |
/// | a cheaper one passes as a dearer one | [`AtMost`], [`PaidFrom`] | never the reverse |
/// | groups of `K` | [`ForGroups`] | what `K` records together are promised ([T12](crate::guide::theory#t12-group-privacy)) |
///
/// Post-processing needs no law: `map` does not touch the cost
/// ([T11](crate::guide::theory#t11-post-processing-is-free)).
// Proved: Cost.close_refl, Cost.close_bind (a constant is free; composition adds)
pub trait Notion: sealed::Sealed + Sized + 'static {
    /// What a constant costs.
    type Free: Cost<Notion = Self>;
    /// The notion's name in prose.
    const NAME: &'static str;
}

/// Pure ε-differential privacy: costs are [`Eps`].
#[derive(Debug)]
pub enum Pure {}

/// Zero-concentrated differential privacy: costs are [`Rho`].
#[derive(Debug)]
pub enum Zcdp {}

/// Approximate (ε, δ)-differential privacy: costs are [`Approx`].
#[derive(Debug)]
pub enum Approximate {}

impl sealed::Sealed for Pure {}
impl sealed::Sealed for Zcdp {}
impl sealed::Sealed for Approximate {}

impl Notion for Pure {
    type Free = Eps<0, 1>;
    const NAME: &'static str = "pure differential privacy";
}
impl Notion for Zcdp {
    type Free = Rho<0, 1>;
    const NAME: &'static str = "zero-concentrated differential privacy";
}
impl Notion for Approximate {
    type Free = Approx<Eps<0, 1>, Delta<0, 1>>;
    const NAME: &'static str = "approximate differential privacy";
}

/// A price of privacy, as a type. Sealed: [`Eps`], [`Rho`] and [`Approx`] are all there are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a privacy cost",
    label = "not a privacy cost",
    note = "write `Eps<NUM, DEN>`, `Rho<NUM, DEN>`, or `Approx<Eps<NUM, DEN>, Delta<A, K>>` where δ = A·10^-K",
    note = "NUM is 0 to 1024, DEN is 1 to 1024 or a power of ten up to 10^9, A is at most 1024, K at most 30, and δ is below 1; `Eps<NUM, DEN, WHOLE>` is WHOLE + NUM/DEN, with DEN up to 1024 and WHOLE up to 1023"
)]
// Not proved: not a law; what its prices promise is Cost.promised.
pub trait Cost: sealed::Sealed + Sized + Send + Sync + 'static {
    /// The notion whose laws it obeys.
    type Notion: Notion;

    /// The same price as a constant, which the audit reads without running anything.
    #[doc(hidden)]
    const PRICE: Price;

    /// The same price at run time, exact.
    #[must_use]
    fn price() -> Price {
        Self::PRICE
    }
}

/// A cost that a vault can be opened with.
///
/// Every [`Cost`] is one, except an approximate cost with δ = 0. A release may leave a δ of zero, but
/// a budget that starts with δ = 0 is a pure one and is written as [`Eps`].
#[diagnostic::on_unimplemented(
    message = "a vault cannot be opened with the budget `{Self}`",
    label = "not a budget to open with",
    note = "an approximate budget needs δ above 0 (`Delta<1, 6>` is one in a million); without δ, write `Eps<NUM, DEN>`",
    note = "NUM is 0 to 1024, DEN is 1 to 1024 or a power of ten up to 10^9, A is 1 to 1024, K at most 30, and δ = A·10^-K is below 1; `Eps<NUM, DEN, WHOLE>` is WHOLE + NUM/DEN, with DEN up to 1024 and WHOLE up to 1023",
    note = "in generic code, add the bound `{Self}: Budget`, with `use privet::cost::Budget;`"
)]
// Not proved: not a law; it says what may be opened.
pub trait Budget: Cost {}

/// A cost above zero: what noise can be made from.
///
/// A cost of zero would mean infinite noise, so a mechanism that makes noise never takes one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a positive cost: its noise would have to be infinite",
    label = "not a positive cost",
    note = "give it a positive cost, such as `Rho<1, 8>`: NUM from 1 to 1024, DEN from 1 to 1024 or a power of ten up to 10^9"
)]
// Not proved: not a law; it keeps zero out.
pub trait Positive: Cost {
    /// Numerator of the price.
    const NUM: u64;
    /// Denominator of the price.
    const DEN: u64;
}

/// Any pure, positive cost: the bound for a function that is generic over its ε.
///
/// ```
/// # use privet::prelude::*;
/// # #[derive(Record)] struct Patient { age: i64 }
/// fn patients<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
///     rows::<Patient>().count().laplace()
/// }
/// # let _ = patients::<Eps<1, 2>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a positive ε, or not a short fraction",
    label = "not a positive ε",
    note = "Laplace noise needs a pure cost above zero, such as `Eps<1, 4>`: at ε = 0 its noise would have to be infinite",
    note = "`Eps<NUM, DEN>` takes NUM from 1 to 1024 and DEN from 1 to 1024 or a power of ten up to 10^9: write 1/2000 as `Eps<5, 10_000>`"
)]
// Not proved: not a law; a name for a bound.
pub trait Epsilon: Positive<Notion = Pure> {}
#[diagnostic::do_not_recommend]
impl<E: Positive<Notion = Pure>> Epsilon for E {}

/// Any positive zCDP cost: the bound for a function that is generic over its ρ.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a positive ρ, or not a short fraction",
    label = "not a positive ρ",
    note = "Gaussian noise needs a zCDP cost above zero, such as `Rho<1, 8>`: at ρ = 0 its noise would have to be infinite",
    note = "`Rho<NUM, DEN>` takes NUM from 1 to 1024 and DEN from 1 to 1024 or a power of ten up to 10^9: write 1/2000 as `Rho<5, 10_000>`"
)]
// Not proved: not a law; a name for a bound.
pub trait Concentrated: Positive<Notion = Zcdp> {}
#[diagnostic::do_not_recommend]
impl<R: Positive<Notion = Zcdp>> Concentrated for R {}

/// Composition adds: the price of `Self` and `D` together
/// ([T10](crate::guide::theory#t10-composition-adds)).
///
/// Within a notion prices add. A pure cost also adds to a zCDP or an approximate cost: it is first
/// converted to what it implies in that notion. A sum that has no short exact fraction is rounded up.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{D}` do not add up to one cost",
    label = "no such sum",
    note = "within a notion a sum is at most 1024 and δ's add up to less than 1; a pure cost adds to any notion",
    note = "`Rho` and `Approx` do not mix: state both in one notion first: `.at_most::<Approx<Eps<NUM, DEN>, Delta<A, K>>>()` turns a `Rho` into (ε, δ)",
    note = "in generic code, ask for the whole with `E: Split<K>`, give each of K parts `E::Part` and join them with `Mechanism::all`"
)]
// Proved: Cost.plus_sound
pub trait Plus<D: Cost>: Cost {
    /// The price of both.
    type Sum: Cost;
}

/// `K` of the same price ([T10](crate::guide::theory#t10-composition-adds)).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be charged {K} times",
    label = "no such multiple",
    note = "`repeat::<K>()` and `for_groups::<K>()` take K from 1 to 1024, and the product is at most 1024",
    note = "in generic code, ask for the whole with `E: Split<K>` and repeat a mechanism of `E::Part`"
)]
// Proved: Cost.times_sound
pub trait Times<const K: usize>: Cost {
    /// `K` times the price.
    type Product: Cost;
}

/// A cheaper mechanism passes as a dearer one, in the same notion or in a weaker one.
///
/// `Eps` passes as `Eps`, as `Rho` (ε²/2) and as `Approx`; `Rho` passes as `Rho`, and as a stated
/// `Approx` when an order α = 1 + g of a table has g(ε − (1+g)ρ) + ln(1+g) + g·ln(1+1/g) ≥ ln(1/δ)
/// ([T16](crate::guide::theory#t16-concentrated-privacy)); `Approx` passes as `Approx`.
// Proved: Cost.passes_sound
pub trait AtMost<B: Cost>: Cost {}
impl<C: Cost, B: Cost> AtMost<B> for C
where
    Books: Passes<C, B>,
    <Books as Passes<C, B>>::Cheaper: NotDearer<C, B>,
    <Books as Passes<C, B>>::Implied: Conversion<C, B>,
{
}

/// `Self` can be paid from a budget of `B`, and [`Left`](PaidFrom::Left) is what remains.
///
/// This is the one bound of [`Vault::release`](crate::Vault::release). A pure cost can be paid
/// from every budget; a `Rho` from a `Rho` budget, an `Approx` from an `Approx` budget. A remainder
/// that has no short exact fraction is rounded down.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be paid from a budget of `{B}`",
    label = "not payable from this budget",
    note = "a price named at run time (`Quoted`) is paid from a meter: see `Vault::metered`"
)]
// Proved: Cost.left_sound, Vault.vault_sound
pub trait PaidFrom<B: Purse>: Cost {
    /// What is left of the budget.
    type Left: Purse;
}
impl<C: Cost, B: Purse> PaidFrom<B> for C
where
    Books: Debits<B, C>,
    <Books as Debits<B, C>>::Verdict: WithinBudget<C, B>,
{
    type Left = <Books as Debits<B, C>>::Left;
}

/// What a vault's type can say about its budget: a [`Cost`], or [`Overspent`] after an error.
// Not proved: not a law; it says what a vault's type may hold.
pub trait Purse: sealed::Sealed + Sized + 'static {
    /// The budget as a value, if there is one.
    #[doc(hidden)]
    fn left() -> Option<Price> {
        None
    }
}
impl<C: Cost> Purse for C {
    fn left() -> Option<Price> {
        Some(C::price())
    }
}

/// The larger of two prices: what a choice between them costs
/// ([T14](crate::guide::theory#t14-a-choice-costs-its-dearer-branch)).
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{D}` have no common larger cost",
    label = "costs of notions that do not compare",
    note = "state both in one notion first, with `.at_most()`"
)]
// Proved: Cost.dearer_sound
pub trait Dearer<D: Cost>: Cost {
    /// The larger one.
    type Max: Cost;
}

/// What a mechanism of this cost promises to groups of `K` records
/// ([T12](crate::guide::theory#t12-group-privacy)).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no price for groups of {K}",
    label = "no such group price",
    note = "a group has 1 to 1024 records and its price must stay at most 1024"
)]
// Proved: Cost.group_sound
pub trait ForGroups<const K: usize>: Cost {
    /// Kε for pure costs, K²ρ for zCDP, (Kε, K·e^((K−1)ε)·δ) for approximate ones.
    type Group: Cost;
}

/// `Self` can be cut into `K` equal positive parts, whose `K`-fold sum is at most `Self`.
///
/// It is the only bound that a function needs if it is generic over its price and spends it in `K`
/// pieces:
///
/// ```
/// # use privet::prelude::*;
/// # #[derive(Record)] struct Patient { age: i64, bill: i64 }
/// fn mean_bill<E: Split<2>>() -> Mechanism<Table<Patient>, f64, E> {
///     Mechanism::all((
///         rows::<Patient>().sum(|p| p.bill.clamp::<0, 1_000>()).laplace::<E::Part>(),
///         rows::<Patient>().count().laplace(),
///     ))
///     .map(|(sum, n)| sum as f64 / n.max(1) as f64)
///     .at_most()
/// }
/// # let _ = mean_bill::<Eps<1, 2>>();
/// ```
///
/// For zCDP, write `R: Split<2, Zcdp>`. A part that has no short exact fraction is rounded down far enough that `K` of it
/// are at most the whole. It holds for every cost of at least `K` billionths.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be split into {K} parts",
    label = "cannot be split this way",
    note = "a cost is split into 1 to 1024 parts, each at least one billionth",
    note = "in generic code, add the bound `{Self}: Split<{K}>`"
)]
// Proved: Cost.part_of_sound, Mechanism.T_Split
pub trait Split<const K: usize, N: Notion = Pure>: Positive<Notion = N> {
    /// One of the parts.
    type Part: Positive<Notion = N> + Times<K, Product = Self::Whole>;
    /// All parts together: at most `Self`.
    type Whole: AtMost<Self>;
}

/// A fraction, read as a cost of each one-number notion.
#[diagnostic::on_unimplemented(
    message = "the total of these costs is more than 1024, the largest cost there is",
    label = "total too large",
    note = "lower the costs: at ε above 10 or so a mechanism promises next to nothing"
)]
// Not proved: not a law; it names a fraction.
pub trait Spelled: Fraction {
    /// The fraction as a pure cost.
    type Eps: PureCost;
    /// The fraction as a zCDP cost.
    type Rho: Cost<Notion = Zcdp>;
}
impl<const A: usize, const B: usize, const M: usize> Spelled for Frac<A, B, M>
where
    Frac<A, B, M>: Fraction,
{
    type Eps = Eps<A, B, M>;
    type Rho = Rho<A, B, M>;
}

/// What a debit leaves, read as a cost of each one-number notion.
// Not proved: not a law; it names a fraction.
pub trait Remainder {
    /// What is left of a pure budget.
    type Eps: Purse;
    /// What is left of a zCDP budget.
    type Rho: Purse;
}
impl<const A: usize, const B: usize, const M: usize> Remainder for Frac<A, B, M>
where
    Frac<A, B, M>: Fraction,
{
    type Eps = Eps<A, B, M>;
    type Rho = Rho<A, B, M>;
}
impl Remainder for number::BelowZero {
    type Eps = Overspent;
    type Rho = Overspent;
}
