//! What a mechanism runs on: the data and the neighbouring relation, as a type.

use core::marker::PhantomData;
use std::sync::Arc;

use super::pair::NoQuery;
use super::{Data, OrderKey};
use crate::error::Result;

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// The data that a mechanism runs on, and what makes two data sets neighbours.
///
/// The relation is part of the type
/// ([T2](crate::guide::theory#t2-neighbours-and-sensitivities)):
/// a price is a promise about neighbours, and the two
/// common relations give different sensitivities. Sealed: [`Table`] and, in the local
/// model, [`Person`](crate::local::Person).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not data that a mechanism runs on",
    label = "not a table",
    note = "a record is one row; write `Table<{Self}>` for the rows"
)]
pub trait Domain: NamesData + sealed::Sealed + Sized + 'static {
    /// The same data, where neighbours differ in a group of up to `K` records
    /// ([T12](crate::guide::theory#t12-group-privacy)).
    type Grouped<const K: usize>: Domain<Data = Self::Data>;
    /// Whether a vault can hold such data.
    #[doc(hidden)]
    const IN_A_VAULT: bool = true;
    /// The records, their fields and the relation, to tell one domain from another.
    #[doc(hidden)]
    fn describe() -> String;
}

/// What may be written where a mechanism or a vault names its data: every [`Domain`], and a record where its
/// table is meant. Nothing can be done with `Mechanism<Patient, ..>`, but since the type exists, rustc reports
/// the one place where a `Table<Patient>` was expected, and not the signature as well.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not data that a mechanism runs on",
    label = "not a table",
    note = "a record is one row; write `Table<{Self}>` for the rows"
)]
pub trait NamesData {
    /// The columns behind the type. Opaque outside the crate.
    #[doc(hidden)]
    type Data: Data;
}

/// When two tables are neighbours. Sealed: [`AddRemove`], [`Replace`], [`PerPerson`],
/// [`Sampled`] and [`Groups`] of these.
pub trait Relation: sealed::Sealed + Sized + 'static {
    /// Whether a vault can hold a table under this relation.
    #[doc(hidden)]
    const IN_A_VAULT: bool = true;
    /// How the relation reads in `explain()`.
    #[doc(hidden)]
    fn describe() -> String;
}

/// Neighbours differ by one record, added or removed: the number of records is private.
#[derive(Debug)]
pub enum AddRemove {}

/// Neighbours differ in the value of one record: the number of records is public.
#[derive(Debug)]
pub enum Replace {}

/// Neighbours differ in up to `K` steps of `Rel`. This protects a household, not just a person
/// ([T12](crate::guide::theory#t12-group-privacy)).
#[derive(Debug)]
pub struct Groups<const K: usize, Rel = AddRemove>(PhantomData<fn() -> Rel>);

impl sealed::Sealed for AddRemove {}
impl sealed::Sealed for Replace {}
impl<const K: usize, Rel: Relation> sealed::Sealed for Groups<K, Rel> {}

impl Relation for AddRemove {
    fn describe() -> String {
        "add or remove one record".into()
    }
}
impl Relation for Replace {
    fn describe() -> String {
        "replace one record".into()
    }
}
impl<const K: usize, Rel: Relation> Relation for Groups<K, Rel> {
    const IN_A_VAULT: bool = Rel::IN_A_VAULT;
    fn describe() -> String {
        format!("up to {K} times: {}", Rel::describe())
    }
}

/// Neighbours differ by one person, added or removed with all of their rows.
///
/// The `#[privet(person)]` field identifies the person. Every query on such a table starts with
/// [`bound_contributions`](crate::query::Rows::bound_contributions).
#[derive(Debug)]
pub enum PerPerson {}

impl sealed::Sealed for PerPerson {}
impl Relation for PerPerson {
    fn describe() -> String {
        "add or remove one person with all of their rows".into()
    }
}

/// A sample, which has each row of a table with probability `NUM`/`DEN`. Neighbours differ by one
/// record of the sample, added or removed.
///
/// No vault holds a `Table<R, Sampled<NUM, DEN>>`: a sample is drawn while a mechanism runs, and is gone
/// when it ends. See [`sampled`](crate::query::Rows::sampled).
#[derive(Debug)]
pub enum Sampled<const NUM: usize, const DEN: usize> {}

impl<const NUM: usize, const DEN: usize> sealed::Sealed for Sampled<NUM, DEN> {}
impl<const NUM: usize, const DEN: usize> Relation for Sampled<NUM, DEN> {
    const IN_A_VAULT: bool = false;
    fn describe() -> String {
        format!("add or remove one record of a sample of {NUM}/{DEN}")
    }
}

/// A table of records `R` under a neighbouring relation: the type of private data.
///
/// `Table<R>` is `Table<R, AddRemove>`. There are no values of this type: the columns live in a
/// vault, and mechanisms are described by the type alone.
#[derive(Debug)]
pub struct Table<R, Rel = AddRemove>(PhantomData<fn() -> (R, Rel)>);

/// The data of a record where its table is meant: there are none, so nothing runs on them.
#[derive(Debug)]
pub enum NoData {}

impl Data for NoData {
    type Query = NoQuery;

    fn describe(query: &NoQuery) -> String {
        match *query {}
    }

    fn ordered_by(self, _: OrderKey) -> Self {
        self
    }

    fn scan(&self, _: &[Arc<NoQuery>]) -> Result<Vec<Vec<i128>>> {
        match *self {}
    }
}
