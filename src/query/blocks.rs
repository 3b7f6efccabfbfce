//! Blocks: the rows of a table, divided by public keys.

use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use super::selection::described;
use super::{KeptInEach, PerPerson, Selection, Unbounded};
use crate::data::{Col, HasPerson, Record};
use crate::data::{Division, LEFT_OUT, Places, TableData};
use crate::expr::{Eval, Expr, Keyed, Operation, Term, check_size};

/// The rows of `S`, divided into blocks by the public keys of `E`.
///
/// # Claim
///
/// A record is in at most one block, and each block is an `AddRemove` table. A mechanism on each block
/// costs as much as on one block under `AddRemove`, and as much as a group of two on one block under
/// `Replace`.
#[must_use = "blocks alone release nothing; run a mechanism on each"]
pub struct Blocks<R, Rel, S, E> {
    rows: S,
    key: E,
    input: PhantomData<fn() -> (R, Rel)>,
}

impl<R: Record, Rel, S: Selection<R>, E: Keyed + Expr<Row = R>> Blocks<R, Rel, S, E> {
    pub(super) fn new(rows: S, key: E) -> Self {
        const { check_size::<E>() };
        Blocks {
            rows,
            key,
            input: PhantomData,
        }
    }

    /// How many blocks there are: as many as keys, whatever the data.
    #[must_use]
    pub fn blocks(&self) -> usize {
        E::CELLS
    }

    /// The block of each row.
    pub(crate) fn places(&self, data: &TableData<R>) -> Places {
        data.divide(|chunk, places| {
            let keep = self.rows.bind(chunk);
            let key = self.key.bind(chunk);
            // PRIVACY: looks at raw rows; the places stay in the crate.
            chunk.each(|row| {
                let (valid, cell) = E::cell(key.at(row));
                places[row] = if valid & keep.at(row) {
                    cell as u32
                } else {
                    LEFT_OUT
                };
            });
        })
    }

    /// The blocks of a table, wherever its rows are.
    pub(crate) fn divide(self: &Arc<Self>, data: &TableData<R>) -> Division<R>
    where
        Rel: 'static,
    {
        let this = Arc::clone(self);
        Division::new(data, &self.term(), move |batch| this.places(batch))
    }

    /// The blocks as plain data.
    #[must_use]
    pub fn term(&self) -> Term {
        described(Operation::GroupBy, vec![self.key.term()], &self.rows)
    }
}

impl<R, S, E> Blocks<R, PerPerson, S, E>
where
    R: HasPerson,
    S: Unbounded,
    E: Keyed + Expr<Row = R> + Clone,
{
    /// Keeps `K` rows of each person in each of at most `M` blocks.
    ///
    /// A person's rows are taken in that person's random order: the blocks are those of the rows that
    /// come first, so that a block in which the person has more rows is likelier to be among them. The
    /// choice depends on that person's rows alone.
    ///
    /// One person moves at most `M` blocks, by at most `K` rows each, so a mechanism on
    /// [`each`](Blocks::each) block costs M times what a group of K records costs on one.
    ///
    /// ```
    /// use privet::prelude::*;
    /// use privet::query::PerPerson;
    ///
    /// #[derive(Record)]
    /// struct Visit { #[privet(person)] patient: u32, ward: Ward }
    /// #[derive(Category)]
    /// enum Ward { Surgery, Maternity, Oncology }
    ///
    /// let visits: Mechanism<Table<Visit, PerPerson>, Vec<i64>, Eps<6, 8>> =
    ///     rows::<Table<Visit, PerPerson>>()
    ///         .group_by(|v| v.ward)
    ///         .bound_contributions::<3, 2>(|v| v.patient) // three visits to each of two wards
    ///         .each(|_| rows::<Visit>().count().laplace::<Eps<1, 8>>());
    /// ```
    pub fn bound_contributions<const K: usize, const M: usize>(
        self,
        f: impl FnOnce(R::Columns) -> Col<R::Person>,
    ) -> Blocks<R, PerPerson, KeptInEach<K, M, S, E>, E> {
        let _ = f(R::columns());
        // PRIVACY: the key by which rows are kept is the key of the blocks.
        Blocks {
            rows: KeptInEach {
                rows: self.rows,
                key: self.key.clone(),
            },
            key: self.key,
            input: PhantomData,
        }
    }
}

impl<R: Record, Rel, S: Selection<R>, E: Keyed + Expr<Row = R>> fmt::Debug
    for Blocks<R, Rel, S, E>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blocks({})", self.term())
    }
}
