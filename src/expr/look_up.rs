//! A join with a public table: what it says of a value.

use core::marker::PhantomData;
use std::collections::HashSet;
use std::sync::Arc;

use super::list::{BoundPlaces, KeyList};
use super::{
    Bool, Categorical, Days, Eval, Expr, Int, Kind, KindOf, Located, Nullable, Operation,
    PublicKey, Real, Term, node,
};
use crate::data::plan::Constant;
use crate::data::{Category, Date, Null};
use crate::error::{Error, Result};

mod sealed {
    pub trait PublicValue {}
}

/// What a public table can say: an `i64`, an `f64`, a `bool`, a `Date` or a category. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be looked up in a public table",
    label = "not a value of a public table",
    note = "values are `i64`, `f64`, `bool`, `Date` and categories; for texts, derive a `Category`"
)]
pub trait PublicValue: sealed::PublicValue + 'static {
    /// The kind of expression that looking it up gives, if there is a value.
    type Kind: Kind<Value: Send + Sync>;
    /// What stands where there is none.
    #[doc(hidden)]
    const NONE: <Self::Kind as Kind>::Value;
    /// As an expression sees it.
    #[doc(hidden)]
    fn seen(&self) -> <Self::Kind as Kind>::Value;
    /// As plain data.
    #[doc(hidden)]
    fn constant(&self) -> Constant;
}

macro_rules! values {
    ($($t:ty => $kind:ty, $none:expr, |$value:ident| $seen:expr;)*) => {$(
        impl sealed::PublicValue for $t {}
        #[diagnostic::do_not_recommend]
        impl PublicValue for $t {
            type Kind = $kind;
            const NONE: <$kind as Kind>::Value = $none;
            fn seen(&self) -> <$kind as Kind>::Value {
                let $value = *self;
                $seen
            }
            fn constant(&self) -> Constant {
                (*self).into()
            }
        }
    )*};
}
values! {
    i64 => Int, 0, |value| value;
    f64 => Real, 0.0, |value| value;
    bool => Bool, false, |value| value;
    Date => Days, 0, |value| value.days();
}
impl<C: Category> sealed::PublicValue for C {}
#[diagnostic::do_not_recommend]
impl<C: Category> PublicValue for C {
    type Kind = Categorical<C>;
    const NONE: u32 = 0;
    fn seen(&self) -> u32 {
        self.ordinal().min(C::NAMES.len() as u32 - 1)
    }
    fn constant(&self) -> Constant {
        let place = PublicValue::seen(self);
        Constant::Key(place, C::NAMES[place as usize].into())
    }
}

/// A public table of one value for each key, to look up what is known of a private value: the region of a
/// postcode, the altitude of an airport. See `look_up` on columns.
///
/// # Claim
///
/// The table is public and fixed before any row is read, so what it says is a function of one row: a
/// query with it has the sensitivity that it has without. Every row is looked up in the same way, and
/// a row whose key is not in the table has a null.
///
/// ```
/// use privet::expr::PublicTable;
/// use privet::prelude::*;
///
/// #[derive(Category, Clone)]
/// enum Coast { East, West }
/// #[derive(Record)]
/// struct Flight { to: String }
///
/// # fn main() -> privet::Result<()> {
/// let coasts = PublicTable::new([("BOS", Coast::East), ("SEA", Coast::West), ("SFO", Coast::West)])?;
/// let vault: Vault<Table<Flight>, Eps<100, 1>> =
///     Vault::open(["SEA", "SFO", "ORD"].map(|to| Flight { to: to.into() }));
/// let by_coast = rows::<Flight>().histogram(|f| f.to.look_up(&coasts));
/// let (counts, _) = vault.release(by_coast.laplace::<Eps<100, 1>>())?;
/// assert_eq!(counts, [0, 2]); // ORD is in no cell; so large an ε hides nothing
/// # Ok(()) }
/// ```
pub struct PublicTable<K, V: PublicValue> {
    entries: Arc<Entries<V>>,
    key: PhantomData<fn() -> K>,
}

