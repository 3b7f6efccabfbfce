//! zCDP, decided order by order in exact arithmetic: the right prices hold, and no wrong one does.
#![forbid(unsafe_code)]

use privet::prelude::*;
use privet_lab::exact::{Bound, Enclosure, Law, Moment, Rational, Verdict, check};
use privet_lab::laws::{
    Choice, CoinFlips, DiscreteGaussian, DiscreteLaplace, GaussianVector, LaplaceVector,
    NameAndShame, OneHot, RandomizedResponse, Rule, Together, each_by_one, one_by_one,
};

const TIGHT: Verdict = Verdict::Holds { tight: true };
const SLACK: Verdict = Verdict::Holds { tight: false };

fn gaussian(num: i64, den: i64) -> DiscreteGaussian {
    DiscreteGaussian::new((num, den), 1, 80)
}

fn laplace(num: i64, den: i64) -> DiscreteLaplace {
    DiscreteLaplace {
        scale: (num, den),
        sensitivity: 1,
        reach: 40,
    }
}

#[test]
fn gaussian_noise_attains_its_price_and_no_less() {
    for (num, den) in [(1, 2), (1, 1), (4, 1), (9, 4), (50, 1)] {
        // ρ = 1/(2σ²).
        let law = gaussian(num, den);
        assert_eq!(check(&law, &Bound::rho(den, 2 * num)), TIGHT);
        // One part in a million less is too little.
        let less = Bound::rho(999_999 * den, 2_000_000 * num);
        assert!(check(&law, &less).is_violated(), "{num}/{den}");
        assert_eq!(check(&law, &Bound::rho(101 * den, 200 * num)), SLACK);
    }
    // Only whole αμ attain it: at other orders the sum is below, if not by much.
    let halves = Bound::rho(1, 8).at_orders(&[(3, 2), (5, 2), (1025, 1024)]);
    assert_eq!(check(&gaussian(4, 1), &halves), SLACK);
    let whole = Bound::rho(1, 8).at_orders(&[(2, 1)]);
    assert_eq!(check(&gaussian(4, 1), &whole), TIGHT);
}

/// The closed form by completing the square and the sum over outputs are one number.
#[test]
fn the_closed_form_is_the_sum() {
    /// The same noise, without what it knows of its moments.
    struct Plain(DiscreteGaussian);
    impl Law for Plain {
        type Input = i64;
        type Output = i64;
        fn neighbours(&self) -> Vec<(i64, i64)> {
            self.0.neighbours()
        }
        fn outputs(&self, left: &i64, right: &i64) -> Vec<i64> {
            self.0.outputs(left, right)
        }
        fn probability(&self, input: &i64, output: &i64) -> Enclosure {
            self.0.probability(input, output)
        }
        fn rest(&self, left: &i64, right: &i64) -> privet_lab::exact::Rest {
            self.0.rest(left, right)
        }
    }
    let known = DiscreteGaussian::new((4, 1), 2, 30);
    let plain = Plain(known.clone());
    for (num, den) in [(1025, 1024), (3, 2), (7, 3), (2, 1), (4, 1)] {
        let order = Rational::new(num.into(), den.into());
        let alpha = num as f64 / den as f64;
        for (left, right) in known.neighbours() {
            let [a, b] = known.moments(&left, &right, &order);
            let [c, d] = plain.moments(&left, &right, &order);
            for (known, summed) in [(a, c), (b, d)] {
                let (known, summed) = (known.divergence(alpha), summed.divergence(alpha));
                // Doubles print it; the outputs left out are worth 1e-20.
                assert!((known / summed - 1.0).abs() < 1e-9, "{known} {summed}");
            }
        }
    }
    // What is left out has no bound on its ratio: the sum alone can refute, and not confirm.
    assert!(check(&plain, &Bound::rho(1, 4)).is_violated());
    assert!(matches!(
        check(&plain, &Bound::rho(1, 2)),
        Verdict::Undecided(_)
    ));
}

