//! Records, their columns and their categories. Only the derives implement these traits.

mod column;
mod dictionary;
mod fields;
mod spelled;
mod value;

use core::fmt;
use core::marker::PhantomData;

use super::kind::Categorical;
pub use column::{BadColumn, Column, Eval};
pub use dictionary::{Dictionary, Head, TextCells};
pub use fields::{Columns, Fields, First, Next, Position};
pub use spelled::Spelling;
pub use value::{FieldValue, Null, PersonValue};

/// A type of row. Use `#[derive(Record)]`; writing it by hand is `unsafe`.
///
/// | field | holds |
/// |---|---|
/// | `i8` to `i64`, `u8` to `u64` | whole numbers; expressions see them as `i64` |
/// | `f64` | reals; `clamp` rounds them to a grid, which `grid` sets or the bounds choose |
/// | [`Decimal<2>`](crate::Decimal) | exact decimal numbers, such as money |
/// | [`Date`](crate::Date), [`Timestamp`](crate::Timestamp) | days and moments: `month()`, `weekday()`, `hour()`, `days_since(..)` |
/// | `bool` | conditions |
/// | `String` | texts, to be compared or counted by public keys |
/// | an enum with `#[derive(Category)]` | one of its variants, which are public keys |
/// | `[f64; D]` | vectors |
/// | `Option` of these | the same, perhaps missing |
///
/// When a vault opens, each record is split at once into columns of this crate's own types. No value
/// of a user's type, and so no user's `Drop`, `Clone`, `Ord` or `Deref`, lives beside the
/// private data.
///
/// # Safety
///
/// `take` must move each field into its place, in order, and do nothing else; `NAMES` must be the
/// fields' names in the same order.
#[allow(unsafe_code)] // PRIVACY: declares the obligation above; contains no unsafe operation.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a record",
    label = "not a record",
    note = "put `#[derive(Record)]` on the struct that holds one row"
)]
pub unsafe trait Record: Derived<As = Self> + Sized + 'static {
    /// The fields as a list of sealed values: `(A, (B, ()))`.
    #[doc(hidden)]
    type Fields: Fields;
    /// The symbolic columns that closures receive.
    type Columns: Copy;
    /// The record's name.
    #[doc(hidden)]
    const NAME: &'static str;
    /// The fields' names, in order.
    #[doc(hidden)]
    const NAMES: &'static [&'static str];
    /// Takes a row apart.
    #[doc(hidden)]
    fn take(self) -> Self::Fields;
    /// The symbolic columns.
    #[doc(hidden)]
    fn columns() -> Self::Columns;
}

/// A type with a derive of this crate. Where it is named through this trait, a type without the derive
/// is one error, and not one for each thing that is done with it.
#[doc(hidden)]
pub trait Derived {
    /// What the crate makes of it: of a record the type itself, of a category its kind.
    type As;
}

/// Implemented by every type with a `Drop` of its own; the derive implements it for records, so
/// that a record with one is an error that names it. (The property that the crate relies on is checked elsewhere, when
/// rows are taken apart.)
#[doc(hidden)]
pub trait RecordWithoutDrop {}
#[allow(drop_bounds)]
impl<T: Drop> RecordWithoutDrop for T {}

/// A field of a record, as a type. Only `#[derive(Record)]` writes it.
///
/// # Safety
///
/// `NAME` must be the name of the field at `Index`. (The value's type is looked up in
/// `Row::Fields`, so that even a lie cannot confuse types.)
///
/// The derive writes `::privet::derive::First`, which a crate can redirect; both names are literals
/// of the derive's own, so a redirected place is detected where the column is read:
///
/// ```compile_fail,E0080
/// #![forbid(unsafe_code)]
/// extern crate privet as dp;
/// extern crate self as privet;
/// pub mod derive {
///     pub use dp::derive::{Categorical, Category, Col, Derived, Field, FieldValue, HasPerson, Record, RecordWithoutDrop};
///     pub type First = dp::derive::Next<dp::derive::First>; // swapped
///     pub type Next<I> = <I as Swap>::To;
///     pub trait Swap { type To; }
///     impl Swap for First { type To = dp::derive::First; }
/// }
/// #[derive(dp::Record, Clone)]
/// struct Visit { patient: i64, number: i64 }
/// fn main() {
///     let query = dp::rows::<Visit>().sum(|v| v.patient.clamp::<0, 9>());
///     dp::testing::exact(&query, [Visit { patient: 1, number: 2 }]);
/// }
/// ```
#[allow(unsafe_code)] // PRIVACY: declares the obligation above; contains no unsafe operation.
#[doc(hidden)]
pub unsafe trait Field: Sized + 'static {
    /// The record.
    type Row: Record;
    /// The field's place in the record.
    type Index: Position<<Self::Row as Record>::Fields>;
    /// The field's name.
    const NAME: &'static str;
}

/// Fails to build where a field's place is not the one that its name has in the record.
pub(crate) const fn check_place<F: Field>() {
    let index = <F::Index as Position<<F::Row as Record>::Fields>>::INDEX;
    let names = <F::Row as Record>::NAMES;
    assert!(
        index < names.len() && same(names[index], F::NAME),
        "this field's place is not the one that its name has in the record"
    );
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// A record with a `#[privet(person)]` field, which says whose row it is.
///
/// # Safety
///
/// `Person` must be a field of the record itself. Only `#[derive(Record)]` writes it.
#[allow(unsafe_code)] // PRIVACY: declares the obligation above; contains no unsafe operation.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whose row it is",
    label = "no person",
    note = "put `#[privet(person)]` on the field that names the person"
)]
pub unsafe trait HasPerson: Record {
    /// The field that names the person.
    #[doc(hidden)]
    type Person: PersonField<Row = Self>;
}

/// A field that can name a person. Sealed with [`Field`].
#[doc(hidden)]
pub trait PersonField: Field {}
impl<F: Field> PersonField for F where ValueOf<F>: PersonValue {}

/// A closed set of public keys: an enum of unit variants with `#[derive(Category)]`.
///
/// The keys are public and ordered as they are declared. A vault holds their ordinals, never the
/// enum itself.
///
/// # Safety
///
/// `ordinal` must return the position of the variant's name in `NAMES` and do nothing else.
#[allow(unsafe_code)] // PRIVACY: declares the obligation above; contains no unsafe operation.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a category",
    label = "not a category",
    note = "put `#[derive(Category)]` on an enum of unit variants"
)]
pub unsafe trait Category: Derived<As = Categorical<Self>> + Sized + 'static {
    /// The keys, in order.
    const NAMES: &'static [&'static str];
    /// The position of this key.
    #[doc(hidden)]
    fn ordinal(&self) -> u32;
}

/// A symbolic column. It represents a field and never holds data.
///
/// Closures given to `filter`, `sum` and the like receive columns and combine them into an
/// expression. There is no `==`, `<`, `Into`, `Hash` or `Deref`: those would have to answer now,
/// about no row in particular.
pub struct Col<F>(PhantomData<fn() -> F>);

impl<F: Field> Col<F> {
    #[doc(hidden)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Col(PhantomData)
    }
}

impl<F> Clone for Col<F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F> Copy for Col<F> {}

impl<F: Field> fmt::Debug for Col<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(F::NAME)
    }
}

/// The type of the values of field `F`.
pub(crate) type ValueOf<F> =
    <<F as Field>::Index as Position<<<F as Field>::Row as Record>::Fields>>::Value;
