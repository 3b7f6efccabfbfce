//! Tests sensitivity instead of trusting it: on every neighbour of small tables and many random ones.
//!
//! All of this works on rows that the caller supplies and therefore knows. Nothing here can look into a
//! vault.

use std::sync::Arc;

use crate::data::Data;
use crate::data::Record;
use crate::data::load::{LoadReport, Source};
use crate::data::plan::Plan;
use crate::data::{Division, Scan, TableData, TableQuery};
use crate::data::{Domain, OrderKey, Table};
use crate::error::Result;
use crate::expr::{Expr, Keyed};
use crate::query::{Blocks, HasL1, Neighbours, OneRow, Query, QueryKind, Selection};

/// Rows of the caller's own, as a vault would hold them.
pub struct Loaded<R: Record>(TableData<R>);

impl<R: Record> core::fmt::Debug for Loaded<R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

impl<R: Record> Loaded<R> {
    /// Takes rows apart into columns. The order in which each person's rows are kept is the same in every
    /// run of the program.
    pub fn new(rows: impl IntoIterator<Item = R>) -> Self {
        Loaded(TableData::from_rows(rows))
    }

    /// The same rows, where the order in which each person's rows are kept is made from a seed. A vault
    /// draws one when it opens.
    #[must_use]
    pub fn ordered_by(self, seed: u64) -> Self {
        Loaded(self.0.ordered_by(OrderKey::of_seed(seed)))
    }

    /// Reads rows as a vault would.
    ///
    /// # Errors
    ///
    /// If the source cannot be read.
    pub fn read<Rel: Neighbours>(source: impl Source<Table<R, Rel>>) -> Result<Self> {
        source.load(&mut LoadReport::default()).map(Loaded)
    }

    /// The rows of one block, as a mechanism on it would see them.
    #[must_use]
    pub fn block<Rel, S, E>(&self, blocks: &Blocks<R, Rel, S, E>, block: usize) -> Self
    where
        S: Selection<R>,
        E: Keyed + Expr<Row = R>,
    {
        let places = Division::Now(Arc::new(blocks.places(&self.0)));
        Loaded(self.0.block(&places, block))
    }

    /// The exact cells of a query.
    pub fn exact<Rel, Q>(&self, query: &Query<Table<R, Rel>, Q>) -> Vec<i128>
    where
        Rel: Neighbours,
        Q: QueryKind<Table<R, Rel>>,
    {
        query.exact_cells(answered(self.0.scan(&[query.exact_query()])).remove(0))
    }

    /// The sums over rows behind queries, in one pass: by a program where there is one, or all by
    /// their own loops. Both must agree.
    #[doc(hidden)]
    #[must_use]
    pub fn pass(&self, queries: &[Asked<R>], by_program: bool) -> Vec<Vec<i128>> {
        let queries: Vec<_> = queries.iter().map(|asked| Arc::clone(&asked.0)).collect();
        answered(Scan::new(&self.0, &queries, by_program).run())
    }

    /// Runs a plan in one pass: for each of its queries the sums over rows behind it, or `None` if
    /// the query is not one that plans can run. The rows are the caller's own.
    ///
    /// ```
    /// use privet::plan::Plan;
    /// use privet::prelude::*;
    /// use privet::testing::Loaded;
    ///
    /// #[derive(Record, Clone)]
    /// struct Patient { age: i64 }
    ///
    /// let plan = Plan::new([rows::<Patient>().sum(|p| p.age.clamp::<0, 50>()).term()]);
    /// let patients = Loaded::new([Patient { age: 30 }, Patient { age: 70 }]);
    /// assert_eq!(patients.run(&plan), [Some(vec![80])]);
    /// ```
    #[must_use]
    pub fn run(&self, plan: &Plan) -> Vec<Option<Vec<i128>>> {
        let scan = Scan::of_terms(&self.0, plan.queries().iter().cloned());
        let planned = scan.planned().to_vec();
        let mut cells = answered(scan.run()).into_iter();
        planned
            .into_iter()
            .map(|planned| if planned { cells.next() } else { None })
            .collect()
    }
}

