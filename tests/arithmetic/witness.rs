//! The second witness: what the proved functions say, against `num_rational`, row by row.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Zero};

use super::source::number;
use super::typed::Pair;

type Rational = Ratio<BigInt>;

fn ratio((num, den): Pair) -> Rational {
    Rational::new(num.into(), den.into())
}
fn power(k: u64) -> BigInt {
    BigInt::from(10).pow(k as u32)
}
fn ratio_of_tiny((a, k): Pair) -> Rational {
    Rational::new(a.into(), power(k))
}
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
fn is_denominator(den: u128) -> bool {
    (1..=1024).contains(&den) || (4..=9).any(|k| den == 10u128.pow(k))
}

/// The rule: `num / den` as it stands if it fits, or as a whole number, or with one; otherwise three decimal places and
/// at least three significant digits in the given direction.
fn expected(num: u128, den: u128, up: bool) -> Pair {
    if num <= 1024 && is_denominator(den) {
        (num as u64, den as u64)
    } else if den <= 1024 {
        without_zero(num, den)
    } else {
        rounded(num, den, up)
    }
}

fn without_zero(num: u128, den: u128) -> Pair {
    if num.is_multiple_of(den) {
        ((num / den) as u64, 1)
    } else {
        (num as u64, den as u64)
    }
}

fn rounded(num: u128, den: u128, up: bool) -> Pair {
    if num == 0 {
        let zeros = (0..9)
            .take_while(|k| den.is_multiple_of(10u128.pow(k + 1)))
            .count();
        return (0, 10u64.pow(zeros as u32));
    }
    let mut places = 3;
    while num * 10u128.pow(places) / den < 100 && places < 9 {
        places += 1;
    }
    let scaled = num * 10u128.pow(places);
    let digits = if up {
        scaled.div_ceil(den)
    } else {
        scaled / den
    };
    if digits > 1024 {
        return without_zero(digits, 10u128.pow(places));
    }
    (digits as u64, 10u64.pow(places))
}

/// Independently of [`expected`]: on the right side of the truth, within one unit of the third digit and a thousandth.
fn bounded(got: &Rational, truth: &Rational, up: bool, finest: &Rational) {
    let (low, high) = if up { (truth, got) } else { (got, truth) };
    assert!(low <= high, "{got} is on the wrong side of {truth}");
    let unit = (truth / Rational::from(BigInt::from(100)))
        .min(Rational::new(BigInt::one(), power(3)))
        .max(finest.clone());
    assert!(high - low <= unit, "{got} is too far from {truth}");
}

fn check(got: Option<Pair>, num: u128, den: u128, up: bool) {
    let want = expected(num, den, up);
    // What is above the range does not compile.
    let Some(got) = got else {
        assert!(want.0 > 1024 * want.1, "{num}/{den} has a result: {want:?}");
        return;
    };
    assert_eq!(got, want, "{num}/{den}");
    let finest = Rational::new(BigInt::one(), power(9));
    bounded(
        &ratio(got),
        &Rational::new(num.into(), den.into()),
        up,
        &finest,
    );
}

fn on_grid(a: Pair, b: Pair) -> (u128, u128, u128) {
    let g = gcd(a.1, b.1);
    let (left, right) = (u128::from(b.1 / g), u128::from(a.1 / g));
    (
        u128::from(a.0) * left,
        u128::from(b.0) * right,
        u128::from(a.1) * left,
    )
}

fn check_sum(a: Pair, b: Pair, got: Option<Pair>) {
    let (left, right, den) = on_grid(a, b);
    assert_eq!(
        Rational::new((left + right).into(), den.into()),
        ratio(a) + ratio(b)
    );
    check(got, left + right, den, true);
}

fn check_debit(a: Pair, b: Pair, left: Option<Pair>) {
    assert_eq!(left.is_some(), ratio(b) <= ratio(a), "{a:?} - {b:?}");
    if left.is_some() {
        let (x, y, den) = on_grid(a, b);
        check(left, x - y, den, false);
    }
}

fn check_part((a, b): Pair, k: u64, got: Option<Pair>) {
    let got = got.expect("a part is never too large");
    let whole = ratio((a, b));
    let quotient = |(a, b): Pair| {
        if a % k == 0 {
            expected((a / k).into(), b.into(), false)
        } else {
            expected(a.into(), u128::from(b) * u128::from(k), false)
        }
    };
    // As the types compute it: rounded up.
    let product = |(a, b): Pair| ratio(expected((a * k).into(), b.into(), true));
    let largest = quotient((a, b));
    if product(largest) <= whole {
        assert_eq!(got, largest, "{whole} in {k} parts");
    } else {
        let cut = rounded(a.into(), b.into(), false);
        assert_eq!(got, quotient(cut), "{whole} in {k} parts");
    }
    assert!(product(got) <= whole, "{k} of {got:?} are above {whole}");
    // The smallest part is a billionth: where that is little enough, there is a part.
    let smallest = Rational::new(k.into(), power(9));
    assert_eq!(got.0 > 0, smallest <= whole, "{whole} in {k} parts");
}

