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
/// ([T16](crate::guide::theory#t16-concentrated-privacy)).
///
/// ```
/// use privet::prelude::*;
///
/// assert_eq!(Rho::<1, 8>.to_string(), "ρ = 1/8");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rho<const NUM: usize, const DEN: usize>;

one_number!(Rho, Zcdp, of_rho);

// K records cost K² times ρ, not K times (guide::theory, T12).
#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const K: usize, P> ForGroups<K> for Rho<A, B>
where
    Rho<A, B>: Times<K, Product = P>,
    P: Times<K>,
{
    type Group = P::Product;
}

/// What ε-DP implies in zCDP: ρ = ε²/2, rounded up
/// ([T16](crate::guide::theory#t16-concentrated-privacy)).
type AsRho<const A: usize, const B: usize> = <<Frac<A, B> as HalfSquare>::Out as Spelled>::Rho;

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize, const D: usize> Passes<Eps<A, B>, Rho<C, D>>
    for Books
where
    Eps<A, B>: Cost,
    Rho<C, D>: Cost,
    Frac<C, D>: Fraction,
    Frac<A, B>: HalfSquare<Out: Compare<Frac<C, D>>>,
{
    type Cheaper = <<Frac<A, B> as HalfSquare>::Out as Compare<Frac<C, D>>>::Le;
    type Implied = Yes;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize, const D: usize> Debits<Rho<A, B>, Eps<C, D>>
    for Books
where
    Eps<C, D>: Cost,
    Rho<A, B>: Cost,
    Frac<C, D>: HalfSquare,
    Frac<A, B>: Debit<<Frac<C, D> as HalfSquare>::Out, Left: Remainder>,
{
    type Verdict = <Frac<A, B> as Debit<<Frac<C, D> as HalfSquare>::Out>>::Verdict;
    type Left = <<Frac<A, B> as Debit<<Frac<C, D> as HalfSquare>::Out>>::Left as Remainder>::Rho;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize, const D: usize> Plus<Rho<C, D>> for Eps<A, B>
where
    Eps<A, B>: Cost,
    Rho<C, D>: Cost,
    Frac<A, B>: HalfSquare<Out: Spelled>,
    AsRho<A, B>: Plus<Rho<C, D>>,
{
    type Sum = <AsRho<A, B> as Plus<Rho<C, D>>>::Sum;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize, const D: usize> Plus<Eps<C, D>> for Rho<A, B>
where
    Eps<C, D>: Cost,
    Frac<C, D>: HalfSquare<Out: Spelled>,
    Rho<A, B>: Cost + Plus<AsRho<C, D>>,
{
    type Sum = <Rho<A, B> as Plus<AsRho<C, D>>>::Sum;
}
