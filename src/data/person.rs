//! One person's value: private data in the local model.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use std::sync::Arc;

use super::load::{LoadReport, Source, sealed as load};
use super::{Category, Data, Domain, NamesData, domain};
use crate::error::Result;

mod sealed {
    pub trait Held {}
    pub trait Stored {}
    impl Stored for u64 {}
    impl Stored for Box<str> {}
}

/// One person's value: the type of private data in the local model.
///
/// Any two values are neighbours: a price is a promise about everything that the value may be.
/// There are no values of this type; the person's value lives in a vault.
#[derive(Debug)]
pub struct Person<T>(PhantomData<fn() -> T>);

/// A value that a person may hold. Sealed: `bool`, integers, `String` and categories.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a person's value",
    label = "not a value to hold",
    note = "values are `bool`, integers up to 64 bits, `String`, and enums with `#[derive(Category)]`"
)]
pub trait Held: sealed::Held + Sized + 'static {
    /// How the vault stores it: a type that this crate chooses.
    #[doc(hidden)]
    type Stored: Hashed;
    /// Takes the value apart.
    #[doc(hidden)]
    fn store(self) -> Self::Stored;
}

/// A value that is one of a few public ones, in order. Sealed: `bool` and categories.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not one of a few public values",
    label = "not a choice",
    note = "use a `bool` or an enum with `#[derive(Category)]`; many values go into a `.sketch()`"
)]
pub trait Choice: Held<Stored = u64> {
    /// How many there are.
    #[doc(hidden)]
    const CHOICES: usize;
    /// What a report says: the value for `bool`, its place for a category.
    type Report: Copy + 'static;
    /// A report of a place.
    #[doc(hidden)]
    fn report(place: usize) -> Self::Report;
    /// The place in a report.
    #[doc(hidden)]
    fn place(report: Self::Report) -> usize;
}

/// A value as a vault stores it, as words to hash.
#[doc(hidden)]
pub trait Hashed: sealed::Stored + Send + Sync + 'static {
    fn words(&self) -> impl Iterator<Item = u64> + '_;
}
impl Hashed for u64 {
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        core::iter::once(*self)
    }
}
impl Hashed for Box<str> {
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |word, byte| word << 8 | u64::from(*byte))
        };
        core::iter::once(self.len() as u64).chain(self.as_bytes().chunks(8).map(word))
    }
}

macro_rules! numbers {
    ($($t:ty)*) => {$(
        impl sealed::Held for $t {}
        impl Held for $t {
            type Stored = u64;
            fn store(self) -> u64 {
                self as u64
            }
        }
    )*};
}
numbers!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl sealed::Held for String {}
impl Held for String {
    type Stored = Box<str>;
    fn store(self) -> Box<str> {
        self.into_boxed_str()
    }
}

#[diagnostic::do_not_recommend]
impl<C: Category> sealed::Held for C {}
#[diagnostic::do_not_recommend]
impl<C: Category> Held for C {
    type Stored = u64;
    fn store(self) -> u64 {
        // PRIVACY: the category is a user's type; derived code looks at it once, and it is never
        // dropped, so that no `Drop` of the user's type sees it.
        let key = ManuallyDrop::new(self);
        let last = (C::NAMES.len() as u64).saturating_sub(1);
        u64::from(C::ordinal(&key)).min(last)
    }
}

impl Choice for bool {
    const CHOICES: usize = 2;
    type Report = bool;
    fn report(place: usize) -> bool {
        place == 1
    }
    fn place(report: bool) -> usize {
        report.into()
    }
}
#[diagnostic::do_not_recommend]
impl<C: Category> Choice for C {
    const CHOICES: usize = C::NAMES.len();
    type Report = usize;
    fn report(place: usize) -> usize {
        place
    }
    fn place(report: usize) -> usize {
        report
    }
}

/// One person's private value. It reveals nothing.
pub struct PersonData<T: Held>(T::Stored);

impl<T: Held> PersonData<T> {
    pub(crate) fn new(value: T) -> Self {
        PersonData(value.store())
    }
}

impl<T: Held> fmt::Debug for PersonData<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonData { .. }")
    }
}

/// A function from a value to exact cells.
type Question<V> = dyn Fn(&V) -> Vec<i128> + Send + Sync;

/// An exact query to one person's value.
#[doc(hidden)]
pub struct PersonQuery<T: Held>(Box<Question<T::Stored>>);

impl<T: Held> PersonQuery<T> {
    /// PRIVACY: the closure sees the raw value, and is code of this crate.
    pub(crate) fn new(ask: impl Fn(&T::Stored) -> Vec<i128> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(PersonQuery(Box::new(ask)))
    }
}

impl<T: Held> Data for PersonData<T> {
    type Query = PersonQuery<T>;

    /// The mechanism's label says what is asked; here there is one value.
    fn describe(_: &PersonQuery<T>) -> String {
        "the value".into()
    }

    fn scan(&self, queries: &[Arc<PersonQuery<T>>]) -> Result<Vec<Vec<i128>>> {
        // PRIVACY: exact answers.
        Ok(queries.iter().map(|query| (query.0)(&self.0)).collect())
    }
}

impl<T: Held> domain::sealed::Sealed for Person<T> {}
impl<T: Held> NamesData for Person<T> {
    type Data = PersonData<T>;
}
impl<T: Held> Domain for Person<T> {
    /// Any two values are neighbours already.
    type Grouped<const K: usize> = Person<T>;

    fn describe() -> String {
        format!("one person's {}", core::any::type_name::<T>())
    }
}

/// One person's value as a [`Source`], for [`Vault::load`](crate::Vault::load)
/// and [`Simulation`](crate::Simulation).
pub struct One<T>(T);

/// Shows nothing of the value.
impl<T> fmt::Debug for One<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("One { .. }")
    }
}

impl<T: Held> One<T> {
    /// The value.
    pub fn new(value: T) -> Self {
        One(value)
    }
}
impl<T> load::Source for One<T> {}
impl<T: Held> Source<Person<T>> for One<T> {
    fn load(self, _: &mut LoadReport) -> Result<PersonData<T>> {
        Ok(PersonData::new(self.0))
    }
}