/// A second computation of the same: its inequality in rationals, at the order that the table has.
fn check_covers(e: Pair, rho: Pair, delta: Pair, verdict: bool) {
    let values = number::covers((e.0, e.1), (rho.0, rho.1), (delta.0, delta.1 as u32));
    assert_eq!(verdict, values, "{e:?} covers {rho:?} at {delta:?}: values");
    // Never more than the best order gives, in floating point.
    let (epsilon, r) = (e.0 as f64 / e.1 as f64, rho.0 as f64 / rho.1 as f64);
    let log = delta.1 as f64 * 10f64.ln() - (delta.0 as f64).ln();
    let best = (-180_000..320_000)
        .step_by(if verdict { 40 } else { 500_000 })
        .map(|i| 10f64.powf(f64::from(i) / 60_000.0))
        .map(|g| r * (1.0 + g) + (log - g.ln_1p() - g * (1.0 / g).ln_1p()) / g)
        .fold(f64::INFINITY, f64::min);
    assert!(
        !verdict || rho.0 == 0 || epsilon >= best * (1.0 - 1e-6) - 1e-9,
        "{e:?} covers {rho:?} at {delta:?}, but the best order needs {best}"
    );
}

/// `num * 10^-places`, as the rule for tiny numbers has it.
fn expected_tiny(num: &BigInt, places: u64, up: bool) -> Pair {
    let (mut digits, mut places, mut dropped) = (num.clone(), places, false);
    if digits > BigInt::from(1024) {
        while digits >= BigInt::from(1000) {
            dropped |= !(&digits % 10u32).is_zero();
            digits /= 10u32;
            places -= 1;
        }
    }
    let digits = digits + BigInt::from(u8::from(dropped && up));
    (u64::try_from(digits).expect("at most 1024"), places)
}

fn check_tiny(got: Option<Pair>, truth: &Rational, places: u64, up: bool) {
    let num = (truth * Rational::from(power(places))).to_integer();
    let want = expected_tiny(&num, places, up);
    let Some(got) = got else {
        assert!(
            ratio_of_tiny(want) >= Rational::one(),
            "{truth} has a result"
        );
        return;
    };
    assert_eq!(got, want, "{truth}");
    bounded(
        &ratio_of_tiny(got),
        truth,
        up,
        &Rational::new(BigInt::one(), power(30)),
    );
}

fn check_tiny_sum(a: Pair, b: Pair, got: Option<Pair>) {
    let sum = ratio_of_tiny(a) + ratio_of_tiny(b);
    check_tiny(got, &sum, a.1.max(b.1), true);
}

fn check_tiny_debit(a: Pair, b: Pair, left: Option<Pair>) {
    let (x, y) = (ratio_of_tiny(a), ratio_of_tiny(b));
    assert_eq!(left.is_some(), y <= x);
    if left.is_some() {
        check_tiny(left, &(x - y), a.1.max(b.1), false);
    }
}

/// e^x from below, by its series, for x >= 0.
fn exp_from_below(x: &Rational) -> Rational {
    let (mut term, mut sum) = (Rational::one(), Rational::one());
    for n in 1..400u32 {
        term = term * x / Rational::from(BigInt::from(n));
        // Cut the term, downwards, so that it stays short.
        let scale = Rational::from(power(40));
        term = (term * &scale).floor() / &scale;
        if term.is_zero() {
            break;
        }
        sum += &term;
    }
    sum
}

fn check_group(a: Pair, e: Pair, k: u64, got: Option<Pair>) {
    let exponent = ratio(e) * Rational::from(BigInt::from(k - 1));
    let out_of_reach =
        &exponent * Rational::from(BigInt::from(10)) > Rational::from(BigInt::from(999));
    if out_of_reach {
        assert_eq!(got, None);
        return;
    }
    let truth = Rational::from(BigInt::from(k)) * exp_from_below(&exponent) * ratio_of_tiny(a);
    let most = &truth * Rational::new(113.into(), 100.into());
    let Some(got) = got else {
        // Zero times a power of e whose digits go beyond the places that there are has no result either.
        assert!(most >= Rational::one() || a.0 == 0, "{a:?} {e:?} {k}");
        return;
    };
    let got = ratio_of_tiny(got);
    assert!(got >= truth, "{got} is below {truth}");
    let finest = Rational::new(BigInt::one(), power(30));
    assert!(got <= most + finest, "{a:?} {e:?} {k}");
}

