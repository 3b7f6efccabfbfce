//! Prices at run time: exact, printable, and what they mean to a person.

use core::fmt;
use core::str::FromStr;

use num_rational::Ratio;

/// A cost as a value: exact rationals, for printing, for meters and for configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Price(Kind);

#[derive(Clone, Copy, PartialEq, Eq)]
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
    /// A ratio with denominator zero is the largest possible price, which no budget can pay.
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

    /// The price of a cost type, whose number is in lowest terms.
    pub(super) const fn of_epsilon(epsilon: Ratio<u128>) -> Self {
        Price(Kind::Pure(epsilon))
    }

    /// The same in ρ.
    pub(super) const fn of_rho(rho: Ratio<u128>) -> Self {
        Price(Kind::Zcdp(rho))
    }

    /// The same ε, with a δ.
    pub(super) const fn with_delta(self, delta: Ratio<u128>) -> Self {
        match self.0 {
            Kind::Pure(epsilon) | Kind::Approximate { epsilon, .. } => {
                Price(Kind::Approximate { epsilon, delta })
            }
            // δ comes with an ε: see `PureCost`.
            Kind::Zcdp(_) => self,
        }
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

    /// Whether it is above zero.
    #[cfg(feature = "ledger")]
    pub(crate) fn is_positive(&self) -> bool {
        let parts = [self.epsilon(), self.rho(), self.delta()];
        parts.into_iter().flatten().any(|part| *part.numer() > 0)
    }

    /// What the price means to one person
    /// ([T21](crate::guide::theory#t21-what-an-attacker-concludes)), as a sentence.
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
            Kind::Pure(epsilon) => format!("{attacker} e^(2ε) = {}", factor(epsilon)),
            Kind::Approximate { epsilon, delta } => format!(
                "{attacker} e^(2ε) = {}, except for events of probability about δ = {}",
                factor(epsilon),
                Small(delta)
            ),
            Kind::Zcdp(rho) => format!(
                "the logarithm of the odds that one person's record changes has mean at most \
                 ρ = {rho} and the tails of a Gaussian of variance 2ρ"
            ),
        }
    }

    /// e^(2ε) as every report shows it, rounded up: how far an attacker's conclusions can
    /// shift ([T21](crate::guide::theory#t21-what-an-attacker-concludes)).
    /// None for a zCDP price.
    pub(crate) fn factor(&self) -> Option<String> {
        self.epsilon().map(factor)
    }
}

/// e^(2ε), rounded up in the last digit shown. Only an ε of 0 has the factor 1.
fn factor(epsilon: Ratio<u128>) -> String {
    match *epsilon.numer() {
        0 => "1.00".to_string(),
        _ => above((2.0 * float(epsilon)).exp()),
    }
}

/// A reduced ratio with a positive denominator, from one that `Ratio::new_raw` may have made.
///
/// PRIVACY: a price with denominator zero is infinite, never zero.
fn finite(x: Ratio<u128>) -> Ratio<u128> {
    match *x.denom() {
        0 => Ratio::from_integer(u128::MAX),
        denom => Ratio::new(*x.numer(), denom),
    }
}

/// For reports only. No privacy guarantee depends on it.
fn float(x: Ratio<u128>) -> f64 {
    *x.numer() as f64 / *x.denom() as f64
}

/// A factor above 1, rounded up in the last digit shown, so that a promise is never overstated.
///
/// The amount added before rounding covers the floating-point error, which is below 10^-12 of the
/// factor.
fn above(factor: f64) -> String {
    if factor < 1000.0 {
        return format!("{:.2}", (factor * 100.0 + 1e-9).ceil() / 100.0);
    }
    let factor = factor.min(f64::MAX);
    let unit = 10_f64.powi(factor.log10() as i32 - 1);
    format!("{:.1e}", (factor / unit + 1e-9).ceil() * unit)
}

/// A δ in scientific notation where it is a short decimal, as a fraction otherwise.
pub(super) struct Small(pub(super) Ratio<u128>);

