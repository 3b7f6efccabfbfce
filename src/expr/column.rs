//! Leaves of expressions: columns and public constants.

use core::marker::PhantomData;

use super::{
    Bool, Bounded, Categorical, Days, Eval, Expr, Int, Kind, Moments, Real, Summand, Term, Text,
    node, sealed,
};
use crate::data::{
    Category, Col, Column, Date, Field, FieldValue, Record, Timestamp, ValueOf, plan,
};

type ColumnOf<F> = <ValueOf<F> as FieldValue>::Column;

/// A field's column as plain data.
pub(crate) fn column_of<F: Field>() -> plan::Column {
    type KindOf<F> = <ColumnOf<F> as Column>::Kind;
    plan::Column {
        name: F::NAME.into(),
        kind: <ColumnOf<F> as Column>::PLAN,
        nullable: KindOf::<F>::NULLABLE,
    }
}

node! {
    [F: Field] Col<F> where [];
    row F::Row; kind <ColumnOf<F> as Column>::Kind; children [];
    grid <ColumnOf<F> as Column>::STEPS as i128;
    bound<'a> <ColumnOf<F> as Column>::Bound<'a>;
    bind |_this, chunk| chunk.column::<F>();
    term |_this| Term::Column(column_of::<F>());
}

/// A public constant of kind `K`.
pub struct Lit<R, K> {
    value: Literal,
    kind: PhantomData<fn() -> (R, K)>,
}

#[derive(Clone)]
enum Literal {
    Int(i64),
    Real(f64),
    Text(String),
    Choice(u32, &'static str),
    Bool(bool),
    Day(Date),
    Moment(Timestamp),
}

impl<R, K> Lit<R, K> {
    fn new(value: Literal) -> Self {
        Lit {
            value,
            kind: PhantomData,
        }
    }
}

impl<R, K> Clone for Lit<R, K> {
    fn clone(&self) -> Self {
        Lit {
            value: self.value.clone(),
            kind: PhantomData,
        }
    }
}

impl<R: Record, K: Kind> Lit<R, K> {
    fn print(&self) -> Term {
        match &self.value {
            Literal::Int(value) => Term::constant(*value),
            Literal::Real(value) => Term::constant(*value),
            Literal::Text(value) => Term::constant(value.as_str()),
            Literal::Choice(ordinal, name) => {
                Term::Constant(plan::Constant::Key(*ordinal, (*name).into()))
            }
            Literal::Bool(value) => Term::constant(*value),
            Literal::Day(value) => Term::constant(*value),
            Literal::Moment(value) => Term::constant(*value),
        }
    }
}

/// The same value on every row.
#[derive(Clone, Copy)]
pub struct Same<T>(T);
impl<T: Copy> Eval for Same<T> {
    type Value = T;
    #[inline(always)]
    fn at(&self, _: usize) -> T {
        self.0
    }
}

macro_rules! literal {
    ([$($g:tt)*] $kind:ty, |$value:ident, $chunk:ident| $bind:expr) => {
        impl<R: Record, $($g)*> sealed::Expr for Lit<R, $kind> {}
        impl<R: Record, $($g)*> sealed::Operand<R> for Lit<R, $kind> {}
        #[diagnostic::do_not_recommend]
        impl<R: Record, $($g)*> Operand<R> for Lit<R, $kind> {
            type Expr = Self;
            fn expr(self) -> Self {
                self
            }
        }
        impl<R: Record, $($g)*> Expr for Lit<R, $kind> {
            type Row = R;
            type Kind = $kind;
            type Bound<'a> = Same<<$kind as Kind>::Value>;
            const NODES: usize = 1;
            const DEPTH: usize = 1;
            fn bind<'a>(&'a self, $chunk: &crate::data::Chunk<'a, R>) -> Self::Bound<'a> {
                let $value = &self.value;
                Same($bind)
            }
            fn term(&self) -> Term {
                self.print()
            }
        }
    };
}

literal!([] Int, |value, _chunk| if let Literal::Int(value) = value { *value } else { 0 });
literal!([] Real, |value, _chunk| if let Literal::Real(value) = value { *value } else { 0.0 });
literal!([] Days, |value, _chunk| if let Literal::Day(value) = value { value.days() } else { 0 });
literal!([] Moments, |value, _chunk| if let Literal::Moment(value) = value { value.micros() } else { 0 });
literal!([] Bool, |value, _chunk| matches!(value, Literal::Bool(true)));
literal!([] Text, |value, chunk| if let Literal::Text(text) = value {
    chunk.dictionary().find(text)
} else {
    0
});
literal!([C: Category] Categorical<C>, |value, _chunk| if let Literal::Choice(ordinal, _) = value {
    *ordinal
} else {
    0
});

/// What an expression over `R` can be combined with: another one, or a public constant. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an expression over the rows of `{R}` nor a constant",
    label = "neither an expression over `{R}` nor a constant",
    note = "constants are `i64` (`i64::from(x)`, `x as i64`), `f64`, `bool`, `&str`, `String`, \
            `Date`, `Timestamp` and categories, by value; a missing value is found by `.is_null()`",
    note = "expressions are built from the columns that the closure receives, as in `p.age.gt(40)`"
)]
pub trait Operand<R: Record>: sealed::Operand<R> {
    /// As an expression.
    #[doc(hidden)]
    type Expr: Expr<Row = R>;
    /// As an expression.
    #[doc(hidden)]
    fn expr(self) -> Self::Expr;
}

