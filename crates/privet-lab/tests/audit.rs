//! The auditor itself: calibrated, repeatable, and not to be upset by bad input.
#![forbid(unsafe_code)]

use privet_lab::{Audit, Claim, Coins, Error};

fn response(bit: u64, coins: &mut Coins) -> u64 {
    if coins.chance(0.75) { bit } else { 1 - bit }
}

/// At confidence 80 % a mechanism that spends exactly its claim is refuted in at most 20 % of
/// trials, and a lower bound is above the truth no more often.
#[test]
fn refutations_are_no_more_frequent_than_stated() -> Result<(), Error> {
    const TRIALS: u32 = 400;
    for (claim, left, right) in [(3f64.ln(), 0, 1), (0.0, 1, 1)] {
        let mut refuted = 0;
        for seed in 0..TRIALS {
            let audit = Audit::new(Claim::Pure(claim)).draws(4_000).confidence(0.8);
            let report = audit.seed(seed.into()).run(
                |coins| response(left, coins),
                |coins| response(right, coins),
            )?;
            refuted += u32::from(report.is_refuted());
        }
        // Three deviations above a fifth.
        assert!(
            refuted < TRIALS / 5 + 24,
            "{refuted} of {TRIALS} at ε = {claim}"
        );
    }
    Ok(())
}

#[test]
fn more_draws_find_more_of_the_loss() -> Result<(), Error> {
    let mut last = 0.0;
    for draws in [1_000, 10_000, 100_000, 1_000_000] {
        let audit = Audit::new(Claim::Pure(2.0)).draws(draws);
        let report = audit.run(|coins| response(0, coins), |coins| response(1, coins))?;
        assert!(
            report.spent() > last && report.spent() < 3f64.ln(),
            "{report}"
        );
        last = report.spent();
    }
    assert!(last > 1.08);
    Ok(())
}

#[test]
fn results_do_not_depend_on_threads() -> Result<(), Error> {
    let run = |threads| {
        let audit = Audit::new(Claim::Pure(0.5))
            .draws(300_000)
            .threads(threads)
            .seed(9);
        let report = audit.run(|coins| coins.laplace(2, 1), |coins| 1 + coins.laplace(2, 1))?;
        Ok::<_, Error>(report.to_string())
    };
    assert_eq!(run(1)?, run(3)?);
    assert_eq!(run(1)?, run(0)?);
    Ok(())
}

#[test]
fn equal_inputs_spend_nothing() -> Result<(), Error> {
    let audit = Audit::new(Claim::Pure(0.0)).draws(1_000_000);
    assert!(
        !audit
            .run(|coins| coins.laplace(5, 1), |coins| coins.laplace(5, 1))?
            .is_refuted()
    );
    assert!(!audit.run(|_| (), |_| ())?.is_refuted());
    assert!(!audit.run(|_| f64::NAN, |_| f64::NAN)?.is_refuted());
    Ok(())
}

#[test]
fn numbers_of_any_size_are_told_apart() -> Result<(), Error> {
    let audit = Audit::new(Claim::Pure(1.0)).draws(10_000);
    for (left, right) in [
        (i128::MIN, i128::MAX),
        (0, i128::MAX),
        (i128::MIN, i128::MIN + 1),
    ] {
        assert!(
            audit.run(|_| left, |_| right)?.is_refuted(),
            "{left} {right}"
        );
    }
    for (left, right) in [
        (f64::INFINITY, 1.0),
        (f64::NAN, 2.0),
        (-0.0, 1e-300),
        (1.0, 1.0 + f64::EPSILON),
    ] {
        assert!(
            audit.run(|_| left, |_| right)?.is_refuted(),
            "{left} {right}"
        );
    }
    let far = |coins: &mut Coins| coins.laplace(1 << 50, 1);
    assert!(!audit.run(far, far)?.is_refuted());
    assert!(audit.run(far, |coins| far(coins) + (1 << 55))?.is_refuted());
    assert!(audit.run(|_| vec![1; 40], |_| vec![1; 41])?.is_refuted());
    assert!(audit.run(|_| "a", |_| "b")?.is_refuted());
    assert!(audit.run(|_| None, |_| Some(0))?.is_refuted());
    Ok(())
}

#[test]
fn nonsense_is_an_error() {
    let run = |audit: Audit| audit.run(|coins| coins.word(), |coins| coins.word());
    for audit in [
        Audit::new(Claim::Pure(f64::NAN)),
        Audit::new(Claim::Pure(-1.0)),
        Audit::new(Claim::Approximate(1.0, 1.5)),
        Audit::new(Claim::Pure(1.0)).confidence(1.0),
        Audit::new(Claim::Pure(1.0)).confidence(f64::NAN),
        Audit::new(Claim::Pure(1.0)).draws(0),
    ] {
        assert!(matches!(run(audit), Err(Error::Settings(_))));
    }
    let audit = Audit::new(Claim::Pure(1.0)).draws(1_000);
    let out_of_range = |coins: &mut Coins| coins.laplace(0, 1);
    assert!(matches!(
        audit.run(out_of_range, out_of_range),
        Err(Error::Noise)
    ));
}
