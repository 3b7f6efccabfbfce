//! Rows of which each person has a bounded number, among those that match or in each block.

use super::selection::sealed;
use super::{All, Contributions, PerPerson, Selection, Where};
use crate::cost::{Cost, ForGroups, Times};
use crate::data::{CHUNK, HasPerson, LEFT_OUT, Most};
use crate::expr::{Eval, Expr, Keyed, Operation, Term};
use crate::query::Kept;

/// Selections in which a person may still have any number of rows. Sealed.
#[diagnostic::on_unimplemented(
    message = "the contributions to these rows are bounded already",
    label = "bounded before",
    note = "bound them once, with the smaller number"
)]
pub trait Unbounded: sealed::Rows {}
impl Unbounded for All {}
impl<S: Unbounded, E> Unbounded for Where<S, E> {}

/// `K` rows of each person among those of `S`, chosen at random when the vault opens.
///
/// PRIVACY: which rows are kept depends on the vault's key and on that person's rows alone.
#[derive(Clone, Copy, Debug)]
pub struct KeptAmong<const K: usize, S>(pub(super) S);

/// `K` rows of each person in each of at most `M` blocks by the keys of `E`, among the rows of `S`.
///
/// PRIVACY: as [`KeptAmong`]. Made by blocks of the same key only.
#[derive(Clone, Copy, Debug)]
pub struct KeptInEach<const K: usize, const M: usize, S, E> {
    pub(super) rows: S,
    pub(super) key: E,
}

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundMask<'a>(&'a [bool; CHUNK]);
impl Eval for BoundMask<'_> {
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        self.0[row]
    }
}

impl<const K: usize, S> sealed::Rows for KeptAmong<K, S> {}
impl<const K: usize, S: sealed::Rows> Contributions<PerPerson> for KeptAmong<K, S> {}
impl<R: HasPerson, S: Selection<R>, const K: usize> sealed::Selection<R> for KeptAmong<K, S> {}
impl<R: HasPerson, S: Selection<R>, const K: usize> Selection<R> for KeptAmong<K, S> {
    const WHOLE: bool = false;
    const ROWS: u128 = <Kept<K> as Selection<R>>::ROWS;
    type Bound<'a> = BoundMask<'a>;
    fn bind<'a>(&'a self, chunk: &crate::data::Chunk<'a, R>) -> BoundMask<'a> {
        let most = Most {
            groups: 1,
            rows: K as u32,
        };
        BoundMask(chunk.kept(self, most, |chunk, groups| {
            let matches = self.0.bind(chunk);
            chunk.each(|row| groups[row] = if matches.at(row) { 0 } else { LEFT_OUT });
        }))
    }
    fn term(&self) -> Option<Term> {
        let mut of = vec![
            Term::constant(K),
            Term::Column(crate::expr::column_of::<R::Person>()),
        ];
        of.extend(self.0.term());
        Some(Term::Apply(Operation::FirstAmong, of))
    }
}

impl<const K: usize, const M: usize, S, E> sealed::Rows for KeptInEach<K, M, S, E> {}
impl<R, S, E, const K: usize, const M: usize> sealed::Selection<R> for KeptInEach<K, M, S, E>
where
    R: HasPerson,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
}
impl<R, S, E, const K: usize, const M: usize> Selection<R> for KeptInEach<K, M, S, E>
where
    R: HasPerson,
    S: Selection<R>,
    E: Keyed + Expr<Row = R>,
{
    const WHOLE: bool = false;
    const ROWS: u128 = {
        assert!(M > 0, "a person may be in one block or more");
        match <Kept<K> as Selection<R>>::ROWS.checked_mul(M as u128) {
            Some(rows) => rows,
            None => panic!("a person may contribute fewer rows than these"),
        }
    };
    type Bound<'a> = BoundMask<'a>;
    fn bind<'a>(&'a self, chunk: &crate::data::Chunk<'a, R>) -> BoundMask<'a> {
        let most = Most {
            groups: M,
            rows: K as u32,
        };
        BoundMask(chunk.kept(self, most, |chunk, groups| {
            let (matches, key) = (self.rows.bind(chunk), self.key.bind(chunk));
            chunk.each(|row| {
                let (valid, cell) = E::cell(key.at(row));
                let inside = valid & matches.at(row);
                groups[row] = if inside { cell as u32 } else { LEFT_OUT };
            });
        }))
    }
    fn term(&self) -> Option<Term> {
        let mut of = vec![
            Term::constant(K),
            Term::constant(M),
            Term::Column(crate::expr::column_of::<R::Person>()),
            self.key.term(),
        ];
        of.extend(self.rows.term());
        Some(Term::Apply(Operation::FirstInEach, of))
    }
}

/// What a mechanism of this cost on each block costs together, where a person has a bounded number of
/// the rows of `S`. Sealed.
#[diagnostic::on_unimplemented(
    message = "a mechanism of cost `{Self}` on each block has no price for a person here",
    label = "no price for a person",
    note = "bound what a person contributes: `.bound_contributions::<K>(|r| r.person)` before \
            `group_by`, or `.bound_contributions::<K, M>(|r| r.person)` after it",
    note = "a person's price is that of K records, which must stay at most 1024"
)]
// Proved: Cost.group_sound, Cost.times_sound
pub trait ForPersons<S: sealed::Rows>: Cost {
    /// The price of a group of `K` records; `M` times that, where there are `K` in each of `M` blocks.
    type Persons: Cost;
}
#[diagnostic::do_not_recommend]
impl<C: ForGroups<K>, const K: usize> ForPersons<Kept<K>> for C {
    type Persons = C::Group;
}
#[diagnostic::do_not_recommend]
impl<C: ForGroups<K>, S: sealed::Rows, const K: usize> ForPersons<KeptAmong<K, S>> for C {
    type Persons = C::Group;
}
#[diagnostic::do_not_recommend]
impl<C: ForPersons<S>, S: sealed::Rows, E> ForPersons<Where<S, E>> for C {
    type Persons = C::Persons;
}
#[diagnostic::do_not_recommend]
impl<C, S, E, const K: usize, const M: usize> ForPersons<KeptInEach<K, M, S, E>> for C
where
    C: ForGroups<K, Group: Times<M>>,
{
    type Persons = <C::Group as Times<M>>::Product;
}
