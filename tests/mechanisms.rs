//! The mechanisms against their own formulas: frequencies of outcomes on small public tables.

use std::collections::BTreeMap;

use privet::local::{One, Person, Tally, person};
use privet::prelude::*;
use privet::{Domain, Simulation};

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    smoker: bool,
    city: String,
    nurse: Option<String>,
}

fn patients(ages: &[i64]) -> Vec<Patient> {
    let patient = |age: &i64| Patient {
        age: *age,
        smoker: *age > 40,
        city: if *age > 40 { "Ulm" } else { "Bonn" }.into(),
        nurse: (*age > 40).then(|| "Ada".into()),
    };
    ages.iter().map(patient).collect()
}

const DRAWS: u32 = 60_000;

/// How often each outcome comes, of `DRAWS`.
fn frequencies<In: Domain, Out: Ord + 'static, C>(
    mut on: Simulation<In>,
    mechanism: &Mechanism<In, Out, C>,
) -> BTreeMap<Out, f64> {
    let mut counts = BTreeMap::new();
    for _ in 0..DRAWS {
        *counts.entry(on.run(mechanism).unwrap()).or_insert(0.0) += 1.0;
    }
    counts.values_mut().for_each(|n| *n /= f64::from(DRAWS));
    counts
}

fn table(ages: &[i64]) -> Simulation<Table<Patient>> {
    Simulation::of_public(patients(ages), 7).unwrap()
}

/// Six standard deviations of a frequency.
fn assert_near(got: f64, expected: f64) {
    let off = 6.0 * (expected * (1.0 - expected) / f64::from(DRAWS)).sqrt() + 1e-4;
    assert!((got - expected).abs() < off, "{got}, not {expected}");
}

fn normalized(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter().map(|w| w / total).collect()
}

#[test]
fn coin_flips_have_their_probabilities() {
    let got = frequencies(table(&[30, 50]), &rows::<Patient>().count().coin_flips());
    assert_near(got[&2], 0.5);
    for k in 1..5 {
        assert_near(got[&(2 + k)], (-(k + 2) as f64).exp2());
        assert_near(got[&(2 - k)], (-(k + 2) as f64).exp2());
    }
}

#[test]
fn a_choice_has_its_probabilities() {
    let ages = [0, 0, 0, 2, 2, 3];
    let by_age = rows::<Patient>().histogram(|p| p.age.clamp::<0, 3>());
    let got = frequencies(table(&ages), &by_age.choose::<Eps<1, 2>>());
    let weights = [3.0, 0.0, 2.0, 1.0].map(|n: f64| (n / 2.0).exp());
    for (place, expected) in normalized(&weights).into_iter().enumerate() {
        assert_near(got[&place], expected);
    }
    // Replacing a row moves two counts: half as sharp.
    let by_age = rows::<Table<Patient, Replace>>().histogram(|p| p.age.clamp::<0, 3>());
    let on = Simulation::of_public(patients(&ages), 7).unwrap();
    let got = frequencies(on, &by_age.choose::<Eps<1, 2>>());
    let weights = [3.0, 0.0, 2.0, 1.0].map(|n: f64| (n / 4.0).exp());
    for (place, expected) in normalized(&weights).into_iter().enumerate() {
        assert_near(got[&place], expected);
    }
}

/// P(m) of discrete Laplace noise.
fn laplace(m: i64, scale: f64) -> f64 {
    let r = (-1.0 / scale).exp();
    (1.0 - r) / (1.0 + r) * r.powi(m.abs() as i32)
}

#[test]
fn noisy_max_has_its_probabilities() {
    let by_age = rows::<Patient>().histogram(|p| p.age.clamp::<0, 2>());
    let got = frequencies(table(&[0, 1, 1]), &by_age.noisy_max::<Eps<1, 1>>());
    let counts = [1, 2, 0];
    let mut expected = [0.0; 3];
    for a in -30..30 {
        for b in -30..30 {
            for c in -30..30 {
                let noisy = [counts[0] + a, counts[1] + b, counts[2] + c];
                let most = noisy.iter().max().unwrap();
                let place = noisy.iter().position(|n| n == most).unwrap();
                expected[place] += laplace(a, 1.0) * laplace(b, 1.0) * laplace(c, 1.0);
            }
        }
    }
    for (place, expected) in expected.into_iter().enumerate() {
        assert_near(got[&place], expected);
    }
}

#[test]
fn a_median_has_its_probabilities() {
    let ages = [1, 2, 2, 9, 9]; // 9 is clamped to 4
    let by_age = rows::<Patient>().histogram(|p| p.age.clamp::<0, 4>());
    let got = frequencies(table(&ages), &by_age.median::<Eps<2, 1>>());
    // Losses in half rows: a below, c on, b above: max(0, a − c − b, b − a − c); m = 1.
    let losses = [5.0, 3.0, 0.0, 1.0, 1.0];
    let weights = losses.map(|loss: f64| (-2.0 * loss / 2.0).exp());
    for (age, expected) in (0..).zip(normalized(&weights)) {
        assert_near(got[&age], expected);
    }
}

