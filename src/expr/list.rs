//! Public lists of keys that are known at run time only.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::{
    Bounded, Categorical, Days, Eval, Expr, Int, Keyed, Kind, KindOf, Moments, Nullable, Operation,
    Term, Text, node,
};
use crate::data::plan::Constant;
use crate::data::{Category, Date, Dictionary, Null, Timestamp};

mod sealed {
    pub trait PublicKey {}
}

/// A public constant that a column can be looked up by: `i64`, `&str`, `String`, `Date`, `Timestamp` or a
/// category. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a public key",
    label = "not a key",
    note = "keys are `i64`, `&str`, `String`, `Date`, `Timestamp` and categories, by value"
)]
pub trait PublicKey: sealed::PublicKey {
    /// The kind of column that it is looked up in.
    type Kind: Kind;
    /// As plain data.
    #[doc(hidden)]
    fn constant(self) -> Constant;
}

macro_rules! keys {
    ($($t:ty => $kind:ty;)*) => {$(
        impl sealed::PublicKey for $t {}
        #[diagnostic::do_not_recommend]
        impl PublicKey for $t {
            type Kind = $kind;
            fn constant(self) -> Constant {
                self.into()
            }
        }
    )*};
}
keys! {
    i64 => Int;
    &str => Text;
    String => Text;
    Date => Days;
    Timestamp => Moments;
}
impl<C: Category> sealed::PublicKey for C {}
#[diagnostic::do_not_recommend]
impl<C: Category> PublicKey for C {
    // Named through what the derive says: of another type there is no kind, and the error ends here.
    type Kind = C::As;
    fn constant(self) -> Constant {
        let place = self.ordinal();
        Constant::Key(place, C::NAMES[place as usize].into())
    }
}

/// A list of public keys, ready to be searched.
pub(super) struct KeyList {
    /// Tells it from every other list.
    id: u64,
    items: Vec<Constant>,
    /// Numbers (integers, days, moments, places of categories) in order, each with its first place.
    sorted: Vec<(i64, u32)>,
    /// What stands for a value that is not in the list.
    absent: u32,
}

fn number(item: &Constant) -> i64 {
    match item {
        Constant::Integer(value) | Constant::Moment(value) => *value,
        Constant::Day(days) => (*days).into(),
        Constant::Key(place, _) => (*place).into(),
        // Texts are found by their codes.
        _ => 0,
    }
}

impl KeyList {
    pub(super) fn new(items: Vec<Constant>, absent: u32) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut sorted: Vec<(i64, u32)> =
            (0..).zip(&items).map(|(i, key)| (number(key), i)).collect();
        sorted.sort_unstable();
        sorted.dedup_by_key(|(key, _)| *key);
        KeyList {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            items,
            sorted,
            absent,
        }
    }

    pub(super) fn term(&self) -> Term {
        Term::list(self.items.iter().cloned())
    }

    /// The place of a number: as many steps for every number.
    #[inline(always)]
    fn search(&self, value: i64) -> u32 {
        let (mut base, mut size) = (0, self.sorted.len());
        while size > 1 {
            let half = size / 2;
            let here = self.sorted[base + half].0;
            base = if here <= value { base + half } else { base };
            size -= half;
        }
        match self.sorted.get(base) {
            Some((key, place)) => {
                if *key == value {
                    *place
                } else {
                    self.absent
                }
            }
            None => self.absent,
        }
    }

    /// The place of each text of a table, by its code.
    fn codes<'a>(&self, dictionary: &'a Dictionary) -> &'a [u32] {
        let texts = |see: &dyn Fn(&str, u32)| {
            // From the last to the first, so that the first of equal keys wins.
            for (place, item) in (0..).zip(&self.items).collect::<Vec<_>>().into_iter().rev() {
                if let Constant::Textual(text) = item {
                    see(text, place);
                }
            }
        };
        dictionary.places(self.id, texts, self.absent)
    }
}

/// [`Located`] seen from the key, whose kind is not known yet when rustc looks for a method: see `EqualTo`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a value of kind `{K}` cannot be among keys of kind `{Self}`",
    label = "different kinds",
    note = "keys are of the column's own type: `i64` for integers, texts for texts, `Date` for dates, a category for itself"
)]
pub trait KeyOf<K: Kind>: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
}

/// Kinds whose values can be found among public keys of kind `K`. Sealed by its parameters.
#[doc(hidden)]
pub trait Located<K: Kind>: Kind {
    #[allow(private_interfaces)]
    fn place(value: Self::Value, list: &KeyList, codes: &[u32]) -> u32;
    /// The places of texts by code, where values are texts.
    #[allow(private_interfaces)]
    fn codes<'a>(_list: &KeyList, _dictionary: &'a Dictionary) -> &'a [u32] {
        &[]
    }
}

