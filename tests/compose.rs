//! Composition at run time: the prices in the types, the answers, the tree.

use privet::prelude::*;
use privet::{Groups, Price, Ratio};

#[derive(Record)]
struct Patient {
    age: i64,
    smoker: bool,
}

fn patients() -> Vec<Patient> {
    (0..1000)
        .map(|age| Patient {
            age,
            smoker: age % 4 == 0,
        })
        .collect()
}

fn smokers<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>()
        .filter(|p| p.smoker)
        .count()
        .laplace()
        .named("smokers")
}

/// Spends its ε in two halves: one bound.
fn share<E: Split<2>>() -> Mechanism<Table<Patient>, f64, E> {
    Mechanism::all([smokers::<E::Part>(), rows::<Patient>().count().laplace()])
        .map(|[smokers, all]| smokers as f64 / all.max(1) as f64)
        .at_most()
}

/// Spends its ε in `T` rounds: one bound.
fn rounds<const T: usize, E: Split<T>>() -> Mechanism<Table<Patient>, i64, E> {
    Mechanism::iterate::<T>(0, |total, round| {
        smokers::<E::Part>().map(move |n| total + n + round as i64 * 1_000_000)
    })
    .at_most()
}

/// The same in zCDP.
fn gaussian_rounds<const T: usize, R: Split<T, Zcdp>>() -> Mechanism<Table<Patient>, i64, R> {
    Mechanism::iterate::<T>(0, |_, _| rows::<Patient>().count().gaussian::<R::Part>()).at_most()
}

/// Nested halves: the inner function's own law is a bound on the part.
fn nested<E: Split<2, Part: Split<2>>>() -> Mechanism<Table<Patient>, (f64, f64), E> {
    Mechanism::all((share::<E::Part>(), share::<E::Part>())).at_most()
}

fn release<Out: 'static, C>(mechanism: Mechanism<Table<Patient>, Out, C>) -> Out
where
    C: PaidFrom<Eps<1024, 1>>,
{
    let vault: Vault<Table<Patient>, Eps<1024, 1>> = Vault::open(patients());
    vault.release(mechanism).unwrap().0
}

#[test]
fn mechanisms_are_send_and_sync() {
    fn check<T: Send + Sync>(_: &T) {}
    check(&smokers::<Eps<1, 2>>());
    check(&Vault::<Table<Patient>, Eps<1, 1>>::open(patients()));
}

#[test]
fn generic_authors_need_one_bound() {
    assert_eq!(share::<Eps<1, 2>>().price(), Price::pure(Ratio::new(1, 2)));
    assert_eq!(
        rounds::<7, Eps<1, 3>>().price(),
        Price::pure(Ratio::new(1, 3))
    );
    assert_eq!(
        gaussian_rounds::<10, Rho<1, 2>>().price(),
        Price::zcdp(Ratio::new(1, 2))
    );
    let (a, b) = release(nested::<Eps<400, 1>>());
    assert!((a - 0.25).abs() < 0.1 && (b - 0.25).abs() < 0.1, "{a} {b}");
}

#[test]
fn iterate_runs_each_round_on_the_last_answer() {
    let total = release(rounds::<5, Eps<1000, 1>>());
    // 0 + 1 + 2 + 3 + 4 millions of round numbers, and five times 250 smokers.
    assert!((total - 10_001_250).abs() < 5, "{total}");
}

#[test]
fn and_then_map_and_repeat_keep_their_answers_apart() {
    let e = || smokers::<Eps<100, 1>>();
    let all = || rows::<Patient>().count().laplace::<Eps<100, 1>>();
    let ((a, b), [c, d, _]) = release(e().and(all()).and(all().map(|n| 2 * n).repeat::<3>()));
    assert_eq!((a, b, c, d), (250, 1000, 2000, 2000));
    let (first, second) = release(all().then(move |&n| {
        if n > 500 {
            smokers::<Eps<100, 1>>()
        } else {
            all().at_most()
        }
    }));
    assert_eq!((first, second), (1000, 250));
    let ((n, text), later) =
        release(Mechanism::all((e(), all().map(|n| format!("{n}")))).and(e().map(|n| n + 1)));
    assert_eq!((n, text.as_str(), later), (250, "1000", 251));
}

#[test]
fn a_choice_runs_the_chosen_one() {
    let choose = |first| {
        Mechanism::either(
            first,
            smokers::<Eps<100, 1>>(),
            rows::<Patient>().count().laplace::<Eps<200, 1>>(),
        )
    };
    assert_eq!(choose(true).price().to_string(), "ε = 200");
    assert_eq!((release(choose(true)), release(choose(false))), (250, 1000));
}

#[test]
fn constants_are_free() {
    let seven: Mechanism<Table<Patient>, _, Eps<0, 1>> = Mechanism::constant(7);
    let sum: Mechanism<_, _, Eps<1, 2>> = smokers::<Eps<1, 2>>().and(seven.clone()).map(|p| p.1);
    assert_eq!(release(sum), 7);
    let _: Mechanism<_, _, Approx<Eps<0, 1>, Delta<1, 6>>> = seven.clone().at_most();
    let _: Mechanism<_, _, Rho<0, 1>> = seven.at_most();
}

