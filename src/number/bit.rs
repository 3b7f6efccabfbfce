//! Yes and no: the verdicts of comparisons, in types. Compile errors name them, so they have plain names; inside
//! `number` a bit is one of typenum's.

use core::ops::BitAnd;

/// False.
#[derive(Clone, Copy, Debug)]
pub enum No {}
/// True.
#[derive(Clone, Copy, Debug)]
pub enum Yes {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::No {}
    impl Sealed for super::Yes {}
}

/// [`Yes`] or [`No`]. Sealed.
// Not proved: not a law; the two answers that the laws give.
pub trait Bit: sealed::Sealed {
    /// As a value.
    const BOOL: bool;
}
impl Bit for No {
    const BOOL: bool = false;
}
impl Bit for Yes {
    const BOOL: bool = true;
}

impl<B: Bit> BitAnd<B> for No {
    type Output = No;
    fn bitand(self, _: B) -> No {
        self
    }
}
impl<B: Bit> BitAnd<B> for Yes {
    type Output = B;
    fn bitand(self, other: B) -> B {
        other
    }
}
/// Whether both hold.
pub type And<A, B> = <A as BitAnd<B>>::Output;
