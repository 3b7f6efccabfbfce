//! A generator that fails at any draw gives an error and no output.

use std::sync::Arc;

use super::audit::{scale, variance};
use crate::noise::table::Table;
use crate::noise::wide::{WideGaussian, WideLaplace, gaussian_high, laplace_high};
use crate::noise::{self, Entropy, NoiseError};

/// Fails the generator after every number of words up to `depth`, and compares with a twin that
/// reads the same words and does not fail: the result must be withheld exactly where the twin
/// needed a word from beyond the failure.
fn assert_withheld<T: PartialEq + std::fmt::Debug>(
    depth: usize,
    sample: impl Fn(&mut Entropy) -> Result<T, NoiseError>,
) {
    let (mut withheld, mut returned) = (0, 0);
    for words in 0..depth {
        let mut seed = [13; 32];
        seed[..8].copy_from_slice(&(words as u64).to_le_bytes());
        let mut twin = Entropy::public_at(words, seed);
        let expected = sample(&mut twin).unwrap();
        let result = sample(&mut Entropy::failing_after(words, seed));
        if twin.was_refilled() {
            assert_eq!(result, Err(NoiseError::Entropy), "after {words} words");
            withheld += 1;
        } else {
            assert_eq!(result, Ok(expected), "after {words} words");
            returned += 1;
        }
    }
    assert!(withheld > 0 && returned > 0, "the test must see both sides");
}

#[test]
fn single_values_are_withheld() {
    for (num, den) in [(1, 1), (1_000_003, 7), (1 << 90, 5)] {
        assert_withheld(300, |e| noise::laplace(e, scale(num, den)));
    }
    for (num, den) in [(1, 1), (1_000_003, 7), (1 << 100, 5)] {
        assert_withheld(300, |e| noise::gaussian(e, variance(num, den)));
    }
    assert_withheld(300, |e| noise::bernoulli(e, 1, 3));
    assert_withheld(300, |e| noise::bernoulli_exp(e, 7, 3));
    assert_withheld(300, |e| noise::bernoulli_logistic(e, 7, 3));
    assert_withheld(300, |e| noise::uniform_below(e, 3 << 62));
}

#[test]
fn sequences_end_at_the_failure() {
    let sequence = |e: &mut Entropy| {
        (0..20)
            .map(|_| noise::laplace(e, scale(10, 1)))
            .collect::<Result<Vec<_>, _>>()
    };
    assert_withheld(400, sequence);
}

#[test]
fn filled_slices_are_withheld_and_wiped() {
    fn filled<const N: usize>(
        fill: fn(&mut Entropy, &mut [i64]) -> Result<(), NoiseError>,
    ) -> impl Fn(&mut Entropy) -> Result<[i64; N], NoiseError> {
        move |entropy| {
            let mut out = [7; N];
            let result = fill(entropy, &mut out);
            if result.is_err() {
                assert_eq!(out, [0; N]);
            }
            result.map(|()| out)
        }
    }
    // Without tables, then with them.
    assert_withheld(
        800,
        filled::<20>(|e, out| noise::laplace_fill(e, scale(21, 2), out)),
    );
    assert_withheld(
        800,
        filled::<20>(|e, out| noise::gaussian_fill(e, variance(21, 2), out)),
    );
    assert_withheld(
        800,
        filled::<200>(|e, out| noise::laplace_fill(e, scale(21, 2), out)),
    );
    assert_withheld(
        800,
        filled::<200>(|e, out| noise::gaussian_fill(e, variance(21, 2), out)),
    );
    assert_withheld(
        800,
        filled::<40>(|e, out| noise::laplace_constant_time(e, scale(1, 2), out)),
    );
    assert_withheld(
        500,
        filled::<40>(|e, out| noise::gaussian_constant_time(e, variance(1 << 30, 7), out)),
    );
    assert_withheld(300, |e| noise::laplace_steady(e, scale(1 << 40, 7)));
    assert_withheld(300, |e| noise::gaussian_steady(e, variance(3, 7)));
}

#[test]
fn wide_samples_are_withheld() {
    let scale = scale(1 << 30, 7);
    let (law, shift) = laplace_high(scale).unwrap();
    let wide = WideLaplace::new(Arc::new(Table::new(law).unwrap()), scale, shift);
    assert_withheld(500, |e| {
        e.release(|e| {
            let mut out = [0; 20];
            wide.fill(e, &mut out);
            out
        })
    });
    let variance = variance(1 << 50, 7);
    let (law, shift) = gaussian_high(variance).unwrap();
    let wide = WideGaussian::new(Arc::new(Table::new(law).unwrap()), variance, shift);
    assert_withheld(500, |e| {
        e.release(|e| {
            let mut out = [0; 20];
            wide.fill(e, &mut out);
            out
        })
    });
}
