//! The vault and the meter at run time: what is charged, when, and what is visible.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use privet::prelude::*;
use privet::{Error, Meter, Price, Ratio};

#[derive(Record)]
struct Patient {
    age: i64,
}

fn patients(n: i64) -> Vec<Patient> {
    (0..n).map(|age| Patient { age }).collect()
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().count().laplace()
}

#[test]
fn a_release_returns_the_answer_and_what_is_left() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients(1000));
    assert_eq!(vault.remaining(), Price::pure(1.into()));
    let (n, vault) = vault.release(count::<Eps<1, 4>>())?;
    assert!((n - 1000).abs() < 400, "off by e^-100");
    assert_eq!(vault.remaining().to_string(), "ε = 3/4");
    let (ages, vault) = vault.release(
        rows::<Patient>()
            .sum(|p| p.age.clamp::<0, 100>())
            .laplace::<Eps<3, 4>>(),
    )?;
    let truth: i64 = (0..1000).map(|age| age.min(100)).sum();
    assert!((ages - truth).abs() < 14_000, "off by e^-100");
    let _: &Vault<Table<Patient>, Eps<0, 4>> = &vault;
    assert_eq!(vault.remaining().to_string(), "ε = 0");
    Ok(())
}

#[test]
fn the_noise_is_there() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients(1000));
    let (draws, _vault) = vault.release(count::<Eps<1, 64>>().repeat::<64>())?;
    let distinct: std::collections::HashSet<_> = draws.iter().collect();
    assert!(
        distinct.len() > 16,
        "64 draws of scale 64 on {} values",
        distinct.len()
    );
    Ok(())
}

/// Laplace and Gaussian noise, on counts, vectors and sums, from the vault and all that it makes.
#[test]
fn a_vault_in_constant_time_releases_laplace_and_gaussian_noise() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Rho<10, 1>> = Vault::open(patients(1000)).in_constant_time();
    let (n, vault) = vault.release(count::<Eps<1, 1>>())?;
    assert!((n - 1000).abs() < 100, "off by e^-100");
    let ages = || {
        rows::<Patient>().histogram(|p| p.age.bins([100, 200, 300, 400, 500, 600, 700, 800, 900]))
    };
    let (bins, vault) = vault.release(ages().gaussian::<Rho<1, 2>>())?;
    assert!(bins.iter().all(|n| (n - 100).abs() < 30), "off by e^-100");
    let (bins, vault) = vault.release(ages().laplace::<Eps<1, 1>>())?;
    assert!(bins.iter().all(|n| (n - 100).abs() < 200), "off by e^-100");
    let sum = || rows::<Patient>().sum(|p| p.age.clamp::<0, 100>());
    let truth: i64 = (0..1000).map(|age| age.min(100)).sum();
    let (ages, vault) = vault.release(sum().gaussian::<Rho<1, 2>>())?;
    assert!((ages - truth).abs() < 3_000, "off by e^-100");
    let (ages, vault) = vault.release(sum().laplace::<Eps<1, 1>>())?;
    assert!((ages - truth).abs() < 10_000, "off by e^-100");
    let (meter, vault) = vault.metered::<Rho<1, 1>>();
    meter.release(count::<Eps<1, 1>>())?;
    let (part, _rest) = vault.split::<Rho<1, 1>>();
    drop(part.release(count::<Eps<1, 1>>())?);
    Ok(())
}

/// It is the sampler of constant time that is used: with the same seed, the same noise.
#[test]
fn a_simulation_in_constant_time_shows_the_sampler() -> privet::Result<()> {
    use privet::noise::{Entropy, LaplaceScale, laplace_constant_time};
    let ages = rows::<Patient>().histogram(|p| p.age.bins([3, 6]));
    let mut simulation = privet::Simulation::of_public(patients(9), 7)?.in_constant_time();
    let bins = simulation.run(&ages.laplace::<Eps<1, 10>>())?;
    let mut key = [0; 32];
    key[0] = 7;
    let mut noise = [0; 3];
    let scale = LaplaceScale::new(10, 1).unwrap();
    laplace_constant_time(&mut Entropy::public(key), scale, &mut noise)?;
    assert_eq!(bins[..], noise.map(|noise| noise + 3));
    Ok(())
}

