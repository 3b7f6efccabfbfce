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
