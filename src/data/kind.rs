//! The kinds of value that an expression can have.

use core::marker::PhantomData;

use super::plan::ValueKind;
use super::record::{Category, Null};

pub(crate) mod sealed {
    pub trait Kind {}
}

/// A kind of value. Sealed.
pub trait Kind: sealed::Kind + Sized + 'static {
    /// How it is computed with.
    #[doc(hidden)]
    type Value: Copy;
    /// Whether it may be missing.
    #[doc(hidden)]
    const NULLABLE: bool = false;
    /// The same kind in a plan; of a value that may be missing, the kind it has if it is there.
    #[doc(hidden)]
    const PLAN: ValueKind;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $value:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}
        impl sealed::Kind for $name {}
        impl Kind for $name {
            type Value = $value;
            const PLAN: ValueKind = ValueKind::$name;
        }
    )*};
}

kinds! {
    /// Whole numbers, 64 bits.
    Int = i64;
    /// Reals on a public grid, as whole numbers of steps: what clamping a real gives.
    Fixed = i64;
    /// Reals as stored: 64-bit floating point, NaN and infinities included.
    Real = f64;
    /// Conditions: true or false.
    Bool = bool;
    /// Texts, by their code in the table's dictionary.
    Text = u32;
}

/// A category, by its ordinal.
pub struct Categorical<C>(PhantomData<fn() -> C>);
impl<C: Category> sealed::Kind for Categorical<C> {}
impl<C: Category> Kind for Categorical<C> {
    type Value = u32;
    const PLAN: ValueKind = ValueKind::Category(C::NAMES.len() as u32);
}

/// Vectors of `D` reals.
#[derive(Debug)]
pub enum Vector<const D: usize> {}
impl<const D: usize> sealed::Kind for Vector<D> {}
impl<const D: usize> Kind for Vector<D> {
    type Value = [f64; D];
    const PLAN: ValueKind = ValueKind::Vector(D as u32);
}

/// Values of kind `K` that may be missing.
#[derive(Debug)]
pub struct Nullable<K>(PhantomData<fn() -> K>);
impl<K: Kind> sealed::Kind for Nullable<K> {}
impl<K: Kind> Kind for Nullable<K> {
    type Value = Null<K::Value>;
    const NULLABLE: bool = true;
    const PLAN: ValueKind = K::PLAN;
}
