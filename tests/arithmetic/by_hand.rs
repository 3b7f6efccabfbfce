//! Results that people will read, as types.

use crate::number::*;
use crate::number::{No as B0, Yes as B1};

trait Is<T> {}
impl<T> Is<T> for T {}
fn is<A: Is<B>, B>() {}

type Add<A, B> = <A as Sum<B>>::Out;
type Left<A, B> = <A as Debit<B>>::Left;

#[test]
fn denominators_are_kept() {
    is::<Add<Frac<1, 4>, Frac<1, 4>>, Frac<2, 4>>();
    is::<Add<Frac<1, 4>, Frac<1, 2>>, Frac<3, 4>>();
    is::<Add<Frac<1, 1000000000>, Frac<1, 1000>>, Frac<101, 100000>>();
    is::<Left<Frac<1, 4>, Frac<1, 4>>, Frac<0, 4>>();
    is::<Left<Frac<1, 1>, Frac<3, 4>>, Frac<1, 4>>();
    is::<Left<Frac<100, 100>, Frac<1, 4>>, Frac<75, 100>>();
    is::<<Frac<6, 7> as Share<3>>::Out, Frac<2, 7>>();
    is::<<Frac<1, 7> as Share<3>>::Out, Frac<1, 21>>();
    is::<<Frac<1, 7> as Scale<3>>::Out, Frac<3, 7>>();
    is::<<Frac<1, 1> as HalfSquare>::Out, Frac<1, 2>>();
    is::<<Frac<2, 4> as Larger<Frac<1, 2>>>::Out, Frac<1, 2>>();
}

#[test]
fn what_does_not_fit_is_rounded_against_the_spender() {
    is::<Add<Frac<1, 1023>, Frac<1, 1024>>, Frac<196, 100000>>();
    is::<Left<Frac<694, 1000>, Frac<1, 3>>, Frac<360, 1000>>();
    is::<Left<Frac<1, 1000000000>, Frac<1, 1000000000>>, Frac<0, 1000000000>>();
    is::<<Frac<1, 1000000000> as Share<2>>::Out, Frac<0, 1000000000>>();
    is::<<Frac<1, 1000000000> as HalfSquare>::Out, Frac<1, 1000000000>>();
    is::<Add<Frac<1023, 1>, Frac<1, 1023>>, Frac<1, 1023, 1023>>();
    // A thousandth, whatever the whole part.
    is::<Add<Frac<81, 1>, Frac<1, 1000000>>, Frac<1, 1000, 81>>();
    is::<Left<Frac<81, 1>, Frac<1, 1000000>>, Frac<999, 1000, 80>>();
    is::<Left<Frac<100, 1>, Frac<1, 100000000>>, Frac<999, 1000, 99>>();
}

#[test]
fn a_whole_part_is_written_beside_the_rest() {
    is::<Left<Frac<100, 1>, Frac<1, 600>>, Frac<599, 600, 99>>();
    is::<Left<Frac<599, 600, 99>, Frac<1, 100>>, Frac<593, 600, 99>>();
    // 1024 as a numerator is short enough, 1025 is not.
    is::<Add<Frac<1, 3, 340>, Frac<1, 1>>, Frac<1024, 3>>();
    is::<Add<Frac<2, 3, 340>, Frac<1, 1>>, Frac<2, 3, 341>>();
    is::<Left<Frac<2, 3, 341>, Frac<1, 3>>, Frac<1024, 3>>();
    // Nothing beside it: a whole number.
    is::<Add<Frac<599, 600, 80>, Frac<1, 600>>, Frac<81, 1>>();
    is::<Add<Frac<599, 600, 1023>, Frac<1, 600>>, Frac<1024, 1>>();
    is::<Left<Frac<81, 1>, Frac<1, 600, 80>>, Frac<599, 600>>();
    is::<<Frac<499, 999> as Scale<1000>>::Out, Frac<499, 999, 499>>();
    is::<<Frac<1, 3, 500> as Share<2>>::Out, Frac<1, 6, 250>>();
    is::<<Frac<1, 3, 20> as HalfSquare>::Out, Frac<13, 18, 206>>();
    is::<<Frac<1, 3, 10> as Larger<Frac<31, 3>>>::Out, Frac<31, 3>>();
    // However it is written.
    is::<<Frac<1, 2, 1> as Compare<Frac<3, 2>>>::Le, B1>();
    is::<<Frac<5, 2, 1> as Compare<Frac<7, 2>>>::Le, B1>();
    is::<<Frac<6, 2, 1> as Compare<Frac<7, 2>>>::Le, B0>();
    is::<<Frac<20, 1> as Covers<Frac<1, 2, 10>, Tiny<1, 6>>>::Verdict, B0>();
    is::<<Frac<25, 1000, 34> as Covers<Frac<1, 2, 10>, Tiny<1, 6>>>::Verdict, B1>();
    assert_eq!((Frac::<1, 3, 10>::NUM, Frac::<1, 3, 10>::DEN), (31, 3));
}

