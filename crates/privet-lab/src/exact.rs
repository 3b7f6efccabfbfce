//! Exact checks: every output of every pair of small neighbours, in rationals.
//!
//! A [`Law`] states the probability with which a mechanism gives each output. [`check`] compares it
//! with a [`Bound`] on all of its neighbours and outputs. No rounding can change the verdict.

mod enclosure;
mod expsum;
mod moment;

use std::cmp::Ordering;
use std::fmt;

use num_traits::{One, Signed, Zero};
use privet::Price;

pub use enclosure::Enclosure;
pub(crate) use expsum::ratio;
pub use expsum::{ExpSum, Rational};
pub use moment::Moment;
use moment::Side;

/// The output law of a mechanism on small inputs.
///
/// ```
/// use privet_lab::exact::{Bound, Enclosure, Law, Verdict, check};
///
/// /// Tells the truth three times in four.
/// struct ThreeInFour;
///
/// impl Law for ThreeInFour {
///     type Input = bool;
///     type Output = bool;
///     fn neighbours(&self) -> Vec<(bool, bool)> {
///         vec![(false, true)]
///     }
///     fn outputs(&self, _: &bool, _: &bool) -> Vec<bool> {
///         vec![false, true]
///     }
///     fn probability(&self, input: &bool, output: &bool) -> Enclosure {
///         Enclosure::ratio(if input == output { 3 } else { 1 }, 4)
///     }
/// }
///
/// // It costs ln 3, and not any less.
/// assert_eq!(check(&ThreeInFour, &Bound::ln(3, 1)), Verdict::Holds { tight: true });
/// assert!(matches!(check(&ThreeInFour, &Bound::pure(109, 100)), Verdict::Violated(_)));
/// ```
pub trait Law {
    /// A data set.
    type Input: Clone + fmt::Debug;
    /// What is released.
    type Output: Clone + fmt::Debug;

    /// Pairs of neighbours, each in one order.
    fn neighbours(&self) -> Vec<(Self::Input, Self::Input)>;

    /// The outputs to compare on a pair of neighbours, in either order, each once.
    fn outputs(&self, left: &Self::Input, right: &Self::Input) -> Vec<Self::Output>;

    /// The probability of `output` on `input`.
    fn probability(&self, input: &Self::Input, output: &Self::Output) -> Enclosure;

    /// What the list of outputs leaves out. By default that is nothing.
    fn rest(&self, left: &Self::Input, right: &Self::Input) -> Rest {
        let _ = (left, right);
        Rest::nothing()
    }

    /// The moments Σ p^α·q^{1−α} of `left` against `right`, and of `right` against `left`, at the
    /// order α > 1: what zCDP bounds.
    ///
    /// The default sums over the outputs; a law may know a better way. What was left out is accounted
    /// for if it is [like the edge](Rest::like_the_edge).
    fn moments(&self, left: &Self::Input, right: &Self::Input, order: &Rational) -> [Moment; 2] {
        Moment::summed(self, left, right, order)
    }
}

/// What an enumeration of outputs leaves out.
#[derive(Clone, Debug)]
pub struct Rest {
    mass: Rational,
    like_edge: bool,
}

impl Rest {
    /// A bound on the probability of what was left out.
    #[must_use]
    pub fn mass(&self) -> Rational {
        self.mass.clone()
    }

    fn is_like_the_edge(&self) -> bool {
        self.like_edge
    }

    /// What is left out of pairs of independent outputs: their ratios are products of ratios.
    pub(crate) fn or(self, other: Self) -> Self {
        Rest {
            mass: self.mass + other.mass,
            like_edge: self.like_edge & other.like_edge,
        }
    }

    /// All outputs were listed.
    #[must_use]
    pub fn nothing() -> Self {
        Rest {
            mass: Rational::zero(),
            like_edge: true,
        }
    }

    /// Outputs of at most this probability in total, on either input, were left out.
    #[must_use]
    pub fn at_most(mass: Rational) -> Self {
        Rest {
            mass,
            like_edge: false,
        }
    }

    /// Like [`at_most`](Rest::at_most), where the author of the law argues that each of them has the
    /// same ratio of probabilities as some listed output.
    #[must_use]
    pub fn like_the_edge(mass: Rational) -> Self {
        Rest {
            mass,
            like_edge: true,
        }
    }
}

/// What a mechanism claims: p ≤ e^ε·p' + δ, or ρ in zCDP.
#[derive(Clone, Debug)]
pub struct Bound {
    factor: ExpSum,
    delta: Rational,
    /// ρ, and the orders at which it is checked.
    concentrated: Option<(Rational, Vec<Rational>)>,
}