impl fmt::Display for Small {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut digits, denom, mut exponent) = (*self.0.numer(), *self.0.denom(), 0u32);
        if digits == 0 {
            return f.write_str("0");
        }
        // If the reduced denominator divides no power of ten, the fraction is printed as it is.
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

/// As `Display`.
impl fmt::Debug for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A price in a configuration file could not be read.
#[derive(Clone, PartialEq, Eq)]
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

/// As `Display`, so that `main` prints a sentence and `unwrap` does.
impl fmt::Debug for ParsePriceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ParsePriceError {}

/// Reads what [`Price`] prints, and plain ASCII: `1/2`, `0.5`, `eps = 1/2`, `rho = 1/8`,
/// `eps = 1/2, delta = 1e-6`. Decimals are exact: `0.1` is one tenth.
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

/// As text: what [`Price`] prints.
#[cfg(feature = "serde")]
impl serde::Serialize for Price {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// From text: what [`Price`] reads.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Price {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'_, str>>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
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
    Some(if shift.is_negative() {
        Ratio::new(value, power)
    } else {
        value.checked_mul(power)?.into()
    })
}

/// A run of decimal digits: no sign, no blanks.
fn digits(text: &str) -> Option<u128> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numer: u128, denom: u128) -> Ratio<u128> {
        Ratio::new(numer, denom)
    }

    #[test]
    fn what_is_printed_is_read_back() {
        let prices = [
            (Price::pure(ratio(3, 4)), "ε = 3/4"),
            (Price::pure(2.into()), "ε = 2"),
            (Price::zcdp(ratio(1, 8)), "ρ = 1/8"),
            (
                Price::approximate(ratio(1, 2), ratio(3, 200)),
                "ε = 1/2, δ = 15e-3",
            ),
            (
                Price::approximate(ratio(1, 2), ratio(1, 3)),
                "ε = 1/2, δ = 1/3",
            ),
            (
                Price::approximate(ratio(1, 2), Ratio::ZERO),
                "ε = 1/2, δ = 0",
            ),
        ];
        for (price, text) in prices {
            assert_eq!(price.to_string(), text);
            assert_eq!(text.parse(), Ok(price));
        }
    }

    #[test]
    fn ascii_and_decimals_are_read_exactly() {
        let pure = |numer, denom| Ok(Price::pure(ratio(numer, denom)));
        assert_eq!("1/2".parse(), pure(1, 2));
        assert_eq!("1 / 2".parse(), pure(1, 2));
        assert_eq!("0.1".parse(), pure(1, 10));
        assert_eq!(".5".parse(), pure(1, 2));
        assert_eq!("7".parse(), pure(7, 1));
        assert_eq!("75e-2".parse(), pure(3, 4));
        assert_eq!("1.5E3".parse(), pure(1500, 1));
        assert_eq!("0.5e1".parse(), pure(5, 1));
        assert_eq!(" epsilon = 3/4 ".parse(), pure(3, 4));
        assert_eq!("rho = 1/8".parse(), Ok(Price::zcdp(ratio(1, 8))));
        let both = Price::approximate(ratio(1, 2), ratio(1, 1_000_000));
        assert_eq!("eps = 1/2, delta = 1e-6".parse(), Ok(both));
        assert_eq!("delta=1e-6,1/2".parse(), Ok(both));
    }

    #[test]
    fn what_is_no_price_is_refused_by_name() {
        for text in [
            "",
            "-1",
            "+1",
            "1/0",
            "1/",
            "/2",
            "1/-2",
            "1 2",
            ".",
            "e3",
            "1e",
            "1e999",
            "1e-999",
            "0x10",
            "sigma = 1",
            "1/2, 1/2",
            "eps = 1, rho = 1",
            "rho = 1, delta = 1e-6",
            "eps = 1, rho = 1, delta = 1e-6",
            "delta = 1e-6",
            "340282366920938463463374607431768211456",
        ] {
            let error = text.parse::<Price>().expect_err(text);
            assert_eq!(
                error.to_string(),
                format!(
                    "`{text}` is not a price; write `1/2`, `0.5`, `rho = 1/8` or `eps = 1/2, delta = 1e-6`"
                )
            );
        }
    }

    #[test]
    fn deltas_are_short_decimals_where_they_are() {
        let small = |numer, denom| Small(ratio(numer, denom)).to_string();
        assert_eq!(small(0, 1), "0");
        assert_eq!(small(1, 1), "1e-0");
        assert_eq!(small(1, 1_000_000), "1e-6");
        assert_eq!(small(25, 1_000), "25e-3");
        assert_eq!(small(1, 3), "1/3");
        // 2^36 divides 10^36, and 2^37 does not divide any power of ten that is tried.
        assert_eq!(small(1, 1 << 36), format!("{}e-36", 5_u128.pow(36)));
        assert_eq!(small(1, 1 << 37), format!("1/{}", 1_u128 << 37));
        // Its digits would need more than 128 bits.
        assert_eq!(
            small(u128::MAX, 1 << 30),
            format!("{}/{}", u128::MAX, 1 << 30)
        );
    }

    #[test]
    fn each_notion_has_its_own_parts() {
        let (epsilon, delta) = (ratio(1, 2), ratio(1, 1_000_000));
        let (pure, zcdp) = (Price::pure(epsilon), Price::zcdp(epsilon));
        let both = Price::approximate(epsilon, delta);
        let parts = |p: Price| (p.epsilon(), p.rho(), p.delta(), p.is_pure());
        assert_eq!(parts(pure), (Some(epsilon), None, Some(Ratio::ZERO), true));
        assert_eq!(parts(zcdp), (None, Some(epsilon), None, false));
        assert_eq!(parts(both), (Some(epsilon), None, Some(delta), false));
    }

    #[test]
    fn a_price_without_denominator_is_infinite_and_others_are_reduced() {
        let infinite = Price::pure(Ratio::new_raw(1, 0));
        assert_eq!(infinite, Price::pure(u128::MAX.into()));
        assert_eq!(Price::zcdp(Ratio::new_raw(2, 4)), Price::zcdp(ratio(1, 2)));
    }

    #[test]
    fn the_meaning_names_the_number() {
        let attacker = "whatever an attacker believed before, what they conclude with and without \
                        one person's record differs by a factor of at most";
        let meaning = |text: &str| text.parse::<Price>().unwrap().meaning();
        assert_eq!(meaning("1/2"), format!("{attacker} e^(2ε) = 2.72"));
        assert_eq!(
            meaning("eps = 1, delta = 1e-6"),
            format!("{attacker} e^(2ε) = 7.39, except for events of probability about δ = 1e-6")
        );
        assert!(meaning("rho = 1/8").contains("mean at most ρ = 1/8 and"));
    }

    #[test]
    fn factors_are_never_understated() {
        assert_eq!(above(2.701), "2.71");
        assert_eq!(above(999.991), "1000.00");
        assert_eq!(above(1000.0), "1.1e3");
        assert_eq!(above(22_026.47), "2.3e4");
        assert_eq!(above(9_949.0), "1.0e4");
        assert_eq!(above(f64::INFINITY), "inf");
        for tenth in 0..400 {
            let factor = (f64::from(tenth) / 10.0).exp();
            let shown: f64 = above(factor).parse().unwrap();
            assert!(
                factor <= shown && shown <= factor * 1.11,
                "{shown} for {factor}"
            );
        }
    }

    #[test]
    fn only_nothing_has_the_factor_one() {
        let factor = |text: &str| text.parse::<Price>().unwrap().factor();
        assert_eq!(factor("0").as_deref(), Some("1.00"));
        assert_eq!(factor("eps = 0, delta = 1e-6").as_deref(), Some("1.00"));
        // To the nearest hundredth they would be 1.00.
        assert_eq!(factor("1e-30").as_deref(), Some("1.01"));
        assert_eq!(factor("1e-12").as_deref(), Some("1.01"));
        assert_eq!(factor("5").as_deref(), Some("2.3e4"));
        assert_eq!(factor("rho = 1/8"), None);
    }
}
