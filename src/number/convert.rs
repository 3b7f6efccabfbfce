//! Concentrated privacy as (ε, δ): one order is chosen, and one inequality is decided at it.
//!
//! At every order α = 1 + g, ρ implies (ε, δ) if g(ε - (1+g)ρ) + h(g) ≥ ln(1/δ), with h(g) = ln(1+g) + g ln(1+1/g)
//! (`proofs/conversions.md`). The inequality is linear in ε and in ρ, so it is decided exactly, with h from below and
//! ln(1/δ) from above. It holds at whichever order is tried: the choice only makes the verdict a close one, so it is made
//! from the leading digits of ρ and δ.

use typenum::{B0, B1};

use super::digits::*;
use super::fraction::{SameGrid, Settle};
use super::natural::*;
use super::table::N;
use super::tiny::{Level, Probability};
use super::{Fraction, bit};

/// Does ε = `Self` with the failure probability `D` cover ρ = `R`? Exact, never rounded in favour of the spender.
///
/// ε ≥ (1+g)ρ + (ln(1/δ) - h(g))/g at the order that the table has for ρ and δ.
// Proved: Orders.covers_sound, Convert.zcdp_approx_order
pub trait Covers<R: Fraction, D: Probability>: Fraction {
    /// `Yes` if it does.
    type Verdict: bit::Bit;
}

#[diagnostic::do_not_recommend]
impl<E: Fraction, R: Fraction, D: Probability> Covers<R, D> for E {
    type Verdict = <<<R::Num as Natural>::NonZero as Walk>::Covers<E, R, D> as Truth>::Said;
}

/// [`Covers`] for a positive ρ and δ = d.dd·10^-J, where `X` is ddd. However δ was spelled, these are the same.
///
/// The steps are `Settle::Choose`, `Entry::Choose`, `Entry::Judge` and `Settle::Judge`. Each has what was found before as
/// a parameter, so that it is computed once.
type At<E, R, X, J> =
    <Minus<Plus<Lg<<R as Fraction>::Den>, Eighty>, Lg<<R as Fraction>::Num>> as Settle>::Choose<
        E,
        R,
        X,
        J,
    >;

/// ln(1/δ) in thousandths, from above.
type LogInverse<X, J> = <Minus<<J as Level10>::Ln, LogOf<X>> as Settle>::Value;
/// The logarithm of d.dd, from below: between two digits and the next two it is above their chord.
type LogOf<X> = <LogAt<<X as Natural>::Init> as Ln>::At<<X as Natural>::Units>;
/// That of two digits.
type LogAt<X> =
    <<X as Natural>::Units as Log>::Ln<<<<X as Natural>::Init as Natural>::Units as Log>::Row>;

/// The order for ρ and δ, where `Y` is 20 lg(1/ρ) + 80.
///
/// The best one has g²ρ = q with q = ln(1/δ) - ln(1+g). With ln g for ln(1+g) that is 2q + ln q = 2 ln(1/δ) + ln ρ, so a
/// table of one variable has q, and g² is q/ρ. Logarithms to base ten in twentieths are fine enough.
pub type Chosen<E, R, Y, X, J> = <Looked<Key<Y, X, J>> as Entry>::Choose<E, R, Y, X, J>;
/// The verdict at the order that the entry's `Q` leads to.
pub type ByRatio<E, R, Y, Q, X, J> = <Looked<Plus<Y, Q>> as Entry>::Judge<E, R, LogInverse<X, J>>;
/// The verdict at an order whose h is `H`.
pub type ByGain<O, E, R, L, H> = <Minus<L, H> as Settle>::Judge<O, E, R, L>;

/// A fifth of 40 lg(1/δ) - 20 lg(1/ρ) + 220; a ρ above 1 counts as 1.
type Key<Y, X, J> = <Twice<
    <Minus<
        <Minus<<J as Level10>::Forty, Twice<<LogAt<<X as Natural>::Init> as Ln>::Lg>> as Settle>::Value,
        <Minus<Y, Eighty> as Settle>::Value,
    > as Settle>::Value,
> as Natural>::Init;
type Twice<X> = Plus<X, X>;
type Eighty = list!(D8 D0);

/// The entry with the number `X`.
type Looked<X> = <<X as Natural>::Units as Log>::Entry<
    <<<X as Natural>::Init as Natural>::Units as Log>::Ten<
        <<<<X as Natural>::Init as Natural>::Init as Natural>::Units as Log>::Hundred,
    >,
>;

/// 20 lg X, from two digits.
type Lg<X> = <<X as Natural>::Three as Walk>::Lg<X, D1>;

