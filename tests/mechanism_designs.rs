//! The designs behind the mechanisms, by their formulas: on every pair of small neighbours no
//! outcome is more than e^ε times as likely, and some outcome nearly is. `tests/mechanisms.rs` shows
//! that what runs has these formulas.

const EPSILON: f64 = 0.7;

/// All counts of up to `most` rows in each of `CELLS` cells.
fn tables<const CELLS: usize>(most: i64) -> Vec<[i64; CELLS]> {
    let mut tables = vec![[0; CELLS]];
    for cell in 0..CELLS {
        tables = tables
            .iter()
            .flat_map(|table| {
                (0..=most).map(move |n| {
                    let mut table = *table;
                    table[cell] = n;
                    table
                })
            })
            .collect();
    }
    tables
}

fn added<const CELLS: usize>(table: [i64; CELLS]) -> Vec<[i64; CELLS]> {
    let one_more = |cell| {
        let mut table = table;
        table[cell] += 1;
        table
    };
    (0..CELLS).map(one_more).collect()
}

fn replaced<const CELLS: usize>(table: [i64; CELLS]) -> Vec<[i64; CELLS]> {
    let mut all = Vec::new();
    for (from, to) in (0..CELLS).flat_map(|from| (0..CELLS).map(move |to| (from, to))) {
        if table[from] > 0 && from != to {
            let mut other = table;
            other[from] -= 1;
            other[to] += 1;
            all.push(other);
        }
    }
    all
}

/// The largest |ln(p/p')| over all neighbours and outcomes.
fn loss<const CELLS: usize>(
    most: i64,
    neighbours: impl Fn([i64; CELLS]) -> Vec<[i64; CELLS]>,
    law: impl Fn([i64; CELLS]) -> Vec<f64>,
) -> f64 {
    let mut worst = 0.0_f64;
    for table in tables(most) {
        let here = law(table);
        for other in neighbours(table) {
            for (p, q) in here.iter().zip(law(other)) {
                worst = worst.max((p / q).ln().abs());
            }
        }
    }
    worst
}

fn assert_tight(loss: f64, at_least: f64) {
    assert!(loss <= EPSILON * (1.0 + 1e-9), "{loss} is above {EPSILON}");
    assert!(loss >= at_least * EPSILON, "{loss} is far below {EPSILON}");
}

fn normalized(weights: Vec<f64>) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter().map(|w| w / total).collect()
}

/// P(X ≥ m) of discrete Laplace noise.
fn reaches(m: i64, scale: f64) -> f64 {
    let r = (-1.0 / scale).exp();
    let tail = |m: i64| r.powi(m as i32) / (1.0 + r);
    if m > 0 { tail(m) } else { 1.0 - tail(1 - m) }
}

fn laplace(m: i64, scale: f64) -> f64 {
    reaches(m, scale) - reaches(m + 1, scale)
}

fn choose(counts: &[i64], scale: f64) -> Vec<f64> {
    normalized(counts.iter().map(|n| (*n as f64 / scale).exp()).collect())
}

#[test]
fn choose_is_private() {
    assert_tight(loss::<3>(12, added, |t| choose(&t, 1.0 / EPSILON)), 0.97);
    assert_tight(loss::<3>(12, replaced, |t| choose(&t, 2.0 / EPSILON)), 0.97);
}

#[test]
fn choose_under_replace_needs_the_factor_of_two() {
    assert!(loss::<3>(12, replaced, |t| choose(&t, 1.0 / EPSILON)) > 1.9 * EPSILON);
}

/// The first of the largest wins: sum over its noise.
fn noisy_max(counts: &[i64], scale: f64) -> Vec<f64> {
    let wins = |place: usize| {
        (-60..60)
            .map(|m| {
                let mine = counts[place] + m;
                let others = counts.iter().enumerate().filter(|(i, _)| *i != place);
                others.fold(laplace(m, scale), |p, (i, n)| {
                    // Earlier ones must stay below, later ones may tie.
                    p * (1.0 - reaches(mine - n + i64::from(i > place), scale))
                })
            })
            .sum()
    };
    (0..counts.len()).map(wins).collect()
}

