//! Mechanisms on a sample: their prices against exact rationals, and what they draw.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Zero};
use privet::cost::Amplified;
use privet::domain::Sampled;
use privet::prelude::*;
use privet::{Cost, Error, Simulation};

type Rational = Ratio<BigInt>;

fn rational(num: u64, den: u64) -> Rational {
    Rational::new(num.into(), den.into())
}

/// The first terms of the series of e^x: below e^x.
fn exp_below(x: &Rational, terms: u32) -> Rational {
    let mut term = Rational::one();
    let mut sum = Rational::zero();
    for k in 1..=terms {
        sum += &term;
        term = term * x / BigInt::from(k);
    }
    sum
}

/// The same and a geometric series for the rest: above e^x.
fn exp_above(x: &Rational, terms: u32) -> Rational {
    let mut sum = exp_below(x, terms);
    let mut term = Rational::one();
    for k in 1..=terms {
        term = term * x / BigInt::from(k);
    }
    let ratio = x / BigInt::from(terms + 1);
    sum += term / (Rational::one() - ratio);
    sum
}

/// Price, ε and rate of one row.
struct Row {
    price: (u64, u64),
    epsilon: (u64, u64),
    rate: (u64, u64),
}

fn row<C: Amplified<N, D>, const N: usize, const D: usize>() -> Row {
    let exact = |price: privet::Price| {
        let epsilon = price.epsilon().expect("an ε");
        (*epsilon.numer() as u64, *epsilon.denom() as u64)
    };
    Row {
        price: exact(C::Price::price()),
        epsilon: exact(C::price()),
        rate: (N as u64, D as u64),
    }
}

macro_rules! table {
    ($($a:literal $b:literal $n:literal $d:literal;)*) => {
        vec![$(row::<Eps<$a, $b>, $n, $d>()),*]
    };
}

fn table() -> Vec<Row> {
    table! {
        1 1 1 100;
        1 1 1 10;
        1 1 1 2;
        1 1 1 1000;
        1 2 1 100;
        1 2 1 10;
        1 2 1 2;
        1 2 1 1000;
        1 10 1 100;
        1 10 1 10;
        1 10 1 2;
        1 10 1 1000;
        1 100 1 100;
        1 100 1 10;
        1 100 1 2;
        1 100 1 1000;
        1 4 1 100;
        1 4 1 10;
        1 4 1 2;
        1 4 1 1000;
        3 10 1 100;
        3 10 1 10;
        3 10 1 2;
        3 10 1 1000;
        7 10 1 100;
        7 10 1 10;
        7 10 1 2;
        7 10 1 1000;
        99 100 1 100;
        99 100 1 10;
        99 100 1 2;
        99 100 1 1000;
        2 1 1 100;
        2 1 1 10;
        2 1 1 2;
        2 1 1 1000;
        3 2 1 100;
        3 2 1 10;
        3 2 1 2;
        3 2 1 1000;
        1 3 1 100;
        1 3 1 10;
        1 3 1 2;
        1 3 1 1000;
        999 1000 1 100;
        999 1000 1 10;
        999 1000 1 2;
        999 1000 1 1000;
        1000 1000 1 100;
        1000 1000 1 10;
        1000 1000 1 2;
        1000 1000 1 1000;
        1023 1024 1 100;
        1023 1024 1 10;
        1023 1024 1 2;
        1023 1024 1 1000;
        1024 1000 1 100;
        1024 1000 1 10;
        1024 1000 1 2;
        1024 1000 1 1000;
        3 1 1 100;
        3 1 1 10;
        3 1 1 2;
        3 1 1 1000;
        5 1 1 100;
        5 1 1 10;
        5 1 1 2;
        5 1 1 1000;
        999 100 1 100;
        999 100 1 10;
        999 100 1 2;
        999 100 1 1000;
        0 1 1 100;
        0 1 1 10;
        0 1 1 2;
        0 1 1 1000;
        10 1 1 100;
        10 1 1 10;
        10 1 1 2;
        10 1 1 1000;
        1024 1 1 100;
        1024 1 1 10;
        1024 1 1 2;
        1024 1 1 1000;
        1 1000000000 1 100;
        1 1000000000 1 10;
        1 1000000000 1 2;
        1 1000000000 1 1000;
        1024 1000000000 1 100;
        1024 1000000000 1 10;
        1024 1000000000 1 2;
        1024 1000000000 1 1000;
        1 1 1 1000000000;
        1 2 1 1000000000;
        1 10 1 1000000000;
        2 1 1 1000000000;
        8 1 1 1000000000;
        1 1 1 1024;
        1 2 1 1024;
        1 10 1 1024;
        2 1 1 1024;
        8 1 1 1024;
        1 1 1023 1024;
        1 2 1023 1024;
        1 10 1023 1024;
        2 1 1023 1024;
        8 1 1023 1024;
        1 1 999 1000;
        1 2 999 1000;
        1 10 999 1000;
        2 1 999 1000;
        8 1 999 1000;
        1 1 2 3;
        1 2 2 3;
        1 10 2 3;
        2 1 2 3;
        8 1 2 3;
        1 1 9 10;
        1 2 9 10;
        1 10 9 10;
        2 1 9 10;
        8 1 9 10;
        45 16 60 100000;
        665 997 1 2;
        890 100 1 20;
        27 1000000 418 1024;
        13 16 2 10;
        136 997 1 2;
        3 8 2 50;
        373 10000 393 1024;
        12 20 10 100;
        11 16 1 50;
        20 50 4 64;
        31 50 1 128;
        1 2 52 1024;
        6 1 1 100;
        725 997 1 10;
        4 4 1 64;
        948 1024 1 3;
        14 20 1 3;
        304 1024 6 64;
        640 10000 40 1000;
        6 7 1 10;
        738 1000 1 2;
        2 2 934 100000;
        29 500 411 1000;
        425 1000 1 10;
        87 500 3 100;
        10 2 1 10;
        1000 1024 11 1024;
        597 1000 3 128;
        35 4 1 10;
        6 50 9 128;
        130 10000 712 10000;
        627 1000000 1 64;
        602 1000 1 64;
        972 1000000 11 256;
        74 16 731 100000;
        177 100 45 1024;
        63 7 5 64;
        2 5 978 100000;
        14 20 1 10;
        47 20 1 2;
        371 1000000 1 20;
        8 2 2 10;
        3 4 5 128;
        720 500 1 100;
        488 1000000 1 1024;
        286 100 236 100000;
        74 10000 3 256;
        9 4 19 256;
        53 20 1 10;
        958 1000000 5 10;
        408 125 1 10;
        49 100 1 3;
        220 50 32 100;
        98 20 39 100;
        32 16 1 50;
        126 50 16 50;
        1 1 1 20;
        1 5 2 128;
        5 10 2 20;
    }
}

