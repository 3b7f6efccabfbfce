//! Private Lloyd: k-means in a fixed number of noisy rounds.

use crate::cost::Split;
use crate::data::{Record, Table};
use crate::expr::{Over, Point};
use crate::mechanism::Mechanism;
use crate::query::{Contributions, Neighbours, Rows, Selection};

/// Steps per unit of the grid on which points are summed.
const GRID: u32 = 1 << 16;

/// k-means with `K` centres in `T` rounds, by Lloyd's method
/// ([T9](crate::guide::theory#t9-private-k-means)).
///
/// # Claim
///
/// `kmeans::<K, T>().of(..)` costs `E`. *Compiler-verified:* all of it; this is a composition of
/// public parts. *Caller-verified:* nothing.
///
/// # Why it holds
///
/// Each round releases the sizes of the clusters (a histogram) and the sums of their points, which
/// are clipped to L1 norm 1: each costs E/(2T), and there are 2T of them. Dividing one by the other
/// and drawing an empty cluster's centre anew is post-processing. Scales are (2T/ε) under
/// `AddRemove` and twice that under `Replace`.
///
/// # Example
///
/// ```
/// use privet::algorithms::{Clusters, kmeans};
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Shop { place: [f64; 2] }
///
/// /// Two centres in five rounds, ten releases: all of ε = 1.
/// fn centres() -> Mechanism<Table<Shop>, Clusters<2, 2>, Eps<1, 1>> {
///     kmeans::<2, 5>().from([[0.1, 0.1], [-0.1, -0.1]]).of(rows::<Shop>(), |s| s.place)
/// }
///
/// # fn main() -> privet::Result<()> {
/// let shops = (0..8_000).map(|i| Shop { place: if i % 2 == 0 { [0.3, 0.5] } else { [-0.4, 0.2] } });
/// let vault: Vault<Table<Shop>, Eps<1, 1>> = Vault::open(shops);
/// let (clusters, vault) = vault.release(centres())?;
/// let [[x, y], _] = clusters.centres();
/// assert!((x - 0.3).abs() < 0.1 && (y - 0.5).abs() < 0.1); // 40 scales of the noise, and more
/// # drop(vault); Ok(()) }
/// ```
///
/// # Overspending does not compile
///
/// ```compile_fail,E0277
/// # use privet::algorithms::{Clusters, kmeans};
/// # use privet::prelude::*;
/// # #[derive(Record)] struct Shop { place: [f64; 2] }
/// # fn centres() -> Mechanism<Table<Shop>, Clusters<2, 2>, Eps<1, 1>> {
/// #     kmeans::<2, 5>().from([[0.1, 0.1], [-0.1, -0.1]]).of(rows::<Shop>(), |s| s.place)
/// # }
/// # fn main() -> privet::Result<()> {
/// # let shops = (0..8_000).map(|i| Shop { place: if i % 2 == 0 { [0.3, 0.5] } else { [-0.4, 0.2] } });
/// let vault: Vault<Table<Shop>, Eps<1, 2>> = Vault::open(shops);
/// let (clusters, vault) = vault.release(centres())?;
/// # drop(vault); Ok(()) }
/// ```
#[must_use = "name the points with `.of(rows, |row| row.point)`"]
#[derive(Clone, Copy, Debug)]
pub struct KMeans<const K: usize, const T: usize, Start = Anywhere>(Start);

/// Centres that start anywhere in the unit ball.
#[derive(Clone, Copy, Debug)]
pub struct Anywhere;

/// k-means with `K` centres in `T` rounds: see [`KMeans`].
pub fn kmeans<const K: usize, const T: usize>() -> KMeans<K, T> {
    KMeans(Anywhere)
}

impl<const K: usize, const T: usize> KMeans<K, T> {
    /// Starts from public centres. Without them it starts from points of a fixed sequence.
    pub fn from<const D: usize>(self, centres: [[f64; D]; K]) -> KMeans<K, T, [[f64; D]; K]> {
        KMeans(centres)
    }

    /// The points to cluster: a column of vectors of L1 norm at most 1. Longer ones are clipped.
    pub fn of<R, Rel, S, X, const D: usize, E>(
        self,
        rows: Rows<R, Rel, S>,
        point: impl Fn(R::Columns) -> X + Send + Sync + 'static,
    ) -> Mechanism<Table<R, Rel>, Clusters<K, D>, E>
    where
        R: Record,
        Rel: Neighbours,
        S: Selection<R> + Contributions<Rel> + Clone,
        X: Point<D> + Over<R>,
        E: Split<T, Part: Split<2>>,
    {
        let start = core::array::from_fn(|k| anywhere(k as u64));
        self.from(start).of(rows, point)
    }
}

