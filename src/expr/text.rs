//! What a text begins with, and how long it is.

use core::marker::PhantomData;

use super::{Bool, Eval, Expr, Int, Kind, Nullable, Operation, Term, Text, node};
use crate::data::{Head, Null};

/// Kinds that are texts. Sealed with [`Kind`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "values of kind `{Self}` are not texts",
    label = "not a text",
    note = "fields of type `String` are texts"
)]
pub trait Textual: Kind {
    /// `T`, where the kind fits: see `methods.rs`.
    type Then<T>: From<T>;
    /// A length, missing where the text is.
    type Length: Kind;
    fn code(value: Self::Value) -> (bool, u32);
    fn length(value: Self::Value, length: i64) -> <Self::Length as Kind>::Value;
}
impl Textual for Text {
    type Then<T> = T;
    type Length = Int;
    #[inline(always)]
    fn code(value: u32) -> (bool, u32) {
        (true, value)
    }
    #[inline(always)]
    fn length(_: u32, length: i64) -> i64 {
        length
    }
}
impl Textual for Nullable<Text> {
    type Then<T> = T;
    type Length = Nullable<Int>;
    #[inline(always)]
    fn code(value: Null<u32>) -> (bool, u32) {
        (value.valid, value.value)
    }
    #[inline(always)]
    fn length(value: Null<u32>, length: i64) -> Null<i64> {
        Null {
            valid: value.valid,
            value: length,
        }
    }
}

/// The head of a text, by its code. Codes are those of the table, so there is always one; the empty head
/// stands in for a null.
#[inline(always)]
fn head(heads: &[Head], code: u32) -> Head {
    heads.get(code as usize).copied().unwrap_or_default()
}

/// Whether a text begins with a public one.
#[derive(Clone, Debug)]
pub struct StartsWith<E>(E, String, Head, u128);

impl<E> StartsWith<E> {
    #[track_caller]
    pub(super) fn new(e: E, prefix: &str) -> Self {
        assert!(
            prefix.len() <= Head::BYTES,
            "`starts_with` takes at most 16 bytes"
        );
        let mask = match prefix.len() {
            0 => 0,
            bytes => u128::MAX << (8 * (Head::BYTES - bytes)),
        };
        StartsWith(e, prefix.into(), Head::of(prefix), mask)
    }
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundStartsWith<'a, B, K>(B, &'a [Head], Head, u128, PhantomData<fn() -> K>);
impl<B: Copy, K> Clone for BoundStartsWith<'_, B, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, K> Copy for BoundStartsWith<'_, B, K> {}
impl<B: Eval<Value = K::Value>, K: Textual> Eval for BoundStartsWith<'_, B, K> {
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        let (valid, code) = K::code(self.0.at(row));
        let head = head(self.1, code);
        valid & (head.first & self.3 == self.2.first) & (head.length >= self.2.length)
    }
}

node! {
    [E: Expr<Kind: Textual>] StartsWith<E> where [];
    row E::Row; kind Bool; children [E];
    bound<'a> BoundStartsWith<'a, E::Bound<'a>, E::Kind>;
    bind |this, chunk| BoundStartsWith(
        this.0.bind(chunk), chunk.dictionary().heads(), this.2, this.3, PhantomData,
    );
    term |this| Term::Apply(Operation::StartsWith, vec![this.0.term(), Term::constant(this.1.as_str())]);
}

/// How many bytes a text has.
#[derive(Clone, Copy, Debug)]
pub struct Length<E>(pub(super) E);

/// One chunk of it.
#[doc(hidden)]
pub struct BoundLength<'a, B, K>(B, &'a [Head], PhantomData<fn() -> K>);
impl<B: Copy, K> Clone for BoundLength<'_, B, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B: Copy, K> Copy for BoundLength<'_, B, K> {}
impl<B: Eval<Value = K::Value>, K: Textual> Eval for BoundLength<'_, B, K> {
    type Value = <K::Length as Kind>::Value;
    #[inline(always)]
    fn at(&self, row: usize) -> Self::Value {
        let value = self.0.at(row);
        K::length(value, head(self.1, K::code(value).1).length)
    }
}

node! {
    [E: Expr<Kind: Textual>] Length<E> where [];
    row E::Row; kind <E::Kind as Textual>::Length; children [E];
    bound<'a> BoundLength<'a, E::Bound<'a>, E::Kind>;
    bind |this, chunk| BoundLength(this.0.bind(chunk), chunk.dictionary().heads(), PhantomData);
    term |this| Term::Apply(Operation::Length, vec![this.0.term()]);
}