/// The arguments of a row, and its result: a fraction, a verdict, or nothing.
struct Row {
    args: Vec<u64>,
    fraction: Option<Pair>,
    verdict: Option<bool>,
}

fn rows(operation: &str) -> impl Iterator<Item = Row> {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arithmetic");
    let files =
        ["generated", "tables", "edges"].map(|d| dir.join(d).join(format!("{operation}.rs")));
    let text: String = files.iter().flat_map(std::fs::read_to_string).collect();
    // `1/2/3` is 3 + 1/2.
    let number = |word: &str| -> Vec<u64> {
        let parts: Vec<u64> = word
            .split('/')
            .map(|part| part.parse().expect("digits"))
            .collect();
        match parts[..] {
            [a, b, w] => vec![w * b + a, b],
            _ => parts,
        }
    };
    let numbers = |text: &str| -> Vec<u64> { text.split(' ').flat_map(number).collect() };
    let rows: Vec<Row> = text
        .lines()
        .filter_map(|line| line.strip_suffix(';')?.split_once(" = "))
        .map(|(args, result)| Row {
            args: numbers(args),
            fraction: result
                .strip_prefix('(')
                .and_then(|result| result.strip_suffix(')'))
                .map(|result| {
                    let [a, b] = numbers(result)[..] else {
                        panic!()
                    };
                    (a, b)
                }),
            verdict: result.parse().ok(),
        })
        .collect();
    assert!(rows.len() >= 700, "{operation}: {} rows", rows.len());
    rows.into_iter()
}

#[test]
fn the_proof_and_the_rationals_agree_on_sums() {
    for row in rows("sums") {
        let [a, b, c, d] = row.args[..] else { panic!() };
        check_sum((a, b), (c, d), row.fraction);
    }
}

#[test]
fn the_proof_and_the_rationals_agree_on_debits() {
    for row in rows("debits") {
        let [a, b, c, d] = row.args[..] else { panic!() };
        check_debit((a, b), (c, d), row.fraction);
    }
}

#[test]
fn the_proof_and_the_rationals_agree_on_comparisons() {
    for row in rows("compares") {
        let [a, b, c, d] = row.args[..] else { panic!() };
        let le = ratio((a, b)) <= ratio((c, d));
        assert_eq!(row.verdict, Some(le), "{:?}", row.args);
    }
    for row in rows("tiny_compares") {
        let [a, b, c, d] = row.args[..] else { panic!() };
        let le = ratio_of_tiny((a, b)) <= ratio_of_tiny((c, d));
        assert_eq!(row.verdict, Some(le), "{:?}", row.args);
    }
}

#[test]
fn the_proof_and_the_rationals_agree_on_multiples_and_parts() {
    for row in rows("scales") {
        let [a, b, k] = row.args[..] else { panic!() };
        check(row.fraction, (a * k).into(), b.into(), true);
    }
    for row in rows("parts") {
        let [a, b, k] = row.args[..] else { panic!() };
        check_part((a, b), k, row.fraction);
    }
}

#[test]
fn the_proof_and_the_rationals_agree_on_conversions() {
    for row in rows("half_squares") {
        let [a, b] = row.args[..] else { panic!() };
        let den = 2 * u128::from(b) * u128::from(b);
        check(row.fraction, (a * a).into(), den, true);
    }
    for row in rows("covers") {
        let [a, b, c, d, p, k] = row.args[..] else {
            panic!()
        };
        check_covers((a, b), (c, d), (p, k), row.verdict.expect("a verdict"));
    }
}

#[test]
fn the_proof_and_the_rationals_agree_on_probabilities() {
    for row in rows("tiny_sums") {
        let [a, b, c, d] = row.args[..] else { panic!() };
        check_tiny_sum((a, b), (c, d), row.fraction);
    }
    for row in rows("tiny_debits") {
        let [a, b, c, d] = row.args[..] else { panic!() };
        check_tiny_debit((a, b), (c, d), row.fraction);
    }
    for row in rows("groups") {
        let [a, b, c, d, k] = row.args[..] else {
            panic!()
        };
        check_group((a, b), (c, d), k, row.fraction);
    }
}
