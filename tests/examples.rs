//! Every example runs, and its key figures are what they should be.
//!
//! Noise cannot be seeded, so figures are bounded with room: `FAR` scales of Laplace noise are
//! exceeded with probability e^−25 = 1.4e-11, and other bounds say why they hold as surely.
#![forbid(unsafe_code)]
#![allow(clippy::duplicate_mod)] // every example brings its own `common`

/// In scales of Laplace noise.
const FAR: f64 = 25.0;

#[path = "../examples/hospital.rs"]
#[allow(dead_code)]
mod hospital;

fn near(noisy: f64, exact: f64, off: f64) {
    assert!(
        (noisy - exact).abs() <= off,
        "{noisy} is not {exact} ± {off}"
    );
}

#[test]
fn hospital() {
    let figures = hospital::run().unwrap();
    let count = |(noisy, exact): (i64, i64)| near(noisy as f64, exact as f64, FAR * 10.0);
    count(figures.count);
    count(figures.smokers);
    figures.wards.into_iter().for_each(count);
    // The sum's scale is 10,000/0.1, the count's is 10 and moves the mean by 1 % of it.
    let (mean, exact) = figures.mean;
    near(mean.value, exact, FAR * (1e5 + 10.0 * exact) / 3e5 * 1.1);
    // Over 3,000 patients have each age near the median; it is off by 10·(25 + ln 121) at most.
    near(figures.median.0 as f64, figures.median.1 as f64, 1.0);
    let (mean, exact) = figures.follow_up.expect("thousands of older smokers");
    near(mean.value, exact, FAR * (1e5 + 10.0 * exact) / 6e4 * 1.1);
}
