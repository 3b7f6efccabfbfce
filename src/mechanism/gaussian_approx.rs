//! Gaussian noise, priced in (ε, δ).

use super::additive::{add, description};
use super::gaussian::spread;

use crate::cost::{Approx, Eps};
use crate::data::Domain;
use crate::error::Error;
use crate::mechanism::EpsilonDelta;
use crate::mechanism::Mechanism;
use crate::mechanism::label::Label;
use crate::mechanism::scale;
use crate::number::No;
use crate::number::{Compare, Frac, Fraction};
use crate::query::{Query, QueryKind};

/// A stated (ε, δ) with ε < 1: what Gaussian noise is made from
/// ([T6](crate::guide::theory#t6-gaussian-noise)). Sealed with
/// [`Cost`](crate::Cost).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a price of Gaussian noise: that takes 0 < ε < 1 and δ > 0",
    label = "not an (ε, δ) with ε below 1",
    note = "write `Approx<Eps<NUM, DEN>, Delta<A, K>>` with NUM < DEN and A > 0, or price the noise in zCDP with `.gaussian()`"
)]
pub trait SmallEpsilon: EpsilonDelta {}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const M: usize, D> SmallEpsilon for Approx<Eps<A, B, M>, D>
where
    Self: EpsilonDelta,
    Frac<A, B, M>: Fraction,
    // Not 1 ≤ ε.
    Frac<1, 1>: Compare<Frac<A, B, M>, Le = No>,
{
}

impl<In: Domain, Q: QueryKind<In>> Query<In, Q> {
    /// Adds exact discrete Gaussian noise for a stated (ε, δ) with ε < 1 to every cell of the
    /// answer: the least variance that one of 156 orders of zCDP allows, rounded up
    /// ([T6](crate::guide::theory#t6-gaussian-noise)).
    ///
    /// [`gaussian`](Query::gaussian) prices the same noise in zCDP, where many releases add up to
    /// less. Use this one with a budget that is stated in (ε, δ).
    ///
    /// # Claim
    ///
    /// The mechanism is (ε, δ)-differentially private for neighbours of `In`. *Compiler-verified:*
    /// the squared L2 sensitivity, 0 < ε < 1, δ > 0, and the variance (from these alone).
    /// *Caller-verified:* nothing.
    ///
    /// # Why it holds
    ///
    /// The noise is ρ-zCDP with ρ = Δ₂²/(2σ²), and for every order α > 1 that implies (ε, δ) when
    /// (α−1)·(ε − αρ) + ln α + (α−1)·ln(α/(α−1)) ≥ ln(1/δ), which is solved for σ². Logarithms are bounded by
    /// rationals against the spender. See [its proof](crate::guide::proofs::gaussian_approx).
    ///
    /// The deviation is 5 to 9 % above that of the analytic Gaussian mechanism (Balle and Wang 2018) for ε from 0.1 on
    /// and δ of 10⁻⁶ or 10⁻⁹, and more above it where δ is larger.
    ///
    /// # Example
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// #[derive(Record)]
    /// struct Patient { age: i64 }
    ///
    /// # fn main() -> privet::Result<()> {
    /// type Price = Approx<Eps<1, 2>, Delta<1, 6>>;
    /// let vault: Vault<Table<Patient>, Price> = Vault::open(vec![Patient { age: 71 }]);
    /// let (n, vault) = vault.release(rows::<Patient>().count().gaussian_approx::<Price>())?;
    /// assert!((n - 1).abs() < 250); // σ is 8.68
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # At ε ≥ 1 it does not compile
    ///
    /// ```compile_fail,E0277
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// # fn main() -> privet::Result<()> {
    /// type Price = Approx<Eps<2, 2>, Delta<1, 6>>;
    /// let vault: Vault<Table<Patient>, Price> = Vault::open(vec![Patient { age: 71 }]);
    /// let (n, vault) = vault.release(rows::<Patient>().count().gaussian_approx::<Price>())?;
    /// # drop(vault); Ok(()) }
    /// ```
    ///
    /// # Noise that an `i64` cannot hold does not compile
    ///
    /// Where answers are `i64`, the standard deviation must be below 2^56: see
    /// [`laplace`](Query::laplace).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { bill: i64 }
    /// let bills = rows::<Patient>().sum(|p| p.bill.clamp::<0, { 1 << 51 }>());
    /// let sum = bills.gaussian_approx::<Approx<Eps<1, 2>, Delta<1, 6>>>();
    /// ```
    ///
    /// ```compile_fail,E0080
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { bill: i64 }
    /// let bills = rows::<Patient>().sum(|p| p.bill.clamp::<0, { 1 << 51 }>());
    /// let sum = bills.gaussian_approx::<Approx<Eps<1, 10>, Delta<1, 6>>>();
    /// ```
    pub fn gaussian_approx<C: SmallEpsilon>(self) -> Mechanism<In, Q::Answer, C> {
        const {
            assert!(
                scale::gaussian_approx(Q::L2_SQUARED, C::EPSILON, C::DELTA).is_some(),
                "the noise for this sensitivity and (ε, δ) is too large to draw exactly: \
                 clamp to smaller bounds, use a coarser grid, or raise ε"
            );
            assert!(
                scale::gaussian_fits(
                    Q::INTEGERS,
                    scale::gaussian_approx(Q::L2_SQUARED, C::EPSILON, C::DELTA)
                ),
                "the noise for this sensitivity and (ε, δ) would leave the range of an `i64` answer: \
                 clamp to smaller bounds, or raise ε"
            );
        }
        let variance = const { scale::gaussian_approx(Q::L2_SQUARED, C::EPSILON, C::DELTA) };
        let label = Label::new::<C>(description(&self, "Gaussian noise of variance", variance))
            .with_rho(scale::rho(Q::L2_SQUARED, variance));
        let spread = spread(&self, variance);
        // PRIVACY: mints (ε, δ); the variance is derived from `Q` and `C` alone.
        // Not proved: `proofs/gaussian_approx.md`.
        Mechanism::of_query(self.exact_query(), label, move |run, exact| {
            let variance = variance.ok_or(Error::Scale)?;
            self.finish(exact, |cells| add(run, variance, Q::COUNTS, cells))
        })
        .with_spread(spread)
    }
}
