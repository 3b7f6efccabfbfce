//! Zero-concentrated differential privacy.

use core::fmt;

use super::one_number::one_number;
use super::{
    AtMost, Books, Budget, Cost, Dearer, Debits, Eps, ForGroups, Passes, Plus, Positive, Price,
    Ratio, Remainder, Spelled, Split, Times, Zcdp,
};
use crate::number::Yes;
use crate::number::{self, Compare, Debit, Frac, Fraction, HalfSquare, Larger, Scale, Share, Sum};

/// The zCDP cost ρ = `NUM`/`DEN`, the natural price of Gaussian noise
/// ([T16](crate::guide::theory#t16-concentrated-privacy)), or `WHOLE` + `NUM`/`DEN`, as in [`Eps`].
///
/// ```
/// use privet::prelude::*;
///
/// assert_eq!(Rho::<1, 8>.to_string(), "ρ = 1/8");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rho<const NUM: usize, const DEN: usize, const WHOLE: usize = 0>;

one_number!(Rho, Zcdp, of_rho);

// K records cost K² times ρ, not K times (guide::theory, T12).
#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const K: usize, P> ForGroups<K>
    for Rho<A, B, M>
where
    Rho<A, B, M>: Times<K, Product = P>,
    P: Times<K>,
{
    type Group = P::Product;
}

/// What ε-DP implies in zCDP: ρ = ε²/2, rounded up
/// ([T16](crate::guide::theory#t16-concentrated-privacy)).
type AsRho<const A: usize, const B: usize, const M: usize> =
    <<Frac<A, B, M> as HalfSquare>::Out as Spelled>::Rho;

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const C: usize, const D: usize, const N: usize>
    Passes<Eps<A, B, M>, Rho<C, D, N>> for Books
where
    Eps<A, B, M>: Cost,
    Rho<C, D, N>: Cost,
    Frac<C, D, N>: Fraction,
    Frac<A, B, M>: HalfSquare<Out: Compare<Frac<C, D, N>>>,
{
    type Cheaper = <<Frac<A, B, M> as HalfSquare>::Out as Compare<Frac<C, D, N>>>::Le;
    type Implied = Yes;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const C: usize, const D: usize, const N: usize>
    Debits<Rho<A, B, M>, Eps<C, D, N>> for Books
where
    Eps<C, D, N>: Cost,
    Rho<A, B, M>: Cost,
    Frac<C, D, N>: HalfSquare,
    Frac<A, B, M>: Debit<<Frac<C, D, N> as HalfSquare>::Out, Left: Remainder>,
{
    type Verdict = <Frac<A, B, M> as Debit<<Frac<C, D, N> as HalfSquare>::Out>>::Verdict;
    type Left =
        <<Frac<A, B, M> as Debit<<Frac<C, D, N> as HalfSquare>::Out>>::Left as Remainder>::Rho;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const C: usize, const D: usize, const N: usize>
    Plus<Rho<C, D, N>> for Eps<A, B, M>
where
    Eps<A, B, M>: Cost,
    Rho<C, D, N>: Cost,
    Frac<A, B, M>: HalfSquare<Out: Spelled>,
    AsRho<A, B, M>: Plus<Rho<C, D, N>>,
{
    type Sum = <AsRho<A, B, M> as Plus<Rho<C, D, N>>>::Sum;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, const C: usize, const D: usize, const N: usize>
    Plus<Eps<C, D, N>> for Rho<A, B, M>
where
    Eps<C, D, N>: Cost,
    Frac<C, D, N>: HalfSquare<Out: Spelled>,
    Rho<A, B, M>: Cost + Plus<AsRho<C, D, N>>,
{
    type Sum = <Rho<A, B, M> as Plus<AsRho<C, D, N>>>::Sum;
}