#[test]
fn over_budget_is_inert() {
    is::<<Frac<1, 4> as Debit<Frac<1, 3>>>::Verdict, B0>();
    is::<Left<Frac<1, 4>, Frac<1, 3>>, BelowZero>();
    is::<<Frac<1, 4> as Debit<Frac<250, 1000>>>::Verdict, B1>();
    is::<<Frac<1, 4> as Debit<Frac<251, 1000>>>::Verdict, B0>();
    is::<<Tiny<1, 6> as TinyDebit<Tiny<11, 7>>>::Left, BelowZero>();
}

#[test]
fn failure_probabilities() {
    is::<<Tiny<1, 6> as TinySum<Tiny<1, 9>>>::Out, Tiny<1001, 9>>();
    is::<<Tiny<1, 6> as TinySum<Tiny<1, 12>>>::Out, Tiny<101, 8>>();
    is::<<Tiny<1, 6> as TinyDebit<Tiny<1, 12>>>::Left, Tiny<999, 9>>();
    // 3 e^2 = 22.17
    is::<<Tiny<1, 9> as Group<Frac<1, 1>, 3>>::Out, Tiny<222, 10>>();
}

#[test]
fn zero_concentrated_to_approximate() {
    // ρ = 1/100, δ = 10^-6: ε = 0.6217 at the best order, and 0.7534 by ρ + 2 √(ρ ln(1/δ)).
    is::<<Frac<622, 1000> as Covers<Frac<1, 100>, Tiny<1, 6>>>::Verdict, B1>();
    is::<<Frac<620, 1000> as Covers<Frac<1, 100>, Tiny<1, 6>>>::Verdict, B0>();
    is::<<Frac<0, 1> as Covers<Frac<0, 7>, Tiny<1, 6>>>::Verdict, B1>();
    // However δ is spelled.
    is::<<Frac<622, 1000> as Covers<Frac<1, 100>, Tiny<1000, 9>>>::Verdict, B1>();
    is::<<Frac<620, 1000> as Covers<Frac<1, 100>, Tiny<1000, 9>>>::Verdict, B0>();
    is::<<Frac<610, 1000> as Covers<Frac<1, 100>, Tiny<15, 7>>>::Verdict, B1>();
}

/// At the default recursion limit.
#[test]
fn twenty_denominators() {
    macro_rules! chain {
        ($b:ty;) => { $b };
        ($b:ty; $d:literal $($ds:literal)*) => { chain!(Left<$b, Frac<1, $d>>; $($ds)*) };
    }
    type End = chain!(Frac<10, 1>; 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21);
    let (left, truth) = (
        End::NUM as f64 / End::DEN as f64,
        10.0 - (2..=21).map(|d| 1.0 / f64::from(d)).sum::<f64>(),
    );
    assert!(left <= truth && left > 0.98 * truth, "{left} {truth}");
}
