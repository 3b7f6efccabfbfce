//! Expressions over symbolic columns. They are values that the crate interprets, never user code.
//!
//! A closure such as `|p| p.smoker & p.age.gt(40)` is called once, when a query is built, with
//! [columns](crate::Col) that hold no data. What it returns is an expression. The crate evaluates
//! every part of it on every row of the table, whatever the other parts say.
//!
//! You need this page for what expressions mean at the edges (below), and for the bounds of code that is
//! generic over columns, such as [`Numeric`], [`Key`] and [`Condition`]: see
//! [Write a library](crate::guide::write_a_library).
//!
//! # What expressions mean
//!
//! Every expression has a value on every row.
//!
//! | case | meaning |
//! |---|---|
//! | comparison with NaN | false, except `ne`, which is true |
//! | NaN in `clamp` | the lower bound |
//! | infinities, values out of bounds in `clamp` | the nearer bound |
//! | reals in `clamp` | scaled to the grid, rounded to nearest (ties to even), clamped again |
//! | reals in `clamp` without `grid` | the grid is the finest power of ten on which the larger bound is at most 10^6 steps: millionths for `clamp::<0, 1>()`, hundredths for `clamp::<0, 10_000>()` |
//! | vectors in `clip_l1`, `clip_l2` without `grid` | the same, by the norm |
//! | clamped reals without `grid` as keys | rounded to whole units, so that a histogram has a cell for each |
//! | comparison with null, on either side | false, except `ne`, which is true |
//! | null in `one_of`, `keys`, `keys_up_to` | equal to nothing |
//! | a key that is not in the public table of `look_up`, or null | null |
//! | null in `clamp`, `square`, `plus`, `times` | null |
//! | null in a sum, a mean, a variance or a histogram | the row is left out |
//! | integer arithmetic beyond 64 bits | the nearest 64-bit value |
//! | `divide`, `remainder` | rounded down, so that the remainder is never negative |
//! | parts of a date or a time | those of UTC; Monday is 1; before 1970 as after |
//! | null in parts of a date, `days_since`, `length` | null; in `starts_with`, false |
//! | `length` of a text | in bytes |
//! | NaN in `bins` | the first bin |
//! | null in `is_true` | false |
//! | unsigned integers above `i64::MAX` | `i64::MAX` |
//! | integers compared with reals | as the nearest real |
//! | NaN in a vector that is clipped | 0; infinities are ±10^100 |
//! | NaN or overflow in `dot`, `logistic`, `scaled` | NaN or an infinity, until it is clamped or clipped |
//! | a distance to a centre that is NaN | the centre is passed over; if all are, it is the first |
//!
//! Sums need public bounds: `clamp::<LOW, HIGH>()`. Bounds are carried through `+`, `-`, `*` and
//! `square()` exactly; on the grid they may not exceed 2^51, or the program does not compile.

mod arith;
mod between;
mod boxed;
mod clamp;
mod column;
mod compare;
mod date;
mod divide;
mod generic;
mod joined;
mod keys;
mod linear;
mod list;
mod logic;
mod look_up;
mod methods;
mod null;
mod product;
mod sum;
mod text;
mod vector;

pub use arith::{Add, Arithmetic, AsReal, Mul, Plus, RealOf, Square, Sub, Times};
pub(crate) use between::SharesOf;
pub use between::{Bounds, Bracketed, Share};
pub use boxed::{Boxable, Boxed, BoxedCondition, BoxedNullable, BoxedNumber};
pub(crate) use clamp::chosen_grid;
pub use clamp::{Clamp, Clampable, Grid, OnGrid};
pub(crate) use column::column_of;
pub use column::{Lit, Operand};
pub use compare::{
    Compare, Comparison, Eq, Equal, EqualTo, Ge, Gt, Le, Lt, Ne, OneOf, Order, OrderedWith,
};
pub use date::{
    DateOf, Dated, DayPart, DaysAfter, DaysSince, HourPart, MinutePart, MonthPart, PartOf, Timed,
    WeekdayPart, YearPart,
};
pub use divide::{Divide, Remainder, WholeNumber};
pub use generic::{
    AnyReal, BoundedNumber, Columns, Key, NullableKind, NullableNumeric, Numeric, NumericKind,
    ToReal, columns,
};
pub use joined::{Coordinates, Joined, vector};
pub use keys::{Bins, Edge, Keyed, Keys, Nearest};
pub use linear::{AnyVector, Dot, Logistic, Point, Scaled};
pub use list::{KeyOf, KeysUpTo, Located, PublicKey};
pub use logic::{And, Condition, IsCondition, Not, Number, Or, Over, Where};
pub use look_up::{LookUp, PublicTable, PublicValue};
pub use null::{DefaultOf, HasDefault, IsNull, IsTrue, Missing, OrElse};
pub use sum::{Bounded, Sum, Summand};
pub(crate) use sum::{LIMIT, check_bounds};
pub use text::{Length, StartsWith, Textual};
pub use vector::{ClipL1, ClipL2, Clipped, ClippedL1, Steps, VectorKind};

