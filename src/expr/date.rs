//! Parts of dates and times, and days between dates.

use core::marker::PhantomData;

use super::{
    Bounded, Days, Eval, Expr, Int, Keyed, Kind, KindOf, Moments, Nullable, Operation, Summand,
    Term, ValOf, node,
};
use crate::data::{Null, calendar};

/// Kinds that have a date: dates and times. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` have no date",
    label = "neither a date nor a time",
    note = "fields of type `privet::Date` and `privet::Timestamp` have one"
)]
pub trait Dated: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
    /// A whole number that is missing where the date is.
    type Whole: Summand<Total = i64>;
    /// A date that is missing where the time is.
    type Day: Kind;
    fn days(value: Self::Value) -> <Self::Day as Kind>::Value;
    fn part(value: Self::Value, part: impl FnOnce(i64) -> i64) -> <Self::Whole as Kind>::Value;
}

/// Kinds that have a time of day. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` have no time of day",
    label = "not a time",
    note = "fields of type `privet::Timestamp` have one"
)]
pub trait Timed: Dated {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
    fn time(value: Self::Value, part: impl FnOnce(i64) -> i64) -> <Self::Whole as Kind>::Value;
}

impl Dated for Days {
    type Then<T> = T;
    type Whole = Int;
    type Day = Days;
    #[inline(always)]
    fn days(value: i64) -> i64 {
        value
    }
    #[inline(always)]
    fn part(value: i64, part: impl FnOnce(i64) -> i64) -> i64 {
        part(value)
    }
}
impl Dated for Moments {
    type Then<T> = T;
    type Whole = Int;
    type Day = Days;
    #[inline(always)]
    fn days(value: i64) -> i64 {
        calendar::date(value)
    }
    #[inline(always)]
    fn part(value: i64, part: impl FnOnce(i64) -> i64) -> i64 {
        part(calendar::date(value))
    }
}
impl Timed for Moments {
    type Then<T> = T;
    #[inline(always)]
    fn time(value: i64, part: impl FnOnce(i64) -> i64) -> i64 {
        part(value)
    }
}
macro_rules! nullable {
    ($($kind:ty)*) => {$(
        impl Dated for Nullable<$kind> {
            type Then<T> = T;
            type Whole = Nullable<Int>;
            type Day = Nullable<Days>;
            #[inline(always)]
            fn days(value: Null<i64>) -> Null<i64> {
                Null { valid: value.valid, value: <$kind>::days(value.value) }
            }
            #[inline(always)]
            fn part(value: Null<i64>, part: impl FnOnce(i64) -> i64) -> Null<i64> {
                Null { valid: value.valid, value: <$kind>::part(value.value, part) }
            }
        }
    )*};
}
nullable!(Days Moments);
impl Timed for Nullable<Moments> {
    type Then<T> = T;
    #[inline(always)]
    fn time(value: Null<i64>, part: impl FnOnce(i64) -> i64) -> Null<i64> {
        Null {
            valid: value.valid,
            value: part(value.value),
        }
    }
}

/// Which part of a date or a time. Sealed.
#[doc(hidden)]
pub trait DatePart<K: Dated>: sealed::Part + Send + Sync + 'static {
    const OPERATION: Operation;
    const LEAST: i64;
    const MOST: i64;
    fn of(value: K::Value) -> <K::Whole as Kind>::Value;
}

/// A part of few values, each of which is a public key. Sealed.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a year has no bounds",
    label = "unbounded",
    note = "clamp it first: `.year().clamp::<2010, 2019>()`"
)]
pub trait FewValues: sealed::Part {}

mod sealed {
    pub trait Part {}
}

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident $operation:ident $bound:ident $call:ident $of:ident, $least:expr, $most:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}
        impl sealed::Part for $name {}
        impl<K: $bound> DatePart<K> for $name {
            const OPERATION: Operation = Operation::$operation;
            const LEAST: i64 = $least;
            const MOST: i64 = $most;
            #[inline(always)]
            fn of(value: K::Value) -> <K::Whole as Kind>::Value {
                K::$call(value, calendar::$of)
            }
        }
    )*};
}
parts! {
    /// The year.
    YearPart Year Dated part year, i64::MIN, i64::MAX;
    /// The month, 1 to 12.
    MonthPart Month Dated part month, 1, 12;
    /// The day of the month, 1 to 31.
    DayPart Day Dated part day, 1, 31;
    /// The day of the week, 1 for Monday to 7.
    WeekdayPart Weekday Dated part weekday, 1, 7;
    /// The hour, 0 to 23.
    HourPart Hour Timed time hour, 0, 23;
    /// The minute, 0 to 59.
    MinutePart Minute Timed time minute, 0, 59;
}
impl FewValues for MonthPart {}
impl FewValues for DayPart {}
impl FewValues for WeekdayPart {}
impl FewValues for HourPart {}
impl FewValues for MinutePart {}

/// A part of a date or a time.
pub struct PartOf<E, P>(E, PhantomData<fn() -> P>);
impl<E, P> PartOf<E, P> {
    pub(super) fn new(e: E) -> Self {
        PartOf(e, PhantomData)
    }
}
impl<E: Clone, P> Clone for PartOf<E, P> {
    fn clone(&self) -> Self {
        PartOf(self.0.clone(), PhantomData)
    }
}
impl<E: Copy, P> Copy for PartOf<E, P> {}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundPart<B, K, P>(B, PhantomData<fn() -> (K, P)>);
impl<B: Copy, K, P> Clone for BoundPart<B, K, P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, K, P> Copy for BoundPart<B, K, P> {}
impl<B: Eval<Value = K::Value>, K: Dated, P: DatePart<K>> Eval for BoundPart<B, K, P> {
    type Value = <K::Whole as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        P::of(self.0.at(row))
    }
}