#[test]
fn a_variance_5_percent_too_small_is_found() {
    assert!(check(&gaussian(38, 10), &Bound::rho(1, 8)).is_violated());
    assert!(check(&gaussian(475, 10), &Bound::rho(1, 100)).is_violated());
}

#[test]
fn a_wrong_sensitivity_is_found() {
    // A sum over [−1, 1] under Replace moves by 2: four times the price, not twice (guide::theory, T15).
    let law = DiscreteGaussian::new((4, 1), 2, 60);
    assert_eq!(check(&law, &Bound::rho(4, 8)), TIGHT);
    assert!(check(&law, &Bound::rho(2, 8)).is_violated());
    // A histogram under Replace moves two cells.
    let law = GaussianVector::new((4, 1), vec![vec![1, -1, 0]], 60);
    assert_eq!(check(&law, &Bound::rho(2, 8)), TIGHT);
    assert!(check(&law, &Bound::rho(1, 8)).is_violated());
}

#[test]
fn the_norm_is_the_euclidean_one() {
    // (3, 4) has length 5: neither its largest cell nor the root of its sum will do.
    let law = GaussianVector::new((10, 1), vec![vec![3, 4]], 90);
    assert_eq!(check(&law, &Bound::rho(25, 20)), TIGHT);
    assert!(check(&law, &Bound::rho(16, 20)).is_violated());
    assert!(check(&law, &Bound::rho(7, 20)).is_violated());
    // Sixteen cells priced as one.
    let law = GaussianVector::new((4, 1), vec![vec![1; 16]], 60);
    assert_eq!(check(&law, &Bound::rho(16, 8)), TIGHT);
    assert!(check(&law, &Bound::rho(1, 8)).is_violated());
    assert!(check(&law, &Bound::rho(15, 8)).is_violated());
}

#[test]
fn a_pure_price_is_half_its_square_and_not_a_quarter() {
    for (num, den) in [(1, 1), (1, 2), (2, 1)] {
        // ε = den/num.
        let law = laplace(num, den);
        let rho = |part: i64| Bound::rho(den * den, part * num * num);
        assert_eq!(check(&law, &rho(2)), SLACK, "{num}/{den}");
        assert!(check(&law, &rho(4)).is_violated(), "{num}/{den}");
        for values in [2, 3] {
            let law = RandomizedResponse::new(values, den, num);
            assert_eq!(check(&law, &rho(2)), SLACK, "{num}/{den}");
            let too_little = if values == 2 { rho(4) } else { rho(8) };
            assert!(check(&law, &too_little).is_violated(), "{num}/{den}");
        }
    }
    // ln 4 < 25/18.
    let flips = CoinFlips { reach: 40 };
    assert_eq!(check(&flips, &Bound::rho(625, 648)), SLACK);
    assert!(check(&flips, &Bound::rho(625, 2 * 648)).is_violated());
    // A report of a sketch, a histogram that pays for both cells.
    let report = OneHot {
        buckets: 3,
        odds: (1, 2),
    };
    assert_eq!(check(&report, &Bound::rho(1, 2)), SLACK);
    assert!(check(&report, &Bound::rho(1, 8)).is_violated());
    let both = LaplaceVector {
        scale: (2, 1),
        reach: 40,
    };
    assert_eq!(check(&both, &Bound::rho(1, 2)), SLACK);
    assert!(check(&both, &Bound::rho(1, 8)).is_violated());
}

