//! Bits and decimal digits, with their tables.
//!
//! Every operation is a generic associated type, so it is total by construction: the compiler has checked once, here,
//! that each digit has an answer for each other digit, and no caller repeats a bound. A table is read by double
//! dispatch: `D3 + D5` asks `D5` for its entry `Add3`. Ten distinct types, rather than one with a parameter, let rustc
//! find an impl by its self type.

use typenum::{B0, B1, Bit};

use super::amplify::{Chords, Reach};
use super::bit::{No, Yes};
use super::convert::Log;
use super::fraction::Paths;
use super::natural::{Cons, Natural, Nil, Outcome, Under, Within};
use super::table::{N, Numeral, Row};
use super::tiny::Exp;

/// One bit: a carry, a borrow or a verdict.
// Proved: Digits.plus_spec, Digits.minus_spec
pub trait Truth: Bit + Paths + Reach {
    /// The same, as compile errors name it.
    type Said: super::bit::Bit;
    /// Both.
    type And<B: ?Sized + Truth>: Truth;
    /// Either.
    type Or<B: ?Sized + Truth>: Truth;
    /// The other one.
    type Not: Truth;
    /// `A + B + self`.
    type Plus<A: ?Sized + Digit, B: ?Sized + Digit>: Place;
    /// `A - B - self`.
    type Minus<A: ?Sized + Digit, B: ?Sized + Digit>: Place;
    /// The number `HD`, plus this bit.
    type Bump<H: ?Sized + Natural, D: ?Sized + Digit>: Natural;
    /// The number `HD`, minus this bit.
    type Drop<H: ?Sized + Natural, D: ?Sized + Digit>: Outcome;
    /// Zero, plus this bit.
    type Alone: Natural;
    /// Zero, minus this bit.
    type Owed: Outcome;
    /// Is `A` equal to `B`, if this says that what follows them is equal?
    type Same<A: ?Sized + Natural, B: ?Sized + Natural>: Truth;
}

impl Truth for B0 {
    type Said = No;
    type And<B: ?Sized + Truth> = B0;
    type Or<B: ?Sized + Truth> = B;
    type Not = B1;
    type Plus<A: ?Sized + Digit, B: ?Sized + Digit> = A::Plus<B>;
    type Minus<A: ?Sized + Digit, B: ?Sized + Digit> = A::Minus<B>;
    type Bump<H: ?Sized + Natural, D: ?Sized + Digit> = Cons<H, D>;
    type Drop<H: ?Sized + Natural, D: ?Sized + Digit> = Within<Cons<H, D>>;
    type Alone = Nil;
    type Owed = Within<Nil>;
    type Same<A: ?Sized + Natural, B: ?Sized + Natural> = B0;
}

impl Truth for B1 {
    type Said = Yes;
    type And<B: ?Sized + Truth> = B;
    type Or<B: ?Sized + Truth> = B1;
    type Not = B0;
    type Plus<A: ?Sized + Digit, B: ?Sized + Digit> = A::PlusOne<B>;
    type Minus<A: ?Sized + Digit, B: ?Sized + Digit> = A::MinusOne<B>;
    type Bump<H: ?Sized + Natural, D: ?Sized + Digit> = <D::PlusOne<D0> as Place>::Add<H, Nil>;
    type Drop<H: ?Sized + Natural, D: ?Sized + Digit> = <D::MinusOne<D0> as Place>::Sub<H, Nil>;
    type Alone = Cons<Nil, D1>;
    type Owed = Under;
    type Same<A: ?Sized + Natural, B: ?Sized + Natural> = A::Same<B>;
}

/// The digit of `A + B + C`.
pub type Sum<C, A, B> = <<C as Truth>::Plus<A, B> as Place>::Digit;
/// The carry of `A + B + C`.
pub type Carry<C, A, B> = <<C as Truth>::Plus<A, B> as Place>::Carry;