node! {
    [E: Expr<Kind: Dated>, P: DatePart<KindOf<E>>] PartOf<E, P> where [];
    row E::Row; kind <E::Kind as Dated>::Whole; children [E];
    low P::LEAST as i128; high P::MOST as i128;
    bound<'a> BoundPart<E::Bound<'a>, E::Kind, P>;
    bind |this, chunk| BoundPart(this.0.bind(chunk), PhantomData);
    term |this| Term::Apply(P::OPERATION, vec![this.0.term()]);
}

impl<E: Expr<Kind: Dated>, P: DatePart<KindOf<E>> + FewValues> Bounded for PartOf<E, P> {
    super::sum::bounded!();
}

impl<E: Expr<Kind: Dated>, P: DatePart<KindOf<E>> + FewValues> Keyed for PartOf<E, P> {
    const CELLS: usize = (P::MOST - P::LEAST + 1) as usize;
    type Key = Self;
    fn key(self) -> Self {
        self
    }
    #[inline(always)]
    fn cell(value: ValOf<Self>) -> (bool, usize) {
        // A missing value reads as 0, which may lie outside.
        let cell = (<KindOf<Self> as Summand>::or_zero(value) - P::LEAST) as usize;
        (
            <KindOf<Self> as Summand>::valid(value),
            cell.min(Self::CELLS - 1),
        )
    }
}

/// The date of a time.
#[derive(Clone, Copy, Debug)]
pub struct DateOf<E>(pub(super) E);

/// One chunk of it.
#[doc(hidden)]
pub struct BoundDate<B, K>(B, PhantomData<fn() -> K>);
impl<B: Copy, K> Clone for BoundDate<B, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, K> Copy for BoundDate<B, K> {}
impl<B: Eval<Value = K::Value>, K: Timed> Eval for BoundDate<B, K> {
    type Value = <K::Day as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        K::days(self.0.at(row))
    }
}

node! {
    [E: Expr<Kind: Timed>] DateOf<E> where [];
    row E::Row; kind <E::Kind as Dated>::Day; children [E];
    bound<'a> BoundDate<E::Bound<'a>, E::Kind>;
    bind |this, chunk| BoundDate(this.0.bind(chunk), PhantomData);
    term |this| Term::Apply(Operation::DateOf, vec![this.0.term()]);
}

/// Dates between which days can be counted, seen from the second. Sealed by its parameters.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "no days between a value of kind `{K}` and one of kind `{Self}`",
    label = "not a date",
    note = "days are counted between dates: a column, or `Date::new(2013, 1, 31)`; a time has `.date()`"
)]
pub trait DaysAfter<K: Kind>: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
    type Out: Kind;
    fn after(first: K::Value, second: Self::Value) -> <Self::Out as Kind>::Value;
}
macro_rules! days_after {
    ($($a:ty, $b:ty => $out:ty, |$x:ident, $y:ident| $e:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl DaysAfter<$a> for $b {
            type Then<T> = T;
            type Out = $out;
            #[inline(always)]
            fn after($x: <$a as Kind>::Value, $y: <$b as Kind>::Value) -> <$out as Kind>::Value {
                $e
            }
        }
    )*};
}
days_after! {
    Days, Days => Int, |x, y| x.wrapping_sub(y);
    Nullable<Days>, Days => Nullable<Int>, |x, y| Null { valid: x.valid, value: x.value.wrapping_sub(y) };
    Days, Nullable<Days> => Nullable<Int>, |x, y| Null { valid: y.valid, value: x.wrapping_sub(y.value) };
    Nullable<Days>, Nullable<Days> => Nullable<Int>, |x, y| Null {
        valid: x.valid & y.valid,
        value: x.value.wrapping_sub(y.value),
    };
}

/// How many days one date is after another.
#[derive(Clone, Copy, Debug)]
pub struct DaysSince<A, B>(pub(super) A, pub(super) B);

/// One chunk of it.
#[doc(hidden)]
pub struct BoundDays<X, Y, A, B>(X, Y, PhantomData<fn() -> (A, B)>);
impl<X: Copy, Y: Copy, A, B> Clone for BoundDays<X, Y, A, B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<X: Copy, Y: Copy, A, B> Copy for BoundDays<X, Y, A, B> {}
impl<X, Y, A, B> Eval for BoundDays<X, Y, A, B>
where
    A: Kind,
    B: DaysAfter<A>,
    X: Eval<Value = A::Value>,
    Y: Eval<Value = B::Value>,
{
    type Value = <B::Out as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        B::after(self.0.at(row), self.1.at(row))
    }
}

node! {
    [A: Expr, B: Expr<Row = A::Row, Kind: DaysAfter<KindOf<A>>>] DaysSince<A, B> where [];
    row A::Row; kind <B::Kind as DaysAfter<A::Kind>>::Out; children [A, B];
    bound<'a> BoundDays<A::Bound<'a>, B::Bound<'a>, A::Kind, B::Kind>;
    bind |this, chunk| BoundDays(this.0.bind(chunk), this.1.bind(chunk), PhantomData);
    term |this| Term::Apply(Operation::DaysSince, vec![this.0.term(), this.1.term()]);
}