/// ρ = κ, the divergence of order 1, and not ε²/2: from the type to the scale to the law (Harrison and Manurangsi 2026).
#[test]
fn laplace_noise_priced_in_rho_costs_its_divergence_of_order_one() {
    #[derive(Record)]
    struct Row {
        number: i64,
        ward: Ward,
    }
    #[derive(Category)]
    enum Ward {
        Surgery,
        Oncology,
    }
    let _ = [Ward::Surgery, Ward::Oncology];
    let scale = |name: &str| -> (i64, i64) {
        let text = name.rsplit(' ').next().expect("a scale");
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        (
            num.parse().expect("a number"),
            den.parse().expect("a number"),
        )
    };
    let count = rows::<Row>().count();
    let sum = rows::<Row>().sum(|r| r.number.clamp::<-3, 4>());
    let cases = [
        (
            count.clone().laplace::<Rho<1, 8>>().name().to_owned(),
            (1, 8),
            1,
        ),
        (count.laplace::<Rho<2, 1>>().name().to_owned(), (2, 1), 1),
        (
            sum.clone().laplace::<Rho<1, 8>>().name().to_owned(),
            (1, 8),
            4,
        ),
        (sum.laplace::<Rho<1, 1>>().name().to_owned(), (1, 1), 4),
    ];
    for (name, (num, den), sensitivity) in cases {
        let law = DiscreteLaplace {
            scale: scale(&name),
            sensitivity,
            // So far that less than 10⁻¹³ is left out.
            reach: 5 + 30 * scale(&name).0 / scale(&name).1,
        };
        let epsilon = sensitivity as f64 * law.scale.1 as f64 / law.scale.0 as f64;
        // More than a pure price would have bought.
        assert!(epsilon > (2.0 * num as f64 / den as f64).sqrt(), "{name}");
        assert_eq!(check(&law, &Bound::rho(num, den)), SLACK, "{name}");
        let less = Bound::rho(99 * num, 100 * den);
        assert!(check(&law, &less).is_violated(), "{name}");
    }
    // A record that moves between two cells.
    let moved = rows::<Table<Row, Replace>>().histogram(|r| r.ward);
    let law = LaplaceVector {
        scale: scale(moved.laplace::<Rho<1, 2>>().name()),
        reach: 40,
    };
    assert_eq!(check(&law, &Bound::rho(1, 2)), SLACK);
    assert!(check(&law, &Bound::rho(2, 5)).is_violated());
}

/// ε²/8, since its losses lie in a range of width ε (Cesar and Rogers 2021).
#[test]
fn the_exponential_mechanism_is_better_than_its_pure_price() {
    let choice = |rate, pairs| Choice {
        rule: Rule::Exponential,
        rate,
        pairs,
    };
    assert_eq!(
        check(&choice((1, 2), each_by_one(3, 1)), &Bound::rho(1, 8)),
        SLACK
    );
    assert_eq!(
        check(&choice((1, 1), one_by_one(3, 2)), &Bound::rho(1, 8)),
        SLACK
    );
    assert!(check(&choice((1, 1), each_by_one(3, 1)), &Bound::rho(1, 8)).is_violated());
}

#[test]
fn prices_add() {
    let (count, noise) = (gaussian(4, 1), laplace(2, 1));
    let two = Together(count.clone(), count.clone());
    assert_eq!(check(&two, &Bound::rho(2, 8)), TIGHT);
    assert!(check(&two, &Bound::rho(1, 8)).is_violated());
    assert!(check(&two, &Bound::rho(249, 1000)).is_violated());
    // ρ = 1/8 and ε = 1/2: 1/8 + 1/8.
    let mixed = Together(count, noise);
    assert_eq!(check(&mixed, &Bound::rho(2, 8)), SLACK);
    assert!(check(&mixed, &Bound::rho(1, 8)).is_violated());
    // Pure prices add as they did, by the same law.
    let small = DiscreteLaplace { reach: 4, ..noise };
    assert_eq!(check(&Together(small, small), &Bound::pure(1, 1)), TIGHT);
    assert!(check(&Together(small, small), &Bound::pure(1, 2)).is_violated());
}