/// One place of a sum or difference: a digit, and what goes to the next place.
// Proved: Digits.plus_spec, Digits.minus_spec
pub trait Place: Sized {
    /// What is written.
    type Digit: Digit;
    /// What is carried or borrowed.
    type Carry: Truth;
    /// `A + B + carry`, then the digit.
    type Add<A: ?Sized + Natural, B: ?Sized + Natural>: Natural;
    /// `A - B - borrow`, then the digit.
    type Sub<A: ?Sized + Natural, B: ?Sized + Natural>: Outcome;
}

/// An entry of the tables of sums and differences.
pub struct At<D, C>(D, C);
impl<D: ?Sized + Digit, C: ?Sized + Truth> Place for At<D, C> {
    type Digit = D;
    type Carry = C;
    type Add<A: ?Sized + Natural, B: ?Sized + Natural> = Cons<A::Add<B, C>, D>;
    type Sub<A: ?Sized + Natural, B: ?Sized + Natural> = <A::Sub<B, C> as Outcome>::Then<D>;
}

/// Two digits: an entry of the multiplication table.
// Proved: Digits.times_digit_spec
pub trait Pair: Sized {
    /// The tens.
    type Hi: Digit;
    /// The units.
    type Lo: Digit;
}

/// An entry of the multiplication table.
pub struct Two<H, L>(H, L);
impl<H: ?Sized + Digit, L: ?Sized + Digit> Pair for Two<H, L> {
    type Hi = H;
    type Lo = L;
}

/// A decimal digit.
// Proved: Digits.plus_spec, Digits.minus_spec, Digits.times_digit_spec
pub trait Digit: Sized + Exp + Chords + Log {
    /// Is it more than zero?
    type NonZero: Truth;
    /// This digit as a number: no leading zero.
    type Lead: Natural;
    /// `B` times this digit.
    type Times<B: ?Sized + Natural>: Natural;
    /// The entry of a row of ten that this digit selects.
    type Pick<R: ?Sized + Row>: Numeral;
    /// Is it `B`?
    type Is<B: ?Sized + Digit>: Truth;
    /// The next digit (nine stays).
    type Next: Digit;
    /// The digit before (zero stays).
    type Prev: Digit;
    /// Is it three or more?
    type Places: Truth;
    /// Is it four or more?
    type Beyond: Truth;
    /// Is it nine?
    type Last: Truth;
    /// Ten to the power of this digit.
    type Power: Numeral;
    /// `self + B`.
    type Plus<B: ?Sized + Digit>: Place;
    /// `self + B + 1`.
    type PlusOne<B: ?Sized + Digit>: Place;
    /// `self - B`.
    type Minus<B: ?Sized + Digit>: Place;
    /// `self - B - 1`.
    type MinusOne<B: ?Sized + Digit>: Place;
    /// `self * B`.
    type Mul<B: ?Sized + Digit>: Pair;
    /// Zero plus `self`.
    type Add0: Place;
    /// One plus `self`.
    type Add1: Place;
    /// Two plus `self`.
    type Add2: Place;
    /// Three plus `self`.
    type Add3: Place;
    /// Four plus `self`.
    type Add4: Place;
    /// Five plus `self`.
    type Add5: Place;
    /// Six plus `self`.
    type Add6: Place;
    /// Seven plus `self`.
    type Add7: Place;
    /// Eight plus `self`.
    type Add8: Place;
    /// Nine plus `self`.
    type Add9: Place;
    /// Ten plus `self`.
    type Add10: Place;
    /// Minus one minus `self`.
    type FromM: Place;
    /// Zero minus `self`.
    type From0: Place;
    /// One minus `self`.
    type From1: Place;
    /// Two minus `self`.
    type From2: Place;
    /// Three minus `self`.
    type From3: Place;
    /// Four minus `self`.
    type From4: Place;
    /// Five minus `self`.
    type From5: Place;
    /// Six minus `self`.
    type From6: Place;
    /// Seven minus `self`.
    type From7: Place;
    /// Eight minus `self`.
    type From8: Place;
    /// Nine minus `self`.
    type From9: Place;
    /// Zero times `self`.
    type Mul0: Pair;
    /// One times `self`.
    type Mul1: Pair;
    /// Two times `self`.
    type Mul2: Pair;
    /// Three times `self`.
    type Mul3: Pair;
    /// Four times `self`.
    type Mul4: Pair;
    /// Five times `self`.
    type Mul5: Pair;
    /// Six times `self`.
    type Mul6: Pair;
    /// Seven times `self`.
    type Mul7: Pair;
    /// Eight times `self`.
    type Mul8: Pair;
    /// Nine times `self`.
    type Mul9: Pair;
    /// Is it zero?
    type Is0: Truth;
    /// Is it one?
    type Is1: Truth;
    /// Is it two?
    type Is2: Truth;
    /// Is it three?
    type Is3: Truth;
    /// Is it four?
    type Is4: Truth;
    /// Is it five?
    type Is5: Truth;
    /// Is it six?
    type Is6: Truth;
    /// Is it seven?
    type Is7: Truth;
    /// Is it eight?
    type Is8: Truth;
    /// Is it nine?
    type Is9: Truth;
}