/// A mechanism without a sampler for it is refused, however deep it hides.
#[test]
fn a_vault_in_constant_time_refuses_what_is_not() {
    fn assert_refused<Out: 'static, C>(mechanism: Mechanism<Table<Patient>, Out, C>)
    where
        C: PaidFrom<Rho<10, 1>, Left: privet::Purse>,
    {
        let vault: Vault<Table<Patient>, Rho<10, 1>> = Vault::open(patients(9)).in_constant_time();
        let Err(error) = vault.release(mechanism) else {
            panic!("released")
        };
        assert!(matches!(error, Error::VariableTime), "{error}");
    }
    let ages = || rows::<Patient>().histogram(|p| p.age.bins([3, 6]));
    assert_refused(ages().choose::<Eps<1, 1>>());
    assert_refused(ages().noisy_max::<Eps<1, 1>>());
    assert_refused(rows::<Patient>().count().coin_flips());
    assert_refused(
        rows::<Patient>()
            .histogram(|p| p.age.clamp::<0, 100>())
            .median::<Eps<1, 1>>(),
    );
    assert_refused(count::<Eps<1, 1>>().and(ages().choose::<Eps<1, 1>>()));
    assert_refused(count::<Eps<1, 1>>().then(move |_| ages().choose::<Eps<1, 1>>()));
    // From a split vault and from a meter too.
    let vault: Vault<Table<Patient>, Rho<10, 1>> = Vault::open(patients(9)).in_constant_time();
    let (vault, rest) = vault.split::<Rho<1, 1>>();
    assert!(matches!(
        vault.release(ages().choose::<Eps<1, 1>>()),
        Err(Error::VariableTime)
    ));
    let (meter, _vault) = rest.metered::<Rho<1, 1>>();
    assert!(matches!(
        meter.release(ages().choose::<Eps<1, 1>>()),
        Err(Error::VariableTime)
    ));
}

/// One half of a split vault can be put into constant time; the other one is not.
#[test]
fn constant_time_is_a_property_of_one_vault() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<2, 1>> = Vault::open(patients(9));
    let (one, other) = vault.split::<Eps<1, 1>>();
    let one = one.in_constant_time();
    let ages = || rows::<Patient>().histogram(|p| p.age.bins([3, 6]));
    assert!(one.release(ages().choose::<Eps<1, 1>>()).is_err());
    drop(other.release(ages().choose::<Eps<1, 1>>())?);
    Ok(())
}

#[test]
fn the_budget_takes_no_room() {
    use std::mem::size_of;
    type V<B> = Vault<Table<Patient>, B>;
    assert_eq!(size_of::<V<Eps<1, 1>>>(), size_of::<usize>());
    assert_eq!(size_of::<V<Eps<1, 1>>>(), size_of::<V<Eps<0, 4>>>());
    assert_eq!(size_of::<V<Eps<1, 1>>>(), size_of::<V<Rho<7, 1000>>>());
    assert_eq!(
        size_of::<V<Eps<1, 1>>>(),
        size_of::<V<Approx<Eps<1, 1>, Delta<1, 6>>>>()
    );
}

#[test]
fn debug_shows_the_budget_and_no_data() {
    let vault: Vault<Table<Patient>, Approx<Eps<1, 2>, Delta<3, 7>>> = Vault::open(patients(4242));
    assert_eq!(format!("{vault:?}"), "Vault(ε = 1/2, δ = 3e-7 left)");
    let (meter, vault) = vault.metered::<Eps<1, 4>>();
    assert_eq!(format!("{meter:?}"), "Meter(ε = 1/4 left of ε = 1/4)");
    assert_eq!(format!("{vault:?}"), "Vault(ε = 1/4, δ = 3e-7 left)");
}

#[test]
fn halves_of_a_split_work_on_two_threads() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients(500));
    let (left, right) = vault.split::<Eps<1, 4>>();
    assert_eq!(left.remaining().to_string(), "ε = 1/4");
    assert_eq!(right.remaining().to_string(), "ε = 3/4");
    let (a, b) = std::thread::scope(|scope| {
        let a = scope.spawn(|| left.release(count::<Eps<1, 4>>()).map(|(n, _)| n));
        let b = scope.spawn(|| right.release(count::<Eps<3, 4>>()).map(|(n, _)| n));
        (a.join().unwrap(), b.join().unwrap())
    });
    assert!((a? - 500).abs() < 400 && (b? - 500).abs() < 140);
    Ok(())
}