#[test]
fn what_may_not_happen_on_a_neighbour_has_no_price() {
    let law = NameAndShame { publish: (1, 1000) };
    for rho in [1, 10, 1_000_000] {
        assert!(check(&law, &Bound::rho(rho, 1)).is_violated());
    }
    let verdict = check(&law, &Bound::rho(1, 1)).to_string();
    assert!(verdict.contains("is inf, above"), "{verdict}");
}

/// From the type to the noise to the law.
#[test]
fn privet_draws_the_noise_that_its_price_needs() {
    #[derive(Record)]
    struct Row {
        number: i64,
        ward: Ward,
    }
    #[derive(Category)]
    enum Ward {
        Surgery,
        Maternity,
        Oncology,
    }
    let _ = [Ward::Surgery, Ward::Maternity, Ward::Oncology];
    fn variance(name: &str) -> Option<(i64, i64)> {
        let text = name.rsplit(' ').next()?;
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        Some((num.parse().ok()?, den.parse().ok()?))
    }
    type Fixed = Table<Row, Replace>;
    let count = rows::<Row>().count().gaussian::<Rho<1, 8>>();
    let sum = rows::<Row>()
        .sum(|r| r.number.clamp::<-3, 4>())
        .gaussian::<Rho<3, 7>>();
    let replaced = rows::<Fixed>()
        .sum(|r| r.number.clamp::<-1, 1>())
        .gaussian::<Rho<1, 50>>();
    let wards = rows::<Row>().histogram(|r| r.ward).gaussian::<Rho<1, 3>>();
    let moved = rows::<Fixed>()
        .histogram(|r| r.ward)
        .gaussian::<Rho<1, 2>>();
    let ranks = rows::<Row>().cumulative(|r| r.ward).gaussian::<Rho<1, 4>>();
    let cases = [
        (count.name().to_owned(), count.price(), vec![vec![1]]),
        (sum.name().to_owned(), sum.price(), vec![vec![4], vec![-3]]),
        (replaced.name().to_owned(), replaced.price(), vec![vec![2]]),
        (wards.name().to_owned(), wards.price(), vec![vec![1, 0, 0]]),
        (moved.name().to_owned(), moved.price(), vec![vec![1, -1, 0]]),
        // The noise goes to the histogram; adding it up is free.
        (ranks.name().to_owned(), ranks.price(), vec![vec![1, 0, 0]]),
    ];
    for (name, price, moves) in cases {
        let variance = variance(&name);
        assert!(variance.is_some(), "{name}");
        let law = GaussianVector::new(variance.unwrap_or_default(), moves, 120);
        assert_eq!(check(&law, &Bound::of(&price)), TIGHT, "{name}");
    }
}

#[test]
fn nonsense_is_not_judged() {
    let law = gaussian(4, 1);
    for bound in [
        Bound::rho(-1, 8),
        Bound::rho(1, 8).and_delta(1, 100),
        Bound::rho(1, 8).at_orders(&[]),
        Bound::rho(1, 8).at_orders(&[(1, 1)]),
        Bound::rho(1, 8).at_orders(&[(1, 2)]),
        Bound::rho(1, 8).at_orders(&[(2, 0)]),
    ] {
        assert!(matches!(check(&law, &bound), Verdict::Undecided(_)));
    }
    assert!(!check(&gaussian(0, 1), &Bound::rho(1, 1)).holds());
    assert!(!check(&gaussian(4, -1), &Bound::rho(1, 1)).holds());
    let laplace = laplace(0, 0);
    assert!(!check(&laplace, &Bound::rho(1, 1)).holds());
    // A moment that is known to be too wide decides nothing, one that is out of reach does.
    let wide = Moment::unknown("nobody knows");
    assert!(wide.divergence(2.0).is_nan());
    assert!(check(&law, &Bound::rho(1_000_000_000, 1)).holds());
    let far = DiscreteGaussian::new((1, 1000), 1000, 3);
    assert!(check(&far, &Bound::rho(1, 1000)).is_violated());
}
