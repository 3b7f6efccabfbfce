//! Does the time of a draw depend on its size? Welch's t of small against large draws.
//!
//! `cargo bench --bench noise_timing`: values beyond about 5 say that it does.

use std::hint::black_box;
use std::time::Instant;

use privet::noise::{
    Entropy, GaussianVariance, LaplaceScale, gaussian, gaussian_constant_time, laplace,
    laplace_constant_time,
};

fn main() {
    // A public generator makes no system calls, whose times would drown all others.
    let mut entropy = Entropy::public([1; 32]);
    let scale = LaplaceScale::new(100, 1).expect("in range");
    let t = welch(69, || laplace(&mut entropy, scale).expect("noise"));
    println!("laplace:                                t = {t:.1}");
    let mut out = [0];
    let t = welch(69, || {
        laplace_constant_time(&mut entropy, scale, &mut out).expect("noise");
        i128::from(out[0])
    });
    println!("laplace_constant_time:                  t = {t:.1}");
    // One deviation for each of its two methods.
    for deviation in [30, 1000] {
        let variance = GaussianVariance::new(deviation * deviation, 1).expect("in range");
        let median = deviation as i128 * 2 / 3;
        let t = welch(median, || gaussian(&mut entropy, variance).expect("noise"));
        println!("gaussian, deviation {deviation:4}:               t = {t:.1}");
        let t = welch(median, || {
            gaussian_constant_time(&mut entropy, variance, &mut out).expect("noise");
            i128::from(out[0])
        });
        println!("gaussian_constant_time, deviation {deviation:4}: t = {t:.1}");
    }
}

/// Times of draws beyond `median`, against those within.
fn welch(median: i128, mut draw: impl FnMut() -> i128) -> f64 {
    let mut times = [vec![], vec![]];
    for _ in 0..1_000_000 {
        let start = Instant::now();
        let value = black_box(draw());
        let time = start.elapsed().as_nanos() as f64;
        // Interrupts and the like are no part of the draw.
        if time < 20_000.0 {
            times[usize::from(value.abs() > median)].push(time);
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