pub(crate) use crate::data::plan::Operation;
pub use crate::data::{
    Bool, Categorical, Days, Eval, Fixed, Int, Kind, Moments, Nullable, Real, Term, Text, Vector,
};
use crate::data::{Chunk, Record};

pub(crate) mod sealed {
    pub trait Expr {}
    pub trait Operand<R> {}
    pub trait ConstantInType {}
}

/// The deepest expression and the most nodes that one query may have.
///
/// Both are known when the query's type is; a query beyond them does not compile.
pub const MAX_DEPTH: usize = 64;
/// See [`MAX_DEPTH`].
pub const MAX_NODES: usize = 1024;

/// An expression over the rows of a record. Sealed: built from columns by their methods.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an expression over private rows",
    label = "not an expression",
    note = "build it from the columns that the closure receives, as in `|p| p.age.gt(40)`"
)]
pub trait Expr: sealed::Expr + Sized + Send + Sync + 'static {
    /// The record it reads.
    type Row: Record;
    /// The kind of value it has.
    type Kind: Kind;
    /// The expression, over one chunk.
    #[doc(hidden)]
    type Bound<'a>: Eval<Value = <Self::Kind as Kind>::Value>;
    /// How many nodes it has.
    #[doc(hidden)]
    const NODES: usize;
    /// How deep it is.
    #[doc(hidden)]
    const DEPTH: usize;
    /// The least value of an integer expression, on its grid.
    #[doc(hidden)]
    const LOW: i128 = i64::MIN as i128;
    /// The greatest value of an integer expression, on its grid.
    #[doc(hidden)]
    const HIGH: i128 = i64::MAX as i128;
    /// Steps of the grid per unit.
    #[doc(hidden)]
    const GRID: i128 = 1;
    /// Whether `grid` said so, in the case of reals. Otherwise `clamp` and `clip` choose a grid.
    #[doc(hidden)]
    const GRID_IS_GIVEN: bool = false;
    /// Looks at one chunk.
    #[doc(hidden)]
    fn bind<'a>(&'a self, chunk: &Chunk<'a, Self::Row>) -> Self::Bound<'a>;
    /// The same expression as plain data.
    #[doc(hidden)]
    fn term(&self) -> Term;
}

/// The kind of expression `E`.
pub(crate) type KindOf<E> = <E as Expr>::Kind;
/// The record that expression `E` reads.
pub(crate) type RowOf<E> = <E as Expr>::Row;
/// The value of expression `E`.
pub(crate) type ValOf<E> = <<E as Expr>::Kind as Kind>::Value;

/// The constant `C` beside expression `E`, and its kind.
pub(crate) type ConstantOf<C, E> = <C as Operand<RowOf<E>>>::Expr;
pub(crate) type ConstantKind<C, E> = KindOf<ConstantOf<C, E>>;

/// Stops the compilation of a query that is too large.
pub(crate) const fn check_size<E: Expr>() {
    assert!(
        E::NODES <= MAX_NODES,
        "this expression has more than 1024 nodes"
    );
    assert!(
        E::DEPTH <= MAX_DEPTH,
        "this expression is more than 64 deep"
    );
}

/// Refuses a constant when it is evaluated. The error shows the line that asked, not the line of a macro of
/// the standard library.
#[track_caller]
pub(crate) const fn refuse(why: &'static str) -> ! {
    panic!("{}", why)
}

/// Implements [`Expr`] for a node with children, and gives it the methods of expressions.
macro_rules! node {
    (
        [$($g:tt)*] $t:ty where [$($w:tt)*];
        row $row:ty; kind $kind:ty; children [$($child:ty),*];
        $(low $low:expr;)? $(high $high:expr;)? $(grid $grid:expr;)? $(given $given:expr;)?
        bound<$a:lifetime> $bound:ty;
        bind |$this:ident, $chunk:ident| $bind:expr;
        term |$that:ident| $term:expr;
    ) => {
        impl<$($g)*> $crate::expr::sealed::Expr for $t where $($w)* {}
        impl<$($g)*> $crate::expr::Expr for $t where $($w)* {
            type Row = $row;
            type Kind = $kind;
            type Bound<$a> = $bound;
            const NODES: usize = 1 $(+ <$child as $crate::expr::Expr>::NODES)*;
            const DEPTH: usize = {
                #[allow(unused_mut)]
                let mut depth = 1;
                $(depth = {
                    let child = 1 + <$child as $crate::expr::Expr>::DEPTH;
                    if child > depth { child } else { depth }
                };)*
                depth
            };
            $(const LOW: i128 = $low;)?
            $(const HIGH: i128 = $high;)?
            $(const GRID: i128 = $grid;)?
            $(const GRID_IS_GIVEN: bool = $given;)?
            #[inline(always)]
            fn bind<$a>(&$a self, $chunk: &$crate::data::Chunk<$a, Self::Row>) -> $bound {
                let $this = self;
                $bind
            }
            fn term(&self) -> $crate::expr::Term {
                let $that = self;
                $term
            }
        }
        $crate::expr::methods::methods!([$($g)*] $t where [$($w)*]);
    };
}
pub(crate) use node;