#[test]
fn groups_change_the_price_and_the_data() {
    let vault: Vault<Table<Patient, Groups<4>>, Eps<1, 1>> = Vault::open(patients());
    let (_, vault) = vault
        .release(smokers::<Eps<1, 8>>().for_groups::<4>())
        .unwrap();
    let _: Vault<Table<Patient, Groups<4>>, Eps<4, 8>> = vault;

    let approximate = smokers::<Eps<1, 10>>().at_most::<Approx<Eps<1, 10>, Delta<1, 9>>>();
    let price = approximate.for_groups::<3>().price();
    assert_eq!(price.epsilon(), Some(Ratio::new(3, 10)));
    let delta = price.delta().unwrap();
    let delta = *delta.numer() as f64 / *delta.denom() as f64;
    let truth = 3.0 * (0.2f64).exp() * 1e-9;
    assert!(delta >= truth && delta < 1.15 * truth, "{delta} {truth}");

    let zcdp = rows::<Patient>()
        .count()
        .gaussian::<Rho<1, 100>>()
        .for_groups::<3>();
    assert_eq!(zcdp.price().to_string(), "ρ = 9/100");
}

#[test]
fn notions_mix_where_a_law_says_so() {
    let pure = || smokers::<Eps<1, 2>>();
    let zcdp = || rows::<Patient>().count().gaussian::<Rho<1, 8>>();
    assert_eq!(pure().and(zcdp()).price().to_string(), "ρ = 1/4");
    assert_eq!(zcdp().and(pure()).price().to_string(), "ρ = 1/4");
    let stated = || zcdp().at_most::<Approx<Eps<3, 1>, Delta<1, 6>>>();
    assert_eq!(
        stated().and(pure()).price().to_string(),
        "ε = 7/2, δ = 1e-6"
    );
    assert_eq!(
        pure().and(stated()).price().to_string(),
        "ε = 7/2, δ = 1e-6"
    );
    assert_eq!(
        stated().and(stated()).price().to_string(),
        "ε = 6, δ = 2e-6"
    );
    assert_eq!(
        stated().repeat::<3>().price().to_string(),
        "ε = 9, δ = 3e-6"
    );
}

#[test]
fn a_mechanism_prints_as_a_tree() {
    let mechanism = smokers::<Eps<1, 8>>()
        .and(rows::<Patient>().count().laplace::<Eps<1, 8>>())
        .and(
            rows::<Patient>()
                .sum(|p| p.age.clamp::<0, 120>())
                .laplace::<Eps<2, 8>>(),
        )
        .then(|_| smokers::<Eps<1, 8>>().repeat::<2>())
        .map(|_| ())
        .named("report");
    assert_eq!(
        mechanism.explain().to_string(),
        "\
report [ε = 3/4]: then
├─ all of [ε = 1/2]
│  ├─ smokers [ε = 1/8]: count(where(smoker)) with Laplace noise of scale 8
│  ├─ count() with Laplace noise of scale 8 [ε = 1/8]
│  └─ sum(clamp(age, 0, 120)) with Laplace noise of scale 480 [ε = 1/4]
└─ chosen from the answer [ε = 1/4]
"
    );
    assert_eq!(mechanism.name(), "report");
    let tree = mechanism.explain();
    assert_eq!(tree.parts().count(), 2);
    assert_eq!(tree.parts().next().unwrap().parts().count(), 3);
    assert_eq!(
        smokers::<Eps<1, 8>>()
            .repeat::<3>()
            .explain()
            .parts()
            .next()
            .unwrap()
            .times(),
        3
    );
}

#[test]
fn prices_print_and_parse() {
    assert_eq!(Eps::<3, 4>.to_string(), "ε = 3/4");
    assert_eq!(Eps::<6, 8>.to_string(), "ε = 3/4");
    assert_eq!(Rho::<1, 1_000_000>.to_string(), "ρ = 1/1000000");
    for price in [
        Eps::<3, 4>::price(),
        Rho::<5, 7>::price(),
        Approx::<Eps<1, 3>, Delta<12, 8>>::price(),
    ] {
        assert_eq!(
            price.to_string().parse::<Price>().unwrap(),
            price,
            "{price}"
        );
    }
    for bad in [
        "",
        "x",
        "1/0",
        "-1",
        "1e99",
        "eps=1,eps=2",
        "rho=1,delta=1e-6",
        "1.5.2",
        "delta=1",
    ] {
        assert!(bad.parse::<Price>().is_err(), "{bad}");
    }
    assert_eq!(
        "1.25e-1".parse::<Price>().unwrap(),
        Price::pure(Ratio::new(1, 8))
    );
}

