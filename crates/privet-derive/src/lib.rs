//! The derives of the `privet` crate.
