//! Exact noise: privet, OpenDP on both backends and prio, in one run.
//!
//! OpenDP on OpenSSL is another build of the same crate, hence another process: built as the README
//! says, this binary starts it and prints its figures beside the others.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::report::{best, figure, goal, head, row, times};
use chacha20::ChaCha12Rng;
use dashu::rational::RBig;
use opendp::domains::{AtomDomain, VectorDomain};
use opendp::measurements::{make_gaussian, make_laplace};
use opendp::measures::{MaxDivergence, ZeroConcentratedDivergence};
use opendp::metrics::{L1Distance, L2Distance};
use opendp::traits::samplers::{sample_discrete_gaussian, sample_discrete_laplace};
use prio::dp::Rational;
use prio::dp::distributions::{DiscreteGaussian, DiscreteLaplace};
use privet::noise::{
    Entropy, GaussianVariance, LaplaceScale, gaussian, gaussian_constant_time, gaussian_fill,
    laplace, laplace_constant_time, laplace_fill,
};
use rand::distr::Distribution;
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;

/// Scales of the Laplace distribution, and standard deviations of the Gaussian.
const SCALES: [(&str, u32, u32); 5] = [
    ("1", 1, 1),
    ("10", 10, 1),
    ("1000", 1000, 1),
    ("2^20", 1 << 20, 1),
    ("1000003/7", 1_000_003, 7),
];
/// Values that privet draws per run in bulk.
const BULK: usize = 1 << 18;
/// Values that everyone else, and single draws, take per run.
const FEW: usize = 1 << 14;
const RUNS: usize = 25;

/// Million values per second.
fn rate(count: usize, run: impl FnMut()) -> f64 {
    count as f64 / 1e6 / best(RUNS, run)
}

/// Million single draws per second.
fn each<T>(count: usize, mut draw: impl FnMut() -> T) -> f64 {
    rate(count, || (0..count).for_each(|_| _ = black_box(draw())))
}

/// OpenDP's samplers and vector mechanisms: Laplace, then Gaussian, scalar and vector.
fn opendp(num: u32, den: u32) -> [f64; 4] {
    let scale = RBig::from_parts(num.into(), den.into());
    // Vector mechanisms take the scale as a float.
    let float = f64::from(num) / f64::from(den);
    let zeros = vec![0_i64; FEW];
    let vectors = || VectorDomain::new(AtomDomain::<i64>::default());
    let many_laplace =
        make_laplace::<_, _, MaxDivergence>(vectors(), L1Distance::<i64>::default(), float, None)
            .expect("mechanism");
    let many_gaussian = make_gaussian::<_, _, ZeroConcentratedDivergence>(
        vectors(),
        L2Distance::<i64>::default(),
        float,
        None,
    )
    .expect("mechanism");
    [
        each(FEW, || {
            sample_discrete_laplace(scale.clone()).expect("noise")
        }),
        rate(FEW, || {
            _ = black_box(many_laplace.invoke(&zeros).expect("noise"))
        }),
        each(FEW, || {
            sample_discrete_gaussian(scale.clone()).expect("noise")
        }),
        rate(FEW, || {
            _ = black_box(many_gaussian.invoke(&zeros).expect("noise"))
        }),
    ]
}

/// The figures of [`opendp`] from the build on OpenSSL, if there is one.
fn on_openssl() -> Option<Vec<[f64; 4]>> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/openssl/release/privet-peers");
    let output = Command::new(program).arg("opendp").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = |line: &str| {
        let figures: Option<Vec<f64>> = line.split(' ').map(|word| word.parse().ok()).collect();
        figures?.try_into().ok()
    };
    let lines: Vec<[f64; 4]> = text.lines().map(line).collect::<Option<_>>()?;
    (lines.len() == SCALES.len()).then_some(lines)
}

/// prio's samplers on ChaCha12: Laplace and Gaussian.
fn prio(num: u32, den: u32) -> [f64; 2] {
    let ratio = || Rational::from_unsigned(num, den).expect("rational");
    let mut rng = ChaCha12Rng::from_seed([1; 32]);
    let laplace = DiscreteLaplace::new(ratio()).expect("distribution");
    let gaussian = DiscreteGaussian::new(ratio()).expect("distribution");
    [
        each(FEW / 2, || laplace.sample(&mut rng)),
        each(FEW / 4, || gaussian.sample(&mut rng)),
    ]
}

struct Privet {
    one: f64,
    /// Without the question whether the process was forked.
    unchecked: f64,
    bulk: f64,
    constant: f64,
}