/// Noise is drawn on the grid, and its scale is one of steps.
#[test]
fn an_explanation_says_what_a_scale_is_in() {
    let text = |explanation: privet::Explanation| explanation.to_string();
    let whole: Mechanism<Table<Patient>, i64, Eps<1, 4>> =
        rows::<Patient>().sum(|p| p.age.clamp::<0, 120>()).laplace();
    assert!(text(whole.explain()).contains("Laplace noise of scale 480 ["));
    let fine: Mechanism<Table<Patient>, f64, Eps<1, 4>> = rows::<Patient>()
        .sum(|p| p.age.real().grid::<100>().clamp::<0, 120>())
        .laplace();
    assert!(text(fine.explain()).contains("Laplace noise of scale 48000 in steps of 1/100 ["));
}

#[test]
fn a_vector_of_mechanisms_has_a_typed_maximum() {
    let above = |age| rows::<Patient>().filter(move |p| p.age.ge(age)).count();
    let some = |ages: &[i64]| {
        let counts: Vec<_> = ages.iter().map(|&age| above(age).laplace()).collect();
        Mechanism::<_, i64, Eps<8, 1>>::at_most_of::<3>(counts)
    };
    for ages in [&[][..], &[500], &[0, 500, 990]] {
        let some: Mechanism<_, _, Eps<24, 1>> = some(ages).unwrap();
        let exact: Vec<i64> = ages.iter().map(|age| 1000 - age).collect();
        let answers = release(some);
        assert_eq!(answers.len(), exact.len());
        for (answer, exact) in answers.iter().zip(exact) {
            assert!((answer - exact).abs() < 20);
        }
    }
    let refused = some(&[1, 2, 3, 4]).unwrap_err();
    assert!(matches!(
        refused,
        privet::Error::TooMany {
            parts: 4,
            most: 3,
            ..
        }
    ));
    assert!(refused.to_string().contains("give fewer"));
    let tree = some(&[5, 6]).unwrap().explain().to_string();
    assert!(
        tree.contains("at most 3 of") && tree.contains("age >= 6"),
        "{tree}"
    );
}

#[test]
fn mechanisms_of_different_prices_are_one_flat_tuple() {
    let all = Mechanism::together((
        smokers::<Eps<64, 1>>(),
        rows::<Patient>().count().laplace::<Eps<32, 1>>(),
        rows::<Patient>()
            .count()
            .laplace::<Eps<16, 1>>()
            .map(|n| n as f64),
        smokers::<Eps<8, 1>>(),
        smokers::<Eps<4, 1>>(),
    ));
    let all: Mechanism<_, (i64, i64, f64, i64, i64), Eps<124, 1>> = all;
    assert_eq!(all.explain().to_string().matches("smokers").count(), 3);
    let (a, b, c, d, e) = release(all);
    assert!((a - 250).abs() < 30 && (b - 1000).abs() < 30 && (c - 1000.0).abs() < 30.0);
    assert!((d - 250).abs() < 30 && (e - 250).abs() < 30);

    // Prices of other notions, and eight parts.
    let rho = || rows::<Patient>().count().gaussian::<Rho<1, 8>>();
    let mixed: Mechanism<_, (i64, i64, i64), Rho<3, 8>> =
        Mechanism::together((rho(), smokers::<Eps<1, 2>>(), rho()));
    assert_eq!(mixed.price().to_string(), "ρ = 3/8");
    let one = || smokers::<Eps<1, 8>>();
    let eight: Mechanism<_, _, Eps<8, 8>> =
        Mechanism::together((one(), one(), one(), one(), one(), one(), one(), one()));
    let (.., last) = release(eight);
    assert!((last - 250).abs() < 1000);
}

/// Blocks with the same noise are as accurate as one answer with all of their cells.
#[test]
fn blocks_know_their_accuracy_where_it_is_one() {
    let blocks = || rows::<Patient>().group_by(|p| p.age.clamp::<0, 99>());
    let count = || rows::<Patient>().count().laplace::<Eps<1, 10>>();
    let histogram = rows::<Patient>()
        .histogram(|p| p.age.clamp::<0, 99>())
        .laplace::<Eps<1, 10>>();
    let each = blocks().each(|_| count());
    assert_eq!(each.accuracy(0.95), histogram.accuracy(0.95));
    assert!(
        each.accuracy(0.95).unwrap().plus_or_minus > count().accuracy(0.95).unwrap().plus_or_minus
    );
    assert_eq!(
        each.advisory(50, 0.95).unwrap().signal,
        histogram.advisory(50, 0.95).unwrap().signal
    );
    // Where blocks differ, there is not one accuracy: another scale, another answer, or none known.
    let scales = blocks().each(|block| match block {
        0 => rows::<Patient>().sum(|p| p.age.clamp::<0, 9>()).laplace(),
        _ => count(),
    });
    assert!(scales.accuracy(0.95).is_none());
    let mapped = blocks().each(|_| count().map(|n| n.max(0)));
    assert!(mapped.accuracy(0.95).is_none());
    let one_mapped = blocks().each(|block| match block {
        99 => count().map(|n| n.max(0)),
        _ => count(),
    });
    assert!(one_mapped.accuracy(0.95).is_none());
}