macro_rules! constant {
    ([$($g:tt)*] $t:ty => $kind:ty, |$value:ident| $literal:expr) => {
        impl<R: Record, $($g)*> sealed::Operand<R> for $t {}
        #[diagnostic::do_not_recommend]
        impl<R: Record, $($g)*> Operand<R> for $t {
            type Expr = Lit<R, $kind>;
            fn expr(self) -> Self::Expr {
                let $value = self;
                Lit::new($literal)
            }
        }
    };
}

constant!([] i64 => Int, |value| Literal::Int(value));
constant!([] f64 => Real, |value| Literal::Real(value));
constant!([] bool => Bool, |value| Literal::Bool(value));
constant!([] Date => Days, |value| Literal::Day(value));
constant!([] Timestamp => Moments, |value| Literal::Moment(value));
constant!([] &str => Text, |value| Literal::Text(value.into()));
constant!([] String => Text, |value| Literal::Text(value));
constant!([] &String => Text, |value| Literal::Text(value.clone()));

// The kind is `Categorical<C>`, named through what the derive says. Another type has no such kind, and
// the error ends here.
impl<R: Record, C: Category> sealed::Operand<R> for C {}
#[diagnostic::do_not_recommend]
impl<R: Record, C: Category> Operand<R> for C {
    type Expr = Lit<R, C::As>;
    fn expr(self) -> Self::Expr {
        let ordinal = self.ordinal();
        Lit::new(Literal::Choice(ordinal, C::NAMES[ordinal as usize]))
    }
}

/// Never implemented: the bounds of a constant that is known at run time are not in its type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a constant in a sum has no bounds, so the sum has no finite sensitivity",
    label = "a constant without bounds",
    note = "put it into the type: `.times::<1_000_000>()` for `* 1_000_000`, `.plus::<1>()` for `+ 1`, \
            `.plus::<-1>()` for `- 1`, `(-x).plus::<1>()` for `1 - x`"
)]
pub trait ConstantInType: sealed::ConstantInType {
    type Itself: Bounded;
}

impl<R: Record, K: Summand> Bounded for Lit<R, K>
where
    Self: Expr<Row = R, Kind = K> + ConstantInType<Itself: Expr<Row = R, Kind = K>>,
{
    type Summed = <Self as ConstantInType>::Itself;
    fn summed(self) -> Self::Summed {
        unreachable!("no constant is a `ConstantInType`")
    }
}