fn metered<const N: usize, const D: usize>(n: i64) -> Meter<Table<Patient>, Eps<N, D>>
where
    Eps<N, D>: PaidFrom<Eps<1024, 1>>,
{
    let vault: Vault<Table<Patient>, Eps<1024, 1>> = Vault::open(patients(n));
    vault.metered().0
}

#[test]
fn three_tenths_are_paid_from_three_tenths() -> privet::Result<()> {
    let meter = metered::<3, 10>(10);
    for _ in 0..3 {
        meter.release(count::<Eps<1, 10>>())?;
    }
    assert_eq!(meter.remaining().to_string(), "ε = 0");
    let refused = meter.release(count::<Eps<1, 1_000_000_000>>()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the meter has ε = 0 left and this query costs ε = 1/1000000000, so it was not run; \
         lower its price, or set a larger cap aside with `metered`"
    );
    Ok(())
}

#[test]
fn a_refusal_charges_nothing_and_a_panic_is_not_refunded() -> privet::Result<()> {
    let meter = metered::<1, 1>(10);
    assert!(matches!(
        meter.release(count::<Eps<2, 1>>()),
        Err(Error::OverCap { .. })
    ));
    assert_eq!(meter.remaining().to_string(), "ε = 1");
    let trap = count::<Eps<1, 4>>().map(|_| -> i64 { panic!("in post-processing") });
    assert!(catch_unwind(AssertUnwindSafe(|| meter.release(trap))).is_err());
    assert_eq!(meter.remaining().to_string(), "ε = 3/4");
    let trap = count::<Eps<1, 4>>().then(|_| -> Mechanism<_, i64, Eps<1, 4>> { panic!("in then") });
    assert!(catch_unwind(AssertUnwindSafe(|| meter.release(trap))).is_err());
    assert_eq!(meter.remaining().to_string(), "ε = 1/4");
    meter.release(count::<Eps<1, 4>>())?;
    Ok(())
}

#[test]
fn a_meter_used_from_inside_its_own_query_cannot_overspend() {
    let meter = std::sync::Arc::new(metered::<1, 1>(10));
    let runs = std::sync::Arc::new(AtomicUsize::new(0));
    fn again(
        meter: std::sync::Arc<Meter<Table<Patient>, Eps<1, 1>>>,
        runs: std::sync::Arc<AtomicUsize>,
    ) -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
        count::<Eps<1, 4>>().map(move |n| {
            runs.fetch_add(1, Ordering::Relaxed);
            let _ = meter.release(again(meter.clone(), runs.clone()));
            n
        })
    }
    meter.release(again(meter.clone(), runs.clone())).unwrap();
    assert_eq!(runs.load(Ordering::Relaxed), 4, "a quarter four times");
    assert_eq!(meter.remaining().to_string(), "ε = 0");
}

#[test]
fn threads_together_spend_the_cap_exactly() {
    let meter = metered::<1, 1>(10);
    let served = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    if meter.release(count::<Eps<1, 100>>()).is_ok() {
                        served.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(served.into_inner(), 100);
}

#[test]
fn run_time_prices_are_paid_from_a_meter() -> Result<(), Box<dyn std::error::Error>> {
    let meter = metered::<1, 1>(1000);
    let query = || rows::<Patient>().count();
    for price in ["1/3", "0.25", "eps = 1/6"] {
        meter.release(query().laplace_at(price.parse()?)?.map(|n| n + 1))?;
    }
    assert_eq!(meter.remaining().to_string(), "ε = 1/4");
    assert!(
        meter
            .release(query().laplace_at("0.2500001".parse()?)?)
            .is_err()
    );
    for bad in [
        "0",
        "rho = 1/8",
        "eps = 1, delta = 1e-6",
        "1/99999999999",
        "99999999999",
    ] {
        assert!(
            matches!(query().laplace_at(bad.parse()?), Err(Error::Quote { .. })),
            "{bad}"
        );
    }
    Ok(())
}

#[test]
fn a_zcdp_meter_takes_pure_prices_at_half_their_square() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Rho<1, 2>> = Vault::open(patients(10));
    let (meter, _vault) = vault.metered::<Rho<1, 2>>();
    meter.release(rows::<Patient>().count().gaussian::<Rho<1, 4>>())?;
    meter.release(count::<Eps<1, 2>>())?;
    assert_eq!(meter.remaining().to_string(), "ρ = 1/8");
    assert!(meter.release(count::<Eps<1, 1>>()).is_err());
    Ok(())
}

