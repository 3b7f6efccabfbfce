//! The bulk samplers: against exact probabilities, and at their seams.

use std::sync::Arc;

use super::audit::{DRAWS, Law as _, audit, scale, variance};
use crate::noise::bulk::Method;
use crate::noise::magnitude::Magnitude;
use crate::noise::table::Table;
use crate::noise::wide::{WideGaussian, WideLaplace, gaussian_high, laplace_high};
use crate::noise::{
    Entropy, MAX_BULK, NoiseError, gaussian_constant_time, gaussian_fill, gaussian_steady,
    laplace_constant_time, laplace_fill, laplace_steady,
};

fn draw(count: usize, fill: impl FnOnce(&mut Entropy, &mut [i64])) -> Vec<i128> {
    let mut out = vec![0; count];
    fill(&mut Entropy::public([31; 32]), &mut out);
    out.into_iter().map(i128::from).collect()
}

#[test]
fn laplace_tables_match_their_probabilities() {
    for (num, den) in [
        (1, 1),
        (1, 3),
        (200, 1000),
        (10, 1),
        (37, 11),
        (1003, 37),
        (1000, 1),
    ] {
        let scale = scale(num, den);
        let method = Method::laplace(scale, DRAWS);
        assert!(matches!(method, Method::Table(_)));
        audit(
            &scale,
            &draw(DRAWS, |e, out| method.fill_laplace(e, scale, out)),
        );
    }
}

#[test]
fn wide_laplace_matches_its_probabilities() {
    for (num, den) in [
        (32, 1),
        (63, 1),
        (100, 1),
        (1_000_003, 7),
        (1 << 20, 1),
        ((1 << 87) - 1, (1 << 31) + 11),
    ] {
        // Also at small scales, where the policy would take a table: here every outcome counts.
        let scale = scale(num, den);
        let (law, shift) = laplace_high(scale).unwrap();
        let wide = WideLaplace::new(Arc::new(Table::new(law).unwrap()), scale, shift);
        audit(&scale, &draw(DRAWS, |e, out| wide.fill(e, out)));
    }
}

#[test]
fn gaussian_tables_match_their_probabilities() {
    for (num, den) in [
        (1, 1),
        (1, 3),
        (1, 20),
        (100, 1),
        (1009, 37),
        (1_000_000, 1),
    ] {
        let variance = variance(num, den);
        let method = Method::gaussian(variance, DRAWS);
        assert!(matches!(method, Method::Table(_)));
        audit(
            &variance,
            &draw(DRAWS, |e, out| method.fill_gaussian(e, variance, out)),
        );
    }
}

#[test]
fn wide_gaussian_matches_its_probabilities() {
    let variances = [
        (64 * 64, 1),
        (100 * 100, 1),
        (1 << 22, 3),
        (1 << 40, 1),
        (1 << 60, 1),
        (1 << 80, 1),
        ((1 << 112) - 1, 1),
        ((1 << 127) - 1, (1 << 40) - 1),
    ];
    for (num, den) in variances {
        let variance = variance(num, den);
        let (law, shift) = gaussian_high(variance).unwrap();
        let wide = WideGaussian::new(Arc::new(Table::new(law).unwrap()), variance, shift);
        audit(&variance, &draw(DRAWS, |e, out| wide.fill(e, out)));
    }
}

#[test]
fn constant_time_laplace_matches_its_probabilities() {
    for (num, den) in [
        (1, 1),
        (1, 3),
        (10, 1),
        (37, 11),
        (1000, 1),
        (1_000_003, 7),
        (1 << 20, 1),
        ((1 << 56) - 1, 1),
    ] {
        let scale = scale(num, den);
        let fill = |e: &mut Entropy, out: &mut [i64]| laplace_constant_time(e, scale, out).unwrap();
        audit(&scale, &draw(DRAWS, fill));
    }
}

#[test]
fn constant_time_gaussian_matches_its_probabilities() {
    for (num, den) in [
        (1, 3),
        (1, 1),
        (100, 1),
        (64 * 64 - 1, 1),
        (64 * 64, 1),
        (1 << 22, 3),
        (1 << 80, 1),
        ((1 << 112) - 1, 1),
    ] {
        let variance = variance(num, den);
        let fill =
            |e: &mut Entropy, out: &mut [i64]| gaussian_constant_time(e, variance, out).unwrap();
        audit(&variance, &draw(DRAWS / 2, fill));
    }
}

