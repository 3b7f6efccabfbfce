//! What the theory says of each mechanism, decided output by output in exact arithmetic.
#![forbid(unsafe_code)]

use privet_lab::exact::{Bound, Enclosure, Law, Verdict, check};
use privet_lab::laws::{
    AboveThreshold, Choice, CoinFlips, DiscreteGaussian, DiscreteLaplace, FewAbove, FrequentKey,
    LaplaceVector, NameAndShame, OneHot, RandomizedResponse, Rule, SketchReport, each_by_one,
    one_by_one, one_replaced,
};

const TIGHT: Verdict = Verdict::Holds { tight: true };
const SLACK: Verdict = Verdict::Holds { tight: false };

#[test]
fn laplace_attains_its_price_and_no_less() {
    for (sensitivity, num, den) in [(1, 1, 1), (1, 1, 4), (3, 1, 2), (2, 7, 3)] {
        let law = DiscreteLaplace {
            scale: (sensitivity * den, num),
            sensitivity,
            reach: 12,
        };
        assert_eq!(check(&law, &Bound::pure(num, den)), TIGHT);
        assert!(check(&law, &Bound::pure(99 * num, 100 * den)).is_violated());
        assert_eq!(check(&law, &Bound::pure(101 * num, 100 * den)), SLACK);
    }
}

#[test]
fn laplace_on_a_histogram_pays_for_both_cells() {
    let law = LaplaceVector {
        scale: (2, 1),
        reach: 3,
    };
    assert_eq!(check(&law, &Bound::pure(1, 1)), TIGHT);
    let half = LaplaceVector {
        scale: (1, 1),
        reach: 3,
    };
    assert!(check(&half, &Bound::pure(1, 1)).is_violated());
    assert_eq!(check(&half, &Bound::pure(2, 1)), TIGHT);
}

#[test]
fn coin_flips_cost_ln_4_and_25_18_covers_it() {
    let law = CoinFlips { reach: 20 };
    assert_eq!(check(&law, &Bound::ln(4, 1)), TIGHT);
    assert_eq!(check(&law, &Bound::pure(25, 18)), SLACK);
    // The next smaller fractions of like size do not.
    for (num, den) in [(18, 13), (43, 32), (61, 44)] {
        let verdict = check(&law, &Bound::pure(num, den));
        let below = (num as f64 / den as f64) < 4f64.ln();
        assert_eq!(verdict.is_violated(), below, "{num}/{den}");
    }
    assert!(check(&law, &Bound::ln(2, 1)).is_violated());
}

#[test]
fn randomized_response_attains_its_price() {
    for values in [2, 3, 5] {
        let law = RandomizedResponse::new(values, 3, 4);
        assert_eq!(check(&law, &Bound::pure(3, 4)), TIGHT);
        assert!(check(&law, &Bound::pure(74, 100)).is_violated());
    }
    assert_eq!(
        check(&RandomizedResponse::by_gamma(1, 4), &Bound::ln(3, 1)),
        TIGHT
    );
    assert!(check(&RandomizedResponse::by_gamma(1, 4), &Bound::pure(1, 1)).is_violated());
}

#[test]
fn a_sketch_report_pays_for_two_bits() {
    let law = OneHot {
        buckets: 3,
        odds: (1, 2),
    };
    assert_eq!(check(&law, &Bound::pure(1, 1)), TIGHT);
    assert!(check(&law, &Bound::pure(1, 2)).is_violated());
}

#[test]
fn gaussian_noise_is_never_pure() {
    let law = DiscreteGaussian::new((4, 1), 1, 60);
    for epsilon in [1, 3, 6] {
        assert!(check(&law, &Bound::pure(epsilon, 1)).is_violated());
    }
}

