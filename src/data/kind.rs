//! The kinds of value that an expression can have.

use core::marker::PhantomData;

use super::plan::ValueKind;
use super::record::{Category, Null};

pub(crate) mod sealed {
    pub trait Kind {
        const PLAN: super::ValueKind;
    }
}

/// A kind of value. Sealed.
pub trait Kind: sealed::Kind + Sized + 'static {
    /// How it is computed with.
    #[doc(hidden)]
    type Value: Copy;
    /// Whether it may be missing.
    #[doc(hidden)]
    const NULLABLE: bool = false;
}

/// Kind `K` in a plan; of a value that may be missing, the kind it has if it is there.
pub(crate) const fn planned<K: Kind>() -> ValueKind {
    <K as sealed::Kind>::PLAN
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $value:ty, $plan:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}
        impl sealed::Kind for $name {
            const PLAN: ValueKind = ValueKind::$plan;
        }
        impl Kind for $name {
            type Value = $value;
        }
    )*};
}

kinds! {
    /// Whole numbers, 64 bits.
    Int = i64, Integer;
    /// Reals on a public grid, as whole numbers of steps: what clamping a real gives, and decimals.
    Fixed = i64, Stepped;
    /// Reals as stored: 64-bit floating point, NaN and infinities included.
    Real = f64, Float;
    /// Conditions: true or false.
    Bool = bool, Boolean;
    /// Dates, as days since 1970.
    Days = i64, Calendar;
    /// Times, as microseconds since 1970.
    Moments = i64, Clock;
    /// Texts, by their code in the table's dictionary.
    Text = u32, Textual;
}

/// A category, by its ordinal.
pub struct Categorical<C>(PhantomData<fn() -> C>);
impl<C: Category> sealed::Kind for Categorical<C> {
    const PLAN: ValueKind = ValueKind::Key(C::NAMES.len() as u32);
}
impl<C: Category> Kind for Categorical<C> {
    type Value = u32;
}

/// Vectors of `D` reals.
#[derive(Debug)]
pub enum Vector<const D: usize> {}
impl<const D: usize> sealed::Kind for Vector<D> {
    const PLAN: ValueKind = ValueKind::Floats(D as u32);
}
impl<const D: usize> Kind for Vector<D> {
    type Value = [f64; D];
}

/// Values of kind `K` that may be missing.
#[derive(Debug)]
pub struct Nullable<K>(PhantomData<fn() -> K>);
impl<K: Kind> sealed::Kind for Nullable<K> {
    const PLAN: ValueKind = planned::<K>();
}
impl<K: Kind> Kind for Nullable<K> {
    type Value = Null<K::Value>;
    const NULLABLE: bool = true;
}
