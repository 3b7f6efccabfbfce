//! Exact checks: every output of every pair of small neighbours, in rationals.
//!
//! A [`Law`] states with which probability a mechanism gives each output; [`check`] compares it
//! with a [`Bound`] on all of its neighbours and outputs, without rounding that could decide.

mod enclosure;
mod expsum;

use std::cmp::Ordering;
use std::fmt;

use num_traits::{Signed, Zero};
use privet::Price;

pub use enclosure::Enclosure;
pub(crate) use expsum::ratio;
pub use expsum::{ExpSum, Rational};

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
/// // It costs ln 3, and not a jot less.
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

    /// The outputs to compare on a pair of neighbours, each once.
    fn outputs(&self, left: &Self::Input, right: &Self::Input) -> Vec<Self::Output>;

    /// The probability of `output` on `input`.
    fn probability(&self, input: &Self::Input, output: &Self::Output) -> Enclosure;

    /// What the outputs leave out. Nothing, unless it says otherwise.
    fn rest(&self, left: &Self::Input, right: &Self::Input) -> Rest {
        let _ = (left, right);
        Rest::nothing()
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

    /// As [`at_most`](Rest::at_most), and the author of the law argues that each of them has the
    /// same ratio of probabilities as some listed output.
    #[must_use]
    pub fn like_the_edge(mass: Rational) -> Self {
        Rest {
            mass,
            like_edge: true,
        }
    }
}

/// What a mechanism claims: p ≤ e^ε·p' + δ.
#[derive(Clone, Debug)]
pub struct Bound {
    factor: ExpSum,
    delta: Rational,
}

impl Bound {
    /// ε = `num`/`den`.
    #[must_use]
    pub fn pure(num: i64, den: i64) -> Self {
        Bound {
            factor: ExpSum::exp(num, den),
            delta: Rational::zero(),
        }
    }

    /// ε = ln(`num`/`den`).
    #[must_use]
    pub fn ln(num: i64, den: i64) -> Self {
        Bound {
            factor: ExpSum::ratio(num, den),
            delta: Rational::zero(),
        }
    }

    /// The same ε with δ = `num`/`den`.
    #[must_use]
    pub fn and_delta(mut self, num: i64, den: i64) -> Self {
        self.delta = ratio(num, den);
        self
    }

    /// What a price of `privet` claims; `None` for one in zCDP.
    #[must_use]
    pub fn of(price: &Price) -> Option<Self> {
        let wide = |r: privet::Ratio<u128>| Rational::new((*r.numer()).into(), (*r.denom()).into());
        let epsilon = wide(price.epsilon()?);
        Some(Bound {
            factor: ExpSum::term(ratio(1, 1), epsilon),
            delta: price.delta().map(wide).unwrap_or_default(),
        })
    }
}

/// What an exact check found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// The bound holds on all neighbours and outputs of the law.
    Holds {
        /// Whether some output attains the bound: no smaller one holds.
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
    /// The event: one output, or with δ the outputs whose ratio exceeds e^ε.
    pub event: String,
    /// The probabilities, for display.
    pub probabilities: String,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds { tight: true } => f.write_str("holds, and is attained"),
            Verdict::Holds { tight: false } => f.write_str("holds"),
            Verdict::Violated(w) => write!(
                f,
                "violated: {} has probabilities {} on {} and its neighbour {}",
                w.event, w.probabilities, w.likely_on, w.rare_on
            ),
            Verdict::Undecided(why) => write!(f, "undecided: {why}"),
        }
    }
}

/// Compares a law with a bound on all of its neighbours, in both orders.
///
/// With δ = 0 every output is compared; with δ the worst event of each pair, which is the set of
/// outputs with p > e^ε·p'.
pub fn check<L: Law>(law: &L, bound: &Bound) -> Verdict {
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
            // 0 = e^ε·0 attains nothing.
            Some(Ordering::Equal) => attained |= p.is_positive(),
            Some(Ordering::Greater) => {
                return Found::Broken {
                    event: format!("{output:?}"),
                    probabilities: format!("{p} and {q}"),
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
    let probability = format!("{total} in excess of e^ε·p', against δ");
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

/// The excess Σ (p − e^ε·p')⁺ as a quotient of sums of exponentials, while it can be had.
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
        // With a rest, only "at most" is shown by this.
        if rest.mass.is_zero() || order == Ordering::Less {
            Some(order)
        } else {
            None
        }
    }
}
