//! A vector made of scalar expressions.

use super::generic::BoundAnyReal;
use super::{Eval, Expr, KindOf, MAX_NODES, NumericKind, Operation, RowOf, Term, Vector, methods};
use crate::data::{Chunk, Record};

mod sealed {
    pub trait Coordinates {}
}

/// `D` numbers of one row: a tuple of two to twelve columns or expressions, or an array of boxed ones. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple or an array of {D} numbers",
    label = "not the coordinates of a vector",
    note = "a vector is made of a tuple of two to twelve integers and `f64` of one record, or of an array: \
            `[p.age.real().boxed(), p.bill.boxed()]`; give missing values a default with `.or(0.0)`"
)]
pub trait Coordinates<const D: usize>: sealed::Coordinates + Clone + Send + Sync + 'static {
    /// The record they read.
    #[doc(hidden)]
    type Row: Record;
    /// The numbers, over one chunk.
    #[doc(hidden)]
    type Bound<'a>: Eval<Value = [f64; D]>;
    #[doc(hidden)]
    const NODES: usize;
    #[doc(hidden)]
    const DEPTH: usize;
    #[doc(hidden)]
    fn bind<'a>(&'a self, chunk: &Chunk<'a, Self::Row>) -> Self::Bound<'a>;
    #[doc(hidden)]
    fn terms(&self) -> Vec<Term>;
}

/// The vector whose coordinates are the given numbers.
///
/// A sum of vectors has one price for all coordinates, and takes one pass. Clip the vector first, like any other:
///
/// ```
/// use privet::expr::vector;
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct House { rooms: i64, area: f64, price: f64 }
///
/// // What a regression of the price on the area needs, beside a count.
/// let moments: Mechanism<Table<House>, [f64; 4], Rho<1, 8>> = rows::<House>()
///     .vector_sum(|h| {
///         vector((h.area, h.price, h.area * h.area, h.area * h.price))
///             .grid::<1000>()
///             .clip_l2::<2>()
///     })
///     .gaussian();
/// ```
pub fn vector<V: Coordinates<D>, const D: usize>(coordinates: V) -> Joined<V, D> {
    Joined(coordinates)
}

/// A vector made of scalar expressions: see [`vector`].
#[derive(Clone, Copy, Debug)]
pub struct Joined<V, const D: usize>(V);

impl<V: Coordinates<D>, const D: usize> super::sealed::Expr for Joined<V, D> {}
impl<V: Coordinates<D>, const D: usize> Expr for Joined<V, D> {
    type Row = V::Row;
    type Kind = Vector<D>;
    type Bound<'a> = V::Bound<'a>;
    const NODES: usize = 1 + V::NODES;
    const DEPTH: usize = 1 + V::DEPTH;
    fn bind<'a>(&'a self, chunk: &Chunk<'a, Self::Row>) -> Self::Bound<'a> {
        self.0.bind(chunk)
    }
    fn term(&self) -> Term {
        Term::Apply(Operation::Vector, vec![Term::List(self.0.terms())])
    }
}
methods::methods!([V: Coordinates<D>, const D: usize] Joined<V, D> where []);

/// One chunk of some coordinates.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundJoined<T>(T);

macro_rules! tuple {
    ($n:literal: $first:ident $a:ident $(, $rest:ident $b:ident)+) => {
        impl<$first, $($rest),+> sealed::Coordinates for ($first, $($rest),+) {}

        #[diagnostic::do_not_recommend]
        impl<$first, $($rest),+> Coordinates<$n> for ($first, $($rest),+)
        where
            $first: Expr<Kind: NumericKind> + Clone,
            $($rest: Expr<Row = $first::Row, Kind: NumericKind> + Clone,)+
        {
            type Row = $first::Row;
            #[allow(clippy::type_complexity)]
            type Bound<'a> = BoundJoined<(
                BoundAnyReal<$first::Bound<'a>, $first>,
                $(BoundAnyReal<$rest::Bound<'a>, $rest>,)+
            )>;
            const NODES: usize = $first::NODES $(+ $rest::NODES)+;
            const DEPTH: usize = {
                let mut depth = $first::DEPTH;
                $(if $rest::DEPTH > depth {
                    depth = $rest::DEPTH;
                })+
                depth
            };
            fn bind<'a>(&'a self, chunk: &Chunk<'a, Self::Row>) -> Self::Bound<'a> {
                let ($a, $($b),+) = self;
                BoundJoined((
                    BoundAnyReal::new($a.bind(chunk)),
                    $(BoundAnyReal::new($b.bind(chunk)),)+
                ))
            }
            fn terms(&self) -> Vec<Term> {
                let ($a, $($b),+) = self;
                vec![
                    <$first::Kind as super::ToReal>::spell($a.term()),
                    $(<$rest::Kind as super::ToReal>::spell($b.term())),+
                ]
            }
        }

        impl<$first: Eval<Value = f64>, $($rest: Eval<Value = f64>),+> Eval
            for BoundJoined<($first, $($rest),+)>
        {
            type Value = [f64; $n];
            #[inline(always)]
            fn at(&self, row: usize) -> [f64; $n] {
                let ($a, $($b),+) = &self.0;
                [$a.at(row), $($b.at(row)),+]
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
tuple!(8: A a, B b, C c, D d, E e, F f, G g, H h);
tuple!(9: A a, B b, C c, D d, E e, F f, G g, H h, I i);
tuple!(10: A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);
tuple!(11: A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
tuple!(12: A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l);

impl<X, const D: usize> sealed::Coordinates for [X; D] {}

#[diagnostic::do_not_recommend]
impl<X: Expr<Kind: NumericKind> + Clone, const D: usize> Coordinates<D> for [X; D] {
    type Row = RowOf<X>;
    type Bound<'a> = BoundJoined<[BoundAnyReal<X::Bound<'a>, X>; D]>;
    const NODES: usize = {
        assert!(D <= MAX_NODES, "vectors have at most 1024 coordinates");
        X::NODES * D
    };
    const DEPTH: usize = X::DEPTH;
    fn bind<'a>(&'a self, chunk: &Chunk<'a, Self::Row>) -> Self::Bound<'a> {
        BoundJoined(core::array::from_fn(|i| {
            BoundAnyReal::new(self[i].bind(chunk))
        }))
    }
    fn terms(&self) -> Vec<Term> {
        let spelled = |x: &X| <KindOf<X> as super::ToReal>::spell(x.term());
        self.iter().map(spelled).collect()
    }
}

impl<B: Eval<Value = f64>, const D: usize> Eval for BoundJoined<[B; D]> {
    type Value = [f64; D];
    #[inline(always)]
    fn at(&self, row: usize) -> [f64; D] {
        core::array::from_fn(|i| self.0[i].at(row))
    }
}