#[test]
fn a_price_on_a_sample_is_never_too_low() {
    for Row {
        price,
        epsilon,
        rate,
    } in table()
    {
        let (p, e, q) = (
            rational(price.0, price.1),
            rational(epsilon.0, epsilon.1),
            rational(rate.0, rate.1),
        );
        if e >= rational(10, 1) {
            assert_eq!(p, e, "from ten on a sample lowers nothing");
            continue;
        }
        // e^p ≥ 1 + q (e^ε − 1), the first from below and the second from above.
        let odds = Rational::one() + q * (exp_above(&e, 60) - Rational::one());
        assert!(
            exp_below(&p, 60) >= odds,
            "ε = {epsilon:?} at {rate:?} was priced {price:?}"
        );
    }
}

#[test]
fn a_price_on_a_sample_is_close_to_the_law() {
    let mut worst: f64 = 0.0;
    for Row {
        price,
        epsilon,
        rate,
    } in table()
    {
        let of = |(num, den): (u64, u64)| num as f64 / den as f64;
        let (p, e, q) = (of(price), of(epsilon), of(rate));
        if e == 0.0 || e >= 10.0 {
            continue;
        }
        let law = (q * e.exp_m1()).ln_1p();
        // Less than half a percent for the chords; then three digits, or billionths.
        let digits = 10_f64.powf((law * 1.0045).log10().floor() - 2.0).max(1e-9);
        assert!(
            p <= law * 1.0045 + digits,
            "ε = {epsilon:?} at {rate:?} was priced {price:?}, and the law is {law}"
        );
        if law > 1e-6 {
            worst = worst.max(p / law - 1.0);
        }
    }
    println!("at most {:.2} % above the law", worst * 100.0);
}

fn delta<C: Amplified<N, D>, const N: usize, const D: usize>() -> privet::Ratio<u128> {
    let price = C::Price::price();
    price.delta().expect("a δ")
}

#[test]
fn delta_on_a_sample_is_its_part_and_rounded_up() {
    let cases = [
        (
            delta::<Approx<Eps<1, 2>, Delta<1, 6>>, 1, 100>(),
            rational(1, 100_000_000),
        ),
        (
            delta::<Approx<Eps<1, 2>, Delta<1, 6>>, 1, 3>(),
            rational(1, 3_000_000),
        ),
        (
            delta::<Approx<Eps<1, 2>, Delta<999, 9>>, 1023, 1024>(),
            rational(999 * 1023, 1024 * 1_000_000_000),
        ),
        (
            delta::<Approx<Eps<1, 2>, Delta<0, 6>>, 1, 3>(),
            rational(0, 1),
        ),
    ];
    for (found, law) in cases {
        let found = Rational::new((*found.numer()).into(), (*found.denom()).into());
        assert!(found >= law, "{found} is below {law}");
        assert!(found <= law * rational(101, 100), "{found} is far too high");
    }
    // Below the least δ there is, it is that.
    let least = delta::<Approx<Eps<1, 2>, Delta<1, 30>>, 1, 1_000_000_000>();
    assert_eq!(least, privet::Ratio::new(1, 10_u128.pow(30)));
}