#[test]
fn gaussian_noise_has_the_delta_that_zcdp_promises() {
    // ρ = 1/8: δ = exp(−(ε − ρ)²/(4ρ)); bounds above it, rounded up.
    let law = DiscreteGaussian::new((4, 1), 1, 60);
    for (num, den) in [(1, 2), (1, 1), (3, 2), (2, 1)] {
        let epsilon = num as f64 / den as f64;
        let delta = (-(epsilon - 0.125f64).powi(2) / 0.5).exp();
        let up = (delta * 1e9).ceil() as i64;
        assert_eq!(
            check(&law, &Bound::pure(num, den).and_delta(up, 1_000_000_000)),
            SLACK
        );
    }
    assert!(check(&law, &Bound::pure(1, 2).and_delta(1, 1000)).is_violated());
}

#[test]
fn the_notes_gaussian_needs_its_correction_or_a_small_epsilon() {
    // guide::theory, T6, at ε = 1/2, δ = 10^−3: σ² = (2·ln 1000 + 1/2)/(1/4) < 58.
    let law = DiscreteGaussian::new((58, 1), 1, 150);
    assert_eq!(check(&law, &Bound::pure(1, 2).and_delta(1, 1000)), SLACK);
    // The note's σ² = 2·ln(1.25/δ)/ε² at ε = 10, δ = 1/20, on a grid of 8 steps: 4.12.
    let law = DiscreteGaussian::new((412, 100), 8, 60);
    assert!(check(&law, &Bound::pure(10, 1).and_delta(1, 20)).is_violated());
}

#[test]
fn name_and_shame_satisfies_delta_alone_and_nothing_else() {
    let law = NameAndShame { publish: (1, 100) };
    assert_eq!(check(&law, &Bound::pure(0, 1).and_delta(1, 100)), TIGHT);
    assert!(check(&law, &Bound::pure(0, 1).and_delta(99, 10_000)).is_violated());
    for epsilon in [1, 10, 100] {
        assert!(check(&law, &Bound::pure(epsilon, 1)).is_violated());
    }
}

#[test]
fn choices_by_scores() {
    let check = |rule, rate, pairs, num| check(&Choice { rule, rate, pairs }, &Bound::pure(num, 1));
    for rule in [Rule::Exponential, Rule::PermuteAndFlip] {
        // Any scores that move by 1: rate ε/2. Counts of a histogram: ε, or ε/2 under `Replace`.
        assert!(
            check(rule, (1, 2), each_by_one(3, 1), 1).holds(),
            "{rule:?}"
        );
        assert!(
            check(rule, (1, 1), each_by_one(3, 1), 1).is_violated(),
            "{rule:?}"
        );
        assert!(check(rule, (1, 1), one_by_one(3, 2), 1).holds(), "{rule:?}");
        assert!(
            check(rule, (1, 2), one_replaced(3, 2), 1).holds(),
            "{rule:?}"
        );
        assert!(
            check(rule, (1, 1), one_replaced(2, 2), 1).is_violated(),
            "{rule:?}"
        );
    }
    let rule = Rule::NoisyMax;
    assert!(check(rule, (1, 1), one_by_one(3, 1), 1).holds());
    assert!(check(rule, (1, 2), one_replaced(3, 1), 1).holds());
    assert!(check(rule, (1, 1), one_replaced(2, 3), 1).is_violated());
}

/// Written from the definition: nothing if v is a quantile, else how many rows are missing.
fn losses(counts: &[i64], num: i64, den: i64) -> Vec<i64> {
    let n: i64 = counts.iter().sum();
    (0..counts.len())
        .map(|v| {
            let up_to: i64 = counts[..=v].iter().sum();
            let below: i64 = counts[..v].iter().sum();
            // A q-quantile has at least qn rows up to it, and at most qn below it.
            (num * n - den * up_to).max(den * below - num * n).max(0)
        })
        .collect()
}

#[test]
fn quantiles_by_the_exponential_mechanism() {
    for (num, den) in [(1, 2), (1, 4)] {
        let scored = |pairs: Vec<(Vec<i64>, Vec<i64>)>| {
            let of = |counts: &[i64]| losses(counts, num, den).iter().map(|l| -l).collect();
            pairs
                .iter()
                .map(|(a, b)| (of(a), of(b)))
                .collect::<Vec<_>>()
        };
        let most = num.max(den - num);
        let rule = Rule::Exponential;
        let add = Choice {
            rule,
            rate: (1, 2 * most),
            pairs: scored(one_by_one(3, 2)),
        };
        assert!(check(&add, &Bound::pure(1, 1)).holds(), "{num}/{den}");
        let replace = Choice {
            rule,
            rate: (1, 2 * den),
            pairs: scored(one_replaced(3, 2)),
        };
        assert!(check(&replace, &Bound::pure(1, 1)).holds(), "{num}/{den}");
    }
}

