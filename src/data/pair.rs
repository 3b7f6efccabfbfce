//! Two tables in one vault, and who may be in both.

use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use super::domain::sealed;
use super::load::{self, LoadReport, Source};
use super::{Data, Domain, NamesData, OrderKey};
use crate::error::Result;

/// Two data sets in one vault: neighbours may differ in both at once
/// ([T13](crate::guide::theory#t13-data-sets-that-share-people)).
///
/// `Pair<A, B>` assumes nothing. A person may be in both, so a release from each costs the
/// sum. With `Pair<A, B, Disjoint>` the data owner declares that nobody is in both; see
/// [`Mechanism::beside`](crate::Mechanism::beside).
///
/// ```
/// use privet::prelude::*;
/// use privet::{Disjoint, Pair};
///
/// #[derive(Record)]
/// struct Patient { age: i64 }
/// #[derive(Record)]
/// struct Pupil { mark: i64 }
///
/// fn patients() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> { rows::<Patient>().count().laplace() }
/// fn pupils() -> Mechanism<Table<Pupil>, i64, Eps<1, 4>> { rows::<Pupil>().count().laplace() }
///
/// // Someone may be a patient and a pupil: the costs add.
/// let both: Mechanism<Pair<Table<Patient>, Table<Pupil>>, _, Eps<2, 4>> =
///     patients().on_first().and(pupils().on_second());
/// // The data owner declares that nobody is in both: the larger cost covers both.
/// let both: Mechanism<Pair<Table<Patient>, Table<Pupil>, Disjoint>, _, Eps<1, 4>> =
///     patients().beside(pupils());
/// assert!(both.explain().to_string().contains("assuming that nobody is in both"));
/// ```
#[derive(Debug)]
#[allow(clippy::type_complexity)] // three parameters, none of them a value
pub struct Pair<A, B, Sharing = MayShare>(PhantomData<fn() -> (A, B, Sharing)>);

/// A person may be in both data sets.
#[derive(Debug)]
pub enum MayShare {}

/// Nobody is in both data sets. The data owner states this assumption in the vault's type.
#[derive(Debug)]
pub enum Disjoint {}

/// Groups of up to `K` such persons.
#[doc(hidden)]
#[derive(Debug)]
pub struct GroupsOf<const K: usize, Sharing>(PhantomData<fn() -> Sharing>);

mod closed {
    pub trait Sharing {}
    impl Sharing for super::MayShare {}
    impl Sharing for super::Disjoint {}
    pub trait Relation {}
    impl<S: Sharing> Relation for S {}
    impl<const K: usize, S: Relation> Relation for super::GroupsOf<K, S> {}
}

/// What is assumed about who is in both of two data sets. Sealed: [`MayShare`], [`Disjoint`].
pub trait Sharing: closed::Sharing + closed::Relation + 'static {}
impl Sharing for MayShare {}
impl Sharing for Disjoint {}

impl<A: Domain, B: Domain, S: closed::Relation + 'static> sealed::Sealed for Pair<A, B, S> {}
impl<A: Domain, B: Domain, S: closed::Relation + 'static> NamesData for Pair<A, B, S> {
    type Data = Both<A::Data, B::Data>;
}
impl<A: Domain, B: Domain, S: closed::Relation + 'static> Domain for Pair<A, B, S> {
    type Grouped<const K: usize> = Pair<A, B, GroupsOf<K, S>>;
    const IN_A_VAULT: bool = A::IN_A_VAULT && B::IN_A_VAULT;

    fn describe() -> String {
        let sharing = core::any::type_name::<S>();
        format!(
            "pair of ({}) and ({}); {sharing}",
            A::describe(),
            B::describe()
        )
    }
}

/// The data of a pair. It reveals nothing.
pub struct Both<A, B>(A, B);

impl<A, B> Both<A, B> {
    /// PRIVACY: raw data, for mechanisms on one of the two.
    pub(crate) fn first(&self) -> &A {
        &self.0
    }
    /// PRIVACY: as `first`.
    pub(crate) fn second(&self) -> &B {
        &self.1
    }
}

impl<A, B> fmt::Debug for Both<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Both { .. }")
    }
}

/// A query to a pair. There is none, because each data set is queried on its own.
#[derive(Debug)]
pub enum NoQuery {}

impl<A: Data, B: Data> Data for Both<A, B> {
    type Query = NoQuery;

    fn describe(query: &NoQuery) -> String {
        match *query {}
    }

    fn ordered_by(self, key: OrderKey) -> Self {
        Both(self.0.ordered_by(key), self.1.ordered_by(key))
    }

    fn scan(&self, queries: &[Arc<NoQuery>]) -> Result<Vec<Vec<i128>>> {
        Ok(queries.iter().map(|query| match **query {}).collect())
    }
}

impl<A, B> load::sealed::Source for (A, B) {}
impl<A, B, S, F, G> Source<Pair<A, B, S>> for (F, G)
where
    A: Domain,
    B: Domain,
    S: Sharing,
    F: Source<A>,
    G: Source<B>,
{
    fn load(self, report: &mut LoadReport) -> Result<Both<A::Data, B::Data>> {
        Ok(Both(self.0.load(report)?, self.1.load(report)?))
    }
}
