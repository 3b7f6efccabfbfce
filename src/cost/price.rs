//! Prices at run time: exact, printable, and what they mean to a person.

use core::fmt;
use core::str::FromStr;

use num_rational::Ratio;

/// A cost as a value: exact rationals, for printing, for meters and for configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pure(Ratio<u128>),
    Zcdp(Ratio<u128>),
    Approximate {
        epsilon: Ratio<u128>,
        delta: Ratio<u128>,
    },
}

impl Price {
    /// The pure price ε.
    ///
    /// A ratio with denominator zero is the largest price there is: no budget pays for it.
    pub fn pure(epsilon: Ratio<u128>) -> Self {
        Price(Kind::Pure(finite(epsilon)))
    }

    /// The zCDP price ρ.
    pub fn zcdp(rho: Ratio<u128>) -> Self {
        Price(Kind::Zcdp(finite(rho)))
    }

    /// The approximate price (ε, δ).
    pub fn approximate(epsilon: Ratio<u128>, delta: Ratio<u128>) -> Self {
        let (epsilon, delta) = (finite(epsilon), finite(delta));
        Price(Kind::Approximate { epsilon, delta })
    }

    /// ε, of a pure or an approximate price.
    pub fn epsilon(&self) -> Option<Ratio<u128>> {
        match self.0 {
            Kind::Pure(epsilon) | Kind::Approximate { epsilon, .. } => Some(epsilon),
            Kind::Zcdp(_) => None,
        }
    }

    /// ρ, of a zCDP price.
    pub fn rho(&self) -> Option<Ratio<u128>> {
        match self.0 {
            Kind::Zcdp(rho) => Some(rho),
            _ => None,
        }
    }

    /// δ: zero for a pure price, none for a zCDP one (which has an ε for every δ).
    pub fn delta(&self) -> Option<Ratio<u128>> {
        match self.0 {
            Kind::Pure(_) => Some(Ratio::ZERO),
            Kind::Zcdp(_) => None,
            Kind::Approximate { delta, .. } => Some(delta),
        }
    }

    /// Whether it is a pure price: an ε without a δ.
    pub fn is_pure(&self) -> bool {
        matches!(self.0, Kind::Pure(_))
    }

    /// What the price means to one person (T21), as a sentence.
    ///
    /// ```
    /// use privet::prelude::*;
    ///
    /// assert_eq!(
    ///     Eps::<1, 2>::price().meaning(),
    ///     "whatever an attacker believed before, what they conclude with and without one \
    ///      person's record differs by a factor of at most e^(2ε) = 2.72"
    /// );
    /// ```
    pub fn meaning(&self) -> String {
        let attacker = "whatever an attacker believed before, what they conclude with and without \
                        one person's record differs by a factor of at most";
        match self.0 {
            Kind::Pure(epsilon) => {
                format!("{attacker} e^(2ε) = {}", factor(2.0 * float(epsilon)))
            }
            Kind::Approximate { epsilon, delta } => format!(
                "{attacker} e^(2ε) = {}, except for events of probability about δ = {}",
                factor(2.0 * float(epsilon)),
                Small(delta)
            ),
            Kind::Zcdp(rho) => format!(
                "the logarithm of the odds that one person's record changes has mean at most \
                 ρ = {rho} and the tails of a Gaussian of variance 2ρ"
            ),
        }
    }
}

/// A reduced ratio with a positive denominator, from one that `Ratio::new_raw` may have made.
///
/// PRIVACY: without a denominator a price is infinite, never nothing.
fn finite(x: Ratio<u128>) -> Ratio<u128> {
    match *x.denom() {
        0 => Ratio::from_integer(u128::MAX),
        denom => Ratio::new(*x.numer(), denom),
    }
}

/// For reports only: no privacy rests on it.
fn float(x: Ratio<u128>) -> f64 {
    *x.numer() as f64 / *x.denom() as f64
}