/// What a number of decimal places contributes.
// Proved: OrderTables.tens_sound
pub trait Level10 {
    /// 10^3 k ln 10, from above.
    type Ln: Natural;
    /// 40 k + 220.
    type Forty: Natural;
}

/// What two digits contribute.
// Proved: OrderTables.logarithms_sound
pub trait Ln: Sized {
    /// 10^3 ln, with a third digit, from below.
    type At<D: ?Sized + Digit>: Natural;
    /// 20 lg.
    type Lg: Natural;
}

/// The logarithm of two digits, the way to the next two, and 20 lg.
pub struct Logarithm<L, S, T>(L, S, T);
impl<L: ?Sized + Natural, S: ?Sized + Natural, T: Natural> Ln for Logarithm<L, S, T> {
    type At<D: ?Sized + Digit> = Plus<L, <D::Times<S> as Natural>::Init>;
    type Lg = T;
}

/// How a digit reads the tables, by double dispatch.
// Proved: OrderTables.logarithms_sound
pub trait Log: Sized {
    /// The logarithms with this first digit.
    type Row: LogRow;
    /// The one of a row that has this second digit.
    type Ln<R: ?Sized + LogRow>: Ln;
    /// 20 times this digit.
    type Twenties: Natural;
    /// The hundred entries that start with this digit.
    type Hundred: Rows;
    /// Ten of them.
    type Ten<R: ?Sized + Rows>: Row;
    /// One of ten.
    type Entry<R: ?Sized + Row>: Entry;
}