fn privet(num: u32, den: u32) -> (Privet, Privet) {
    let mut entropy = Entropy::os().expect("randomness");
    let mut public = Entropy::public([1; 32]);
    let mut out = vec![0; BULK];
    let scale = LaplaceScale::new(num.into(), den.into()).expect("in range");
    let (num, den) = (u128::from(num), u64::from(den));
    let variance = GaussianVariance::new(num * num, den * den).expect("in range");
    let count = FEW * 4;
    let of_laplace = Privet {
        one: each(count, || laplace(&mut entropy, scale).expect("noise")),
        unchecked: each(count, || laplace(&mut public, scale).expect("noise")),
        bulk: rate(BULK, || {
            laplace_fill(&mut entropy, scale, &mut out).expect("noise")
        }),
        constant: rate(BULK, || {
            laplace_constant_time(&mut entropy, scale, &mut out).expect("noise");
        }),
    };
    let of_gaussian = Privet {
        one: each(count, || gaussian(&mut entropy, variance).expect("noise")),
        unchecked: each(count, || gaussian(&mut public, variance).expect("noise")),
        bulk: rate(BULK, || {
            gaussian_fill(&mut entropy, variance, &mut out).expect("noise")
        }),
        constant: rate(FEW, || {
            gaussian_constant_time(&mut entropy, variance, &mut out[..FEW]).expect("noise");
        }),
    };
    black_box(&out);
    (of_laplace, of_gaussian)
}