#[test]
fn the_first_above_has_its_probabilities() {
    let ask = || [10, 45].map(|age| rows::<Patient>().filter(move |p| p.age.gt(age)).count());
    let mechanism = Mechanism::<_, _, Eps<2, 1>>::first_above(1, ask());
    let got = frequencies(table(&[30, 50]), &mechanism);
    let answers = [2, 1];
    let (mut first, mut second) = (0.0, 0.0);
    let reaches = |gap: i64| (gap..200).map(|m| laplace(m, 2.0)).sum::<f64>();
    for z in -40..40 {
        let one = reaches(1 + z - answers[0]);
        first += laplace(z, 1.0) * one;
        second += laplace(z, 1.0) * (1.0 - one) * reaches(1 + z - answers[1]);
    }
    assert_near(got[&Some(0)], first);
    assert_near(got[&Some(1)], second);
    assert_near(got[&None], 1.0 - first - second);

    // All places of up to two finds; far above the threshold both are found.
    let both: Mechanism<_, _, Eps<20, 1>> =
        Mechanism::<_, _, Eps<10, 1>>::first_few_above::<2, _>(-100, ask());
    assert_eq!(table(&[]).run(&both).unwrap(), [0, 1]);
    let none = Mechanism::<_, _, Eps<10, 1>>::first_few_above::<2, _>(100, ask());
    assert!(table(&[]).run(&none).unwrap().is_empty());
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

#[test]
fn responses_have_their_probabilities() {
    let on = |value| Simulation::<Person<bool>>::of_public(One::new(value), 7).unwrap();
    let e = 1.5_f64.exp();
    let got = frequencies(on(false), &person().respond::<Eps<3, 2>>());
    assert_near(got[&false], e / (e + 1.0));
    let got = frequencies(on(true), &person().respond_by_gamma::<1, 4, Eps<11, 10>>());
    assert_near(got[&true], 0.75);
    for (place, ward) in [Ward::Surgery, Ward::Maternity, Ward::Oncology]
        .into_iter()
        .enumerate()
    {
        let on = Simulation::<Person<Ward>>::of_public(One::new(ward), 7).unwrap();
        let got = frequencies(on, &person().respond::<Eps<3, 2>>());
        for other in 0..3 {
            let weight = if other == place { e } else { 1.0 };
            assert_near(got[&other], weight / (e + 2.0));
        }
    }
}

#[test]
fn a_tally_is_unbiased() {
    let mut tally = Tally::<Ward>::new::<Eps<1, 1>>();
    assert_eq!(tally.shares(), [0.0; 3]);
    for i in 0..40_000_u64 {
        let ward = match i % 10 {
            0 => Ward::Surgery,
            1..4 => Ward::Maternity,
            _ => Ward::Oncology,
        };
        let mut device = Simulation::<Person<Ward>>::of_public(One::new(ward), i).unwrap();
        tally.add(device.run(&person().respond::<Eps<1, 1>>()).unwrap());
    }
    tally.add(3); // no ward
    assert_eq!(tally.reports(), 40_000);
    for (share, expected) in tally.shares().into_iter().zip([0.1, 0.3, 0.6]) {
        assert!(
            (share - expected).abs() < 6.0 * tally.standard_error(),
            "{share}"
        );
    }
    assert!((tally.shares().iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn rare_keys_stay_unnamed_and_filters_hold() {
    type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
    let ages: Vec<i64> = (0..200).map(|i| if i < 150 { 50 } else { 30 }).collect();
    let all = rows::<Patient>().frequent_keys::<Price, _>(|p| p.city);
    let named = table(&ages).run(&all).unwrap();
    assert_eq!(named.keys().collect::<Vec<_>>(), ["Bonn", "Ulm"]);
    assert!((named["Ulm"] - 150).abs() < 60 && (named["Bonn"] - 50).abs() < 30);
    // "Ulm" is in the table, but not among the rows asked about.
    let young = rows::<Patient>()
        .filter(|p| !p.smoker)
        .frequent_keys::<Price, _>(|p| p.city);
    let named = table(&ages).run(&young).unwrap();
    assert_eq!(named.keys().collect::<Vec<_>>(), ["Bonn"]);
    assert!(table(&[]).run(&all).unwrap().is_empty());
    // Missing texts count nowhere.
    let nurses = rows::<Patient>().frequent_keys::<Price, _>(|p| p.nurse);
    let named = table(&ages).run(&nurses).unwrap();
    assert!(named.len() == 1 && (named["Ada"] - 150).abs() < 60);
    // A key of 15 rows appears when 15 + X ≥ 15: with probability 1/(1 + r).
    let fifteen = table(&[30; 15]);
    let got = frequencies(fifteen, &all.map(|named| named.contains_key("Bonn")));
    assert_near(got[&true], 1.0 / (1.0 + (-1.0_f64).exp()));
}

#[test]
fn accuracy_holds_and_is_not_wasteful() {
    let count = rows::<Patient>().count().laplace::<Eps<1, 3>>();
    let by_age = rows::<Patient>()
        .histogram(|p| p.age.clamp::<0, 9>())
        .gaussian::<Rho<1, 8>>();
    let reach = count.accuracy(0.9).unwrap().plus_or_minus as i64;
    let within = frequencies(table(&[]), &count.map(move |n| n.abs() <= reach));
    assert!(within[&true] > 0.9 - 0.01 && within[&true] < 0.97);
    let reach = by_age.accuracy(0.9).unwrap().plus_or_minus as i64;
    let all = by_age.map(move |cells| cells.iter().all(|n| n.abs() <= reach));
    let within = frequencies(table(&[]), &all);
    assert!(within[&true] > 0.9 - 0.01 && within[&true] < 0.97);
}

#[test]
fn accuracy_follows_the_answer() {
    let sum = || rows::<Patient>().sum(|p| p.age.clamp::<0, 100>());
    let laplace = sum().laplace::<Eps<1, 2>>();
    let at = |m: &Mechanism<_, i64, Eps<1, 2>>| m.accuracy(0.95).map(|a| a.plus_or_minus);
    assert_eq!(at(&laplace), Some(599.0));
    assert_eq!(at(&laplace.clone().named("ages")), Some(599.0));
    let dearer: Mechanism<_, _, Eps<1, 1>> = laplace.clone().at_most();
    assert_eq!(dearer.accuracy(0.95).unwrap().plus_or_minus, 599.0);
    assert_eq!(at(&laplace.clone().map(|n| 2 * n)), None);
    assert_eq!(at(&laplace.clone().map(|n| 2 * n).named("twice")), None);
    let two: Mechanism<_, _, Eps<2, 2>> = laplace.clone().and(laplace.clone());
    assert!(two.accuracy(0.95).is_none());
    assert!(laplace.accuracy(1.0).is_none() && laplace.accuracy(f64::NAN).is_none());
    // An answer of ten rows at ε = 1/2 is hopeless at 100 per row only below six rows.
    assert!(laplace.advisory(5, 0.95).is_some());
    assert!(laplace.advisory(6, 0.95).is_none());
    assert!(
        laplace
            .advisory(5, 0.95)
            .unwrap()
            .to_string()
            .contains("next to nothing")
    );
    // The inverse.
    let price = sum().epsilon_for(599.0, 0.95).unwrap().epsilon().unwrap();
    assert!(price <= privet::Ratio::new(51, 100) && price >= privet::Ratio::new(49, 100));
    let rho = sum().rho_for(100.0, 0.99).unwrap().rho().unwrap();
    assert!(
        (*rho.numer() as f64 / *rho.denom() as f64 - 3.3).abs() < 0.1,
        "{rho}"
    );
    assert!(sum().epsilon_for(f64::NAN, 0.95).is_none());
    assert!(sum().epsilon_for(-1.0, 0.95).is_none());
    let answer = table(&[30]).run(&laplace.with_interval(0.95)).unwrap();
    assert_eq!(answer.accuracy.unwrap().plus_or_minus, 599.0);
    // A cumulative count adds noise up: nothing is claimed.
    let up_to = rows::<Patient>().cumulative(|p| p.age.clamp::<0, 9>());
    assert!(up_to.laplace::<Eps<1, 1>>().accuracy(0.95).is_none());
}

/// Integers: up to a scale of 2^56. Reals: whatever can be drawn.
#[test]
fn a_price_named_at_run_time_is_refused_if_its_noise_leaves_an_i64() {
    let quoted = |price: &str| {
        let ages = rows::<Patient>().sum(|p| p.age.clamp::<0, { 1 << 51 }>());
        ages.laplace_at(price.parse().unwrap())
    };
    assert!(quoted("1/31").is_ok());
    assert!(matches!(quoted("1/32"), Err(privet::Error::Scale)));
    assert!(matches!(quoted("1/1000000000"), Err(privet::Error::Scale)));
    let reals = rows::<Patient>().sum(|p| p.age.real().grid::<1>().clamp::<0, { 1 << 51 }>());
    assert!(reals.laplace_at("1/1000000000".parse().unwrap()).is_ok());
    // The largest scale that is served is not cut off.
    let (mut on, plan) = (table(&[0, 1 << 51]), quoted("1/31").unwrap());
    for _ in 0..10_000 {
        let sum = on.run(&plan).unwrap();
        assert!(sum.unsigned_abs() < 1 << 62, "{sum}");
    }
}

/// The number of queries is public, so the error is the same on every table and names the cause.
#[test]
fn a_choice_among_no_queries_is_an_error_of_its_own() {
    let of = |number| {
        let queries = [rows::<Patient>().count()].into_iter().take(number);
        Mechanism::<_, _, Eps<1, 2>>::largest(queries)
    };
    for ages in [&[][..], &[30, 40]] {
        let nothing = of(0);
        let error = table(ages).run(&nothing).unwrap_err();
        assert!(matches!(error, privet::Error::NothingToChoose), "{error}");
        assert!(error.to_string().contains("at least one query"), "{error}");
    }
    assert_eq!(table(&[30]).run(&of(1)).unwrap(), 0);
}
