//! Which rows a query looks at.

use std::sync::Arc;

use super::{Neighbours, PerPerson};
use crate::data::{AddRemove, Groups, Replace, Sampled};
use crate::data::{CHUNK, Chunk};
use crate::data::{HasPerson, Record};
use crate::expr::{Eval, Expr, IsCondition, Operation, Term, Where};

pub(crate) mod sealed {
    pub trait Selection<R>: Rows {}
    pub trait Rows {}
}

/// The rows a query looks at. Sealed.
pub trait Selection<R: Record>: sealed::Selection<R> + Send + Sync + 'static {
    /// Whether it is all of them, so that under `Replace` their number is public.
    #[doc(hidden)]
    const WHOLE: bool;
    /// The most rows it has of one person, where the person is the unit; otherwise 1.
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

impl sealed::Rows for All {}
impl<R> sealed::Selection<R> for All {}
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

impl<S, E> sealed::Rows for Where<S, E> {}
impl<R: Record, S: Selection<R>, E: Expr<Row = R, Kind: IsCondition>> sealed::Selection<R>
    for Where<S, E>
{
}
impl<R: Record, S: Selection<R>, E: Expr<Row = R, Kind: IsCondition>> Selection<R> for Where<S, E> {
    const WHOLE: bool = false;
    const ROWS: u128 = S::ROWS;
    type Bound<'a> = BoundWhere<S::Bound<'a>, E::Bound<'a>>;
    fn bind<'a>(&'a self, chunk: &Chunk<'a, R>) -> Self::Bound<'a> {
        BoundWhere(self.0.bind(chunk), self.1.bind(chunk))
    }
    fn term(&self) -> Option<Term> {
        let condition = Expr::term(&self.1);
        Some(match self.0.term() {
            Some(before) => Term::Apply(Operation::And, vec![before, condition]),
            None => condition,
        })
    }
}

/// Selections of which one neighbour under `Rel` changes a known number of rows. Sealed.
///
/// Under a relation of rows, all selections are; where the person is the unit, those with bounded
/// contributions.
#[diagnostic::on_unimplemented(
    message = "a person may have many rows under `{Rel}`, so this has no finite sensitivity",
    label = "contributions not bounded",
    note = "bound them first: `.bound_contributions::<K>(|r| r.person)`"
)]
pub trait Contributions<Rel: Neighbours>: sealed::Rows {}
impl<S: sealed::Rows> Contributions<AddRemove> for S {}
impl<S: sealed::Rows> Contributions<Replace> for S {}
impl<S: sealed::Rows, const NUM: usize, const DEN: usize> Contributions<Sampled<NUM, DEN>> for S {}
impl<S: sealed::Rows, const K: usize, Rel: Neighbours> Contributions<Groups<K, Rel>> for S where
    S: Contributions<Rel>
{
}
impl<const K: usize> Contributions<PerPerson> for Kept<K> {}
impl<S: Contributions<PerPerson>, E> Contributions<PerPerson> for Where<S, E> {}
impl<S: Contributions<PerPerson>> Contributions<PerPerson> for Arc<S> {}

/// A selection that several queries share.
impl<S> sealed::Rows for Arc<S> {}
impl<R: Record, S: Selection<R>> sealed::Selection<R> for Arc<S> {}
impl<R: Record, S: Selection<R>> Selection<R> for Arc<S> {
    const WHOLE: bool = S::WHOLE;
    const ROWS: u128 = S::ROWS;
    type Bound<'a> = S::Bound<'a>;
    fn bind<'a>(&'a self, chunk: &Chunk<'a, R>) -> S::Bound<'a> {
        (**self).bind(chunk)
    }
    fn term(&self) -> Option<Term> {
        (**self).term()
    }
}

/// `K` rows of each person, chosen at random when the vault opens.
///
/// PRIVACY: which rows are kept depends on the vault's key and on that person's rows alone.
#[derive(Clone, Copy, Debug)]
pub struct Kept<const K: usize>(pub(super) ());

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundKept<'a>(&'a [u32; CHUNK], u32);
impl Eval for BoundKept<'_> {
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        self.0[row] < self.1
    }
}

impl<const K: usize> sealed::Rows for Kept<K> {}
impl<R: HasPerson, const K: usize> sealed::Selection<R> for Kept<K> {}
impl<R: HasPerson, const K: usize> Selection<R> for Kept<K> {
    const WHOLE: bool = false;
    const ROWS: u128 = {
        assert!(
            K > 0 && K <= u32::MAX as usize,
            "a person may contribute 1 to 2^32 − 1 rows"
        );
        K as u128
    };
    type Bound<'a> = BoundKept<'a>;
    fn bind<'a>(&'a self, chunk: &Chunk<'a, R>) -> BoundKept<'a> {
        BoundKept(chunk.ranks(), K as u32)
    }
    fn term(&self) -> Option<Term> {
        Some(Term::Apply(
            Operation::First,
            vec![
                Term::constant(K),
                Term::Column(crate::expr::column_of::<R::Person>()),
            ],
        ))
    }
}

/// A query about some rows, as plain data.
pub(super) fn described<R: Record>(
    query: Operation,
    mut of: Vec<Term>,
    selection: &impl Selection<R>,
) -> Term {
    if let Some(condition) = selection.term() {
        of.push(Term::Apply(Operation::Where, vec![condition]));
    }
    Term::Apply(query, of)
}
