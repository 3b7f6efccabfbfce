//! Sums and differences of prices as values: the one arithmetic that meters, ledgers, reports and
//! the audit tool use. Exact while a result fits in 128 bits, rounded against the spender when not.

use num_rational::Ratio;

use crate::number::gcd;

/// The grid that sums are rounded up to when their exact fraction outgrows 128 bits.
pub(super) const GRID: u128 = 1_000_000_000_000_000_000;

/// n/d in lowest terms, as a constant; d is above zero.
pub(super) const fn lowest(n: u64, d: u128) -> Ratio<u128> {
    let n = n as u128;
    let gcd = gcd(n, d);
    Ratio::new_raw(n / gcd, d / gcd)
}

// Proved: Ledger.add_up_sound
/// a + b, exact if it fits in 128 bits, otherwise the next multiple of the grid above each.
pub(crate) fn add_up(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    exact_sum(a, b).or_else(|| {
        let sum = round_up(a, GRID)?.checked_add(round_up(b, GRID)?)?;
        Some(Ratio::new(sum, GRID))
    })
}

fn exact_sum(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    let gcd = gcd(*a.denom(), *b.denom());
    let (up_a, up_b) = (b.denom() / gcd, a.denom() / gcd);
    let numer = a
        .numer()
        .checked_mul(up_a)?
        .checked_add(b.numer().checked_mul(up_b)?)?;
    Some(Ratio::new(numer, a.denom().checked_mul(up_a)?))
}

/// a − b, or zero if that is negative. It is exact if it fits in 128 bits; otherwise a is rounded down
/// to the grid and b is rounded up.
pub(super) fn subtract_down(a: Ratio<u128>, b: Ratio<u128>) -> Ratio<u128> {
    exact_difference(a, b)
        .or_else(|| {
            let difference = round_down(a, GRID)?.saturating_sub(round_up(b, GRID)?);
            Some(Ratio::new(difference, GRID))
        })
        .unwrap_or(Ratio::ZERO)
}

/// a − b, or zero if that is negative; none if it outgrows 128 bits.
pub(crate) fn exact_difference(a: Ratio<u128>, b: Ratio<u128>) -> Option<Ratio<u128>> {
    let gcd = gcd(*a.denom(), *b.denom());
    let (up_a, up_b) = (b.denom() / gcd, a.denom() / gcd);
    let numer = a
        .numer()
        .checked_mul(up_a)?
        .saturating_sub(b.numer().checked_mul(up_b)?);
    Some(Ratio::new(numer, a.denom().checked_mul(up_a)?))
}

/// ε²/2, the ρ that a pure ε implies; none if it outgrows 128 bits.
pub(crate) fn half_square(epsilon: Ratio<u128>) -> Option<Ratio<u128>> {
    let numer = epsilon.numer().checked_pow(2)?;
    let denom = epsilon.denom().checked_pow(2)?.checked_mul(2)?;
    Some(Ratio::new(numer, denom))
}

// Proved: Ledger.round_up_sound, Ledger.no_wrap
/// The smallest integer that is at least x·grid, or slightly above it for very large denominators.
pub(super) fn round_up(x: Ratio<u128>, grid: u128) -> Option<u128> {
    let (mut numer, mut denom) = (*x.numer(), *x.denom());
    let whole = (numer / denom).checked_mul(grid)?;
    numer %= denom;
    // A larger numerator over a smaller denominator only rounds up. The fraction stays below 1, so a
    // numerator that grew past the denominator is cut back to it.
    while denom >= u128::MAX / grid {
        (numer, denom) = (numer / 2 + 1, denom / 2);
    }
    whole.checked_add(numer.min(denom).checked_mul(grid)?.div_ceil(denom))
}

/// The largest integer that is at most x·grid, or slightly below it for very large denominators.
pub(super) fn round_down(x: Ratio<u128>, grid: u128) -> Option<u128> {
    let (mut numer, mut denom) = (*x.numer(), *x.denom());
    let whole = (numer / denom).checked_mul(grid)?;
    numer %= denom;
    // A smaller numerator over a larger denominator only rounds down.
    while denom >= u128::MAX / grid {
        (numer, denom) = (numer / 2, denom / 2 + 1);
    }
    whole.checked_add(numer.checked_mul(grid)? / denom)
}
