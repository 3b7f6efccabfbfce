//! A bounded expression and the rows it is summed over.
//!
//! It lives beside the expressions, below the queries: the bounds of an expression decide what its
//! sum is, so that a sum without bounds is one error and not three.

use super::{Bounded, LIMIT, check_size};

/// The sum of `E` over the rows of `S`.
///
/// # Claim
///
/// With bounds L and U on the grid: a record added or removed moves the sum by at most
/// max(|L|, |U|). A record replaced moves it by at most U - L if every record is in the sum; if a
/// record can drop out (a filter, a null, a truncation), by at most max(U, 0) - min(L, 0).
#[derive(Debug)]
pub struct Sum<S, E> {
    pub(crate) rows: S,
    pub(crate) value: E,
}

impl<S, E: Bounded> Sum<S, E> {
    pub(crate) fn new(rows: S, value: E) -> Self {
        const { check_size::<E>() };
        const { check_bounds::<E>() };
        Sum { rows, value }
    }
}

/// Stops the compilation of a sum whose bounds are too large for exact arithmetic.
pub(crate) const fn check_bounds<E: Bounded>() {
    assert!(
        E::LOW >= -LIMIT && E::HIGH <= LIMIT,
        "this expression's bounds exceed 2^51"
    );
    assert!(
        E::LOW <= E::HIGH,
        "this expression's bounds are in the wrong order"
    );
}
