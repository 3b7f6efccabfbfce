//! Arrays, vectors and tuples of mechanisms.

use crate::cost::{Cost, Plus, Times};
use crate::data::Domain;
use crate::error::{Error, Result};
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;

mod sealed {
    pub trait Sealed {}
    pub trait Joinable {}
}

/// What [`Mechanism::all`] takes: an array, or a tuple of two to eight, of mechanisms on the same
/// data and of the same price. Sealed.
#[diagnostic::on_unimplemented(
    message = "`Mechanism::all` takes mechanisms on the same data and of the same price",
    label = "not an array or a tuple of such mechanisms",
    note = "raise the cheaper ones with `.at_most()`, or chain mechanisms of different prices with `.and()`",
    note = "with a bound `E: Split<K>`, take exactly K parts of price `E::Part`: three parts need `E: Split<3>`"
)]
pub trait Bundle: sealed::Sealed + Sized {
    /// The data they share.
    type In: Domain;
    /// Their answers together.
    type Out: 'static;
    /// What each costs.
    type Each: Cost;
    /// What they cost together.
    type Total: Cost;
    /// PRIVACY: sequential composition of mechanisms that are already priced.
    #[doc(hidden)]
    fn join(self) -> Mechanism<Self::In, Self::Out, Self::Total>;
}

/// An array from exactly `K` answers.
pub(super) fn array<T, const K: usize>(answers: Vec<T>) -> [T; K] {
    match answers.try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("one answer was pushed for each of the K mechanisms"),
    }
}

impl<In: Domain, Out, C, const K: usize> sealed::Sealed for [Mechanism<In, Out, C>; K] {}

#[diagnostic::do_not_recommend]
impl<In: Domain, Out: 'static, C: Times<K>, const K: usize> Bundle for [Mechanism<In, Out, C>; K] {
    type In = In;
    type Out = [Out; K];
    type Each = C;
    type Total = C::Product;

    fn join(self) -> Mechanism<In, [Out; K], C::Product> {
        let mut queries = Vec::new();
        let mut label = Label::sum::<C::Product>("all of");
        let answers = self.map(|mechanism| {
            let (asked, answer, part) = mechanism.into_parts();
            queries.extend(asked);
            label = std::mem::take(&mut label).part(&part);
            answer
        });
        // PRIVACY: sequential composition of `K` mechanisms of cost `C`.
        // Proved: Mechanism.T_All
        Mechanism::mint(queries, label, move |run| {
            let out = answers
                .iter()
                .map(|answer| answer.make(run))
                .collect::<Result<_>>()?;
            Ok(array(out))
        })
    }
}

macro_rules! tuples {
    ($($K:literal: $($T:ident $part:ident),+;)*) => { $(
        impl<In: Domain, Price, $($T),+> sealed::Sealed for ($(Mechanism<In, $T, Price>,)+) {}

        #[diagnostic::do_not_recommend]
        impl<In: Domain, Price: Times<$K>, $($T: 'static),+> Bundle
            for ($(Mechanism<In, $T, Price>,)+)
        {
            type In = In;
            type Out = ($($T,)+);
            type Each = Price;
            type Total = Price::Product;

            fn join(self) -> Mechanism<In, Self::Out, Self::Total> {
                let ($($part,)+) = self;
                let mut queries = Vec::new();
                let label = Label::sum::<Self::Total>("all of");
                $(
                    let label = label.part($part.label());
                    let (asked, $part, _) = $part.into_parts();
                    queries.extend(asked);
                )+
                // PRIVACY: sequential composition of mechanisms of one cost, in the order asked.
                // Proved: Mechanism.T_All
                Mechanism::mint(queries, label, move |run| Ok(($($part.make(run)?,)+)))
            }
        }
    )* };
}

tuples! {
    2: A a, B b;
    3: A a, B b, C c;
    4: A a, B b, C c, D d;
    5: A a, B b, C c, D d, E e;
    6: A a, B b, C c, D d, E e, F f;
    7: A a, B b, C c, D d, E e, F f, G g;
    8: A a, B b, C c, D d, E e, F f, G g, H h;
}

/// What [`Mechanism::together`] takes: a tuple of two to eight mechanisms on the same data, each of its own
/// price. Sealed.
#[diagnostic::on_unimplemented(
    message = "`Mechanism::together` takes a tuple of mechanisms on the same data, whose prices add up",
    label = "not a tuple of such mechanisms",
    note = "two to eight mechanisms can be joined: `Mechanism::together((a, b, c))`; prices of one notion add, and \
            a pure price adds to any",
    note = "an array of mechanisms of one price is for `Mechanism::all`, a `Vec` of them for `Mechanism::at_most_of`"
)]
pub trait Together: sealed::Joinable + Sized {
    /// The data they share.
    type In: Domain;
    /// Their answers, as a flat tuple.
    type Out: 'static;
    /// The sum of their prices.
    type Total: Cost;
    #[doc(hidden)]
    fn together(self) -> Mechanism<Self::In, Self::Out, Self::Total>;
}

