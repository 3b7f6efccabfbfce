//! Pure ε-differential privacy.

use core::fmt;

use crate::number::Yes;

use super::one_number::one_number;
use super::{
    AtMost, Books, Budget, Cost, Dearer, Debits, ForGroups, Passes, Plus, Positive, Price, Pure,
    Ratio, Remainder, Spelled, Split, Times,
};
use crate::number::{self, Compare, Debit, Frac, Fraction, Larger, Scale, Share, Sum};

/// The pure cost ε = `NUM`/`DEN`, or `WHOLE` + `NUM`/`DEN`.
///
/// For neighbouring data sets x and x', every event is at most e^ε times as likely on x as on x'
/// ([T1](crate::guide::theory#t1-differential-privacy)).
/// `NUM` is 0 to 1024; `DEN` is 1 to 1024 or a power of ten up to 10^9. A `WHOLE` part is up to 1023, with a `DEN` of at
/// most 1024. What is left of a budget is written that way where its numerator would be above 1024: 100 − 1/600 is
/// `Eps<599, 600, 99>`.
///
/// ```
/// use privet::prelude::*;
///
/// assert_eq!(Eps::<3, 4>.to_string(), "ε = 3/4");
/// assert_eq!(Eps::<3, 4>::ratio(), privet::Ratio::new(3, 4));
/// assert_eq!(Eps::<1, 3, 20>::ratio(), privet::Ratio::new(61, 3));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Eps<const NUM: usize, const DEN: usize, const WHOLE: usize = 0>;

one_number!(Eps, Pure, of_epsilon);

// K records change the odds by at most K times ε (guide::theory, T12).
#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const K: usize> ForGroups<K> for Eps<A, B, M>
where
    Eps<A, B, M>: Times<K>,
{
    type Group = <Eps<A, B, M> as Times<K>>::Product;
}