macro_rules! digit {
    (
        $d:ident $name:literal, prev $prev:ident, next $next:ident, places $places:ident $beyond:ident $last:ident, power $power:literal, positive $positive:ident,
        lead $lead:ty, times |$b:ident| $times:ty, pick $pick:ident,
        rows $plus:ident $plus_one:ident $minus:ident $minus_one:ident $mul:ident $is:ident,
        add $($a:ident $ac:ident),*; sub $($s:ident $sc:ident),*; mul $($mh:ident $ml:ident),*; is $($i:ident)*;
    ) => {
        #[doc = concat!("The digit ", $name, ".")]
        pub struct $d;
        impl Digit for $d {
            type NonZero = $positive;
            type Lead = $lead;
            type Times<$b: ?Sized + Natural> = $times;
            type Pick<R: ?Sized + Row> = R::$pick;
            type Is<B: ?Sized + Digit> = B::$is;
            type Prev = $prev;
            type Next = $next;
            type Places = $places;
            type Beyond = $beyond;
            type Last = $last;
            type Power = N<$power>;
            type Plus<B: ?Sized + Digit> = B::$plus;
            type PlusOne<B: ?Sized + Digit> = B::$plus_one;
            type Minus<B: ?Sized + Digit> = B::$minus;
            type MinusOne<B: ?Sized + Digit> = B::$minus_one;
            type Mul<B: ?Sized + Digit> = B::$mul;
            entries! { At Add0 Add1 Add2 Add3 Add4 Add5 Add6 Add7 Add8 Add9 Add10, $($a $ac),* }
            entries! { At FromM From0 From1 From2 From3 From4 From5 From6 From7 From8 From9, $($s $sc),* }
            entries! { Is0 Is1 Is2 Is3 Is4 Is5 Is6 Is7 Is8 Is9, $($i)* }
            entries! { Two Mul0 Mul1 Mul2 Mul3 Mul4 Mul5 Mul6 Mul7 Mul8 Mul9, $($mh $ml),* }
        }
    };
}

macro_rules! entries {
    ($of:ident $($name:ident)*, $($x:ident $y:ident),*) => { $(type $name = $of<$x, $y>;)* };
    ($($name:ident)*, $($x:ident)*) => { $(type $name = $x;)* };
}