/// The orders at which ρ is checked: just above 1, 3/2, 2, 4, 16 and 64.
const ORDERS: [(i64, i64); 6] = [(1025, 1024), (3, 2), (2, 1), (4, 1), (16, 1), (64, 1)];

impl Bound {
    fn new(factor: ExpSum, delta: Rational) -> Self {
        Bound {
            factor,
            delta,
            concentrated: None,
        }
    }

    /// ε = `num`/`den`.
    #[must_use]
    pub fn pure(num: i64, den: i64) -> Self {
        Self::new(ExpSum::exp(num, den), Rational::zero())
    }

    /// ε = ln(`num`/`den`).
    #[must_use]
    pub fn ln(num: i64, den: i64) -> Self {
        Self::new(ExpSum::ratio(num, den), Rational::zero())
    }

    /// The same ε with δ = `num`/`den`. Not for zCDP, which has a δ for every ε.
    #[must_use]
    pub fn and_delta(mut self, num: i64, den: i64) -> Self {
        self.delta = ratio(num, den);
        self
    }

    /// ρ = `num`/`den` in zCDP: Rényi divergences of order α are at most ρα.
    ///
    /// Checked at the orders 1 + 1/1024, 3/2, 2, 4, 16 and 64, by Σ p^α·q^{1−α} ≤ e^{α(α−1)ρ}.
    /// That sum is convex in α on a logarithmic scale, so between two of them, a and b, the
    /// divergence is at most ρα + ρ(α − a)(b − α)/(α − 1). Beyond the last order nothing is shown.
    ///
    /// ```
    /// use privet_lab::exact::{Bound, Verdict, check};
    /// use privet_lab::laws::{DiscreteGaussian, DiscreteLaplace};
    ///
    /// // Variance 4 on a count costs 1/8, and not any less.
    /// let gaussian = DiscreteGaussian::new((4, 1), 1, 60);
    /// assert_eq!(check(&gaussian, &Bound::rho(1, 8)), Verdict::Holds { tight: true });
    /// assert!(check(&gaussian, &Bound::rho(124, 1000)).is_violated());
    ///
    /// // ε = 1 implies ρ = 1/2; a quarter would be too little.
    /// let laplace = DiscreteLaplace { scale: (1, 1), sensitivity: 1, reach: 60 };
    /// assert!(check(&laplace, &Bound::rho(1, 2)).holds());
    /// assert!(check(&laplace, &Bound::rho(1, 4)).is_violated());
    /// ```
    #[must_use]
    pub fn rho(num: i64, den: i64) -> Self {
        Self::concentrated(ratio(num, den))
    }

    /// The same ρ, checked at these orders.
    #[must_use]
    pub fn at_orders(mut self, orders: &[(i64, i64)]) -> Self {
        if let Some((_, at)) = &mut self.concentrated {
            *at = orders.iter().map(|&(num, den)| ratio(num, den)).collect();
        }
        self
    }

    fn concentrated(rho: Rational) -> Self {
        let mut bound = Self::new(ExpSum::default(), Rational::zero());
        bound.concentrated = Some((rho, Vec::new()));
        bound.at_orders(&ORDERS)
    }

    /// What a price of `privet` claims.
    #[must_use]
    pub fn of(price: &Price) -> Self {
        let wide = |r: privet::Ratio<u128>| Rational::new((*r.numer()).into(), (*r.denom()).into());
        match (price.rho(), price.epsilon()) {
            (Some(rho), _) => Self::concentrated(wide(rho)),
            (None, epsilon) => Self::new(
                ExpSum::term(ratio(1, 1), epsilon.map(wide).unwrap_or_default()),
                price.delta().map(wide).unwrap_or_default(),
            ),
        }
    }
}

/// What an exact check found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// The bound holds on all neighbours and outputs of the law. A zCDP bound holds at all its orders.
    Holds {
        /// Whether some output or order attains the bound, so that no smaller bound holds.
        tight: bool,
    },
    /// The bound is broken.
    Violated(Box<Witness>),
    /// The enclosures were too wide, the rest too large, or the law is not a distribution.
    Undecided(String),
}

impl Verdict {
    /// Whether the bound was shown to hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(self, Verdict::Holds { .. })
    }

    /// Whether the bound was shown to be broken.
    #[must_use]
    pub fn is_violated(&self) -> bool {
        matches!(self, Verdict::Violated(_))
    }
}

