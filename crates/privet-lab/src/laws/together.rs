//! Several releases about the same data.

use crate::exact::{Enclosure, Law, Moment, Rational, Rest};

/// Two releases with independent noise about the same two data sets: their prices add
/// ([T10](privet::guide::theory#t10-composition-adds)).
///
/// ```
/// use privet_lab::exact::{Bound, check};
/// use privet_lab::laws::{DiscreteGaussian, Together};
///
/// let one = DiscreteGaussian::new((4, 1), 1, 60);
/// let two = Together(one.clone(), one);
/// assert!(check(&two, &Bound::rho(2, 8)).holds());
/// assert!(check(&two, &Bound::rho(1, 8)).is_violated());
/// ```
#[derive(Clone, Debug)]
pub struct Together<A, B>(
    /// One release.
    pub A,
    /// The other.
    pub B,
);

impl<A: Law, B: Law> Law for Together<A, B> {
    type Input = (A::Input, B::Input);
    type Output = (A::Output, B::Output);

    /// Any move of the one between neighbours may come with any move of the other.
    fn neighbours(&self) -> Vec<(Self::Input, Self::Input)> {
        let mut pairs = Vec::new();
        for (a, c) in self.0.neighbours() {
            for (b, d) in self.1.neighbours() {
                pairs.push(((a.clone(), b.clone()), (c.clone(), d.clone())));
                pairs.push(((a.clone(), d), (c.clone(), b)));
            }
        }
        pairs
    }

    fn outputs(&self, left: &Self::Input, right: &Self::Input) -> Vec<Self::Output> {
        let second = self.1.outputs(&left.1, &right.1);
        let first = self.0.outputs(&left.0, &right.0).into_iter();
        first
            .flat_map(|a| second.iter().map(move |b| (a.clone(), b.clone())))
            .collect()
    }

    fn probability(&self, input: &Self::Input, output: &Self::Output) -> Enclosure {
        let first = self.0.probability(&input.0, &output.0);
        first.times(self.1.probability(&input.1, &output.1))
    }

    fn rest(&self, left: &Self::Input, right: &Self::Input) -> Rest {
        let first = self.0.rest(&left.0, &right.0);
        first.or(self.1.rest(&left.1, &right.1))
    }

    /// The releases are independent, so this is the product.
    fn moments(&self, left: &Self::Input, right: &Self::Input, order: &Rational) -> [Moment; 2] {
        let [a, b] = self.0.moments(&left.0, &right.0, order);
        let [c, d] = self.1.moments(&left.1, &right.1, order);
        [a * c, b * d]
    }
}
