//! What a notion of privacy is.

mod sealed {
    pub trait Sealed {}
}

/// A price of privacy, as a type. Sealed.
pub trait Cost: sealed::Sealed + Sized + Send + Sync + 'static {}

/// A pure, positive cost. Sealed.
pub trait Epsilon: Cost {
    /// numerator
    const NUM: u64;
    /// denominator
    const DEN: u64;
}
