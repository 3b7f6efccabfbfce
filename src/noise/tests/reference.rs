//! A second, independent implementation over rationals of big integers.
//!
//! It shares neither code nor methods with `fixed` and `magnitude`.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::One;

pub(super) type Rational = Ratio<BigInt>;

pub(super) fn rational(num: u128, den: u128) -> Rational {
    Ratio::new(num.into(), den.into())
}

/// ⌊x·2^`bits`⌋.
pub(super) fn scaled_floor(x: &Rational, bits: usize) -> BigInt {
    (x * BigInt::from(2).pow(bits as u32)).floor().to_integer()
}

/// Lower and upper bounds of exp(−x), a few units of 2^−`bits` apart.
///
/// exp(x/2^k) is bounded by its (positive) Taylor series, the remainder by a geometric series;
/// then comes one reciprocal, then the squarings. `fixed` sums the alternating series instead.
pub(super) fn exp_neg(x: &Rational, bits: usize) -> (Rational, Rational) {
    let mut halvings = 0;
    while *x > rational(1 << halvings, 4) {
        halvings += 1;
    }
    let work = bits + 2 * halvings + 40;
    let one = BigInt::one() << work;
    let y = scaled_floor(x, work - halvings);
    let series = |y: BigInt, up: bool| {
        let (mut term, mut sum, mut k) = (one.clone(), one.clone(), 1);
        while term > BigInt::one() {
            term = ((&term * &y) >> work) / k + BigInt::from(up);
            sum += &term;
            k += 1;
        }
        // All terms to come are below term/2 + term/4 + …
        if up { sum + term + 1 } else { sum }
    };
    let square = BigInt::one() << (2 * work);
    let mut lo = &square / series(&y + 1, true);
    let mut hi: BigInt = &square / series(y, false) + 1;
    for _ in 0..halvings {
        lo = (&lo * &lo) >> work;
        hi = ((&hi * &hi) >> work) + 1;
    }
    (
        Ratio::new(lo, one.clone()),
        Ratio::new(hi.min(one.clone()), one),
    )
}
