//! The scale of Laplace noise for a stated ρ.
//!
//! PRIVACY: integers only, and rounded against the spender. The argument is in `proofs/laplace.md`.

use super::{exp_below, root};
use crate::query::Sensitivity;

/// One, as a fixed-point number.
const ONE: u128 = 1 << 60;
/// One, as a shorter fixed-point number, of which products fit.
const SHORT: u128 = 1 << 50;

/// At least what Laplace noise costs in ρ, in units of 2^−60, where ε = 2^24/`r` and the scale is Δ/ε:
/// ε − (η/sinh η)·(1 − e^−ε) with η = ε/Δ.
const fn cost(l1: Sensitivity, r: u64) -> u128 {
    let epsilon = (1_u128 << 84).div_ceil(r as u128);
    let decayed = (1_u128 << 120).div_ceil(exp_below(1 << 24, r));
    // Below 2^60·2^60.
    let saved = even_part(l1, r) * (ONE - decayed) / ONE;
    epsilon - saved
}

/// At most η/sinh η, in units of 2^−60, for η = 2^24/(`r`·Δ). Zero where η is 16 or more, or out of reach.
const fn even_part(l1: Sensitivity, r: u64) -> u128 {
    let eta = match (
        l1.den().checked_mul(1 << 74),
        l1.num().checked_mul(r as u128),
    ) {
        (Some(up), Some(down)) => up.div_ceil(down),
        _ => return 0,
    };
    if eta >= 16 * SHORT {
        return 0;
    }
    // Below 2^54·2^54, and 2^58.
    let square = (eta * eta).div_ceil(SHORT);
    // sinh η/η = Σ η^2j/(2j+1)!, each term rounded up. Terms are below 2^19·2^50, so products are below 2^127.
    let (mut sum, mut term, mut k) = (SHORT, SHORT, 2);
    while term > 1 || k * (k + 1) * SHORT < 2 * square {
        term = (term * square).div_ceil(k * (k + 1) * SHORT);
        sum += term;
        k += 2;
    }
    // The last term is at most one unit, and each of the others at most half of the one before.
    ONE * SHORT / (sum + 1)
}

/// The least whole r such that Laplace noise of scale Δr/2^24 costs at most ρ = `num`/`den`; `num` and `den` are above
/// zero and below 2^32, and Δ is above zero.
pub(super) const fn least(l1: Sensitivity, num: u64, den: u64) -> u64 {
    // Every ε-private mechanism costs at most ε²/2.
    let (mut low, mut enough) = (1, root(num, den, 2) as u64);
    // PRIVACY: `enough` is always a number that was found to be enough.
    while low < enough {
        let middle = (low + enough) / 2;
        // Below 2^85·2^32.
        if cost(l1, middle) * den as u128 <= num as u128 * ONE {
            enough = middle;
        } else {
            low = middle + 1;
        }
    }
    enough
}

#[cfg(test)]
mod tests {
    use super::super::{Noise, laplace_concentrated};
    use super::*;

    /// (Δ, ρ's numerator, its denominator, the least scale in billionths, rounded down), computed with 80 decimal digits by
    /// bisection of ε − (η/sinh η)·(1 − e^−ε).
    const LEAST: [(i128, u64, u64, u128); 16] = [
        (1, 1, 8, 1_979_146_053),
        (1, 1, 200, 9_995_833_160),
        (1, 463, 1000, 998_969_286),
        (1, 1, 1_000_000_000, 22_360_679_773_134),
        (1, 1024, 1, 976_562),
        (1, 3, 1, 308_295_870),
        (2, 1, 2, 1_744_898_317),
        (3, 7, 10, 2_093_137_892),
        (10, 1, 1000, 221_956_814_574),
        (1000, 37, 100, 996_659_951_143),
        (1000, 1, 200, 9_833_342_994_049),
        (1_000_000, 1, 8, 1_833_595_802_287_205),
        (1_000_000, 1, 1_000_000_000, 22_360_513_108_331_232_315),
        (1 << 51, 1023, 1024, 1_223_641_381_755_075_898_437_984),
        (1 << 51, 3, 1, 565_588_512_784_786_233_127_623),
        (65_536, 20, 1, 3_120_761_907_417),
    ];

    fn of(l1: Sensitivity, num: u64, den: u64) -> (u128, u64) {
        match laplace_concentrated(l1, num, den) {
            Some(Noise::Of(scale)) => (scale.num(), scale.den()),
            other => panic!("{l1:?}, {num}/{den}: {other:?}"),
        }
    }

    #[test]
    fn the_scale_is_the_least_and_rounded_up() {
        for (l1, num, den, least) in LEAST {
            let (top, bottom) = of(Sensitivity::whole(l1), num, den);
            let billionths = |n: u128| n.checked_mul(u128::from(bottom)).expect("it fits");
            let top = top.checked_mul(1_000_000_000).expect("it fits");
            assert!(top > billionths(least), "{l1}, {num}/{den}");
            // A millionth or so more, and 2^−24 of 1/ε where ε is 1024.
            let more = top as f64 / billionths(least) as f64 - 1.0;
            assert!(more < 7e-5, "{l1}, {num}/{den}: {more}");
            assert!(num > 3 * den || more < 4e-6, "{l1}, {num}/{den}: {more}");
        }
    }