macro_rules! together {
    (
        $A:ident $P:ident $a:ident;
        $($T:ident $C:ident $t:ident = $Before:ident => $Sum:ident),+;
        $Total:ident; $nested:pat
    ) => {
        impl<In: Domain, $A, $P, $($T, $C),+> sealed::Joinable
            for (Mechanism<In, $A, $P>, $(Mechanism<In, $T, $C>),+)
        {
        }

        #[diagnostic::do_not_recommend]
        impl<In: Domain, $A: 'static, $P: Cost, $($T: 'static, $C, $Sum: Cost),+> Together
            for (Mechanism<In, $A, $P>, $(Mechanism<In, $T, $C>),+)
        where
            $($C: Plus<$Before, Sum = $Sum>,)+
        {
            type In = In;
            type Out = ($A, $($T),+);
            type Total = $Total;

            fn together(self) -> Mechanism<In, Self::Out, $Total> {
                let ($a, $($t),+) = self;
                // `and` adds the prices; the rest is post-processing.
                $a $(.and($t))+.map(|$nested| ($a, $($t),+))
            }
        }
    };
}

together!(A P a; B Q b = P => S2; S2; (a, b));
together!(A P a; B Q b = P => S2, C R c = S2 => S3; S3; ((a, b), c));
together!(A P a; B Q b = P => S2, C R c = S2 => S3, D T d = S3 => S4; S4; (((a, b), c), d));
together!(
    A P a; B Q b = P => S2, C R c = S2 => S3, D T d = S3 => S4, E U e = S4 => S5;
    S5; ((((a, b), c), d), e)
);
together!(
    A P a;
    B Q b = P => S2, C R c = S2 => S3, D T d = S3 => S4, E U e = S4 => S5, F V f = S5 => S6;
    S6; (((((a, b), c), d), e), f)
);
together!(
    A P a;
    B Q b = P => S2, C R c = S2 => S3, D T d = S3 => S4, E U e = S4 => S5, F V f = S5 => S6,
    G W g = S6 => S7;
    S7; ((((((a, b), c), d), e), f), g)
);
together!(
    A P a;
    B Q b = P => S2, C R c = S2 => S3, D T d = S3 => S4, E U e = S4 => S5, F V f = S5 => S6,
    G W g = S6 => S7, H X h = S7 => S8;
    S8; (((((((a, b), c), d), e), f), g), h)
);

impl<In: Domain, Out: 'static, C: Cost> Mechanism<In, Out, C> {
    /// Combines up to `K` mechanisms of one price, how many is known at run time. The cost is `K` times the
    /// price, however many there are ([T10](crate::guide::theory#t10-composition-adds)).
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let ages = [40, 60, 80]; // from a request
    /// let counts = ages.map(|age| rows::<Patient>().filter(|p| p.age.ge(age)).count().laplace());
    /// let all = Mechanism::<_, _, Eps<1, 8>>::at_most_of::<4>(counts.into())?;
    /// let all: Mechanism<_, Vec<i64>, Eps<1, 2>> = all.at_most();
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::TooMany`] if there are more than `K`. Nothing runs then.
    pub fn at_most_of<const K: usize>(
        parts: Vec<Mechanism<In, Out, C>>,
    ) -> Result<Mechanism<In, Vec<Out>, C::Product>>
    where
        C: Times<K>,
    {
        if parts.len() > K {
            return Err(Error::TooMany {
                parts: parts.len(),
                most: K,
            });
        }
        let mut queries = Vec::new();
        let mut label = Label::new::<C::Product>(format!("at most {K} of"));
        let mut answers = Vec::with_capacity(parts.len());
        for mechanism in parts {
            let (asked, answer, part) = mechanism.into_parts();
            queries.extend(asked);
            label = label.part(&part);
            answers.push(answer);
        }
        // PRIVACY: sequential composition of at most `K` mechanisms of cost `C`. How many there are is public: it
        // was decided before anything ran.
        // Proved: Mechanism.T_All, Mechanism.mechanism_sound (rule T_At_most)
        Ok(Mechanism::mint(queries, label, move |run| {
            answers.iter().map(|answer| answer.make(run)).collect()
        }))
    }

    /// Combines mechanisms of different prices, as a tuple of up to eight. Their answers are one flat tuple, and
    /// their prices add ([T10](crate::guide::theory#t10-composition-adds)).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64, smoker: bool }
    /// let count = rows::<Patient>().count().laplace::<Eps<1, 8>>();
    /// let smokers = rows::<Patient>().filter(|p| p.smoker).count().laplace::<Eps<1, 4>>();
    /// let ages = rows::<Patient>().sum(|p| p.age.clamp::<0, 120>()).laplace::<Eps<1, 2>>();
    /// let all: Mechanism<_, (i64, i64, i64), Eps<7, 8>> = Mechanism::together((count, smokers, ages));
    /// ```
    pub fn together<M>(parts: M) -> Mechanism<In, Out, C>
    where
        M: Together<In = In, Out = Out, Total = C>,
    {
        parts.together()
    }
}