#[test]
fn an_approximate_meter_counts_epsilon_and_delta() -> privet::Result<()> {
    type Cap = Approx<Eps<2, 1>, Delta<2, 6>>;
    type Each = Approx<Eps<1, 2>, Delta<1, 6>>;
    let vault: Vault<Table<Patient>, Cap> = Vault::open(patients(10));
    let (meter, _vault) = vault.metered::<Cap>();
    let query = || {
        rows::<Patient>()
            .count()
            .gaussian::<Rho<1, 400>>()
            .at_most::<Each>()
    };
    meter.release(query())?;
    meter.release(query())?;
    assert_eq!(meter.remaining().to_string(), "ε = 1, δ = 0");
    assert!(meter.release(query()).is_err(), "δ is gone");
    meter.release(count::<Eps<1, 1>>())?;
    Ok(())
}

#[test]
fn metering_is_linear_in_the_number_of_queries() -> privet::Result<()> {
    // Charges of a thousand different denominators: the sum neither fails nor slows down.
    let meter = metered::<1024, 1>(10);
    let mut truth = 0.0;
    for den in 1..=1000u128 {
        let price = Price::pure(Ratio::new(1, den));
        meter.release(rows::<Patient>().count().laplace_at(price)?)?;
        truth += 1.0 / den as f64;
    }
    let left = meter.remaining().epsilon().unwrap();
    let left = *left.numer() as f64 / *left.denom() as f64;
    assert!((1024.0 - truth - left).abs() < 1e-9, "{left}");
    Ok(())
}

#[test]
fn budgets_come_from_configuration() -> Result<(), Box<dyn std::error::Error>> {
    fn run<B: Cost>(vault: Vault<Table<Patient>, B>) -> privet::Result<String>
    where
        Eps<1, 4>: PaidFrom<B, Left: Cost>,
    {
        let (_, vault) = vault.release(count::<Eps<1, 4>>())?;
        Ok(vault.remaining().to_string())
    }
    let configured = |text: &str| -> Result<String, Box<dyn std::error::Error>> {
        let price = text.parse()?;
        Ok(
            privet::budget!(price, [Eps<1, 4>, Eps<2, 4>, Rho<1, 2>], |B| {
                run::<B>(Vault::open(patients(3)))
            })??,
        )
    };
    assert_eq!(configured("0.25")?, "ε = 0");
    assert_eq!(configured("1/2")?, "ε = 1/4");
    assert_eq!(configured("rho = 0.5")?, "ρ = 15/32");
    assert!(
        configured("7")
            .unwrap_err()
            .to_string()
            .contains("no budget of ε = 7")
    );
    assert!(configured("plenty").is_err());
    Ok(())
}

/// Caps that no power of ten divides evenly, among them the one that was found: 41/81.
#[test]
fn a_fresh_meter_reports_its_cap_and_never_more() -> privet::Result<()> {
    macro_rules! fresh {
        ($($cap:ty),* $(,)?) => {$(
            let vault: Vault<Table<Patient>, $cap> = Vault::open(patients(10));
            let (meter, _) = vault.metered::<$cap>();
            assert_eq!(meter.remaining(), <$cap>::price());
        )*};
    }
    fresh!(
        Eps<41, 81>, Eps<1, 3>, Eps<1, 7>, Eps<2, 3>, Eps<5, 6>, Eps<1, 1024>, Eps<1023, 1024>,
        Eps<1, 1021>, Eps<1024, 1021>, Eps<1, 1_000_000_000>, Rho<41, 81>, Rho<1, 7>,
        Approx<Eps<41, 81>, Delta<1, 6>>, Approx<Eps<1, 7>, Delta<999, 30>>,
    );
    // What a query leaves is exact, over two denominators as over one.
    let vault: Vault<Table<Patient>, Eps<41, 81>> = Vault::open(patients(10));
    let (meter, _) = vault.metered::<Eps<41, 81>>();
    meter.release(count::<Eps<1, 7>>())?;
    assert_eq!(meter.remaining(), Price::pure(Ratio::new(206, 567)));
    Ok(())
}