struct Entries<V: PublicValue> {
    keys: KeyList,
    /// One more than keys: the last is for a value that is not among them.
    values: Vec<<V::Kind as Kind>::Value>,
    constants: Vec<Constant>,
}

impl<K, V: PublicValue> Clone for PublicTable<K, V> {
    fn clone(&self) -> Self {
        PublicTable {
            entries: Arc::clone(&self.entries),
            key: PhantomData,
        }
    }
}

impl<K: PublicKey, V: PublicValue> PublicTable<K, V> {
    /// The most keys of a table.
    const MOST: usize = 1 << 16;

    /// A table with these entries.
    ///
    /// # Errors
    ///
    /// If a key occurs twice, or there are more than 65,536.
    pub fn new(entries: impl IntoIterator<Item = (K, V)>) -> Result<Self> {
        let (mut keys, mut values, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        let mut known = HashSet::new();
        for (entry, (key, value)) in entries.into_iter().enumerate() {
            let key = key.constant();
            if entry == Self::MOST || !known.insert(key.clone()) {
                return Err(Error::PublicTable { entry });
            }
            keys.push(key);
            values.push(value.seen());
            constants.push(value.constant());
        }
        values.push(V::NONE);
        let absent = keys.len() as u32;
        let entries = Entries {
            keys: KeyList::new(keys, absent),
            values,
            constants,
        };
        Ok(PublicTable {
            entries: Arc::new(entries),
            key: PhantomData,
        })
    }
}

/// What a public table says of an expression's value.
pub struct LookUp<E, K, V: PublicValue>(E, Arc<Entries<V>>, PhantomData<fn() -> K>);

impl<E: Clone, K, V: PublicValue> Clone for LookUp<E, K, V> {
    fn clone(&self) -> Self {
        LookUp(self.0.clone(), Arc::clone(&self.1), PhantomData)
    }
}

impl<E, K, V: PublicValue> LookUp<E, K, V> {
    pub(super) fn new<T: PublicKey<Kind = K>>(e: E, table: &PublicTable<T, V>) -> Self {
        LookUp(e, Arc::clone(&table.entries), PhantomData)
    }
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundLookUp<'a, B, E, K, V: PublicValue>(
    BoundPlaces<'a, B, E, K>,
    &'a [<V::Kind as Kind>::Value],
);
impl<B: Copy, E, K, V: PublicValue> Clone for BoundLookUp<'_, B, E, K, V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, E, K, V: PublicValue> Copy for BoundLookUp<'_, B, E, K, V> {}
impl<B, E, K, V> Eval for BoundLookUp<'_, B, E, K, V>
where
    B: Eval<Value = E::Value>,
    E: Located<K>,
    K: Kind,
    V: PublicValue,
{
    type Value = Null<<V::Kind as Kind>::Value>;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        let (place, last) = (self.0.place(row) as usize, self.1.len() - 1);
        Null {
            valid: place < last,
            value: self.1[place.min(last)],
        }
    }
}

node! {
    [E: Expr<Kind: Located<K>>, K: Kind, V: PublicValue] LookUp<E, K, V> where [];
    row E::Row; kind Nullable<V::Kind>; children [E];
    bound<'a> BoundLookUp<'a, E::Bound<'a>, KindOf<E>, K, V>;
    bind |this, chunk| BoundLookUp(
        BoundPlaces::new(this.0.bind(chunk), &this.1.keys, chunk.dictionary()),
        &this.1.values,
    );
    term |this| Term::Apply(Operation::LookUp, vec![
        this.0.term(),
        this.1.keys.term(),
        Term::list(this.1.constants.iter().cloned()),
    ]);
}

impl<E, K, C> super::Keyed for LookUp<E, K, C>
where
    E: Expr<Kind: Located<K>>,
    K: Kind,
    C: PublicValue<Kind: super::keys::KeyKind>,
{
    const CELLS: usize = <C::Kind as super::keys::KeyKind>::CELLS;
    type Key = Self;
    fn key(self) -> Self {
        self
    }
    #[inline(always)]
    fn cell(value: super::ValOf<Self>) -> (bool, usize) {
        <Nullable<C::Kind> as super::keys::KeyKind>::cell(value)
    }
}
