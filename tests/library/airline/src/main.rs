//! An airline's report, by the same library.
#![forbid(unsafe_code)]

use privet::expr::columns;
use privet::prelude::*;

#[derive(Record)]
struct Flight {
    carrier: String,
    month: u8,
    distance: u32,
    minutes: f64,
    delay: Option<i64>,
}

fn flights() -> Vec<Flight> {
    let flight = |i: u32| Flight {
        carrier: if i % 3 == 0 { "UA" } else { "AA" }.into(),
        month: 1 + (i % 12) as u8,
        distance: 200 + 10 * (i % 200),
        minutes: 30.0 + (200 + 10 * (i % 200)) as f64 / 8.0,
        delay: (i % 10 != 0).then_some(i64::from(i % 7)),
    };
    (0..30_000).map(flight).collect()
}

fn main() -> privet::Result<()> {
    let f = columns::<Flight>();
    let vault: Vault<Table<Flight>, Rho<4, 1>> = Vault::open(flights());

    let united = summaries::count_where::<Flight, _, Eps<1, 2>>(|f| f.carrier.eq_to("UA"));
    let shares = summaries::shares::<Flight, _, Eps<1, 2>>(|f| {
        (f.carrier.keys(["AA", "UA"]), f.month.clamp::<1, 12>())
    });
    let missing = summaries::missing::<Flight, _, Eps<1, 2>>(f.delay);
    let totals = summaries::totals::<Flight, _, Rho<1, 2>, 2>((f.minutes, f.delay.or(0)));
    let trend = summaries::trend::<Flight, _, _, Rho<2, 1>>(
        f.distance.clamp::<0, 2500>(),
        f.minutes.clamp::<0, 400>(),
    );
    // Five prices of two notions, and one flat tuple of answers.
    let all = Mechanism::together((united, shares, missing, totals, trend));
    let ((united, shares, missing, totals, trend), vault) = vault.release(all)?;

    assert!((united - 10_000).abs() < 200);
    assert_eq!(shares.len(), 36); // two carriers and any other, in twelve months
    assert!((missing.value - 0.1).abs() < 0.02, "{missing}");
    assert!((totals[1] - 81_000.0).abs() < 20_000.0, "{totals:?}");
    let slope = trend.slopes[0];
    assert!(slope.low <= 0.125 && 0.125 <= slope.high && slope.high < 0.2, "{slope}");
    println!("{united} flights of UA; {slope} minutes a mile");
    drop(vault);
    Ok(())
}

#[test]
fn the_report_is_released() {
    main().unwrap();
}