    /// Sensitivities that are not whole numbers, as sums of means will have; cells are whole, so these are bounds.
    #[test]
    fn a_sensitivity_that_is_a_fraction_is_a_bound() {
        let (half, whole) = (Sensitivity::ratio(5, 2), Sensitivity::ratio(20, 10));
        let above =
            |(a, b): (u128, u64), (c, d): (u128, u64)| a * u128::from(d) >= c * u128::from(b);
        for (num, den) in [(1, 8), (1, 1000), (3, 1)] {
            assert!(above(of(half, num, den), of(whole, num, den)));
            assert!(above(
                of(Sensitivity::whole(3), num, den),
                of(half, num, den)
            ));
            assert_eq!(of(whole, num, den), of(Sensitivity::whole(2), num, den));
        }
        // So fine a grid that η is out of reach: ε is at most ρ, and no more is claimed.
        let fine = Sensitivity::ratio(1 << 62, 1 << 60);
        assert!(above(of(fine, 1, 8), of(Sensitivity::whole(4), 1, 8)));
    }

    /// The noise's law itself, value by value: the divergence of every order is at most α times ρ, for every move that
    /// the sensitivity allows, and near order 1 it reaches ρ.
    #[test]
    fn no_order_costs_more() {
        for (l1, num, den) in [
            (1_i128, 1, 8),
            (1, 2, 1),
            (2, 1, 2),
            (5, 1, 3),
            (12, 37, 100),
        ] {
            let (top, bottom) = of(Sensitivity::whole(l1), num, den);
            let (eta, rho) = (
                f64::from(bottom as u32) / top as f64,
                num as f64 / den as f64,
            );
            let mass = |k: i128| (eta / 2.0).tanh() * (-eta * k.unsigned_abs() as f64).exp();
            let divergence = |d: i128, alpha: f64| {
                let reach = (40.0 / eta) as i128 + d;
                let moment: f64 = (-reach..=reach)
                    .map(|k| mass(k) * ((alpha - 1.0) * (mass(k).ln() - mass(k - d).ln())).exp())
                    .sum();
                moment.ln() / (alpha - 1.0)
            };
            for alpha in [1.001, 1.1, 1.5, 2.0, 3.0, 5.0, 9.0, 33.0, 200.0] {
                for d in 1..=l1 {
                    let (got, most) = (divergence(d, alpha), alpha * rho);
                    assert!(
                        got <= most * (1.0 + 1e-9),
                        "{l1}, {d}, {alpha}: {got} > {most}"
                    );
                }
            }
            assert!(divergence(l1, 1.001) >= 1.001 * rho * 0.999, "{l1}");
            // Several cells that share a move cost no more than one that has all of it.
            for alpha in [1.001, 2.0, 9.0] {
                for d in 1..l1 {
                    assert!(divergence(d, alpha) + divergence(l1 - d, alpha) <= alpha * rho);
                }
            }
        }
    }

    #[test]
    fn it_is_never_above_what_half_the_square_needs() {
        for (num, den) in [(1, 8), (1, 1_000_000_000), (1023, 1024), (1024, 1)] {
            for l1 in [1, 7, 1 << 20, 1 << 51] {
                let r = least(Sensitivity::whole(l1), num, den);
                assert!(u128::from(r) <= root(num, den, 2), "{l1}, {num}/{den}");
            }
        }
    }

    #[test]
    fn a_price_that_is_none_has_no_scale() {
        let one = Sensitivity::whole(1);
        assert_eq!(laplace_concentrated(one, 0, 1), None);
        assert_eq!(laplace_concentrated(one, 1, 0), None);
        assert_eq!(laplace_concentrated(one, 1 << 32, 1), None);
        assert_eq!(laplace_concentrated(one, 1, 1 << 32), None);
        let nothing = laplace_concentrated(Sensitivity::whole(0), 1, 8);
        assert_eq!(nothing, Some(Noise::None));
        let huge = Sensitivity::whole(i128::MAX);
        assert_eq!(laplace_concentrated(huge, 1, 1_000_000_000), None);
    }

    /// The bounds of the two functions, against floating point.
    #[test]
    fn what_is_subtracted_is_bounded_from_below() {
        for r in [1_u64 << 21, 1 << 24, 3 << 24, 1 << 30, 1 << 39] {
            for l1 in [1_i128, 2, 9, 1 << 20, 1 << 51] {
                let eta = (1 << 24) as f64 / r as f64 / l1 as f64;
                let (below, real) = (
                    even_part(Sensitivity::whole(l1), r) as f64 / ONE as f64,
                    eta / eta.sinh(),
                );
                assert!(
                    below <= real * (1.0 + 1e-13) && below > real * (1.0 - 1e-12),
                    "{r}, {l1}"
                );
            }
        }
        assert_eq!(even_part(Sensitivity::whole(1), 1 << 20), 0);
    }
}