/// The rows are the caller's own: a test ends where an engine cannot read them.
fn answered<T, E: core::fmt::Display>(answers: core::result::Result<T, E>) -> T {
    answers.unwrap_or_else(|error| panic!("{error}"))
}

/// A query for [`Loaded::pass`].
#[doc(hidden)]
pub struct Asked<R>(Arc<dyn TableQuery<R>>);

impl<R: Record> core::fmt::Debug for Asked<R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Asked({})", self.0.term())
    }
}

impl<R: Record> Asked<R> {
    /// The exact part of a query.
    pub fn new<Rel, Q>(query: &Query<Table<R, Rel>, Q>) -> Self
    where
        Rel: Neighbours,
        Q: QueryKind<Table<R, Rel>>,
    {
        Asked(query.exact_query())
    }
}

/// The exact cells of a query on the caller's own rows.
///
/// ```
/// use privet::prelude::*;
///
/// #[derive(Record, Clone)]
/// struct Patient { age: i64, bill: f64 }
///
/// let rows_of_mine = [Patient { age: 30, bill: 9.5 }, Patient { age: 50, bill: f64::INFINITY }];
/// let billed = rows::<Patient>().filter(|p| p.age.gt(40)).sum(|p| p.bill.clamp::<0, 100>());
/// // Cells are in steps: the bounds chose steps of 1/10,000.
/// assert_eq!(privet::testing::exact(&billed, rows_of_mine), [1_000_000]);
/// ```
pub fn exact<R, Rel, Q>(
    query: &Query<Table<R, Rel>, Q>,
    rows: impl IntoIterator<Item = R>,
) -> Vec<i128>
where
    R: Record,
    Rel: Neighbours,
    Q: QueryKind<Table<R, Rel>>,
{
    Loaded::new(rows).exact(query)
}

/// How far the cells of a query moved between neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// How many pairs of neighbours were tried.
    pub pairs: u64,
    /// The largest L1 distance.
    pub l1: u128,
    /// The largest squared L2 distance.
    pub l2_squared: u128,
}

impl Moved {
    fn see(&mut self, x: &[i128], y: &[i128]) {
        assert_eq!(x.len(), y.len(), "the number of cells depends on the data");
        let distance = |(x, y): (&i128, &i128)| x.abs_diff(*y);
        self.pairs += 1;
        self.l1 = self.l1.max(x.iter().zip(y).map(distance).sum());
        self.l2_squared = self
            .l2_squared
            .max(x.iter().zip(y).map(distance).map(|d| d * d).sum());
    }

    /// Adds what another search saw.
    #[must_use]
    pub fn and(self, other: Moved) -> Moved {
        Moved {
            pairs: self.pairs + other.pairs,
            l1: self.l1.max(other.l1),
            l2_squared: self.l2_squared.max(other.l2_squared),
        }
    }

    /// Panics if a query moved further than its type says.
    pub fn assert_within<In: Domain, Q: HasL1<In>>(self, query: &Query<In, Q>) {
        let (l1, l2) = (Q::L1, Q::L2_SQUARED);
        assert!(
            self.l1 * l1.den() <= l1.num(),
            "{query:?} moved {self:?}, beyond {l1:?}"
        );
        assert!(
            self.l2_squared * l2.den() <= l2.num(),
            "{query:?} moved {self:?}, beyond {l2:?}"
        );
    }

    /// Panics if a query moved further than its type says, or never that far.
    pub fn assert_attained<In: Domain, Q: HasL1<In>>(self, query: &Query<In, Q>) {
        self.assert_within(query);
        let (l1, l2) = (Q::L1, Q::L2_SQUARED);
        assert!(
            self.l1 * l1.den() == l1.num(),
            "{query:?} moved {self:?}, never {l1:?}"
        );
        assert!(
            self.l2_squared * l2.den() == l2.num(),
            "{query:?} moved {self:?}, never {l2:?}"
        );
    }
}

