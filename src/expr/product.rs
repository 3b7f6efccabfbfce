//! Keys of several columns: tuples of keys.

use super::{Eval, Expr, Keyed, Kind, Operand, Term, ValOf, sealed};
use crate::data::plan::ValueKind;
use crate::data::{Chunk, Record};

/// One chunk of a tuple of expressions.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundTuple<T>(T);

/// The product of the keys in a tuple: the last one moves fastest, as in nested loops.
///
/// # Claim
///
/// A row has one key in each part, so it is in one cell of the product, or in none if a part is null.
macro_rules! tuple {
    ($first:ident $a:ident $($rest:ident $b:ident)+) => {
        impl<$first: Kind, $($rest: Kind),+> crate::data::kind::sealed::Kind for ($first, $($rest),+) {
            const PLAN: ValueKind = ValueKind::Tuple;
        }
        impl<$first: Kind, $($rest: Kind),+> Kind for ($first, $($rest),+) {
            type Value = ($first::Value, $($rest::Value),+);
        }

        impl<$first: Eval, $($rest: Eval),+> Eval for BoundTuple<($first, $($rest),+)> {
            type Value = ($first::Value, $($rest::Value),+);
            #[inline(always)]
            fn at(&self, row: usize) -> Self::Value {
                let ($a, $($b),+) = &self.0;
                ($a.at(row), $($b.at(row)),+)
            }
        }

        impl<$first: Expr, $($rest: Expr<Row = $first::Row>),+> sealed::Expr for ($first, $($rest),+) {}
        impl<$first: Expr, $($rest: Expr<Row = $first::Row>),+> Expr for ($first, $($rest),+) {
            type Row = $first::Row;
            type Kind = ($first::Kind, $($rest::Kind),+);
            type Bound<'a> = BoundTuple<($first::Bound<'a>, $($rest::Bound<'a>),+)>;
            const NODES: usize = 1 + $first::NODES $(+ $rest::NODES)+;
            const DEPTH: usize = {
                let mut depth = $first::DEPTH;
                $(if $rest::DEPTH > depth {
                    depth = $rest::DEPTH;
                })+
                1 + depth
            };
            #[inline(always)]
            fn bind<'a>(&'a self, chunk: &Chunk<'a, Self::Row>) -> Self::Bound<'a> {
                let ($a, $($b),+) = self;
                BoundTuple(($a.bind(chunk), $($b.bind(chunk)),+))
            }
            fn term(&self) -> Term {
                let ($a, $($b),+) = self;
                Term::List(vec![$a.term(), $($b.term()),+])
            }
        }

        impl<Row: Record, $first: Operand<Row>, $($rest: Operand<Row>),+>
            sealed::Operand<Row> for ($first, $($rest),+) {}
        #[diagnostic::do_not_recommend]
        impl<Row: Record, $first: Operand<Row>, $($rest: Operand<Row>),+>
            Operand<Row> for ($first, $($rest),+)
        {
            type Expr = ($first::Expr, $($rest::Expr),+);
            fn expr(self) -> Self::Expr {
                let ($a, $($b),+) = self;
                ($a.expr(), $($b.expr()),+)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$first, $($rest),+> Keyed for ($first, $($rest),+)
        where
            $first: Keyed,
            $($rest: Keyed + Expr<Row = $first::Row>,)+
        {
            const CELLS: usize = {
                let cells = $first::CELLS $(.saturating_mul($rest::CELLS))+;
                super::keys::cells_of(cells as i128)
            };
            #[inline(always)]
            fn cell(value: ValOf<Self>) -> (bool, usize) {
                let ($a, $($b),+) = value;
                let (valid, cell) = $first::cell($a);
                // Each place is below its number of cells, so the whole is below the product.
                $(let (valid, cell) = {
                    let (known, next) = $rest::cell($b);
                    (valid & known, cell * $rest::CELLS + next)
                };)+
                (valid, cell)
            }
            type Key = ($first::Key, $($rest::Key),+);
            fn key(self) -> Self::Key {
                let ($a, $($b),+) = self;
                ($a.key(), $($b.key()),+)
            }
        }
    };
}

tuple!(A a B b);
tuple!(A a B b C c);
tuple!(A a B b C c D d);