impl<const K: usize, const T: usize, const D: usize> KMeans<K, T, [[f64; D]; K]> {
    /// The points to cluster: a column of vectors of L1 norm at most 1. Longer ones are clipped.
    pub fn of<R, Rel, S, X, E>(
        self,
        rows: Rows<R, Rel, S>,
        point: impl Fn(R::Columns) -> X + Send + Sync + 'static,
    ) -> Mechanism<Table<R, Rel>, Clusters<K, D>, E>
    where
        R: Record,
        Rel: Neighbours,
        S: Selection<R> + Contributions<Rel> + Clone,
        X: Point<D> + Over<R>,
        E: Split<T, Part: Split<2>>,
    {
        let start = Clusters {
            rounds: vec![self.0],
            sizes: [0.0; K],
        };
        Mechanism::iterate::<T>(start, move |clusters, round| {
            let centres = clusters.centres();
            let sizes = rows
                .clone()
                .histogram(|r| point(r).nearest(centres))
                .laplace::<<E::Part as Split<2>>::Part>();
            let sums = rows
                .clone()
                .vector_sums(
                    |r| point(r).nearest(centres),
                    |r| point(r).grid::<GRID>().clip_l1::<1>(),
                )
                .laplace();
            Mechanism::all((sizes, sums))
                .map(move |(sizes, sums)| clusters.clone().next(&sizes, &sums, round))
                .at_most()
        })
        .at_most()
        .named(format!("k-means: {K} centres, {T} rounds"))
    }
}

/// What every round of [`KMeans`] released.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters<const K: usize, const D: usize> {
    rounds: Vec<[[f64; D]; K]>,
    sizes: [f64; K],
}

#[cfg(any(feature = "ledger", feature = "serde"))]
crate::stored::stored! {
    [const K: usize, const D: usize] Clusters<K, D> {
        rounds as crate::stored::List<crate::stored::List<crate::stored::List<crate::stored::Number>>>,
        sizes as crate::stored::List<crate::stored::Number>,
    }
}

impl<const K: usize, const D: usize> Clusters<K, D> {
    /// The centres after the last round.
    #[must_use]
    pub fn centres(&self) -> [[f64; D]; K] {
        self.rounds.last().copied().unwrap_or([[0.0; D]; K])
    }

    /// The mean of the centres after each of the `last` rounds: less noise, for free.
    #[must_use]
    pub fn averaged(&self, last: usize) -> [[f64; D]; K] {
        let last = last.clamp(1, self.rounds.len());
        let rounds = &self.rounds[self.rounds.len() - last..];
        let mean = |k: usize, d: usize| rounds.iter().map(|r| r[k][d]).sum::<f64>() / last as f64;
        core::array::from_fn(|k| core::array::from_fn(|d| mean(k, d)))
    }

    /// The centres before the first round and after each.
    #[must_use]
    pub fn rounds(&self) -> &[[[f64; D]; K]] {
        &self.rounds
    }

    /// The noisy sizes that the last round saw.
    #[must_use]
    pub fn sizes(&self) -> [f64; K] {
        self.sizes
    }

    /// Post-processing of a round's answers.
    fn next(mut self, sizes: &[i64], sums: &[[f64; D]], round: usize) -> Self {
        let centre = |k: usize| match sizes[k] {
            ..1 => anywhere((K * (round + 1) + k) as u64),
            size => sums[k].map(|sum| (sum / size as f64).clamp(-1.0, 1.0)),
        };
        self.rounds.push(core::array::from_fn(centre));
        self.sizes = core::array::from_fn(|k| sizes[k] as f64);
        self
    }
}

/// The point of a fixed pseudo-random sequence, uniform in the ball of L1 norm 1: D of D + 1
/// exponential numbers over their sum, with random signs.
fn anywhere<const D: usize>(index: u64) -> [f64; D] {
    let mut state = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut word = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut exponential = || -(((word() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64).ln();
    let rest = exponential();
    let lengths: [f64; D] = core::array::from_fn(|_| exponential());
    let whole = rest + lengths.iter().sum::<f64>();
    lengths.map(|x| {
        if word() % 2 == 0 {
            x / whole
        } else {
            -x / whole
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anywhere_is_in_the_unit_ball_and_on_all_sides() {
        let points: Vec<[f64; 3]> = (0..1_000).map(anywhere).collect();
        assert!(
            points
                .iter()
                .all(|p| p.iter().map(|x| x.abs()).sum::<f64>() <= 1.0)
        );
        for d in 0..3 {
            let mean = points.iter().map(|p| p[d]).sum::<f64>() / 1_000.0;
            assert!(mean.abs() < 0.05, "{mean}");
        }
    }

    #[test]
    fn an_empty_cluster_is_drawn_anew_and_others_are_means() {
        let start = Clusters {
            rounds: vec![[[0.0]; 2]],
            sizes: [0.0; 2],
        };
        let next = start.next(&[0, 4], &[[9.0], [2.0]], 0);
        assert_eq!(next.centres()[1], [0.5]);
        assert!(next.centres()[0][0].abs() <= 1.0);
        assert_eq!(next.averaged(2)[1], [0.25]);
    }
}