/// e^x, rounded up in the last digit shown, so that a promise is never overstated.
fn factor(x: f64) -> String {
    let f = x.exp();
    if f < 1000.0 {
        format!("{:.2}", (f * 100.0 + 1e-9).ceil() / 100.0)
    } else {
        format!("{f:.1e}")
    }
}

/// A δ in scientific notation where it is a short decimal, as a fraction otherwise.
pub(super) struct Small(pub(super) Ratio<u128>);

impl fmt::Display for Small {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut digits, denom, mut exponent) = (*self.0.numer(), *self.0.denom(), 0u32);
        if digits == 0 {
            return f.write_str("0");
        }
        // The reduced denominator divides a power of ten, or the fraction is printed as it is.
        let mut scale = 1u128;
        while !scale.is_multiple_of(denom) {
            match (scale.checked_mul(10), exponent < 36) {
                (Some(s), true) => (scale, exponent) = (s, exponent + 1),
                _ => return self.0.fmt(f),
            }
        }
        match digits.checked_mul(scale / denom) {
            Some(d) => digits = d,
            None => return self.0.fmt(f),
        }
        write!(f, "{digits}e-{exponent}")
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Pure(epsilon) => write!(f, "ε = {epsilon}"),
            Kind::Zcdp(rho) => write!(f, "ρ = {rho}"),
            Kind::Approximate { epsilon, delta } => {
                write!(f, "ε = {epsilon}, δ = {}", Small(delta))
            }
        }
    }
}

/// A price in a configuration file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePriceError(String);

impl fmt::Display for ParsePriceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a price; write `1/2`, `0.5`, `rho = 1/8` or `eps = 1/2, delta = 1e-6`",
            self.0
        )
    }
}

impl std::error::Error for ParsePriceError {}

/// Reads what [`Price`] prints, and plain ASCII: `1/2`, `0.5`, `eps = 1/2`, `rho = 1/8`,
/// `eps = 1/2, delta = 1e-6`. Exact: `0.1` is one tenth.
impl FromStr for Price {
    type Err = ParsePriceError;

    fn from_str(text: &str) -> Result<Self, ParsePriceError> {
        let bad = || ParsePriceError(text.to_string());
        let (mut epsilon, mut rho, mut delta) = (None, None, None);
        for part in text.split(',') {
            let (name, value) = part.split_once('=').unwrap_or(("eps", part));
            let slot = match name.trim() {
                "ε" | "eps" | "epsilon" => &mut epsilon,
                "ρ" | "rho" => &mut rho,
                "δ" | "delta" => &mut delta,
                _ => return Err(bad()),
            };
            if slot
                .replace(decimal(value.trim()).ok_or_else(bad)?)
                .is_some()
            {
                return Err(bad());
            }
        }
        match (epsilon, rho, delta) {
            (Some(epsilon), None, None) => Ok(Price::pure(epsilon)),
            (None, Some(rho), None) => Ok(Price::zcdp(rho)),
            (Some(epsilon), None, Some(delta)) => Ok(Price::approximate(epsilon, delta)),
            _ => Err(bad()),
        }
    }
}

/// An exact rational from `3/4`, `0.75` or `75e-2`; none if it is malformed or too large.
fn decimal(text: &str) -> Option<Ratio<u128>> {
    if let Some((numer, denom)) = text.split_once('/') {
        let (numer, denom) = (digits(numer.trim_end())?, digits(denom.trim_start())?);
        return (denom != 0).then(|| Ratio::new(numer, denom));
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let value = digits(&format!("{whole}{part}"))?;
    let shift = exponent.checked_sub(i32::try_from(part.len()).ok()?)?;
    let power = 10u128.checked_pow(shift.unsigned_abs())?;
    Some(if shift < 0 {
        Ratio::new(value, power)
    } else {
        value.checked_mul(power)?.into()
    })
}

/// A run of decimal digits: no sign, no blanks.
fn digits(text: &str) -> Option<u128> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}
