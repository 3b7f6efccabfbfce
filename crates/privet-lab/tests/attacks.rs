//! Attacks succeed on the naive versions, with the known figures, and fail on `privet`.
#![forbid(unsafe_code)]

use privet::Simulation;
use privet::load::Stream;
use privet::prelude::*;
use privet_lab::attacks::{big_first, f32_sum, impossible_share, is_possible, small_first};
use privet_lab::controls::naive_laplace;
use privet_lab::{Audit, Coins};

#[derive(Record, Clone)]
struct Row {
    value: f64,
}

const fn of(value: f64) -> Row {
    Row { value }
}

#[test]
fn lowest_bits_of_naive_noise_exclude_the_neighbour() {
    let share = impossible_share(400_000, 1);
    println!(
        "{:.1} % of the outputs are impossible on the neighbour",
        100.0 * share
    );
    assert!((share - 0.668).abs() < 0.01, "{share}");
    // The test of possibility itself never errs on the true answer.
    let mut coins = Coins::new(2);
    for answer in [0.0, 1.0, -3.0, 1000.0] {
        assert!((0..20_000).all(|_| is_possible(answer, answer + naive_laplace(&mut coins, 1.0))));
    }
}

/// Outputs on a public grid, whatever the data: each is possible on every input.
#[test]
fn lowest_bits_of_privet_tell_nothing() -> Result<(), privet_lab::Error> {
    let sum = rows::<Row>()
        .sum(|r| r.value.grid::<1024>().clamp::<0, 1>())
        .laplace::<Eps<1, 1>>();
    for value in [0.0, 1.0, 1.0 / 3.0, 1e-300, f64::NAN, f64::INFINITY] {
        let mut simulation = Simulation::of_public(vec![of(value)], 3)?;
        for _ in 0..20_000 {
            let output = simulation.run(&sum)? * 1024.0;
            // Discrete Laplace noise gives every whole number a probability above 0.
            assert_eq!(output, output.round());
        }
    }
    let audit = Audit::of(&sum).draws(1_000_000);
    let report = audit.mechanism(&sum, || vec![of(0.0)], || vec![of(1.0)])?;
    assert!(!report.is_refuted(), "{report}");
    let naive = audit.run(
        |coins| naive_laplace(coins, 1.0),
        |coins| 1.0 + naive_laplace(coins, 1.0),
    )?;
    assert!(naive.is_refuted(), "{naive}");
    Ok(())
}

#[test]
fn order_moves_a_naive_sum_by_4096_and_ours_by_nothing() -> privet::Result<()> {
    assert_eq!(f32_sum(small_first()) - f32_sum(big_first()), 4096.0);

    let sum = rows::<Row>()
        .sum(|r| r.value.grid::<2>().clamp::<0, 1>())
        .laplace::<Eps<1, 1>>();
    let release = |values: Box<dyn Iterator<Item = f32>>| {
        Simulation::of_public(Stream::new(values.map(|v| of(v.into()))), 7)?.run(&sum)
    };
    // The same seed, so the same noise: any difference would be the sum's.
    let (one, other) = (
        release(Box::new(big_first()))?,
        release(Box::new(small_first()))?,
    );
    assert_eq!(one, other);
    assert!((one - 16_777_216.0).abs() < 100.0);
    Ok(())
}