#[test]
fn single_values_in_constant_time_match_their_probabilities() {
    for (num, den) in [(1, 1), (37, 11), ((1 << 56) - 1, 1)] {
        let scale = scale(num, den);
        let fill = |e: &mut Entropy, out: &mut [i64]| {
            out.fill_with(|| laplace_steady(e, scale).unwrap() as i64);
        };
        audit(&scale, &draw(DRAWS / 2, fill));
    }
    for (num, den) in [(2, 1), (1 << 60, 3)] {
        let variance = variance(num, den);
        let fill = |e: &mut Entropy, out: &mut [i64]| {
            out.fill_with(|| gaussian_steady(e, variance).unwrap() as i64);
        };
        audit(&variance, &draw(DRAWS / 2, fill));
    }
}

/// Reading the whole table and searching it give the same sample for the same bits.
#[test]
fn a_table_read_from_end_to_end_agrees_with_a_search() {
    let wide = gaussian_high(variance(1 << 60, 1)).unwrap().0;
    for law in [
        Magnitude::Gaussian(variance(100, 1)),
        Magnitude::Laplace(scale(3, 1)),
        wide,
    ] {
        let table = Table::new(law).unwrap();
        let last = table.thresholds().len() - 1;
        let sample = table.thresholds().iter().step_by(31);
        for &c in sample.chain(&table.thresholds()[last..]) {
            for prefix in [c.saturating_sub(1), c, c + 1] {
                if prefix >> 63 == 0 {
                    // The same bits after the prefix, for ties and for the end of the table.
                    let seed = [(c % 251) as u8; 32];
                    let (mut one, mut other) = (Entropy::public(seed), Entropy::public(seed));
                    let read = table.sample_in_constant_time(&mut one, prefix);
                    assert_eq!(
                        read,
                        table.sample_at(&mut other, prefix),
                        "{law:?} at {prefix:x}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_policy_keeps_the_distribution() {
    // Few values, no table, whatever is cached; many, with one; at small and at large scales.
    for (num, den) in [(7, 2), (123_457, 1)] {
        let scale = scale(num, den);
        assert!(matches!(Method::laplace(scale, 10), Method::Single));
        let fill = |e: &mut Entropy, out: &mut [i64]| {
            out.chunks_mut(10)
                .for_each(|out| laplace_fill(e, scale, out).unwrap());
        };
        audit(&scale, &draw(DRAWS, fill));
        audit(
            &scale,
            &draw(DRAWS, |e, out| laplace_fill(e, scale, out).unwrap()),
        );
        assert!(matches!(Method::laplace(scale, 10), Method::Single));
        let variance = variance(num, den);
        audit(
            &variance,
            &draw(DRAWS, |e, out| gaussian_fill(e, variance, out).unwrap()),
        );
    }
}

/// A Laplace table cut short, so that the seam to the tail lies where it can be counted.
#[test]
fn a_table_is_built_for_as_many_values_as_it_has_entries() {
    for (num, wide) in [(10, false), (1 << 20, true)] {
        let scale = scale(num, 1);
        let law = if wide {
            laplace_high(scale).unwrap().0
        } else {
            Magnitude::Laplace(scale)
        };
        assert!(matches!(
            Method::laplace(scale, law.entries() - 1),
            Method::Single
        ));
        match Method::laplace(scale, law.entries()) {
            Method::Table(_) => assert!(!wide),
            Method::Wide(_) => assert!(wide),
            Method::Single => panic!("no table for {scale}"),
        }
        let variance = variance(num * num, 1);
        let law = if wide {
            gaussian_high(variance).unwrap().0
        } else {
            Magnitude::Gaussian(variance)
        };
        assert!(matches!(
            Method::gaussian(variance, law.entries() - 1),
            Method::Single
        ));
        match Method::gaussian(variance, law.entries()) {
            Method::Table(_) => assert!(!wide),
            Method::Wide(_) => assert!(wide),
            Method::Single => panic!("no table for {variance}"),
        }
    }
}

#[test]
fn the_seam_to_the_tail_does_not_show() {
    for (num, den) in [(3, 1), (10, 1)] {
        let scale = scale(num, den);
        for entries in [1, 2, 5, 17] {
            let table = Table::with_entries(Magnitude::Laplace(scale), entries).unwrap();
            let method = Method::Table(Arc::new(table));
            audit(
                &scale,
                &draw(DRAWS, |e, out| method.fill_laplace(e, scale, out)),
            );
        }
    }
    let scale = scale(1000, 1);
    let (law, shift) = laplace_high(scale).unwrap();
    let table = Table::with_entries(law, 3).unwrap();
    let wide = WideLaplace::new(Arc::new(table), scale, shift);
    audit(&scale, &draw(DRAWS, |e, out| wide.fill(e, out)));
}

/// Gaussian tables cut short, which sends draws beyond their end to the slow resolution.
#[test]
fn a_short_gaussian_table_is_extended() {
    let variance = variance(2, 1);
    let table = Table::with_entries(Magnitude::Gaussian(variance), 4).unwrap();
    let method = Method::Table(Arc::new(table));
    audit(
        &variance,
        &draw(100_000, |e, out| method.fill_gaussian(e, variance, out)),
    );
}

/// The prefixes next to every threshold, at 31 and at 63 bits.
#[test]
fn prefixes_fall_on_their_side_of_every_threshold() {
    let wide = laplace_high(scale(1_000_003, 7)).unwrap().0;
    let gaussian_wide = gaussian_high(variance(1 << 60, 1)).unwrap().0;
    for law in [
        Magnitude::Laplace(scale(10, 1)),
        Magnitude::Laplace(scale(100, 1)),
        Magnitude::Gaussian(variance(100, 1)),
        wide,
        gaussian_wide,
    ] {
        let table = Table::new(law).unwrap();
        let thresholds = table.thresholds();
        let steps = [1, 2, 1 << 31, 1 << 32, 1 << 33];
        for &c in thresholds {
            let near = steps
                .into_iter()
                .flat_map(|step| [c.checked_sub(step), c.checked_add(step)]);
            for prefix in near.flatten().filter(|&u| u >> 63 == 0) {
                let expected = thresholds.partition_point(|&c| c < prefix);
                if thresholds.get(expected).is_none_or(|&c| c == prefix) {
                    continue;
                }
                let mut entropy = Entropy::scripted(&[prefix as u32], 0);
                let sample = table.sample(&mut entropy, (prefix >> 32) as u32);
                assert_eq!(sample, expected as u64, "{law:?} at {prefix:x}");
            }
        }
    }
}

/// A number whose 63 bits are those of a threshold is not decided before the bits that follow.
#[test]
fn a_threshold_itself_is_not_decided_by_63_bits() {
    for law in [
        Magnitude::Laplace(scale(10, 1)),
        Magnitude::Gaussian(variance(9, 1)),
    ] {
        let table = Table::new(law).unwrap();
        for (g, &c) in table.thresholds().iter().enumerate().take(20) {
            for (rest, sample) in [(0, g), (u32::MAX, g + 1)] {
                let mut script = [rest; 30];
                script[0] = c as u32;
                let mut entropy = Entropy::scripted(&script, 0);
                let drawn = table.sample(&mut entropy, (c >> 32) as u32);
                assert_eq!(drawn, sample as u64, "{law:?} at {g}");
                let mut entropy = Entropy::scripted(&script[1..], 0);
                let drawn = table.sample_in_constant_time(&mut entropy, c);
                assert_eq!(drawn, sample as u64, "{law:?} at {g}");
            }
        }
    }
}

#[test]
fn ties_are_resolved_on_both_sides() {
    for law in [
        Magnitude::Laplace(scale(10, 1)),
        Magnitude::Gaussian(variance(100, 1)),
    ] {
        let table = Table::new(law).unwrap();
        let mut entropy = Entropy::public([41; 32]);
        for (g, &c) in (0..).zip(table.thresholds()).step_by(7).take(8) {
            // A tie at 63 bits leaves F(g)·2^63 − c, neither 0 nor 1: both answers occur.
            let f = &law.cumulative(g as usize + 1, 2)[g as usize];
            let rest = f.lo.fraction_after(63);
            let total = 500;
            let stays = (0..total)
                .filter(|_| table.sample_at(&mut entropy, c) == g)
                .count();
            let expected = rest * total as f64;
            let spread = (expected * (1.0 - rest)).sqrt().max(1.0);
            assert!(
                (stays as f64 - expected).abs() < 6.0 * spread,
                "{law:?} at {g}"
            );
        }
    }
}

/// Where every method applies, they agree with one another, outcome by outcome.
#[test]
fn all_methods_agree() {
    let scale = scale(101, 3);
    let (law, shift) = laplace_high(scale).unwrap();
    let wide = WideLaplace::new(Arc::new(Table::new(law).unwrap()), scale, shift);
    let samples = [
        draw(DRAWS, |e, out| Method::Single.fill_laplace(e, scale, out)),
        draw(DRAWS, |e, out| {
            Method::laplace(scale, DRAWS).fill_laplace(e, scale, out)
        }),
        draw(DRAWS, |e, out| {
            Method::Wide(wide).fill_laplace(e, scale, out)
        }),
        draw(DRAWS, |e, out| {
            laplace_constant_time(e, scale, out).unwrap()
        }),
    ];
    assert_same_counts(&samples);
    let variance = variance(10_007, 2);
    let (law, shift) = gaussian_high(variance).unwrap();
    let wide = WideGaussian::new(Arc::new(Table::new(law).unwrap()), variance, shift);
    let samples = [
        draw(DRAWS, |e, out| {
            Method::Single.fill_gaussian(e, variance, out)
        }),
        draw(DRAWS, |e, out| {
            Method::gaussian(variance, DRAWS).fill_gaussian(e, variance, out)
        }),
        draw(DRAWS, |e, out| {
            Method::Wide(wide).fill_gaussian(e, variance, out)
        }),
        draw(DRAWS, |e, out| {
            gaussian_constant_time(e, variance, out).unwrap()
        }),
    ];
    assert_same_counts(&samples);
}

fn assert_same_counts(samples: &[Vec<i128>]) {
    let counts: Vec<_> = samples
        .iter()
        .map(|sample| {
            let mut counts = vec![0_i64; 1000];
            for &x in sample.iter().filter(|x| x.abs() < 500) {
                counts[(x + 500) as usize] += 1;
            }
            counts
        })
        .collect();
    for (i, first) in counts.iter().enumerate() {
        for second in &counts[..i] {
            for (k, (&a, &b)) in first.iter().zip(second).enumerate() {
                let spread = ((a + b) as f64).sqrt();
                assert!(
                    a + b < 100 || (a - b).abs() as f64 <= 6.0 * spread,
                    "{k}: {a}, {b}"
                );
            }
        }
    }
}

#[test]
fn tiny_scales_are_zero_in_practice() {
    let mut entropy = Entropy::public([1; 32]);
    let mut out = vec![1; 10_000];
    laplace_fill(&mut entropy, scale(1, (1 << 32) - 1), &mut out).unwrap();
    assert!(out.iter().all(|&x| x == 0));
    out.fill(1);
    laplace_constant_time(&mut entropy, scale(1, (1 << 32) - 1), &mut out).unwrap();
    assert!(out.iter().all(|&x| x == 0));
    out.fill(1);
    gaussian_fill(&mut entropy, variance(1, (1 << 40) - 1), &mut out).unwrap();
    assert!(out.iter().all(|&x| x == 0));
    out.fill(1);
    gaussian_constant_time(&mut entropy, variance(1, (1 << 40) - 1), &mut out).unwrap();
    assert!(out.iter().all(|&x| x == 0));
}

#[test]
fn scales_beyond_the_bulk_range_are_refused() {
    let mut entropy = Entropy::public([1; 32]);
    let mut out = [1; 4];
    let large = scale(MAX_BULK.into(), 1);
    assert_eq!(
        laplace_fill(&mut entropy, large, &mut out),
        Err(NoiseError::Range)
    );
    assert_eq!(out, [0; 4]);
    assert_eq!(
        laplace_constant_time(&mut entropy, large, &mut out),
        Err(NoiseError::Range)
    );
    assert_eq!(laplace_steady(&mut entropy, large), Err(NoiseError::Range));
    let large = variance(u128::from(MAX_BULK).pow(2), 1);
    assert_eq!(
        gaussian_fill(&mut entropy, large, &mut out),
        Err(NoiseError::Range)
    );
    out = [1; 4];
    assert_eq!(
        gaussian_constant_time(&mut entropy, large, &mut out),
        Err(NoiseError::Range)
    );
    assert_eq!(out, [0; 4]);
    assert_eq!(gaussian_steady(&mut entropy, large), Err(NoiseError::Range));
    let edge = scale(u128::from(MAX_BULK) - 1, 1);
    let mut out = vec![0; 10_000];
    laplace_fill(&mut entropy, edge, &mut out).unwrap();
    assert!(
        out.iter()
            .any(|x| x.unsigned_abs() as f64 > edge.deviation())
    );
}
