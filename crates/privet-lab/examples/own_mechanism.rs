//! Audits a mechanism that somebody wrote by hand: the example of the front page.
#![forbid(unsafe_code)]

use privet_lab::{Audit, Claim, Coins, Error};

/// Laplace noise of scale 1, cut down to a whole number: surely ε = 1?
fn cut(exact: i64, coins: &mut Coins) -> i64 {
    let noise = -(1.0 - coins.unit()).ln();
    let noise = if coins.chance(0.5) { noise } else { -noise };
    exact + noise as i64
}

/// Exact discrete noise of the same scale.
fn exact(exact: i64, coins: &mut Coins) -> i64 {
    exact + coins.laplace(1, 1)
}

fn main() -> Result<(), Error> {
    for mechanism in [cut, exact] {
        let report = Audit::new(Claim::Pure(1.0))
            .draws(400_000)
            .run(|coins| mechanism(41, coins), |coins| mechanism(42, coins))?;
        println!("{report}");
    }
    Ok(())
}
