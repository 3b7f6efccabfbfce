//! Mechanisms whose prices are known at run time: they compose, and a meter charges exactly their sum.

use privet::prelude::*;
use privet::{Error, Meter, Price, Quoted};

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    smoker: bool,
}

fn patients() -> Vec<Patient> {
    (0..1000)
        .map(|i| Patient {
            age: 20 + i % 60,
            smoker: i % 4 == 0,
        })
        .collect()
}

fn price(text: &str) -> Price {
    text.parse().expect("a price")
}

fn meter<B: privet::cost::Budget + PaidFrom<B>>() -> Meter<Table<Patient>, B> {
    Vault::<Table<Patient>, B>::open(patients())
        .metered::<B>()
        .0
}

fn count(at: &str) -> Mechanism<Table<Patient>, i64, Quoted> {
    rows::<Patient>().count().laplace_at(price(at)).unwrap()
}

#[test]
fn sums_are_charged_together_or_not_at_all() {
    let meter = meter::<Eps<1, 1>>();
    let both = count("1/3").and(count("1/6"));
    assert_eq!(both.explain().price(), Some(price("1/2")));
    assert!(both.explain().to_string().contains("all of"));
    let (a, b) = meter.release(both.clone()).unwrap();
    assert!((a - 1000).abs() < 200 && (b - 1000).abs() < 400);
    assert_eq!(meter.remaining(), price("1/2"));
    let three = Mechanism::<_, _, Quoted>::all([count("1/6"), count("1/6"), count("1/6")]);
    assert!(matches!(
        meter.release(three.clone().and(count("1/100"))),
        Err(Error::OverCap { .. })
    ));
    assert_eq!(meter.remaining(), price("1/2"));
    assert_eq!(meter.release(three).unwrap().len(), 3);
    assert_eq!(meter.remaining(), price("0"));
    assert!(meter.release(both).is_err());
}

#[test]
fn a_mean_is_charged_once_or_not_at_all() {
    let meter = meter::<Eps<10, 1>>();
    let mean = || {
        rows::<Patient>()
            .mean(|p| p.age.clamp::<0, 100>())
            .laplace_at(price("6"))
            .unwrap()
    };
    assert!((meter.release(mean()).unwrap() - 49.5).abs() < 5.0);
    assert_eq!(meter.remaining(), price("4"));
    // The half that would fit is not charged.
    assert!(matches!(meter.release(mean()), Err(Error::OverCap { .. })));
    assert_eq!(meter.remaining(), price("4"));
}

#[test]
fn gaussian_and_typed_prices_go_together() {
    let meter = meter::<Rho<1, 1>>();
    let gaussian = || {
        rows::<Patient>()
            .count()
            .gaussian_at(price("rho = 1/4"))
            .unwrap()
    };
    let n = meter.release(gaussian()).unwrap();
    assert!((n - 1000).abs() < 20);
    assert_eq!(meter.remaining(), price("rho = 3/4"));
    // A pure price beside it is ε²/2.
    let typed = rows::<Patient>().count().laplace::<Eps<1, 2>>().quoted();
    let both = gaussian().and(typed);
    assert_eq!(both.explain().price(), Some(price("rho = 3/8")));
    meter.release(both).unwrap();
    assert_eq!(meter.remaining(), price("rho = 3/8"));
}

#[test]
fn prices_without_a_sum_are_refused() {
    type Both = Approx<Eps<1, 1>, Delta<1, 6>>;
    let meter = meter::<Both>();
    let approx = rows::<Patient>()
        .count()
        .gaussian_approx::<Approx<Eps<1, 2>, Delta<1, 7>>>()
        .quoted();
    let gaussian = rows::<Patient>()
        .count()
        .gaussian_at(price("rho = 1/4"))
        .unwrap();
    assert!(matches!(
        meter.release(approx.clone().and(gaussian.clone())),
        Err(Error::Unpriced)
    ));
    assert!(matches!(
        meter.release(gaussian),
        Err(Error::OverCap { .. })
    ));
    let none = Mechanism::<Table<Patient>, i64, Quoted>::all([]);
    assert!(matches!(meter.release(none), Err(Error::Unpriced)));
    assert_eq!(meter.remaining(), price("eps = 1, delta = 1e-6"));
    meter.release(approx.and(count("1/2"))).unwrap();
    assert_eq!(meter.remaining(), price("eps = 0, delta = 9e-7"));
}