/// Where a bound is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The data set on which the event is likely.
    pub likely_on: String,
    /// Its neighbour.
    pub rare_on: String,
    /// The event: one output, with δ the outputs whose ratio exceeds e^ε, or the order of a Rényi
    /// divergence.
    pub event: String,
    /// The probabilities, or the divergence and its bound, for display.
    pub probabilities: String,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds { tight: true } => f.write_str("holds, and is attained"),
            Verdict::Holds { tight: false } => f.write_str("holds"),
            Verdict::Violated(w) => write!(
                f,
                "violated: {} {} on {} and its neighbour {}",
                w.event, w.probabilities, w.likely_on, w.rare_on
            ),
            Verdict::Undecided(why) => write!(f, "undecided: {why}"),
        }
    }
}

/// Compares a law with a bound on all of its neighbours, in both orders.
///
/// With δ = 0 every output is compared; with δ the worst event of each pair, which is the set of
/// outputs with p > e^ε·p'; in zCDP the moments at some orders, see [`Bound::rho`].
pub fn check<L: Law>(law: &L, bound: &Bound) -> Verdict {
    if let Some((rho, orders)) = &bound.concentrated {
        return if bound.delta.is_zero() {
            concentration(law, rho, orders)
        } else {
            Verdict::Undecided("there is no δ in zCDP".into())
        };
    }
    if bound.delta.is_negative() {
        return Verdict::Undecided("δ is below zero".into());
    }
    let mut tight = false;
    let mut open = None;
    for (left, right) in law.neighbours() {
        let outputs = law.outputs(&left, &right);
        let rest = law.rest(&left, &right);
        let of = |input| -> Vec<Enclosure> {
            outputs
                .iter()
                .map(|output| law.probability(input, output))
                .collect()
        };
        let (p, q) = (of(&left), of(&right));
        for (input, law) in [(&left, &p), (&right, &q)] {
            if !is_distribution(law, &rest) {
                return Verdict::Undecided(format!("the law on {input:?} is not a distribution"));
            }
        }
        let orders = [(&left, &right, &p, &q), (&right, &left, &q, &p)];
        for (likely, rare, p, q) in orders {
            let found = if bound.delta.is_zero() {
                pointwise(&outputs, p, q, bound, &rest)
            } else {
                worst_event(&outputs, p, q, bound, &rest)
            };
            match found {
                Found::Within { attained } => tight |= attained,
                Found::Open(why) => open = Some(format!("{why}, on {likely:?} and {rare:?}")),
                Found::Broken {
                    event,
                    probabilities,
                } => {
                    return Verdict::Violated(Box::new(Witness {
                        likely_on: format!("{likely:?}"),
                        rare_on: format!("{rare:?}"),
                        event,
                        probabilities,
                    }));
                }
            }
        }
    }
    match open {
        Some(why) => Verdict::Undecided(why),
        None => Verdict::Holds { tight },
    }
}

/// Compares the moments of a law with e^{α(α−1)ρ}.
fn concentration<L: Law>(law: &L, rho: &Rational, orders: &[Rational]) -> Verdict {
    let one = Rational::one();
    if rho.is_negative() || orders.is_empty() || orders.iter().any(|order| *order <= one) {
        return Verdict::Undecided("ρ is below zero, or an order is not above 1".into());
    }
    let mut tight = false;
    let mut open = None;
    for (left, right) in law.neighbours() {
        for order in orders {
            let most = order * (order - &one) * rho;
            let [there, back] = law.moments(&left, &right, order);
            for (moment, likely, rare) in [(there, &left, &right), (back, &right, &left)] {
                match moment.against(&most) {
                    Ok(Side::Below) => {}
                    Ok(Side::At) => tight = true,
                    Ok(Side::Above) => {
                        let [alpha, rho] = [order, rho].map(expsum::float);
                        return Verdict::Violated(Box::new(Witness {
                            likely_on: format!("{likely:?}"),
                            rare_on: format!("{rare:?}"),
                            event: format!("the divergence of order {order}"),
                            probabilities: format!(
                                "is {:.6e}, above ρα = {:.6e},",
                                moment.divergence(alpha),
                                alpha * rho
                            ),
                        }));
                    }
                    Err(why) => {
                        open = Some(format!(
                            "{why}, at order {order}, on {likely:?} and {rare:?}"
                        ));
                    }
                }
            }
        }
    }
    match open {
        Some(why) => Verdict::Undecided(why),
        None => Verdict::Holds { tight },
    }
}

enum Found {
    Within {
        attained: bool,
    },
    Open(String),
    Broken {
        event: String,
        probabilities: String,
    },
}

