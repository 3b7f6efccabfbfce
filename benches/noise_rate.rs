//! Million samples per second and core, by method and scale.
//!
//! `cargo bench --bench noise_rate`

use std::hint::black_box;
use std::time::Instant;

use privet::noise::{
    Entropy, GaussianVariance, LaplaceScale, gaussian, gaussian_constant_time, gaussian_fill,
    laplace, laplace_constant_time, laplace_fill, uniform_below,
};
use rand_core::{Rng, SeedableRng};

/// Best of 60 short runs, in million samples per second: on a shared machine some are undisturbed.
fn rate(samples: usize, mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    samples as f64 / 1e6 / (0..60).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let mut entropy = Entropy::os().expect("randomness");
    let mut buffer = vec![0; 1 << 16];
    let count = buffer.len();

    let mut stream = chacha20::ChaCha12Rng::from_seed([1; 32]);
    let mut bytes = vec![0; 1 << 16];
    let raw = rate(bytes.len() * 20, || {
        (0..20).for_each(|_| stream.fill_bytes(&mut bytes))
    });
    black_box(&bytes);
    println!("ChaCha12 in bulk: {:.0} million 64-bit words/s", raw / 8.0);
    let coins = rate(count, || {
        (0..count).for_each(|_| _ = black_box(uniform_below(&mut entropy, 1 << 32)));
    });
    println!("uniform_below, one per call: {coins:.0} million/s");
    let naive = rate(count, || {
        for out in &mut buffer {
            let word = stream.next_u64();
            let uniform = ((word >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
            let noise = -10.0 * uniform.ln();
            *out = (if word & 1 == 1 { noise } else { -noise }) as i64;
        }
        black_box(&buffer);
    });
    println!("unsafe f64 Laplace, -b ln u: {naive:.0} million/s");

    // A public generator shows the samplers without the question whether the process was forked.
    let mut public = Entropy::public([1; 32]);
    println!("\ndiscrete Laplace    one call  without fork check  fill  constant time");
    for (name, num, den) in [
        ("1", 1, 1),
        ("10", 10, 1),
        ("1000", 1000, 1),
        ("2^20", 1 << 20, 1),
        ("1000003/7", 1_000_003, 7),
        ("2^80", 1 << 80, 1),
    ] {
        let scale = LaplaceScale::new(num, den).expect("in range");
        let [one, bare] = [&mut entropy, &mut public].map(|entropy| {
            rate(count / 4, || {
                (0..count / 4).for_each(|_| _ = black_box(laplace(entropy, scale)));
            })
        });
        print!("{name:>16} {one:11.1} {bare:17.1}");
        if num >> 56 == 0 {
            let fill = rate(count, || {
                laplace_fill(&mut entropy, scale, &mut buffer).expect("noise");
            });
            let constant = rate(count, || {
                laplace_constant_time(&mut entropy, scale, &mut buffer).expect("noise");
            });
            print!(" {fill:7.1} {constant:14.1}");
        }
        println!();
    }

    println!("\ndiscrete Gaussian   one call  without fork check  fill  constant time");
    for (name, num) in [
        ("1", 1),
        ("10", 100),
        ("1000", 1_000_000),
        ("2^20", 1 << 40),
        ("2^31", 1 << 62),
        ("2^50", 1 << 100),
    ] {
        let variance = GaussianVariance::new(num, 1).expect("in range");
        let [one, bare] = [&mut entropy, &mut public].map(|entropy| {
            rate(count / 8, || {
                (0..count / 8).for_each(|_| _ = black_box(gaussian(entropy, variance)));
            })
        });
        let fill = rate(count, || {
            gaussian_fill(&mut entropy, variance, &mut buffer).expect("noise");
        });
        let constant = rate(count / 8, || {
            gaussian_constant_time(&mut entropy, variance, &mut buffer[..count / 8])
                .expect("noise");
        });
        println!("{name:>16} {one:11.1} {bare:17.1} {fill:7.1} {constant:14.1}");
    }

    println!("\nfirst fill of a scale, table included: microseconds");
    for (name, num, den) in [
        ("1", 2, 3),
        ("10", 21, 2),
        ("1000", 1001, 1),
        ("2^20", 3 << 20, 2),
    ] {
        let scale = LaplaceScale::new(num, den).expect("in range");
        let variance = GaussianVariance::new(num * num, den * den).expect("in range");
        let start = Instant::now();
        laplace_fill(&mut entropy, scale, &mut buffer).expect("noise");
        let laplace = start.elapsed().as_micros();
        let start = Instant::now();
        gaussian_fill(&mut entropy, variance, &mut buffer).expect("noise");
        println!(
            "{name:>16} Laplace {laplace:6}   Gaussian {:6}",
            start.elapsed().as_micros()
        );
    }
}
