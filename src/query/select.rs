//! Which rows a query looks at.

use crate::expr::{Condition, Eval, Expr, Term, check_size};
use crate::record::Record;
use crate::table::Chunk;

mod sealed {
    pub trait Selection {}
}

/// The rows a query looks at. Sealed.
pub trait Selection<R: Record>: sealed::Selection + Send + Sync + 'static {
    /// Whether it is all of them, so that under `Replace` their number is public.
    #[doc(hidden)]
    const WHOLE: bool;
    /// How many rows of a person it has at most, where the person is the unit; else 1.
    #[doc(hidden)]
    const ROWS: u128;
    /// One chunk of it.
    #[doc(hidden)]
    type Bound<'a>: Eval<Value = bool>;
    /// Looks at one chunk.
    #[doc(hidden)]
    fn bind<'a>(&'a self, chunk: &Chunk<'a, R>) -> Self::Bound<'a>;
    /// The condition as plain data.
    #[doc(hidden)]
    fn term(&self) -> Option<Term>;
}

/// All rows.
#[derive(Clone, Copy, Debug)]
pub struct All;

/// True on every row.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Yes;
impl Eval for Yes {
    type Value = bool;
    #[inline(always)]
    fn at(&self, _: usize) -> bool {
        true
    }
}

impl sealed::Selection for All {}
impl<R: Record> Selection<R> for All {
    const WHOLE: bool = true;
    const ROWS: u128 = 1;
    type Bound<'a> = Yes;
    fn bind<'a>(&'a self, _: &Chunk<'a, R>) -> Yes {
        Yes
    }
    fn term(&self) -> Option<Term> {
        None
    }
}

/// Those rows of `S` on which a condition holds.
#[derive(Clone, Debug)]
pub struct Where<S, E>(S, E);

impl<S, E> Where<S, E> {
    pub(super) fn new<R: Record>(selection: S, condition: E) -> Self
    where
        E: Condition<R>,
    {
        const { check_size::<E>() };
        Where(selection, condition)
    }
}

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundWhere<S, E>(S, E);
impl<S: Eval<Value = bool>, E: Eval<Value = bool>> Eval for BoundWhere<S, E> {
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        self.0.at(row) & self.1.at(row)
    }
}

impl<S, E> sealed::Selection for Where<S, E> {}
impl<R: Record, S: Selection<R>, E: Condition<R>> Selection<R> for Where<S, E> {
    const WHOLE: bool = false;
    const ROWS: u128 = S::ROWS;
    type Bound<'a> = BoundWhere<S::Bound<'a>, E::Bound<'a>>;
    fn bind<'a>(&'a self, chunk: &Chunk<'a, R>) -> Self::Bound<'a> {
        BoundWhere(self.0.bind(chunk), self.1.bind(chunk))
    }
    fn term(&self) -> Option<Term> {
        let condition = Expr::term(&self.1);
        Some(match self.0.term() {
            Some(before) => Term::Infix("&", vec![before, condition]),
            None => condition,
        })
    }
}

/// A question about some rows, as plain data.
pub(super) fn question<R: Record>(
    name: &'static str,
    mut of: Vec<Term>,
    selection: &impl Selection<R>,
) -> Term {
    if let Some(condition) = selection.term() {
        of.push(Term::Call("where", vec![condition]));
    }
    Term::Call(name, of)
}