macro_rules! ten {
    ($(#[$doc:meta])* $name:ident $of:ident) => {
        $(#[$doc])*
        // Proved: OrderTables.orders_sound, OrderTables.logarithms_sound
        pub trait $name: Sized {
            /// At zero.
            type T0: $of;
            /// At one.
            type T1: $of;
            /// At two.
            type T2: $of;
            /// At three.
            type T3: $of;
            /// At four.
            type T4: $of;
            /// At five.
            type T5: $of;
            /// At six.
            type T6: $of;
            /// At seven.
            type T7: $of;
            /// At eight.
            type T8: $of;
            /// At nine.
            type T9: $of;
        }
    };
}
ten! { /// The logarithms that share a first digit.
LogRow Ln }
ten! { /// Ten entries.
Row Entry }
ten! { /// A hundred entries.
Rows Row }

/// An entry of the table: an order, and a number that helps to choose one.
// Proved: OrderTables.orders_sound
pub trait Entry: Sized {
    /// g, in this entry's unit.
    type G: Valued;
    /// g(1 + g), from above, in the same unit.
    type Square: Valued;
    /// h(g) in thousandths, from below.
    type Gain: Valued;
    /// The verdict of the order that this entry's 20 lg q + 20 leads to.
    type Choose<
        E: ?Sized + Fraction,
        R: ?Sized + Fraction,
        Y: ?Sized + Natural,
        X: ?Sized + Natural,
        J: ?Sized + Level10,
    >: Truth;
    /// The verdict of this order, where ln(1/δ) is `L`.
    type Judge<E: ?Sized + Fraction, R: ?Sized + Fraction, L: ?Sized + Natural>: Truth;
    /// Thousandths in this entry's unit.
    type Unit<X: ?Sized + Natural>: Natural;
    /// The number of digits of the unit.
    const PLACES: u32;
}

/// What a bit decides on the way. (A supertrait of `Paths`, so that every bit has it.)
// Proved: Orders.covers_sound
pub trait Walk: Sized {
    /// The test of [`Covers`], if `self` says that ρ is positive.
    type Covers<E: ?Sized + Fraction, R: ?Sized + Fraction, D: ?Sized + Probability>: Truth;
    /// The test for δ = X·10^-K, if `self` says that `X` has four digits.
    type Four<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, K: ?Sized + Level>: Truth;
    /// The same, if `self` says that it has three.
    type Three<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, K: ?Sized + Level>: Truth;
    /// The same, if `self` says that it has two.
    type Two<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, K: ?Sized + Level>: Truth;
    /// 20 lg of `X` and one digit less than `K` of others, if `self` says that `X` has three.
    type Lg<X: ?Sized + Natural, K: ?Sized + Digit>: Natural;
    /// The same, if `self` says that `X` has two.
    type LgTwo<X: ?Sized + Natural, K: ?Sized + Digit>: Natural;
    /// `g ε ≥ g(1+g) ρ + D`, if `self` says that the denominators are equal.
    type Owing<O: ?Sized + Entry, E: ?Sized + Fraction, R: ?Sized + Fraction, D: ?Sized + Natural>: Truth;
    /// `g ε + D ≥ g(1+g) ρ`, if `self` says that the denominators are equal.
    type Spare<O: ?Sized + Entry, E: ?Sized + Fraction, R: ?Sized + Fraction, D: ?Sized + Natural>: Truth;
}

impl Walk for B1 {
    type Covers<E: ?Sized + Fraction, R: ?Sized + Fraction, D: ?Sized + Probability> =
        <<D::Digits as Natural>::Four as Walk>::Four<E, R, D::Digits, D::Places>;
    type Four<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, K: ?Sized + Level> =
        At<E, R, X::Init, K::Less<N<3>>>;
    type Three<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, K: ?Sized + Level> =
        At<E, R, X, K::Less<N<2>>>;
    type Two<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, K: ?Sized + Level> =
        At<E, R, X::Push<D0>, K::Less<N<1>>>;
    type Lg<X: ?Sized + Natural, K: ?Sized + Digit> =
        <<X::Init as Natural>::Three as Walk>::Lg<X::Init, K::Next>;
    type LgTwo<X: ?Sized + Natural, K: ?Sized + Digit> = Plus<<LogAt<X> as Ln>::Lg, K::Twenties>;
    type Owing<O: ?Sized + Entry, E: ?Sized + Fraction, R: ?Sized + Fraction, D: ?Sized + Natural> =
        AtMost<Plus<Times<O::Square, R::Num>, Times<R::Den, O::Unit<D>>>, Times<O::G, E::Num>>;
    type Spare<O: ?Sized + Entry, E: ?Sized + Fraction, R: ?Sized + Fraction, D: ?Sized + Natural> =
        AtMost<Times<O::Square, R::Num>, Plus<Times<O::G, E::Num>, Times<E::Den, O::Unit<D>>>>;
}

impl Walk for B0 {
    // PRIVACY: nothing is spent by a ρ of zero.
    type Covers<E: ?Sized + Fraction, R: ?Sized + Fraction, D: ?Sized + Probability> = B1;
    type Four<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, K: ?Sized + Level> =
        <X::Three as Walk>::Three<E, R, X, K>;
    type Three<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, K: ?Sized + Level> =
        <X::Two as Walk>::Two<E, R, X, K>;
    type Two<E: ?Sized + Fraction, R: ?Sized + Fraction, X: ?Sized + Natural, K: ?Sized + Level> =
        At<E, R, <X::Push<D0> as Natural>::Push<D0>, K>;
    type Lg<X: ?Sized + Natural, K: ?Sized + Digit> = <X::Two as Walk>::LgTwo<X, K>;
    type LgTwo<X: ?Sized + Natural, K: ?Sized + Digit> = <LogAt<X::Push<D0>> as Ln>::Lg;
    type Owing<O: ?Sized + Entry, E: ?Sized + Fraction, R: ?Sized + Fraction, D: ?Sized + Natural> =
        AtMost<
            Times<E::Den, Plus<Times<O::Square, R::Num>, Times<R::Den, O::Unit<D>>>>,
            Times<R::Den, Times<O::G, E::Num>>,
        >;
    type Spare<O: ?Sized + Entry, E: ?Sized + Fraction, R: ?Sized + Fraction, D: ?Sized + Natural> =
        AtMost<
            Times<E::Den, Times<O::Square, R::Num>>,
            Times<R::Den, Plus<Times<O::G, E::Num>, Times<E::Den, O::Unit<D>>>>,
        >;
}

/// The verdict where ln(1/δ) - h is `D`.
pub type Owing<O, E, R, D> = <SameGrid<E, R> as Walk>::Owing<O, E, R, D>;
/// The verdict where h is more than ln(1/δ) = `L`.
pub type Spare<O, E, R, L> =
    <SameGrid<E, R> as Walk>::Spare<O, E, R, <Minus<<O as Entry>::Gain, L> as Settle>::Value>;

/// A list of digits as a value.
// Not proved: not a law; it reads a table.
pub trait Valued: Natural {
    /// The number.
    const VALUE: u128;
}
impl Valued for Nil {
    const VALUE: u128 = 0;
}

macro_rules! valued {
    ($($d:ident $v:literal),*) => { $(
        impl<H: Valued> Valued for Cons<H, $d> {
            const VALUE: u128 = 10 * H::VALUE + $v;
        }
    )* };
}
valued!(D0 0, D1 1, D2 2, D3 3, D4 4, D5 5, D6 6, D7 7, D8 8, D9 9);