macro_rules! located {
    ($([$($g:tt)*] $kind:ty, |$value:ident, $list:ident, $codes:ident| $place:expr $(, $by_code:ident)?;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> KeyOf<$kind> for $kind {
            type Then<T> = T;
        }
        #[diagnostic::do_not_recommend]
        impl<$($g)*> KeyOf<Nullable<$kind>> for $kind {
            type Then<T> = T;
        }
        impl<$($g)*> Located<$kind> for $kind {
            #[inline(always)]
            #[allow(private_interfaces)]
            fn place($value: <$kind as Kind>::Value, $list: &KeyList, $codes: &[u32]) -> u32 {
                $place
            }
            $(
                #[allow(private_interfaces)]
                fn codes<'a>(list: &KeyList, dictionary: &'a Dictionary) -> &'a [u32] {
                    list.$by_code(dictionary)
                }
            )?
        }
        /// A null is among no keys.
        #[diagnostic::do_not_recommend]
        impl<$($g)*> Located<$kind> for Nullable<$kind> {
            #[inline(always)]
            #[allow(private_interfaces)]
            fn place(value: Null<<$kind as Kind>::Value>, list: &KeyList, codes: &[u32]) -> u32 {
                let place = <$kind as Located<$kind>>::place(value.value, list, codes);
                if value.valid { place } else { list.absent }
            }
            #[allow(private_interfaces)]
            fn codes<'a>(list: &KeyList, dictionary: &'a Dictionary) -> &'a [u32] {
                <$kind as Located<$kind>>::codes(list, dictionary)
            }
        }
    )*};
}
located! {
    [] Int, |value, list, _codes| list.search(value);
    [] Days, |value, list, _codes| list.search(value);
    [] Moments, |value, list, _codes| list.search(value);
    [] Text, |value, list, codes| codes.get(value as usize).copied().unwrap_or(list.absent), codes;
    [C: Category] Categorical<C>, |value, list, _codes| list.search(value.into());
}

/// One chunk of the places of an expression's values in a list.
pub(super) struct BoundPlaces<'a, B, E, K>(B, &'a KeyList, &'a [u32], PhantomData<fn() -> (E, K)>);
impl<B: Copy, E, K> Clone for BoundPlaces<'_, B, E, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, E, K> Copy for BoundPlaces<'_, B, E, K> {}
impl<'a, B: Eval<Value = E::Value>, E: Located<K>, K: Kind> BoundPlaces<'a, B, E, K> {
    pub(super) fn new(values: B, list: &'a KeyList, dictionary: &'a Dictionary) -> Self {
        BoundPlaces(values, list, E::codes(list, dictionary), PhantomData)
    }
    #[inline(always)]
    pub(super) fn place(&self, row: usize) -> u32 {
        E::place(self.0.at(row), self.1, self.2)
    }
}

/// The index in a public list of at most `MOST` keys that is known at run time.
pub struct KeysUpTo<E, K, const MOST: usize>(E, Arc<KeyList>, PhantomData<fn() -> K>);

impl<E: Clone, K, const MOST: usize> Clone for KeysUpTo<E, K, MOST> {
    fn clone(&self) -> Self {
        KeysUpTo(self.0.clone(), Arc::clone(&self.1), PhantomData)
    }
}

impl<E, K, const MOST: usize> KeysUpTo<E, K, MOST> {
    #[track_caller]
    pub(super) fn new<T: PublicKey<Kind = K>>(e: E, list: impl IntoIterator<Item = T>) -> Self {
        const { assert!(MOST < 1 << 20, "a histogram has at most 2^20 cells") };
        let items: Vec<Constant> = list.into_iter().map(T::constant).take(MOST + 1).collect();
        assert!(
            items.len() <= MOST,
            "`keys_up_to::<{MOST}, _>` was given more than {MOST} keys"
        );
        KeysUpTo(e, Arc::new(KeyList::new(items, MOST as u32)), PhantomData)
    }
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundKeysUpTo<'a, B, E, K>(BoundPlaces<'a, B, E, K>);
impl<B: Copy, E, K> Clone for BoundKeysUpTo<'_, B, E, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, E, K> Copy for BoundKeysUpTo<'_, B, E, K> {}
impl<B: Eval<Value = E::Value>, E: Located<K>, K: Kind> Eval for BoundKeysUpTo<'_, B, E, K> {
    type Value = i64;
    #[inline(always)]
    fn at(&self, row: usize) -> i64 {
        self.0.place(row).into()
    }
}

node! {
    [E: Expr<Kind: Located<K>>, K: Kind, const N: usize] KeysUpTo<E, K, N> where [];
    row E::Row; kind Int; children [E];
    low 0; high N as i128;
    bound<'a> BoundKeysUpTo<'a, E::Bound<'a>, KindOf<E>, K>;
    bind |this, chunk| BoundKeysUpTo(BoundPlaces::new(this.0.bind(chunk), &this.1, chunk.dictionary()));
    term |this| Term::Apply(Operation::KeysUpTo,
        vec![this.0.term(), this.1.term(), Term::constant(N)],
    );
}

impl<E: Expr<Kind: Located<K>>, K: Kind, const MOST: usize> Bounded for KeysUpTo<E, K, MOST> {
    super::sum::bounded!();
}

/// The number of cells is the type's, whatever the list: a row is in one of them.
impl<E: Expr<Kind: Located<K>>, K: Kind, const MOST: usize> Keyed for KeysUpTo<E, K, MOST> {
    const CELLS: usize = MOST + 1;
    type Key = Self;
    fn key(self) -> Self {
        self
    }
    #[inline(always)]
    fn cell(value: i64) -> (bool, usize) {
        (true, value as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_where_they_are_first() {
        for length in 0..40_i64 {
            let keys = (0..length).map(|i| (i * 7) % 31 - 3);
            let items: Vec<i64> = keys.collect();
            let list = KeyList::new(items.iter().map(|i| (*i).into()).collect(), 99);
            for value in [i64::MIN, -4, i64::MAX].into_iter().chain(-3..40) {
                let place = items.iter().position(|i| *i == value);
                assert_eq!(list.search(value), place.map_or(99, |p| p as u32));
            }
        }
    }
}
