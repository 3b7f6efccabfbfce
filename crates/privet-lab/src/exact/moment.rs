//! Sums of p^α·q^{1−α}, which zCDP bounds.

use num_traits::{One, Signed, Zero};

use super::expsum::{Rational, float, ratio};
use super::{Enclosure, Law, is_distribution};

/// Exponents are compared to e^±LIMIT at most: further out only one answer is possible.
const LIMIT: i64 = 8000;

/// The moment Σ p^α·q^{1−α} of two laws, as rational bounds times e^x with a rational x.
///
/// It is e^{(α−1)·D}, where D is the Rényi divergence of order α of p from q. The exponent is kept
/// apart since at large orders the moments have thousands of digits.
///
/// ```
/// use privet_lab::exact::{Enclosure, Moment, Rational};
///
/// // Independent releases multiply: divergences add.
/// let one = Moment::new(Enclosure::ratio(1, 1), Rational::new(1.into(), 4.into()));
/// assert_eq!((one.clone() * one).divergence(2.0), 0.5);
/// ```
#[derive(Clone, Debug)]
pub struct Moment(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Finite {
        factor: Enclosure,
        exponent: Rational,
        /// Whether outputs were left out, so that only the lower bound counts.
        partial: bool,
    },
    Infinite,
    Unknown(String),
}

/// How a moment compares with e^x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    At,
    Above,
}

impl Moment {
    /// `factor`·e^`exponent`.
    #[must_use]
    pub fn new(factor: Enclosure, exponent: Rational) -> Self {
        Moment(Kind::Finite {
            factor,
            exponent,
            partial: false,
        })
    }

    /// Some output is possible under p and impossible under q.
    #[must_use]
    pub fn infinite() -> Self {
        Moment(Kind::Infinite)
    }

    /// A moment about which nothing is known, with the reason.
    #[must_use]
    pub fn unknown(why: impl Into<String>) -> Self {
        Moment(Kind::Unknown(why.into()))
    }

    /// About the divergence of this order, for display.
    #[must_use]
    pub fn divergence(&self, order: f64) -> f64 {
        match &self.0 {
            Kind::Finite {
                factor, exponent, ..
            } => (factor.to_f64().ln() + float(exponent)) / (order - 1.0),
            Kind::Infinite => f64::INFINITY,
            Kind::Unknown(_) => f64::NAN,
        }
    }

    /// On which side of e^`bound` it is, or why that is undecided.
    pub(super) fn against(&self, bound: &Rational) -> Result<Side, String> {
        let (factor, exponent, partial) = match &self.0 {
            Kind::Finite {
                factor,
                exponent,
                partial,
            } => (factor, exponent, *partial),
            Kind::Infinite => return Ok(Side::Above),
            Kind::Unknown(why) => return Err(why.clone()),
        };
        let gap = bound - exponent;
        let one = Rational::one();
        let (low, high, far) = if gap.is_zero() {
            (one.clone(), one, false)
        } else {
            let limit = ratio(LIMIT, 1);
            let near = gap.clone().clamp(-limit.clone(), limit);
            let Some(target) = Enclosure::exp(&near) else {
                return Err("an exponent is out of range".into());
            };
            (target.lower(), target.upper(), near != gap)
        };
        // Only one side is known of a bound that is further out than e^±LIMIT.
        if factor.lower() > high && !(far && gap.is_positive()) {
            return Ok(Side::Above);
        }
        if partial {
            return Err("outputs were left out".into());
        }
        if factor.upper() <= low && !(far && gap.is_negative()) {
            let attained = gap.is_zero() && factor.lower() >= low;
            return Ok(if attained { Side::At } else { Side::Below });
        }
        Err("the enclosure of the moment overlaps its bound".into())
    }

    /// Both moments of a law, by summing over its outputs: of `left` against `right`, and back.
    pub(super) fn summed<L: Law + ?Sized>(
        law: &L,
        left: &L::Input,
        right: &L::Input,
        order: &Rational,
    ) -> [Self; 2] {
        let outputs = law.outputs(left, right);
        let rest = law.rest(left, right);
        let of = |input| -> Vec<Enclosure> {
            let one = |output| law.probability(input, output);
            outputs.iter().map(one).collect()
        };
        let (p, q) = (of(left), of(right));
        for (input, law) in [(left, &p), (right, &q)] {
            if !is_distribution(law, &rest) {
                let why = format!("the law on {input:?} is not a distribution");
                return [Self::unknown(why.clone()), Self::unknown(why)];
            }
        }
        let too_wide = || Self::unknown("the probabilities are not enclosed well enough");
        let scaled = |law: &[Enclosure]| -> Option<Vec<Scaled>> {
            law.iter().map(Enclosure::scaled).collect()
        };
        let (Some(p), Some(q)) = (scaled(&p), scaled(&q)) else {
            return [too_wide(), too_wide()];
        };
        [(&p, &q), (&q, &p)].map(|(p, q)| sum(p, q, order, &rest).unwrap_or_else(too_wide))
    }
}

/// A probability as a factor times e^x.
type Scaled = (Enclosure, Rational);

/// Σ p^α·q^{1−α} over listed outputs, and what those left out can add.
fn sum(p: &[Scaled], q: &[Scaled], order: &Rational, rest: &super::Rest) -> Option<Moment> {
    let less_one = order - Rational::one();
    // p·(p/q)^{α−1} and (p/q)^{α−1}, each as a factor and the exponent of e.
    let mut terms = Vec::new();
    let mut ratios = Vec::new();
    for ((p, x), (q, y)) in p.iter().zip(q) {
        if p.is_zero() {
            continue;
        }
        if q.is_zero() && p.is_positive() {
            return Some(Moment::infinite());
        }
        let power = p.over(q)?.power(&less_one)?;
        let exponent = &less_one * (x - y);
        terms.push((p.clone() * power.clone(), x + &exponent));
        ratios.push((power, exponent));
    }
    let largest = terms.iter().chain(&ratios).map(|(_, x)| x).max()?.clone();
    let level = |(factor, x): (Enclosure, Rational)| -> Option<Enclosure> {
        Some(factor * Enclosure::exp(&(x - &largest))?)
    };
    let mut total = Enclosure::ratio(0, 1);
    for term in terms {
        total = total + level(term)?;
    }
    let mass = rest.mass();
    let partial = !mass.is_zero() && !rest.is_like_the_edge();
    if !mass.is_zero() && rest.is_like_the_edge() {
        // Their ratios are among those listed: at most their mass times the largest.
        let mut most = Rational::zero();
        for ratio in ratios {
            most = most.max(level(ratio)?.upper());
        }
        total = total.widened(&Enclosure::exactly(most * mass));
    }
    Some(Moment(Kind::Finite {
        factor: total,
        exponent: largest,
        partial,
    }))
}

/// The moment of two independent releases, which is the product of their moments.
impl std::ops::Mul for Moment {
    type Output = Moment;
    fn mul(self, other: Moment) -> Moment {
        match (self.0, other.0) {
            (Kind::Unknown(why), _) | (_, Kind::Unknown(why)) => Moment(Kind::Unknown(why)),
            // No moment is zero: by Jensen's inequality it is at least 1.
            (Kind::Infinite, _) | (_, Kind::Infinite) => Moment::infinite(),
            (
                Kind::Finite {
                    factor: a,
                    exponent: x,
                    partial: left,
                },
                Kind::Finite {
                    factor: b,
                    exponent: y,
                    partial: right,
                },
            ) => Moment(Kind::Finite {
                factor: a.times(b),
                exponent: x + y,
                partial: left | right,
            }),
        }
    }
}