#[test]
fn noisy_max_is_private() {
    assert_tight(loss::<3>(6, added, |t| noisy_max(&t, 1.0 / EPSILON)), 0.8);
    assert_tight(
        loss::<3>(6, replaced, |t| noisy_max(&t, 2.0 / EPSILON)),
        0.8,
    );
}

#[test]
fn noisy_max_under_replace_needs_the_factor_of_two() {
    assert!(loss::<3>(6, replaced, |t| noisy_max(&t, 1.0 / EPSILON)) > 1.2 * EPSILON);
}

fn quantile(counts: &[i64], (num, den): (i64, i64), scale: f64) -> Vec<f64> {
    let rows: i64 = counts.iter().sum();
    let mut below = 0;
    let weight = |on: &i64| {
        let loss = (den * below - num * rows)
            .max(num * rows - den * (below + on))
            .max(0);
        below += on;
        (-loss as f64 / scale).exp()
    };
    normalized(counts.iter().map(weight).collect())
}

#[test]
fn quantiles_are_private() {
    for (num, den) in [(1, 2), (1, 4), (9, 10), (0, 1), (1, 1)] {
        let m = num.max(den - num) as f64;
        let added = loss::<4>(5, added, |t| quantile(&t, (num, den), 2.0 * m / EPSILON));
        let replaced = loss::<4>(5, replaced, |t| {
            quantile(&t, (num, den), 2.0 * den as f64 / EPSILON)
        });
        assert_tight(added, 0.4);
        assert_tight(replaced, 0.2);
    }
}

/// Two answers and a threshold: the first, the second, none. Each answer is one count of its own.
fn first_above(answers: [i64; 2], threshold: i64, scales: (f64, f64)) -> Vec<f64> {
    let mut law = vec![0.0; 3];
    for z in -80..80 {
        let reach = answers.map(|n| reaches(threshold + z - n, scales.1));
        law[0] += laplace(z, scales.0) * reach[0];
        law[1] += laplace(z, scales.0) * (1.0 - reach[0]) * reach[1];
        law[2] += laplace(z, scales.0) * (1.0 - reach[0]) * (1.0 - reach[1]);
    }
    law
}

/// All answers move by 1 at most, each in its own direction.
fn moved(answers: [i64; 2]) -> Vec<[i64; 2]> {
    let moves = [-1, 0, 1];
    moves
        .iter()
        .flat_map(|a| moves.map(|b| [answers[0] + a, answers[1] + b]))
        .collect()
}

#[test]
fn above_threshold_is_private() {
    let scales = (2.0 / EPSILON, 4.0 / EPSILON);
    assert_tight(loss(10, moved, |t| first_above(t, 4, scales)), 0.45);
    // Without noise on the threshold, or half of it on the answers, two answers are too many.
    let wrong = (1e-3, 1.0 / EPSILON);
    assert!(loss(10, moved, |t| first_above(t, 4, wrong)) > EPSILON);
}

/// guide::theory, T19: the mean of n bits of which a share p is set, with noise on the sum.
#[test]
fn the_mean_of_bits_is_as_good_as_the_note_says() {
    use privet::Simulation;
    use privet::prelude::*;
    #[derive(Record)]
    struct Answer {
        yes: bool,
    }
    let (n, p, epsilon) = (100_u64, 0.3, 0.5);
    let share = rows::<Table<Answer, Replace>>()
        .filter(|a| a.yes)
        .count()
        .laplace::<Eps<1, 2>>();
    let mut squares = 0.0;
    let runs = 4_000_u64;
    for run in 0..runs {
        let bit = |i: u64| {
            let word = (run * n + i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let word = (word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            ((word >> 32) as f64) < p * 2_f64.powi(32)
        };
        let rows: Vec<_> = (0..n).map(|i| Answer { yes: bit(i) }).collect();
        let mut public = Simulation::of_public(rows, run).unwrap();
        let mean = public.run(&share).unwrap() as f64 / n as f64;
        squares += (mean - p).powi(2) / runs as f64;
    }
    let note = p * (1.0 - p) / n as f64 + 2.0 / (epsilon * n as f64).powi(2);
    assert!(squares < 1.1 * note, "{squares} against {note}");
}