digit! {
    D0 "0", prev D0, next D1, places B0 B0 B0, power 1, positive B0,
    lead Nil, times |_B| Nil, pick T0,
    rows Add0 Add1 From0 FromM Mul0 Is0,
    add D0 B0, D1 B0, D2 B0, D3 B0, D4 B0, D5 B0, D6 B0, D7 B0, D8 B0, D9 B0, D0 B1;
    sub D9 B1, D0 B0, D1 B0, D2 B0, D3 B0, D4 B0, D5 B0, D6 B0, D7 B0, D8 B0, D9 B0;
    mul D0 D0, D0 D0, D0 D0, D0 D0, D0 D0, D0 D0, D0 D0, D0 D0, D0 D0, D0 D0;
    is B1 B0 B0 B0 B0 B0 B0 B0 B0 B0;
}
digit! {
    D1 "1", prev D0, next D2, places B0 B0 B0, power 10, positive B1,
    lead Cons<Nil, D1>, times |B| B, pick T1,
    rows Add1 Add2 From1 From0 Mul1 Is1,
    add D1 B0, D2 B0, D3 B0, D4 B0, D5 B0, D6 B0, D7 B0, D8 B0, D9 B0, D0 B1, D1 B1;
    sub D8 B1, D9 B1, D0 B0, D1 B0, D2 B0, D3 B0, D4 B0, D5 B0, D6 B0, D7 B0, D8 B0;
    mul D0 D0, D0 D1, D0 D2, D0 D3, D0 D4, D0 D5, D0 D6, D0 D7, D0 D8, D0 D9;
    is B0 B1 B0 B0 B0 B0 B0 B0 B0 B0;
}
digit! {
    D2 "2", prev D1, next D3, places B0 B0 B0, power 100, positive B1,
    lead Cons<Nil, D2>, times |B| B::TimesDigit<D2, D0>, pick T2,
    rows Add2 Add3 From2 From1 Mul2 Is2,
    add D2 B0, D3 B0, D4 B0, D5 B0, D6 B0, D7 B0, D8 B0, D9 B0, D0 B1, D1 B1, D2 B1;
    sub D7 B1, D8 B1, D9 B1, D0 B0, D1 B0, D2 B0, D3 B0, D4 B0, D5 B0, D6 B0, D7 B0;
    mul D0 D0, D0 D2, D0 D4, D0 D6, D0 D8, D1 D0, D1 D2, D1 D4, D1 D6, D1 D8;
    is B0 B0 B1 B0 B0 B0 B0 B0 B0 B0;
}
digit! {
    D3 "3", prev D2, next D4, places B1 B0 B0, power 1000, positive B1,
    lead Cons<Nil, D3>, times |B| B::TimesDigit<D3, D0>, pick T3,
    rows Add3 Add4 From3 From2 Mul3 Is3,
    add D3 B0, D4 B0, D5 B0, D6 B0, D7 B0, D8 B0, D9 B0, D0 B1, D1 B1, D2 B1, D3 B1;
    sub D6 B1, D7 B1, D8 B1, D9 B1, D0 B0, D1 B0, D2 B0, D3 B0, D4 B0, D5 B0, D6 B0;
    mul D0 D0, D0 D3, D0 D6, D0 D9, D1 D2, D1 D5, D1 D8, D2 D1, D2 D4, D2 D7;
    is B0 B0 B0 B1 B0 B0 B0 B0 B0 B0;
}
digit! {
    D4 "4", prev D3, next D5, places B1 B1 B0, power 10000, positive B1,
    lead Cons<Nil, D4>, times |B| B::TimesDigit<D4, D0>, pick T4,
    rows Add4 Add5 From4 From3 Mul4 Is4,
    add D4 B0, D5 B0, D6 B0, D7 B0, D8 B0, D9 B0, D0 B1, D1 B1, D2 B1, D3 B1, D4 B1;
    sub D5 B1, D6 B1, D7 B1, D8 B1, D9 B1, D0 B0, D1 B0, D2 B0, D3 B0, D4 B0, D5 B0;
    mul D0 D0, D0 D4, D0 D8, D1 D2, D1 D6, D2 D0, D2 D4, D2 D8, D3 D2, D3 D6;
    is B0 B0 B0 B0 B1 B0 B0 B0 B0 B0;
}
digit! {
    D5 "5", prev D4, next D6, places B1 B1 B0, power 100000, positive B1,
    lead Cons<Nil, D5>, times |B| B::TimesDigit<D5, D0>, pick T5,
    rows Add5 Add6 From5 From4 Mul5 Is5,
    add D5 B0, D6 B0, D7 B0, D8 B0, D9 B0, D0 B1, D1 B1, D2 B1, D3 B1, D4 B1, D5 B1;
    sub D4 B1, D5 B1, D6 B1, D7 B1, D8 B1, D9 B1, D0 B0, D1 B0, D2 B0, D3 B0, D4 B0;
    mul D0 D0, D0 D5, D1 D0, D1 D5, D2 D0, D2 D5, D3 D0, D3 D5, D4 D0, D4 D5;
    is B0 B0 B0 B0 B0 B1 B0 B0 B0 B0;
}
digit! {
    D6 "6", prev D5, next D7, places B1 B1 B0, power 1000000, positive B1,
    lead Cons<Nil, D6>, times |B| B::TimesDigit<D6, D0>, pick T6,
    rows Add6 Add7 From6 From5 Mul6 Is6,
    add D6 B0, D7 B0, D8 B0, D9 B0, D0 B1, D1 B1, D2 B1, D3 B1, D4 B1, D5 B1, D6 B1;
    sub D3 B1, D4 B1, D5 B1, D6 B1, D7 B1, D8 B1, D9 B1, D0 B0, D1 B0, D2 B0, D3 B0;
    mul D0 D0, D0 D6, D1 D2, D1 D8, D2 D4, D3 D0, D3 D6, D4 D2, D4 D8, D5 D4;
    is B0 B0 B0 B0 B0 B0 B1 B0 B0 B0;
}
digit! {
    D7 "7", prev D6, next D8, places B1 B1 B0, power 10000000, positive B1,
    lead Cons<Nil, D7>, times |B| B::TimesDigit<D7, D0>, pick T7,
    rows Add7 Add8 From7 From6 Mul7 Is7,
    add D7 B0, D8 B0, D9 B0, D0 B1, D1 B1, D2 B1, D3 B1, D4 B1, D5 B1, D6 B1, D7 B1;
    sub D2 B1, D3 B1, D4 B1, D5 B1, D6 B1, D7 B1, D8 B1, D9 B1, D0 B0, D1 B0, D2 B0;
    mul D0 D0, D0 D7, D1 D4, D2 D1, D2 D8, D3 D5, D4 D2, D4 D9, D5 D6, D6 D3;
    is B0 B0 B0 B0 B0 B0 B0 B1 B0 B0;
}
digit! {
    D8 "8", prev D7, next D9, places B1 B1 B0, power 100000000, positive B1,
    lead Cons<Nil, D8>, times |B| B::TimesDigit<D8, D0>, pick T8,
    rows Add8 Add9 From8 From7 Mul8 Is8,
    add D8 B0, D9 B0, D0 B1, D1 B1, D2 B1, D3 B1, D4 B1, D5 B1, D6 B1, D7 B1, D8 B1;
    sub D1 B1, D2 B1, D3 B1, D4 B1, D5 B1, D6 B1, D7 B1, D8 B1, D9 B1, D0 B0, D1 B0;
    mul D0 D0, D0 D8, D1 D6, D2 D4, D3 D2, D4 D0, D4 D8, D5 D6, D6 D4, D7 D2;
    is B0 B0 B0 B0 B0 B0 B0 B0 B1 B0;
}
digit! {
    D9 "9", prev D8, next D9, places B1 B1 B1, power 1000000000, positive B1,
    lead Cons<Nil, D9>, times |B| B::TimesDigit<D9, D0>, pick T9,
    rows Add9 Add10 From9 From8 Mul9 Is9,
    add D9 B0, D0 B1, D1 B1, D2 B1, D3 B1, D4 B1, D5 B1, D6 B1, D7 B1, D8 B1, D9 B1;
    sub D0 B1, D1 B1, D2 B1, D3 B1, D4 B1, D5 B1, D6 B1, D7 B1, D8 B1, D9 B1, D0 B0;
    mul D0 D0, D0 D9, D1 D8, D2 D7, D3 D6, D4 D5, D5 D4, D6 D3, D7 D2, D8 D1;
    is B0 B0 B0 B0 B0 B0 B0 B0 B0 B1;
}