/// Whether probabilities and rest can add up to 1.
fn is_distribution(law: &[Enclosure], rest: &Rest) -> bool {
    let total = law
        .iter()
        .cloned()
        .fold(Enclosure::ratio(0, 1), |a, b| a + b);
    let one = ratio(1, 1);
    let not_negative = law.iter().all(|p| !p.upper().is_negative());
    not_negative && total.lower() <= one && total.upper() + &rest.mass >= one
}

fn pointwise<O: fmt::Debug>(
    outputs: &[O],
    p: &[Enclosure],
    q: &[Enclosure],
    bound: &Bound,
    rest: &Rest,
) -> Found {
    let mut attained = false;
    let mut open = None;
    for ((output, p), q) in outputs.iter().zip(p).zip(q) {
        match p.compare(&bound.factor, q) {
            Some(Ordering::Less) => {}
            // 0 = e^ε·0 does not count as attained.
            Some(Ordering::Equal) => attained |= p.is_positive(),
            Some(Ordering::Greater) => {
                return Found::Broken {
                    event: format!("{output:?}"),
                    probabilities: format!("has probabilities {p} and {q}"),
                };
            }
            None => open = Some(format!("the enclosures of {output:?} overlap")),
        }
    }
    match open {
        Some(why) => Found::Open(why),
        None if rest.like_edge => Found::Within { attained },
        None => Found::Open("outputs were left out".into()),
    }
}

fn worst_event<O: fmt::Debug>(
    outputs: &[O],
    p: &[Enclosure],
    q: &[Enclosure],
    bound: &Bound,
    rest: &Rest,
) -> Found {
    let Some(factor) = Enclosure::of(bound.factor.clone(), ExpSum::ratio(1, 1)) else {
        return Found::Open("ε is out of range".into());
    };
    let mut total = Enclosure::ratio(0, 1);
    let mut event = Vec::new();
    let mut exact = ExpSumTotal::default();
    for ((output, p), q) in outputs.iter().zip(p).zip(q) {
        let excess = p.clone() - factor.clone() * q.clone();
        if excess.is_positive() {
            event.push(format!("{output:?}"));
        }
        exact.add(p, q, bound);
        total = total + excess.positive_part();
    }
    let probability = format!("has {total} in excess of e^ε·p', against δ");
    let with_rest = total.widened(&Enclosure::exactly(rest.mass.clone()));
    match with_rest.at_most(&bound.delta) {
        Some(true) => Found::Within {
            attained: with_rest.lower() >= bound.delta,
        },
        Some(false) => Found::Broken {
            event: format!("one of [{}]", event.join(", ")),
            probabilities: probability,
        },
        None => match exact.decide(bound, rest) {
            Some(Ordering::Less) => Found::Within { attained: false },
            Some(Ordering::Equal) => Found::Within { attained: true },
            Some(Ordering::Greater) => Found::Broken {
                event: format!("one of [{}]", event.join(", ")),
                probabilities: probability,
            },
            None => Found::Open("the enclosure of the excess overlaps δ".into()),
        },
    }
}

/// The excess Σ (p − e^ε·p')⁺ as a quotient of sums of exponentials, where it can be computed.
struct ExpSumTotal(Option<(ExpSum, ExpSum)>);

impl Default for ExpSumTotal {
    fn default() -> Self {
        ExpSumTotal(Some((ExpSum::default(), ExpSum::ratio(1, 1))))
    }
}

impl ExpSumTotal {
    fn add(&mut self, p: &Enclosure, q: &Enclosure, bound: &Bound) {
        let Some((num, den)) = self.0.take() else {
            return;
        };
        self.0 = (|| match p.compare(&bound.factor, q)? {
            Ordering::Greater => {
                let ((a, b), (c, d)) = (p.closed_form()?, q.closed_form()?);
                // a/b − e^ε·c/d, added to num/den; equal denominators stay.
                let more = a.clone() * d.clone() - bound.factor.clone() * c.clone() * b.clone();
                let below = b.clone() * d.clone();
                if below == den {
                    return Some((num + more, den));
                }
                Some((num * below.clone() + more * den.clone(), den * below))
            }
            _ => Some((num, den)),
        })();
    }

    fn decide(&self, bound: &Bound, rest: &Rest) -> Option<Ordering> {
        let (num, den) = self.0.as_ref()?;
        let excess = num.clone() + ExpSum::rational(rest.mass.clone()) * den.clone();
        let order = excess.compare(&(ExpSum::rational(bound.delta.clone()) * den.clone()))?;
        // With a rest, this shows only "at most".
        if rest.mass.is_zero() || order == Ordering::Less {
            Some(order)
        } else {
            None
        }
    }
}
