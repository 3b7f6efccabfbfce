//! Leaves of expressions: columns and public constants.

use core::marker::PhantomData;

use super::{Categorical, Eval, Expr, Int, Kind, Real, Term, Text, node, sealed};
use crate::data::{Category, Col, Column, Field, FieldValue, Record, ValueOf, plan};

type ColumnOf<F> = <ValueOf<F> as FieldValue>::Column;

/// A field's column as plain data.
pub(crate) fn column_of<F: Field>() -> plan::Column {
    type KindOf<F> = <ColumnOf<F> as Column>::Kind;
    plan::Column {
        name: F::NAME.into(),
        kind: KindOf::<F>::PLAN,
        nullable: KindOf::<F>::NULLABLE,
    }
}

node! {
    [F: Field] Col<F> where [];
    row F::Row; kind <ColumnOf<F> as Column>::Kind; children [];
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
                Term::Constant(plan::Constant::Category(*ordinal, (*name).into()))
            }
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
    message = "`{Self}` cannot stand beside a column of `{R}`",
    label = "neither a column of `{R}` nor a constant",
    note = "use an expression over the same record, an integer, an `f64`, a `&str` or a category"
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
constant!([] &str => Text, |value| Literal::Text(value.into()));
constant!([C: Category] C => Categorical<C>, |value| {
    let ordinal = value.ordinal();
    Literal::Choice(ordinal, C::NAMES[ordinal as usize])
});