/// Every neighbour of one table, with new rows taken from `values`.
pub fn neighbours<R, Rel, Q>(query: &Query<Table<R, Rel>, Q>, table: &[R], values: &[R]) -> Moved
where
    R: Record + Clone,
    Rel: OneRow,
    Q: QueryKind<Table<R, Rel>>,
{
    let mut moved = Moved::default();
    let here = exact(query, table.iter().cloned());
    let mut see = |rows: &[&R]| moved.see(&here, &exact(query, rows.iter().copied().cloned()));
    let all: Vec<&R> = table.iter().collect();
    if Rel::REPLACE {
        for place in 0..table.len() {
            let mut rows = all.clone();
            for value in values {
                rows[place] = value;
                see(&rows);
            }
        }
    } else {
        for place in 0..table.len() {
            let mut rows = all.clone();
            rows.remove(place);
            see(&rows);
        }
        for value in values {
            let mut rows = all.clone();
            rows.push(value);
            see(&rows);
        }
    }
    moved
}

/// Every neighbour of every table of at most `size` rows with the given values.
pub fn exhaustive<R, Rel, Q>(query: &Query<Table<R, Rel>, Q>, values: &[R], size: u32) -> Moved
where
    R: Record + Clone,
    Rel: OneRow,
    Q: QueryKind<Table<R, Rel>>,
{
    let mut moved = Moved::default();
    for rows in 0..=size {
        for mut table in 0..values.len().pow(rows) {
            let mut picked = Vec::new();
            for _ in 0..rows {
                picked.push(values[table % values.len()].clone());
                table /= values.len();
            }
            moved = moved.and(neighbours(query, &picked, values));
        }
    }
    moved
}

/// Neighbours of tables that `table` makes, with new rows that `row` makes, until `pairs` are
/// seen. Both are given numbers to choose by.
pub fn random<R, Rel, Q>(
    query: &Query<Table<R, Rel>, Q>,
    pairs: u64,
    seed: u64,
    mut row: impl FnMut(&mut Choices) -> R,
) -> Moved
where
    R: Record + Clone,
    Rel: OneRow,
    Q: QueryKind<Table<R, Rel>>,
{
    let mut choices = Choices(seed);
    let mut moved = Moved::default();
    while moved.pairs < pairs {
        let size = choices.below(6);
        let table: Vec<R> = (0..size).map(|_| row(&mut choices)).collect();
        let values: Vec<R> = (0..4).map(|_| row(&mut choices)).collect();
        moved = moved.and(neighbours(query, &table, &values));
    }
    moved
}

/// A stream of test choices. Do not use it for noise: it is seeded and predictable.
#[derive(Clone, Debug)]
pub struct Choices(u64);

impl Choices {
    /// The stream that starts from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Choices(seed)
    }

    /// The next 64 bits (SplitMix64).
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is positive.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// An integer, often an extreme one.
    pub fn int(&mut self) -> i64 {
        const EDGES: [i64; 9] = [
            i64::MIN,
            i64::MIN + 1,
            -100,
            -1,
            0,
            1,
            100,
            i64::MAX - 1,
            i64::MAX,
        ];
        match self.below(4) {
            0 => self.bits() as i64,
            1 => EDGES[self.below(EDGES.len())],
            _ => self.below(201) as i64 - 100,
        }
    }

    /// A real, often NaN, infinite, tiny or huge.
    pub fn real(&mut self) -> f64 {
        const EDGES: [f64; 12] = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            0.0,
            -0.0,
            0.5,
            -0.5,
            1e18,
            -1e18,
        ];
        match self.below(4) {
            0 => f64::from_bits(self.bits()),
            1 => EDGES[self.below(EDGES.len())],
            _ => self.below(20_001) as f64 / 100.0 - 100.0,
        }
    }
}