/// Million 64-bit words of ChaCha12 keystream per second; million floating-point Laplace values,
/// −b·ln u, made of them one word each; and million floating-point Gaussian values of rand_distr.
fn yardsticks() -> (f64, [f64; 2]) {
    let mut stream = ChaCha12Rng::from_seed([2; 32]);
    let mut bytes = vec![0; 1 << 16];
    let rounds = 64;
    let words = rate(rounds * bytes.len() / 8, || {
        (0..rounds).for_each(|_| stream.fill_bytes(&mut bytes));
    });
    black_box(&bytes);
    let mut out = vec![0; BULK];
    let float = rate(BULK, || {
        for out in &mut out {
            let word = stream.next_u64();
            let uniform = ((word >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
            let noise = -10.0 * uniform.ln();
            *out = (if word & 1 == 1 { noise } else { -noise }) as i64;
        }
        black_box(&out);
    });
    let normal = rate(BULK, || {
        for out in &mut out {
            let standard: f64 = StandardNormal.sample(&mut stream);
            *out = (10.0 * standard).round() as i64;
        }
        black_box(&out);
    });
    (words, [float, normal])
}

/// Welch's t of the times of small against large draws at scale 100: beyond about 5, time tells.
fn welch(draws: usize, mut draw: impl FnMut() -> i128) -> f64 {
    let mut times = [vec![], vec![]];
    for _ in 0..draws {
        let start = Instant::now();
        let value = black_box(draw());
        let time = start.elapsed().as_nanos() as f64;
        // Interrupts and the like are no part of the draw.
        if time < 20_000.0 {
            times[usize::from(value.abs() > 69)].push(time);
        }
    }
    let [small, large] = times.map(|times| {
        let count = times.len() as f64;
        let mean = times.iter().sum::<f64>() / count;
        let variance = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, variance / count)
    });
    (large.0 - small.0) / (large.1 + small.1).sqrt()
}

fn timing() {
    // A public generator makes no system calls, whose times would drown all others.
    let mut entropy = Entropy::public([1; 32]);
    let mut rng = ChaCha12Rng::from_seed([3; 32]);
    let scale = LaplaceScale::new(100, 1).expect("in range");
    let constant = welch(1_000_000, || {
        let mut out = [0];
        laplace_constant_time(&mut entropy, scale, &mut out).expect("noise");
        out[0].into()
    });
    let single = welch(1_000_000, || laplace(&mut entropy, scale).expect("noise"));
    let variance = GaussianVariance::new(10_000, 1).expect("in range");
    let constant_gaussian = welch(1_000_000, || {
        let mut out = [0];
        gaussian_constant_time(&mut entropy, variance, &mut out).expect("noise");
        out[0].into()
    });
    let single_gaussian = welch(1_000_000, || {
        gaussian(&mut entropy, variance).expect("noise")
    });
    let rational = Rational::from_unsigned(100_u32, 1).expect("rational");
    let of_prio = DiscreteLaplace::new(rational).expect("distribution");
    let prio = welch(100_000, || {
        i128::try_from(of_prio.sample(&mut rng)).expect("small")
    });
    let opendp = welch(100_000, || {
        let value = sample_discrete_laplace(RBig::from(100)).expect("noise");
        i128::try_from(value).expect("small")
    });
    head(&["time against size at scale 100", "Welch t"]);
    row("privet, `laplace_constant_time`", &[figure(constant)]);
    row("privet, `laplace`", &[figure(single)]);
    row(
        "privet, `gaussian_constant_time`",
        &[figure(constant_gaussian)],
    );
    row("privet, `gaussian`", &[figure(single_gaussian)]);
    row("OpenDP (100 000 draws)", &[figure(opendp)]);
    row("prio (100 000 draws)", &[figure(prio)]);
    println!();
    goal(
        Some(constant.abs() < 5.0),
        "constant time, |t| < 5",
        figure(constant),
    );
    goal(
        Some(constant_gaussian.abs() < 5.0),
        "Gaussian in constant time, |t| < 5",
        figure(constant_gaussian),
    );
}

/// Only the figures of OpenDP, for [`on_openssl`] of another build.
pub fn opendp_alone() {
    for (_, num, den) in SCALES {
        println!(
            "{}",
            opendp(num, den).map(|figure| figure.to_string()).join(" ")
        );
    }
}

pub fn run() {
    println!("## Noise\n\nMillion values per processor second, best of {RUNS} runs.");
    let (words, float) = yardsticks();
    println!(
        "ChaCha12 in bulk: {} million 64-bit words (a value from a table takes half a word).\n\
         Unsafe, on ChaCha12: f64 Laplace, −b·ln u, {} million; f64 Gaussian of rand_distr, {} million.",
        figure(words),
        figure(float[0]),
        figure(float[1])
    );
    let openssl = on_openssl();
    if openssl.is_none() {
        println!("OpenDP on OpenSSL is not built: see the README.");
    }
    let mut tables: [Vec<_>; 2] = [vec![], vec![]];
    let mut single = [vec![], vec![]];
    let (mut at_ten, mut least) = (vec![], (f64::INFINITY, String::new()));
    let mut slowest = (f64::INFINITY, String::new());
    let mut least_single = (f64::INFINITY, String::new());
    for (i, (name, num, den)) in SCALES.into_iter().enumerate() {
        let of_opendp = opendp(num, den);
        let of_openssl = openssl.as_ref().map_or([f64::NAN; 4], |rates| rates[i]);
        let of_prio = prio(num, den);
        let (l, g) = privet(num, den);
        for (law, ours) in [l, g].into_iter().enumerate() {
            let rust = of_opendp[2 * law].max(of_opendp[2 * law + 1]);
            let ssl = of_openssl[2 * law].max(of_openssl[2 * law + 1]);
            let peer = rust.max(ssl).max(of_prio[law]);
            let mut cells = [rust, ssl, of_prio[law], ours.one, ours.unchecked]
                .map(figure)
                .to_vec();
            cells.push(times(ours.one / peer));
            single[law].push((name, cells));
            let mut cells = [rust, ssl, of_prio[law], ours.bulk].map(figure).to_vec();
            cells.push(times(ours.bulk / peer));
            cells.push(times(ours.bulk / words));
            cells.push(times(ours.bulk / float[0]));
            cells.push(times(ours.bulk / float[law]));
            cells.push(figure(ours.constant));
            cells.push(times(ours.constant / peer));
            tables[law].push((name, cells));
            let law = ["Laplace", "Gaussian"][law];
            if name == "10" {
                at_ten.push((law, ours.bulk / peer, ours.bulk / words));
            }
            if ours.bulk / peer < least.0 {
                least = (ours.bulk / peer, format!("{law} at {name}"));
            }
            if ours.bulk / float[0] < slowest.0 {
                slowest = (ours.bulk / float[0], format!("{law} at {name}"));
            }
            if ours.one / peer < least_single.0 {
                least_single = (ours.one / peer, format!("{law} at {name}"));
            }
        }
    }
    let bulk = [
        "scale",
        "OpenDP, rand",
        "OpenDP, OpenSSL",
        "prio",
        "privet",
        "÷ faster peer",
        "÷ ChaCha12 words",
        "÷ f64 Laplace",
        "÷ its own f64",
        "constant time",
        "÷ faster peer",
    ];
    for (law, rows) in ["Laplace", "Gaussian"].into_iter().zip(tables) {
        println!("\n### Discrete {law}, in bulk");
        head(&bulk);
        rows.iter().for_each(|(name, cells)| row(name, cells));
    }
    for (law, rows) in ["Laplace", "Gaussian"].into_iter().zip(single) {
        println!("\n### Discrete {law}, one by one");
        head(&[
            "scale",
            "OpenDP, rand",
            "OpenDP, OpenSSL",
            "prio",
            "privet",
            "privet without fork check",
            "÷ faster peer",
        ]);
        rows.iter().for_each(|(name, cells)| row(name, cells));
    }
    println!("\n### Constant time");
    timing();
    for (law, peer, stream) in at_ten {
        goal(
            Some(peer >= 100.0),
            &format!("{law} at 10 in bulk, 100 × the faster peer"),
            times(peer),
        );
        goal(
            Some(stream >= 1.0 / 3.0),
            &format!("{law} at 10 in bulk, a third of the keystream's words"),
            times(stream),
        );
        // A value takes 32 bits.
        goal(
            Some(stream / 2.0 >= 1.0 / 3.0),
            &format!("{law} at 10 in bulk, a third of the keystream's bytes"),
            times(stream / 2.0),
        );
    }
    goal(
        Some(least.0 >= 20.0),
        "20 × the faster peer in bulk everywhere",
        format!("{} for {}", times(least.0), least.1),
    );
    goal(
        Some(least_single.0 >= 20.0),
        "20 × the faster peer one by one everywhere",
        format!("{} for {}", times(least_single.0), least_single.1),
    );
    goal(
        Some(slowest.0 >= 1.0),
        "not slower than f64 Laplace in bulk",
        format!("{} for {}", times(slowest.0), slowest.1),
    );
}
