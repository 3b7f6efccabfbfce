//! Sums of numbers and of their products, in one query: what means, variances and regressions are made of.

use core::marker::PhantomData;
use std::sync::Arc;

use super::selection::described;
use super::{HasL1, Neighbours, QueryKind, Selection, Sensitivity, sealed};
use crate::data::{Chunk, Record, Table, TableQuery};
use crate::expr::{
    Bounded, Eval, Expr, Kind, KindOf, LIMIT, Operation, Summand, Term, check_bounds, check_size,
};

/// The most numbers of one row.
const MOST: usize = 8;
/// The most cells: the count, the numbers, their squares and products.
const CELLS: usize = 1 + MOST + MOST * (MOST + 1) / 2;

mod scalars {
    pub trait Scalars {}
}

/// Some numbers of one row, each with public bounds: one expression, or a tuple of two to seven. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number with public bounds, nor a tuple of two to seven of them",
    label = "not bounded numbers",
    note = "clamp each of them: `(p.age.clamp::<0, 120>(), p.bill.clamp::<0, 1000>())`"
)]
pub trait Scalars: scalars::Scalars + Send + Sync + 'static {
    /// The record they read.
    #[doc(hidden)]
    type Row: Record;
    /// How many there are.
    #[doc(hidden)]
    const LEN: usize;
    /// Bounds and steps per unit, of each.
    #[doc(hidden)]
    const EACH: [(i128, i128, i128); MOST];
    /// Whether one may be missing.
    #[doc(hidden)]
    const NULLABLE: bool;
    /// The numbers, over one chunk.
    #[doc(hidden)]
    type Bound<'a>: Eval<Value = ([i64; MOST], bool)>;
    #[doc(hidden)]
    fn bind<'a>(&'a self, chunk: &Chunk<'a, Self::Row>) -> Self::Bound<'a>;
    #[doc(hidden)]
    fn terms(&self) -> Vec<Term>;
}

/// [`Scalars`] of which there are `F`. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number with public bounds, nor a tuple of two to seven of them",
    label = "not bounded numbers",
    note = "clamp each of them: `(p.age.clamp::<0, 120>(), p.bill.clamp::<0, 1000>())`"
)]
pub trait Features<const F: usize>: Scalars {
    /// The numbers themselves: see [`Bounded`].
    #[doc(hidden)]
    type These: Scalars<Row = Self::Row>;
    #[doc(hidden)]
    fn these(self) -> Self::These;
}

const NONE: (i128, i128, i128) = (0, 0, 1);

/// One chunk of one number.
#[doc(hidden)]
pub struct BoundOne<B, K>(B, PhantomData<fn() -> K>);
impl<B: Copy, K> Clone for BoundOne<B, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, K> Copy for BoundOne<B, K> {}
impl<B: Eval<Value = K::Value>, K: Summand> Eval for BoundOne<B, K> {
    type Value = ([i64; MOST], bool);
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        let value = self.0.at(row);
        let mut all = [0; MOST];
        all[0] = K::or_zero(value);
        (all, K::valid(value))
    }
}

impl<E: Bounded> scalars::Scalars for E {}
#[diagnostic::do_not_recommend]
impl<E: Bounded> Scalars for E {
    type Row = E::Row;
    const LEN: usize = 1;
    const EACH: [(i128, i128, i128); MOST] = {
        check_size::<E>();
        check_bounds::<E>();
        let mut each = [NONE; MOST];
        each[0] = (E::LOW, E::HIGH, E::GRID);
        each
    };
    const NULLABLE: bool = <KindOf<E> as Kind>::NULLABLE;
    type Bound<'a> = BoundOne<E::Bound<'a>, E::Kind>;
    fn bind<'a>(&'a self, chunk: &Chunk<'a, E::Row>) -> Self::Bound<'a> {
        BoundOne(Expr::bind(self, chunk), PhantomData)
    }
    fn terms(&self) -> Vec<Term> {
        vec![self.term()]
    }
}
#[diagnostic::do_not_recommend]
impl<E: Bounded> Features<1> for E {
    type These = E::Summed;
    fn these(self) -> E::Summed {
        self.summed()
    }
}

/// Some numbers, and one more.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Joint<V, E>(pub(super) V, pub(super) E);