/// δ that a quote has cannot be paid by a meter without one.
#[test]
fn a_quote_is_not_paid_in_a_stronger_notion() {
    let approx = rows::<Patient>()
        .count()
        .gaussian_approx::<Approx<Eps<1, 2>, Delta<1, 7>>>()
        .quoted();
    let pure = meter::<Eps<1, 1>>();
    assert!(matches!(
        pure.release(approx.clone()),
        Err(Error::OverCap { .. })
    ));
    let zcdp = meter::<Rho<1, 1>>();
    assert!(matches!(zcdp.release(approx), Err(Error::OverCap { .. })));
    let gaussian = rows::<Patient>()
        .count()
        .gaussian_at(price("rho = 1/4"))
        .unwrap();
    assert!(matches!(pure.release(gaussian), Err(Error::OverCap { .. })));
    assert_eq!(pure.remaining(), price("1"));
}

#[test]
fn blocks_cost_the_dearest_one() {
    let meter = meter::<Eps<1, 1>>();
    let prices = ["1/2", "3/4"];
    let each = rows::<Patient>()
        .group_by(|p| p.smoker)
        .each_at(|block| count(prices[block]));
    let counts = meter.release(each).unwrap();
    assert!((counts[0] - 750).abs() < 100 && (counts[1] - 250).abs() < 100);
    assert_eq!(meter.remaining(), price("1/4"));
}

#[test]
fn a_median_at_a_price_of_a_request() {
    let meter = meter::<Eps<4, 1>>();
    let ages = || rows::<Patient>().histogram(|p| p.age.clamp::<0, 100>());
    let median = meter
        .release(ages().median_at(price("2")).unwrap())
        .unwrap();
    assert!((45..=55).contains(&median), "{median}");
    let ninth = meter
        .release(ages().quantile_at(9, 10, price("2")).unwrap())
        .unwrap();
    assert!((70..=78).contains(&ninth), "{ninth}");
    assert_eq!(meter.remaining(), price("0"));
    for bad in ["0", "rho = 1", "eps = 1, delta = 1e-6", "4294967296"] {
        assert!(matches!(
            ages().median_at(price(bad)),
            Err(Error::Quote { .. })
        ));
    }
    for bad in ["1", "rho = 0", "eps = 1, delta = 1e-6"] {
        let count = rows::<Patient>().count();
        assert!(matches!(
            count.gaussian_at(price(bad)),
            Err(Error::Quote { .. })
        ));
    }
}

#[test]
fn bounds_of_a_request_go_with_prices_of_a_request() {
    let meter = meter::<Eps<4, 1>>();
    let ages = |low, high| rows::<Patient>().sum_between(low, high, |p| p.age);
    // Ages are 20 to 79; 1,000 of them sum to 49,100.
    let whole = ages(0.0, 100.0).unwrap().laplace_at(price("1")).unwrap();
    // Noise of scale 100, as for `clamp::<0, 100>()`.
    let typed = rows::<Patient>().sum(|p| p.age.clamp::<0, 100>());
    let typed = typed.laplace_at(price("1")).unwrap();
    let (a, b) = (whole.accuracy(0.95).unwrap(), typed.accuracy(0.95).unwrap());
    let (a, b) = (a.plus_or_minus, b.plus_or_minus);
    assert!((a - b).abs() < 1.0, "{a} {b}");
    assert!(
        whole
            .explain()
            .to_string()
            .contains("in steps of 100/1000000")
    );
    let total = meter.release(whole).unwrap();
    assert!((total - 49_100.0).abs() < 3_000.0, "{total}");
    // All are clamped to the same bound.
    let low = ages(-5.0, 10.5).unwrap().laplace_at(price("1")).unwrap();
    let total = meter.release(low).unwrap();
    assert!((total - 10_500.0).abs() < 300.0, "{total}");
    let negative = ages(-40.0, -30.0).unwrap().laplace_at(price("2")).unwrap();
    let total = meter.release(negative).unwrap();
    assert!((total + 30_000.0).abs() < 1_000.0, "{total}");
    assert_eq!(meter.remaining(), price("0"));
}

#[test]
fn bounds_that_are_none_are_refused_before_anything_is_charged() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for (low, high) in [
        (1.0, 0.0),
        (nan, 1.0),
        (0.0, nan),
        (-inf, 0.0),
        (0.0, inf),
        (0.0, 0.0),
    ] {
        let query = rows::<Patient>().sum_between(low, high, |p| p.age);
        assert!(matches!(query, Err(Error::Bounds { .. })), "{low} {high}");
    }
}