#[derive(Record, Clone)]
struct Patient {
    age: i64,
}

fn patients(n: i64) -> Vec<Patient> {
    (0..n).map(|age| Patient { age }).collect()
}

/// Little noise: e^-200 of it is not zero.
type Loud = Eps<200, 1>;

/// Each row is drawn as often as the rate says, and rows are drawn independently of each other.
#[test]
fn a_sample_has_each_row_with_its_probability() -> privet::Result<()> {
    let sample = rows::<Patient>().sampled::<1, 4>();
    let ages = sample.once(|sample| {
        sample
            .histogram(|p| p.age.clamp::<0, 3>())
            .laplace::<Loud>()
    });
    let mut simulation = Simulation::of_public(patients(4), 7)?;
    let (mut each, mut pairs) = ([0_i64; 4], 0_i64);
    const RUNS: i64 = 20_000;
    simulation.run_many(&ages, RUNS as u64, |cells| {
        for (sum, cell) in each.iter_mut().zip(&cells) {
            assert!((0..=1).contains(cell));
            *sum += cell;
        }
        pairs += cells[0] * cells[1];
    })?;
    for sum in each {
        assert!((sum - RUNS / 4).abs() < 400, "{each:?}"); // σ is 61
    }
    assert!((pairs - RUNS / 16).abs() < 250, "{pairs}"); // σ is 34
    Ok(())
}

/// Everything inside is answered on one sample, also what is chosen later; across chunks too.
#[test]
fn one_run_has_one_sample() -> privet::Result<()> {
    let sample = rows::<Patient>()
        .filter(|p| p.age.lt(2_000))
        .sampled::<1, 3>();
    let twice = sample.once(|sample| {
        let later = sample.clone();
        let whole = sample.count().laplace::<Loud>();
        whole.then(move |_| {
            let low = later
                .clone()
                .filter(|p| p.age.lt(1_100))
                .count()
                .laplace::<Loud>();
            low.and(
                later
                    .clone()
                    .filter(|p| !p.age.lt(1_100))
                    .count()
                    .laplace::<Loud>(),
            )
        })
    });
    let mut simulation = Simulation::of_public(patients(2_500), 3)?;
    let mut seen = std::collections::BTreeSet::new();
    simulation.run_many(&twice, 50, |(whole, (low, high))| {
        assert_eq!(whole, low + high);
        assert!((500..850).contains(&whole), "{whole}");
        seen.insert(whole);
    })?;
    assert!(seen.len() > 10, "each run draws a sample of its own");
    Ok(())
}

#[test]
fn a_plan_says_what_it_samples_and_both_prices() {
    let sample = rows::<Patient>()
        .filter(|p| p.age.gt(40))
        .sampled::<1, 100>();
    let count = sample.once(|sample| sample.count().laplace::<Eps<1, 1>>());
    let text = count.explain().to_string();
    assert!(
        text.contains("on a sample of 1/100 of the rows where age > 40"),
        "{text}"
    );
    assert!(text.contains("ε = 171/10000"), "{text}");
    assert!(text.contains("ε = 1"), "{text}");
}

#[test]
fn a_vault_in_constant_time_refuses_a_sample() {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients(3));
    let sample = rows::<Patient>().sampled::<1, 2>();
    let count = sample.once(|sample| sample.count().laplace::<Eps<1, 1>>());
    let result = vault.in_constant_time().release(count);
    assert!(matches!(result, Err(Error::VariableTime)));
}

/// A mechanism for a sample is an ordinary function, with the sample in its type.
#[test]
fn a_library_can_offer_a_mechanism_for_samples() -> privet::Result<()> {
    fn mean<E: Split<2>>() -> Mechanism<Table<Patient, Sampled<1, 10>>, f64, E> {
        let ages = rows::<Table<Patient, Sampled<1, 10>>>();
        let sum = ages
            .clone()
            .sum(|p| p.age.clamp::<0, 100>())
            .laplace::<E::Part>();
        Mechanism::all((sum, ages.count().laplace()))
            .map(|(sum, n)| sum as f64 / n.max(1) as f64)
            .at_most()
    }
    let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients(1_000));
    let sampled = rows::<Patient>()
        .sampled::<1, 10>()
        .once(|_| mean::<Eps<1, 1>>());
    let (mean, _) = vault.release(sampled)?;
    assert!(mean.is_finite());
    Ok(())
}