/// One chunk of it.
#[doc(hidden)]
pub struct BoundJoint<A, B, V>(A, B, PhantomData<fn() -> V>);
impl<A: Copy, B: Copy, V> Clone for BoundJoint<A, B, V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Copy, B: Copy, V> Copy for BoundJoint<A, B, V> {}
impl<A, B, V: Scalars> Eval for BoundJoint<A, B, V>
where
    A: Eval<Value = ([i64; MOST], bool)>,
    B: Eval<Value = ([i64; MOST], bool)>,
{
    type Value = ([i64; MOST], bool);
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        let ((mut all, valid), (last, known)) = (self.0.at(row), self.1.at(row));
        all[V::LEN] = last[0];
        (all, valid & known)
    }
}

impl<V, E> scalars::Scalars for Joint<V, E> {}
impl<V: Scalars, E: Bounded + Expr<Row = V::Row>> Scalars for Joint<V, E> {
    type Row = V::Row;
    const LEN: usize = V::LEN + 1;
    const EACH: [(i128, i128, i128); MOST] = {
        let mut each = V::EACH;
        each[V::LEN] = <E as Scalars>::EACH[0];
        each
    };
    const NULLABLE: bool = V::NULLABLE || <E as Scalars>::NULLABLE;
    type Bound<'a> = BoundJoint<V::Bound<'a>, <E as Scalars>::Bound<'a>, V>;
    fn bind<'a>(&'a self, chunk: &Chunk<'a, V::Row>) -> Self::Bound<'a> {
        BoundJoint(
            self.0.bind(chunk),
            Scalars::bind(&self.1, chunk),
            PhantomData,
        )
    }
    fn terms(&self) -> Vec<Term> {
        let mut terms = self.0.terms();
        terms.push(self.1.term());
        terms
    }
}

/// One chunk of a tuple.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundScalars<T>(T);