#[test]
fn above_threshold_holds_for_any_number_of_answers() {
    for answers in [1, 2, 3] {
        let right = AboveThreshold {
            answers,
            threshold: 1,
            of_threshold: (2, 1),
            of_answer: (4, 1),
        };
        assert_eq!(check(&right, &Bound::pure(1, 1)), SLACK);
        let wrong = AboveThreshold {
            of_threshold: (1, 4),
            of_answer: (1, 4),
            ..right
        };
        assert!(check(&wrong, &Bound::pure(1, 1)).is_violated(), "{answers}");
    }
}

#[test]
fn each_place_above_the_threshold_is_paid_for() {
    let one = AboveThreshold {
        answers: 2,
        threshold: 1,
        of_threshold: (1, 1),
        of_answer: (2, 1),
    };
    let law = FewAbove { one, most: 2 };
    assert_eq!(check(&law, &Bound::pure(4, 1)), SLACK);
    assert!(check(&law, &Bound::pure(1, 2)).is_violated());
}

#[test]
fn a_key_is_named_from_one_row_and_the_logarithm_of_delta_on() {
    // ε = 1/2, δ = 1/100: 1 + 2·ln 100 = 10.2, so 11 will do and 9 will not.
    let law = |threshold| FrequentKey {
        scale: (2, 1),
        threshold,
        most: 14,
        reach: 20,
    };
    let bound = Bound::pure(1, 2).and_delta(1, 100);
    assert_eq!(check(&law(11), &bound), SLACK);
    assert!(check(&law(8), &bound).is_violated());
    // Without a δ there is no threshold, nor with less noise.
    assert!(check(&law(11), &Bound::pure(20, 1)).is_violated());
    let quiet = FrequentKey {
        scale: (1, 1),
        ..law(11)
    };
    assert!(check(&quiet, &bound).is_violated());
}

#[test]
fn a_sketch_pays_for_two_bits_whatever_the_hash() {
    let bits = |odds| OneHot { buckets: 3, odds };
    let law = |odds| SketchReport {
        hashes: 2,
        bits: bits(odds),
    };
    assert_eq!(check(&law((1, 2)), &Bound::pure(1, 1)), TIGHT);
    assert!(check(&law((1, 2)), &Bound::pure(99, 100)).is_violated());
    assert!(check(&law((1, 1)), &Bound::pure(1, 1)).is_violated());
}

#[test]
fn a_law_that_is_no_distribution_is_not_judged() {
    struct Wrong;
    impl Law for Wrong {
        type Input = bool;
        type Output = bool;
        fn neighbours(&self) -> Vec<(bool, bool)> {
            vec![(false, true)]
        }
        fn outputs(&self, _: &bool, _: &bool) -> Vec<bool> {
            vec![false, true]
        }
        fn probability(&self, _: &bool, _: &bool) -> Enclosure {
            Enclosure::ratio(1, 3)
        }
    }
    assert!(matches!(
        check(&Wrong, &Bound::pure(1, 1)),
        Verdict::Undecided(_)
    ));
    // Nor is a bound of nonsense, and nothing panics on it.
    let law = CoinFlips { reach: 3 };
    assert!(!check(&law, &Bound::pure(1, 1).and_delta(-1, 1)).holds());
    assert!(!check(&law, &Bound::ln(-4, 1)).holds());
    assert!(!check(&law, &Bound::pure(1, 0)).holds());
    let law = DiscreteLaplace {
        scale: (0, 0),
        sensitivity: 1,
        reach: 3,
    };
    assert!(!check(&law, &Bound::pure(1, 1)).holds());
    let law = DiscreteGaussian::new((0, 1), 1, 3);
    assert!(!check(&law, &Bound::pure(1, 1)).holds());
}
