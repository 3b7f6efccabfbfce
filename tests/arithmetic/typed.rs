//! Rows whose results were written by the functions of the proof: what the types say of them.
//!
//! Every row is a constant, so that nothing is left to optimise or to generate code for.

use super::number::*;

pub type Pair = (u64, u64);

/// What a type says: a fraction, or nothing.
pub trait Shown {
    const SHOWN: Option<Pair>;
}
impl<const A: usize, const B: usize, const W: usize> Shown for Frac<A, B, W> {
    const SHOWN: Option<Pair> = {
        assert!(
            W == 0 || A < B && 0 < A && W * B + A > 1024,
            "a result is written in one way"
        );
        Some(((W * B + A) as u64, B as u64))
    };
}
impl<const A: usize, const K: usize> Shown for Tiny<A, K> {
    const SHOWN: Option<Pair> = Some((A as u64, K as u64));
}
impl Shown for BelowZero {
    const SHOWN: Option<Pair> = None;
}

/// Two types, or a type and a number, of which an operation may not exist: `Probe::<..>::SUM` is that of the impl below
/// if its bounds hold, and otherwise [`Missing::SUM`].
pub struct Probe<A, B, const K: usize>(core::marker::PhantomData<(A, B)>);

pub trait Missing {
    const SUM: Option<Pair> = None;
    const SCALED: Option<Pair> = None;
    const PART: Option<Pair> = None;
    const HALF_SQUARE: Option<Pair> = None;
    const TINY_SUM: Option<Pair> = None;
    const GROUP: Option<Pair> = None;
}
impl<A, B, const K: usize> Missing for Probe<A, B, K> {}

impl<A: Sum<B, Out: Shown>, B: Fraction> Probe<A, B, 0> {
    pub const SUM: Option<Pair> = <A::Out as Shown>::SHOWN;
}
impl<A: Scale<K, Out: Shown>, const K: usize> Probe<A, (), K> {
    pub const SCALED: Option<Pair> = <A::Out as Shown>::SHOWN;
}
impl<A: Share<K, Out: Shown>, const K: usize> Probe<A, (), K> {
    pub const PART: Option<Pair> = <A::Out as Shown>::SHOWN;
}
impl<A: HalfSquare<Out: Shown>> Probe<A, (), 0> {
    pub const HALF_SQUARE: Option<Pair> = <A::Out as Shown>::SHOWN;
}
impl<A: TinySum<B, Out: Shown>, B: Probability> Probe<A, B, 0> {
    pub const TINY_SUM: Option<Pair> = <A::Out as Shown>::SHOWN;
}
impl<A: Group<E, K, Out: Shown>, E: Fraction, const K: usize> Probe<A, E, K> {
    pub const GROUP: Option<Pair> = <A::Out as Shown>::SHOWN;
}

pub const fn value<T: Fraction>() -> Pair {
    (T::NUM, T::DEN)
}