macro_rules! tuple {
    ($n:literal: $first:ident $a:ident $(, $rest:ident $b:ident)+) => {
        impl<$first, $($rest),+> scalars::Scalars for ($first, $($rest),+) {}
        #[diagnostic::do_not_recommend]
        impl<$first: Bounded, $($rest: Bounded + Expr<Row = $first::Row>),+> Scalars
            for ($first, $($rest),+)
        {
            type Row = $first::Row;
            const LEN: usize = $n;
            const EACH: [(i128, i128, i128); MOST] = {
                let mut each = <$first as Scalars>::EACH;
                let mut next = 1;
                $(
                    each[next] = <$rest as Scalars>::EACH[0];
                    next += 1;
                )+
                assert!(next == $n);
                each
            };
            const NULLABLE: bool = <$first as Scalars>::NULLABLE $(|| <$rest as Scalars>::NULLABLE)+;
            type Bound<'a> = BoundScalars<(
                <$first as Scalars>::Bound<'a>,
                $(<$rest as Scalars>::Bound<'a>,)+
            )>;
            fn bind<'a>(&'a self, chunk: &Chunk<'a, Self::Row>) -> Self::Bound<'a> {
                let ($a, $($b),+) = self;
                BoundScalars((Scalars::bind($a, chunk), $(Scalars::bind($b, chunk),)+))
            }
            fn terms(&self) -> Vec<Term> {
                let ($a, $($b),+) = self;
                vec![$a.term(), $($b.term()),+]
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$first: Bounded, $($rest: Bounded + Expr<Row = $first::Row>),+> Features<$n>
            for ($first, $($rest),+)
        {
            type These = ($first::Summed, $($rest::Summed),+);
            fn these(self) -> Self::These {
                let ($a, $($b),+) = self;
                ($a.summed(), $($b.summed()),+)
            }
        }

        impl<$first, $($rest),+> Eval for BoundScalars<($first, $($rest),+)>
        where
            $first: Eval<Value = ([i64; MOST], bool)>,
            $($rest: Eval<Value = ([i64; MOST], bool)>,)+
        {
            type Value = ([i64; MOST], bool);
            #[inline(always)]
            fn at(&self, row: usize) -> Self::Value {
                let ($a, $($b),+) = &self.0;
                let (mut all, mut valid) = $a.at(row);
                let mut next = 0;
                $(
                    next += 1;
                    let (one, known) = $b.at(row);
                    all[next] = one[0];
                    valid &= known;
                )+
                (all, valid)
            }
        }
    };
}
tuple!(2: A a, B b);
tuple!(3: A a, B b, C c);
tuple!(4: A a, B b, C c, D d);
tuple!(5: A a, B b, C c, D d, E e);
tuple!(6: A a, B b, C c, D d, E e, F f);
tuple!(7: A a, B b, C c, D d, E e, F f, G g);

/// Which products of the numbers are summed. Sealed.
#[doc(hidden)]
pub trait Products: scalars::Scalars + Send + Sync + 'static {
    const SQUARES: bool;
    const CROSS: bool;
}
macro_rules! products {
    ($($(#[$doc:meta])* $name:ident $squares:literal $cross:literal;)*) => {$(
        $(#[$doc])*
        #[doc(hidden)]
        #[derive(Debug)]
        pub enum $name {}
        impl scalars::Scalars for $name {}
        impl Products for $name {
            const SQUARES: bool = $squares;
            const CROSS: bool = $cross;
        }
    )*};
}
products! {
    /// No products.
    Sums false false;
    /// Squares.
    Squares true false;
    /// Products of two different numbers.
    Crosses false true;
    /// All products of two.
    AllProducts true true;
}

/// The number of rows that have all numbers, the sums of the numbers, and sums of products of two.
///
/// Each number x with bounds L and U on its grid is taken as z = 2x − (L + U), which is at most W = U − L in
/// magnitude: so bounds far from zero cost nothing.
///
/// # Claim
///
/// A record added or removed moves the count by at most 1, a sum by W, a sum of products by W·W′. A record replaced
/// moves them by at most 1, 2W and 2W·W′, and a sum of squares by W²; if every record is in the sums, the count is
/// public and gets no noise. Each cell is multiplied by a public whole number, so that one record can move all of them by
/// about as much; the sensitivity is that of the multiplied cells.
pub struct MomentSums<S, V, P> {
    rows: S,
    values: V,
    products: PhantomData<fn() -> P>,
}

/// The cells of moments: how far one record moves each, and what each is multiplied by.
#[derive(Clone, Copy)]
struct Layout {
    cells: usize,
    delta: [i128; CELLS],
    weight: [i128; CELLS],
    /// What a cell of a sum over `u = z/W` has to be multiplied by.
    norm: [i128; CELLS],
}

/// How much finer than the largest sensitivity multiples are chosen.
const FINE: i128 = 16;

impl Layout {
    const fn new<V: Scalars, P: Products>(replace: bool, public: bool) -> Self {
        let (mut delta, mut weight, mut norm) = ([0; CELLS], [1; CELLS], [1; CELLS]);
        let twice = if replace { 2 } else { 1 };
        delta[0] = if public { 0 } else { 1 };
        let mut next = 1;
        let mut i = 0;
        while i < V::LEN {
            let width = V::EACH[i].1 - V::EACH[i].0;
            assert!(
                width <= LIMIT,
                "the bounds of a statistic are more than 2^51 steps apart"
            );
            delta[next] = twice * width;
            norm[next] = width;
            next += 1;
            i += 1;
        }
        let mut i = 0;
        while i < V::LEN {
            let mut j = i;
            while j < V::LEN {
                if (i == j && P::SQUARES) || (i != j && P::CROSS) {
                    let product = (V::EACH[i].1 - V::EACH[i].0) * (V::EACH[j].1 - V::EACH[j].0);
                    assert!(
                        product <= LIMIT,
                        "the products of a statistic exceed 2^51 steps: clamp to smaller bounds, or use a coarser grid"
                    );
                    // PRIVACY: a square is not negative, so a record replaced moves it by its bound at most.
                    delta[next] = if i == j { product } else { twice * product };
                    norm[next] = product;
                    next += 1;
                }
                j += 1;
            }
            i += 1;
        }
        let mut top = 0;
        let mut cell = 0;
        while cell < next {
            if delta[cell] > top {
                top = delta[cell];
            }
            cell += 1;
        }
        let mut cell = 0;
        while cell < next {
            if delta[cell] > 0 {
                weight[cell] = FINE * top / delta[cell];
            }
            cell += 1;
        }
        Layout {
            cells: next,
            delta,
            weight,
            norm,
        }
    }

    /// How far one record moves all multiplied cells together, and the sum of the squares of that.
    const fn moved(&self) -> (Sensitivity, Sensitivity) {
        let (mut l1, mut l2) = (Sensitivity::whole(0), Sensitivity::whole(0));
        let mut cell = 0;
        while cell < self.cells {
            let moved = Sensitivity::whole(self.delta[cell] * self.weight[cell]);
            l1 = l1.plus(moved);
            l2 = l2.plus(moved.squared());
            cell += 1;
        }
        (l1, l2)
    }
}

/// What a step of noise is in each cell: in rows, in units of the numbers, in units of their products.
///
/// A sum over z is twice a sum over x, less the middle, in steps of x's grid; a sum of products four times.
/// `summed` says whether squares, or products of two numbers, have cells.
fn in_steps(layout: &Layout, each: &[(i128, i128, i128)], summed: impl Fn(bool) -> bool) -> String {
    let noisy = |cell: usize| (layout.delta[cell] > 0).then_some(layout.weight[cell]);
    let sums = each
        .iter()
        .enumerate()
        .filter_map(|(i, (.., grid))| noisy(1 + i).map(|weight| weight * 2 * grid));
    let sums: Vec<i128> = sums.collect();
    // Products are in the order of (i, j ≥ i).
    let mut products = Vec::new();
    let mut cell = 1 + each.len();
    for (i, (.., left)) in each.iter().enumerate() {
        for (j, (.., right)) in each.iter().enumerate().skip(i) {
            if summed(i == j) {
                products.extend(noisy(cell).map(|weight| weight * 4 * left * right));
                cell += 1;
            }
        }
    }
    let mut parts = Vec::new();
    for (name, steps) in [
        ("rows", noisy(0).into_iter().collect()),
        ("sums", sums),
        ("products", products),
    ] {
        if !steps.is_empty() {
            let steps: Vec<_> = steps.iter().map(|steps| format!("1/{steps}")).collect();
            parts.push(format!("{} ({name})", steps.join(", ")));
        }
    }
    parts.join(", ")
}

/// Noisy moments: sums over rows of u = z/W, which is between −1 and 1, and of products of two.
#[derive(Clone, Debug, PartialEq)]
pub struct NoisyMoments {
    /// The number of rows, the sums, the sums of products.
    pub(super) cells: Vec<f64>,
    /// What one step of noise is, in each.
    pub(super) step: Vec<f64>,
}

#[cfg(any(feature = "ledger", feature = "serde"))]
crate::stored::stored! {
    [] NoisyMoments {
        cells as crate::stored::List<crate::stored::Number>,
        step as crate::stored::List<crate::stored::Number>,
    }
}

impl<S, V: Scalars, P: Products> MomentSums<S, V, P> {
    pub(super) fn new(rows: S, values: V) -> Self {
        const { assert!(V::LEN <= MOST) };
        MomentSums {
            rows,
            values,
            products: PhantomData,
        }
    }

    fn add(&self, chunk: &Chunk<'_, V::Row>, mask: impl Eval<Value = bool>, cells: &mut [i128])
    where
        S: Selection<V::Row>,
    {
        let keep = self.rows.bind(chunk);
        let values = self.values.bind(chunk);
        // At most 2^10 values of at most 2^51 each: no overflow.
        let mut totals = [0_i64; CELLS];
        // PRIVACY: looks at raw rows; each number is between its bounds by an integer clamp, so that |z| is at most W.
        // The same work for every row.
        chunk.each(|row| {
            let (mut z, valid) = values.at(row);
            let kept = -i64::from(valid & keep.at(row) & mask.at(row));
            totals[0] += kept & 1;
            let mut next = 1;
            for (z, middle) in z.iter_mut().zip(const { Self::middles() }).take(V::LEN) {
                *z = kept & z.wrapping_mul(2).wrapping_sub(middle);
                totals[next] = totals[next].wrapping_add(*z);
                next += 1;
            }
            for i in 0..V::LEN {
                for j in i..V::LEN {
                    if (i == j && P::SQUARES) || (i != j && P::CROSS) {
                        totals[next] = totals[next].wrapping_add(z[i].wrapping_mul(z[j]));
                        next += 1;
                    }
                }
            }
        });
        for (cell, total) in cells.iter_mut().zip(totals) {
            *cell += i128::from(total);
        }
    }

    /// L + U of each number.
    const fn middles() -> [i64; MOST] {
        let mut middles = [0; MOST];
        let mut i = 0;
        while i < V::LEN {
            middles[i] = (V::EACH[i].0 + V::EACH[i].1) as i64;
            i += 1;
        }
        middles
    }
}

/// For each number of `V`: half its width and its middle, in units.
pub(super) fn units<V: Scalars>() -> Vec<(f64, f64)> {
    let unit = |(low, high, grid): (i128, i128, i128)| {
        let steps = 2.0 * grid as f64;
        ((high - low) as f64 / steps, (low + high) as f64 / steps)
    };
    V::EACH[..V::LEN].iter().copied().map(unit).collect()
}

impl<S, V, P> sealed::QueryKind for MomentSums<S, V, P> {}

impl<R, S, V, P> TableQuery<R> for MomentSums<S, V, P>
where
    R: Record,
    S: Selection<R>,
    V: Scalars<Row = R>,
    P: Products,
{
    fn cells(&self) -> usize {
        const { Layout::new::<V, P>(false, false).cells }
    }
    fn chunk(&self, chunk: &Chunk<'_, R>, cells: &mut [i128]) {
        super::masked!(self.add(chunk, cells));
    }
    fn term(&self) -> Term {
        let mut products = Vec::new();
        for i in 0..V::LEN {
            for j in i..V::LEN {
                if (i == j && P::SQUARES) || (i != j && P::CROSS) {
                    products.push(Term::list([i as i64, j as i64]));
                }
            }
        }
        let of = vec![Term::List(self.values.terms()), Term::List(products)];
        described(Operation::Moments, of, &self.rows)
    }
}

impl<R, S, V, P> MomentSums<S, V, P>
where
    R: Record,
    S: Selection<R>,
    V: Scalars<Row = R>,
    P: Products,
{
    /// Whether the number of rows is public.
    const fn public(replace: bool) -> bool {
        replace && S::WHOLE && !V::NULLABLE
    }
    const fn layout(replace: bool) -> Layout {
        Layout::new::<V, P>(replace, Self::public(replace))
    }
}

impl<R, Rel, S, V, P> QueryKind<Table<R, Rel>> for MomentSums<S, V, P>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    V: Scalars<Row = R>,
    P: Products,
{
    type Answer = NoisyMoments;
    const INTEGERS: bool = false;
    // All rows of a person may move every cell alike, so their number counts squared.
    const L2_SQUARED: Sensitivity = Self::layout(Rel::REPLACE)
        .moved()
        .1
        .times(Rel::STEPS * Rel::STEPS)
        .times(S::ROWS * S::ROWS);
    fn exact_query(this: Arc<Self>) -> Arc<dyn TableQuery<R>> {
        this
    }
    fn exact(&self, cells: Vec<i128>) -> (Vec<i128>, Option<i128>) {
        let layout = const { Self::layout(Rel::REPLACE) };
        let rows = const { Self::public(Rel::REPLACE) }.then(|| cells[0]);
        let weighted = |(cell, total): (usize, &i128)| total * layout.weight[cell];
        let noisy = cells
            .iter()
            .enumerate()
            .skip(usize::from(rows.is_some()))
            .map(weighted)
            .collect();
        (noisy, rows)
    }
    fn answer(&self, noisy: Vec<i128>, rows: Option<i128>) -> NoisyMoments {
        let layout = const { Self::layout(Rel::REPLACE) };
        let known = usize::from(rows.is_some());
        let mut cells: Vec<f64> = rows.iter().map(|&rows| rows as f64).collect();
        let mut step = vec![0.0; known];
        for (cell, value) in noisy.iter().enumerate() {
            let (weight, norm) = (layout.weight[cell + known], layout.norm[cell + known]);
            // A number that is the same on all rows is at the middle of its bounds: its z is 0.
            let unit = 1.0 / (weight as f64 * norm.max(1) as f64);
            cells.push(*value as f64 * unit);
            step.push(if layout.delta[cell + known] > 0 {
                unit
            } else {
                0.0
            });
        }
        NoisyMoments { cells, step }
    }
    fn term(&self) -> Term {
        TableQuery::<R>::term(self)
    }
    fn shape(&self) -> Option<(usize, i128)> {
        let known = usize::from(const { Self::public(Rel::REPLACE) });
        Some((const { Self::layout(Rel::REPLACE).cells } - known, 1))
    }
    fn steps(&self) -> Option<String> {
        let layout = const { Self::layout(Rel::REPLACE) };
        let summed = |square| if square { P::SQUARES } else { P::CROSS };
        Some(in_steps(&layout, &V::EACH[..V::LEN], summed))
    }
}

impl<R, Rel, S, V, P> HasL1<Table<R, Rel>> for MomentSums<S, V, P>
where
    R: Record,
    Rel: Neighbours,
    S: Selection<R>,
    V: Scalars<Row = R>,
    P: Products,
{
    const L1: Sensitivity = Self::layout(Rel::REPLACE)
        .moved()
        .0
        .times(Rel::STEPS)
        .times(S::ROWS);
}
