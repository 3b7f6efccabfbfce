//! e^x and the logistic curve, the same on every machine.

/// Powers of two that a float can be multiplied by at once: e^±708 is within them.
const FAR: f64 = 708.0;

/// 1/n! for n from 13 down to 0.
const SERIES: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    1.0 / 2.0,
    1.0,
    1.0,
];

/// e^x, where x beyond ±708 counts as ±708, and NaN stays NaN.
///
/// The platform's function differs between machines in the last place, and exact cells must not. This
/// one adds and multiplies only, which IEEE 754 defines to the last bit, and has no branch: x = k·ln 2 + r with a whole
/// k and |r| ≤ ln 2 / 2 + 10^-13, and e^r is the beginning of its series. What is left of that is below 10^-17.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Added and taken away again, this rounds to a whole number.
    const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
    // ln 2 in two parts; times a k of eleven bits, the first is exact.
    const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    let x = if x > FAR { FAR } else { x };
    let x = if x < -FAR { -FAR } else { x };
    let k = (x * core::f64::consts::LOG2_E + WHOLE) - WHOLE;
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    let [first, rest @ ..] = SERIES;
    let series = rest.iter().fold(first, |sum, share| sum * r + share);
    // The cast of a NaN is 0.
    let power = f64::from_bits(((k as i64 + 1023) as u64) << 52);
    series * power
}

/// The logistic curve 1/(1 + e^−x). PRIVACY: a number for every number; what is done with it bounds it.
#[inline(always)]
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::Ratio;

    use super::*;

    type Rational = Ratio<BigInt>;

    fn rational(x: f64) -> Rational {
        let (bits, power) = (x.to_bits(), (x.to_bits() >> 52 & 0x7ff) as i32 - 1075);
        let digits = BigInt::from(bits & ((1 << 52) - 1) | u64::from(x != 0.0) << 52);
        let digits = if x < 0.0 { -digits } else { digits };
        let two = BigInt::from(2).pow(power.unsigned_abs());
        match power < 0 {
            true => Ratio::new(digits, two),
            false => Ratio::from(digits * two),
        }
    }

    /// e^x, to far more places than a float has: 40 terms of the series at x/2^10, squared ten times.
    fn exactly(x: f64) -> Rational {
        let scale = BigInt::from(1) << 200_u32;
        let short = |r: Rational| Ratio::new((r * scale.clone()).to_integer(), scale.clone());
        let x = rational(x) / BigInt::from(1024);
        let one = || Ratio::from(BigInt::from(1));
        let (mut sum, mut term) = (one(), one());
        for n in 1..40 {
            term = short(term * x.clone() / BigInt::from(n));
            sum += term.clone();
        }
        (0..10).fold(sum, |sum, _| short(sum.clone() * sum))
    }

    #[test]
    fn it_is_within_two_places_of_the_last_digit() {
        for n in -4000..=4000_i32 {
            let x = f64::from(n) / 100.0;
            let (found, exact) = (rational(exp(x)), exactly(x));
            let off = (found - exact.clone()) / exact;
            let most = Ratio::new(BigInt::from(1), BigInt::from(1) << 51_u32);
            assert!(off < most && -off < most, "e^{x}");
        }
    }

    #[test]
    fn it_is_the_platforms_but_for_the_last_places_everywhere() {
        for n in -70_800..=70_800_i32 {
            let x = f64::from(n) / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-15, "e^{x}");
        }
    }

    #[test]
    fn its_ends_and_what_is_not_a_number() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-0.0), 1.0);
        assert_eq!(exp(f64::INFINITY), exp(708.0));
        assert_eq!(exp(f64::NEG_INFINITY), exp(-708.0));
        assert!(exp(-708.0) > 0.0 && exp(708.0).is_finite());
        assert!(exp(f64::NAN).is_nan() && logistic(f64::NAN).is_nan());
        assert_eq!(logistic(0.0), 0.5);
        assert_eq!(logistic(f64::INFINITY), 1.0);
        assert!(logistic(f64::NEG_INFINITY) < 1e-300);
        assert!((logistic(2.0) + logistic(-2.0) - 1.0).abs() < 1e-15);
    }

    /// Written down on x86-64: whatever the machine, these are the bits.
    #[test]
    fn it_has_these_bits_on_every_machine() {
        let bits = |x: f64| exp(x).to_bits();
        assert_eq!(bits(1.0), 0x4005_bf0a_8b14_576a);
        assert_eq!(bits(-1.0), 0x3fd7_8b56_362c_ef38);
        assert_eq!(bits(0.1), 0x3ff1_aec7_b35a_00d4);
        assert_eq!(bits(-37.25), 0x3c93_278b_cd70_e981);
        assert_eq!(bits(700.5), 0x7f18_625c_7d4f_56c2);
    }
}