#[test]
fn what_is_chosen_later_stays_within_the_price_that_was_stated() {
    let meter = meter::<Eps<1, 1>>();
    let then = |most: &str, chosen: &'static str| {
        count("1/4").then_up_to(price(most), move |n| {
            assert!((n - 1000).abs() < 200);
            count(chosen)
        })
    };
    assert_eq!(then("1/4", "1/8").explain().price(), Some(price("1/2")));
    let (first, second) = meter.release(then("1/4", "1/8")).unwrap();
    assert!((first - 1000).abs() < 200 && (second - 1000).abs() < 300);
    // What was stated is charged, not what was chosen.
    assert_eq!(meter.remaining(), price("1/2"));
    // A choice that is dearer does not run, and its answer is not seen; the whole stays charged.
    let refused = meter.release(then("1/8", "1/4")).unwrap_err();
    assert!(matches!(refused, Error::Dearer { .. }));
    assert!(
        refused.to_string().contains("ε = 1/8 was stated"),
        "{refused}"
    );
    assert_eq!(meter.remaining(), price("1/8"));
    // Nothing runs that the meter cannot pay in full.
    assert!(matches!(
        meter.release(then("1/8", "1/8")),
        Err(Error::OverCap { .. })
    ));
    assert_eq!(meter.remaining(), price("1/8"));
}

#[test]
fn a_choice_is_not_paid_in_a_stronger_notion() {
    let gaussian = || {
        rows::<Patient>()
            .count()
            .gaussian_at(price("rho = 1/1000"))
            .unwrap()
    };
    // ρ is within no pure price, however large.
    let pure = meter::<Eps<2, 1>>();
    let then = count("1/2").then_up_to(price("1"), move |_| gaussian());
    assert!(matches!(pure.release(then), Err(Error::Dearer { .. })));
    // A pure ε of 1/2 is a ρ of 1/8.
    let zcdp = meter::<Rho<1, 1>>();
    let start = || gaussian().map(|n| n as f64);
    for (most, fits) in [("rho = 1/8", true), ("rho = 124/1000", false)] {
        let then = start().then_up_to(price(most), |_| count("1/2"));
        assert_eq!(zcdp.release(then).is_ok(), fits);
    }
    // What has no price is not run.
    let none = || Mechanism::<Table<Patient>, i64, Quoted>::all([]);
    let then = count("1/2").then_up_to(price("1/2"), move |_| none());
    assert!(matches!(
        pure.release(then.map(|_| ())),
        Err(Error::OverCap { .. })
    ));
    let other = meter::<Eps<1, 1>>();
    let then = count("1/2").then_up_to(price("1/2"), move |_| none());
    assert!(matches!(other.release(then), Err(Error::Unpriced)));
}

/// Keys that are not public are chosen once; then each has several statistics.
#[test]
fn several_statistics_of_each_unknown_key() {
    #[derive(Record, Clone)]
    struct Flight {
        carrier: String,
        delay: i64,
        late: bool,
    }
    let flights = (0..6000_i64).map(|i| Flight {
        carrier: ["UA", "DL", "rare"][if i == 0 { 2 } else { (i % 2) as usize }].into(),
        delay: i % 2 * 10,
        late: i % 4 == 0,
    });
    type Named = Approx<Eps<1, 2>, Delta<1, 6>>;
    type Whole = Approx<Eps<3, 2>, Delta<1, 6>>;
    let vault: Vault<Table<Flight>, Whole> = Vault::open(flights);
    let named: Mechanism<Table<Flight>, _, Named> = rows::<Flight>().frequent_keys(|f| f.carrier);
    // The names are public from here on; `take` keeps as many as the type has room for.
    let statistics = named.then(|carriers| {
        let names: Vec<String> = carriers.keys().take(8).cloned().collect();
        let delay = || {
            rows::<Flight>()
                .sum(|f| f.delay.clamp::<0, 60>())
                .laplace::<Eps<1, 2>>()
        };
        let late = || {
            rows::<Flight>()
                .filter(|f| f.late)
                .count()
                .laplace::<Eps<1, 2>>()
        };
        rows::<Flight>()
            .group_by(|f| f.carrier.keys_up_to::<8, _>(names))
            .each(move |_| delay().and(late()))
    });
    let ((carriers, of), _vault) = vault.release(statistics).unwrap();
    assert_eq!(carriers.keys().collect::<Vec<_>>(), ["DL", "UA"]);
    // Eight names at most, and a block for all other rows.
    assert_eq!(of.len(), 9);
    let near = |(delay, late): (i64, i64), sum: i64, count: i64| {
        assert!(
            (delay - sum).abs() < 3_000 && (late - count).abs() < 100,
            "{delay} {late}"
        );
    };
    near(of[0], 30_000, 0);
    near(of[1], 0, 1_499);
    near(of[8], 0, 1);
}