/// A row, what the types say of it, and what the proved functions say.
pub type Row = (&'static str, Option<Pair>, Option<Pair>);

pub fn compare(operation: &str, rows: &[Row]) {
    for (row, types, proof) in rows {
        assert_eq!(types, proof, "{operation} {row}: the types, then the proof");
    }
}

/// A verdict as a pair.
pub const fn bit(yes: bool) -> Option<Pair> {
    Some((yes as u64, 1))
}

/// What a debit leaves, if its verdict agrees.
pub const fn debited(within: bool, left: Option<Pair>) -> Option<Pair> {
    assert!(
        within == left.is_some(),
        "the verdict and what is left disagree"
    );
    left
}

/// What a debit of probabilities leaves, if its verdict and the comparison agree.
pub const fn tiny_debited(within: bool, le: bool, left: Option<Pair>) -> Option<Pair> {
    assert!(within || le, "one of two is at most the other");
    assert!(
        !(within && le) || matches!(left, Some((0, _))),
        "equal, but something is left"
    );
    debited(within, left)
}

/// The comparison, if the larger one is what it says.
pub const fn compared(a: Pair, b: Pair, le: bool, larger: Pair) -> Option<Pair> {
    let want = if le { b } else { a };
    assert!(
        larger.0 == want.0 && larger.1 == want.1,
        "the larger one is not"
    );
    bit(le)
}

macro_rules! proved {
    (none) => {
        None
    };
    (true) => {
        $crate::typed::bit(true)
    };
    (false) => {
        $crate::typed::bit(false)
    };
    (($a:literal/$b:literal $(/$w:literal)?)) => {
        Some(($a $(+ $w * $b)?, $b))
    };
}
pub(crate) use proved;

/// What the types say. Where the proof says that there is a result, it is asked for; where it says that there is none,
/// whether there is one: rustc takes half as long again for that.
macro_rules! asked {
    (none, $probe:expr, $direct:ty) => {
        $probe
    };
    ($want:tt, $probe:expr, $direct:ty) => {
        <$direct as Shown>::SHOWN
    };
}
pub(crate) use asked;

/// One test for each chunk of rows: `typed! { "sums", name, rows.. }`.
macro_rules! typed {
    ($op:literal, $name:ident, $($row:expr, $types:expr, $want:tt;)*) => {
        #[test]
        fn $name() {
            const ROWS: &[Row] = &[$(($row, $types, proved!($want))),*];
            compare($op, ROWS);
        }
    };
}
pub(crate) use typed;

macro_rules! sums {
    ($name:ident: $($a:literal/$b:literal$(/$v:literal)? $c:literal/$d:literal$(/$w:literal)? = $want:tt;)*) => {
        typed! { "sums", $name, $(concat!($a, "/", $b $(, "/", $v)?, " ", $c, "/", $d $(, "/", $w)?),
            asked!($want, Probe::<Frac<$a, $b $(, $v)?>, Frac<$c, $d $(, $w)?>, 0>::SUM, <Frac<$a, $b $(, $v)?> as Sum<Frac<$c, $d $(, $w)?>>>::Out), $want;)* }
    };
}
pub(crate) use sums;
macro_rules! debits {
    ($name:ident: $($a:literal/$b:literal$(/$v:literal)? $c:literal/$d:literal$(/$w:literal)? = $want:tt;)*) => {
        typed! { "debits", $name, $(concat!($a, "/", $b $(, "/", $v)?, " ", $c, "/", $d $(, "/", $w)?),
            debited(
                <<Frac<$a, $b $(, $v)?> as Debit<Frac<$c, $d $(, $w)?>>>::Verdict as Bit>::BOOL,
                <<Frac<$a, $b $(, $v)?> as Debit<Frac<$c, $d $(, $w)?>>>::Left as Shown>::SHOWN,
            ), $want;)* }
    };
}
pub(crate) use debits;
macro_rules! compares {
    ($name:ident: $($a:literal/$b:literal$(/$v:literal)? $c:literal/$d:literal$(/$w:literal)? = $want:tt;)*) => {
        typed! { "compares", $name, $(concat!($a, "/", $b $(, "/", $v)?, " ", $c, "/", $d $(, "/", $w)?),
            compared(
                value::<Frac<$a, $b $(, $v)?>>(), value::<Frac<$c, $d $(, $w)?>>(),
                <<Frac<$a, $b $(, $v)?> as Compare<Frac<$c, $d $(, $w)?>>>::Le as Bit>::BOOL,
                value::<<Frac<$a, $b $(, $v)?> as Larger<Frac<$c, $d $(, $w)?>>>::Out>(),
            ), $want;)* }
    };
}
pub(crate) use compares;
macro_rules! scales {
    ($name:ident: $($a:literal/$b:literal$(/$v:literal)? $k:literal = $want:tt;)*) => {
        typed! { "scales", $name, $(concat!($a, "/", $b $(, "/", $v)?, " ", $k),
            asked!($want, Probe::<Frac<$a, $b $(, $v)?>, (), $k>::SCALED, <Frac<$a, $b $(, $v)?> as Scale<$k>>::Out), $want;)* }
    };
}
pub(crate) use scales;
macro_rules! parts {
    ($name:ident: $($a:literal/$b:literal$(/$v:literal)? $k:literal = $want:tt;)*) => {
        typed! { "parts", $name, $(concat!($a, "/", $b $(, "/", $v)?, " ", $k),
            asked!($want, Probe::<Frac<$a, $b $(, $v)?>, (), $k>::PART, <Frac<$a, $b $(, $v)?> as Share<$k>>::Out), $want;)* }
    };
}
pub(crate) use parts;
macro_rules! half_squares {
    ($name:ident: $($a:literal/$b:literal$(/$v:literal)? = $want:tt;)*) => {
        typed! { "half_squares", $name, $(concat!($a, "/", $b $(, "/", $v)?),
            asked!($want, Probe::<Frac<$a, $b $(, $v)?>, (), 0>::HALF_SQUARE, <Frac<$a, $b $(, $v)?> as HalfSquare>::Out), $want;)* }
    };
}
pub(crate) use half_squares;
macro_rules! covers {
    ($name:ident: $($a:literal/$b:literal$(/$v:literal)? $c:literal/$d:literal$(/$w:literal)? $p:literal/$k:literal = $want:tt;)*) => {
        typed! { "covers", $name, $(concat!($a, "/", $b $(, "/", $v)?, " ", $c, "/", $d $(, "/", $w)?, " ", $p, "/", $k),
            bit(<<Frac<$a, $b $(, $v)?> as Covers<Frac<$c, $d $(, $w)?>, Tiny<$p, $k>>>::Verdict as Bit>::BOOL), $want;)* }
    };
}
pub(crate) use covers;
macro_rules! tiny_sums {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal = $want:tt;)*) => {
        typed! { "tiny_sums", $name, $(concat!($a, "/", $b, " ", $c, "/", $d),
            asked!($want, Probe::<Tiny<$a, $b>, Tiny<$c, $d>, 0>::TINY_SUM, <Tiny<$a, $b> as TinySum<Tiny<$c, $d>>>::Out), $want;)* }
    };
}
pub(crate) use tiny_sums;
macro_rules! tiny_debits {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal = $want:tt;)*) => {
        typed! { "tiny_debits", $name, $(concat!($a, "/", $b, " ", $c, "/", $d),
            tiny_debited(
                <<Tiny<$a, $b> as TinyDebit<Tiny<$c, $d>>>::Verdict as Bit>::BOOL,
                <<Tiny<$a, $b> as TinyCompare<Tiny<$c, $d>>>::Le as Bit>::BOOL,
                <<Tiny<$a, $b> as TinyDebit<Tiny<$c, $d>>>::Left as Shown>::SHOWN,
            ), $want;)* }
    };
}
pub(crate) use tiny_debits;
macro_rules! tiny_compares {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal = $want:tt;)*) => {
        typed! { "tiny_compares", $name, $(concat!($a, "/", $b, " ", $c, "/", $d),
            bit(<<Tiny<$a, $b> as TinyCompare<Tiny<$c, $d>>>::Le as Bit>::BOOL), $want;)* }
    };
}
pub(crate) use tiny_compares;
macro_rules! groups {
    ($name:ident: $($a:literal/$b:literal $c:literal/$d:literal$(/$w:literal)? $k:literal = $want:tt;)*) => {
        typed! { "groups", $name, $(concat!($a, "/", $b, " ", $c, "/", $d $(, "/", $w)?, " ", $k),
            asked!($want, Probe::<Tiny<$a, $b>, Frac<$c, $d $(, $w)?>, $k>::GROUP, <Tiny<$a, $b> as Group<Frac<$c, $d $(, $w)?>, $k>>::Out), $want;)* }
    };
}
pub(crate) use groups;
