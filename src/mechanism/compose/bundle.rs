//! Arrays and tuples of mechanisms of one price.

use crate::cost::{Cost, Times};
use crate::data::Domain;
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;

mod sealed {
    pub trait Sealed {}
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
        let mut label = Label::new::<C::Product>("all of");
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
                .collect::<crate::error::Result<_>>()?;
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
                let label = Label::new::<Self::Total>("all of");
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
