//! What a mechanism says it spends.

use std::fmt;

use privet::Price;

use crate::Error;

/// What a mechanism says it spends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// ε.
    Pure(f64),
    /// ε and δ.
    Approximate(f64, f64),
    /// ρ, in zCDP.
    Concentrated(f64),
}

impl Claim {
    /// What a price of `privet` says.
    #[must_use]
    pub fn of(price: &Price) -> Self {
        let up = |r: privet::Ratio<u128>| (*r.numer() as f64 / *r.denom() as f64).next_up();
        match (price.rho(), price.epsilon(), price.delta()) {
            (_, Some(epsilon), Some(delta)) if *delta.numer() > 0 => {
                Claim::Approximate(up(epsilon), up(delta))
            }
            (_, Some(epsilon), _) if price.is_pure() => Claim::Pure(up(epsilon)),
            (Some(rho), _, _) => Claim::Concentrated(up(rho)),
            _ => Claim::Pure(f64::NAN),
        }
    }

    /// ε or ρ.
    #[must_use]
    pub fn value(&self) -> f64 {
        match *self {
            Claim::Pure(value) | Claim::Approximate(value, _) | Claim::Concentrated(value) => value,
        }
    }

    pub(super) fn unit(&self) -> &'static str {
        match self {
            Claim::Pure(_) | Claim::Approximate(..) => "ε",
            Claim::Concentrated(_) => "ρ",
        }
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        let delta = match *self {
            Claim::Approximate(_, delta) => delta,
            _ => 0.0,
        };
        if self.value() >= 0.0 && self.value().is_finite() && (0.0..1.0).contains(&delta) {
            Ok(())
        } else {
            Err(Error::Settings(
                "a claim needs finite ε or ρ ≥ 0, and 0 ≤ δ < 1",
            ))
        }
    }

    /// The least ε or ρ for which an event may have probability at least `p` on one input and at
    /// most `q` on its neighbour.
    pub(super) fn loss(&self, p: f64, q: f64) -> f64 {
        match *self {
            Claim::Pure(_) => (p / q).ln().max(0.0),
            Claim::Approximate(_, delta) => ((p - delta) / q).ln().max(0.0),
            Claim::Concentrated(_) => concentrated(p, q),
        }
    }
}

/// sup D_α(p‖q)/α over orders α: what zCDP bounds by ρ, for the two-valued release of an event.
///
/// It grows with p and falls with q while p > q, so bounds on both give a bound on it.
fn concentrated(p: f64, q: f64) -> f64 {
    if p.is_nan() || q.is_nan() || p <= q {
        return 0.0;
    }
    if q <= 0.0 {
        return f64::INFINITY;
    }
    let (np, nq) = (1.0 - p, 1.0 - q);
    let kl = p * (p / q).ln() + if np > 0.0 { np * (np / nq).ln() } else { 0.0 };
    let mut best = kl;
    let mut order = 1.0625;
    while order < 4096.0 {
        let yes = order * p.ln() + (1.0 - order) * q.ln();
        let no = order * np.ln() + (1.0 - order) * nq.ln();
        let top = yes.max(no);
        let sum = top + ((yes - top).exp() + (no - top).exp()).ln();
        best = best.max(sum / (order - 1.0) / order);
        order *= 1.125;
    }
    best
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Claim::Pure(epsilon) => write!(f, "ε = {epsilon:.4}"),
            Claim::Approximate(epsilon, delta) => write!(f, "ε = {epsilon:.4}, δ = {delta:.2e}"),
            Claim::Concentrated(rho) => write!(f, "ρ = {rho:.4}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses() {
        let e = std::f64::consts::E;
        assert!((Claim::Pure(0.0).loss(0.2 * e, 0.2) - 1.0).abs() < 1e-12);
        assert_eq!(Claim::Pure(0.0).loss(0.1, 0.2), 0.0);
        assert!((Claim::Approximate(0.0, 0.1).loss(0.3, 0.1) - 2f64.ln()).abs() < 1e-12);
        assert_eq!(Claim::Approximate(0.0, 0.1).loss(0.05, 0.1), 0.0);
    }

    #[test]
    fn randomized_response_is_concentrated_as_it_should_be() {
        // ε-DP implies ε²/2-zCDP, so the loss of its one event stays below that, but not far below.
        for epsilon in [0.1f64, 0.5, 1.0, 2.0] {
            let p = epsilon.exp() / (1.0 + epsilon.exp());
            let rho = concentrated(p, 1.0 - p);
            assert!(
                rho <= epsilon * epsilon / 2.0 && rho > 0.3 * epsilon * epsilon,
                "{epsilon}: {rho}"
            );
        }
        assert_eq!(concentrated(0.5, 0.0), f64::INFINITY);
        assert!(concentrated(1.0, 0.25).is_finite());
    }

    #[test]
    fn nonsense_is_refused() {
        for claim in [
            Claim::Pure(f64::NAN),
            Claim::Pure(-1.0),
            Claim::Approximate(1.0, 1.0),
            Claim::Concentrated(f64::INFINITY),
        ] {
            assert!(claim.validate().is_err());
        }
    }
}
