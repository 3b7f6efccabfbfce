//! Why each mechanism and each law costs what its type says.
//!
//! Every page has a claim, a proof, and the way from the claim to the code. It ends with what the
//! compiler verifies and what is left to the caller. The laws themselves are stated in
//! [`theory`](super::theory).
//!
//! | laws | noise | choices | local model |
//! |---|---|---|---|
//! | [`composition`] | [`laplace`] | [`choose`] | [`randomized_response`] |
//! | [`conversions`] | [`gaussian`] | [`noisy_max`] | [`sketch`] |
//! | [`subsampling`] | [`gaussian_approx`] | [`largest`] | |
//! | [`statistics`] | [`coin_flips`] | [`quantile`] | |
//! | | [`frequent_keys`] | [`above`] | |
//!
//! [`noise`] shows that the samplers draw exactly what they name. [`mutants`] shows that the tests
//! notice when the code does something else.

// The pages are plain Markdown under `proofs/`. The names that they link to resolve here.
#[cfg(doc)]
use crate::{
    cost::{ForGroups, Plus, Times},
    data::AddRemove,
    mechanism::Mechanism,
    mechanism::local::{Ask, Sketch},
    query::{Blocks, Query, Rows, Sample},
    vault::{Meter, Vault},
};

/// One page for each proof, with the links that all of them share.
macro_rules! pages {
    ($($name:ident)*) => {$(
        #[doc = include_str!("../docs/theory_links.md")]
        #[doc = include_str!(concat!("../../proofs/", stringify!($name), ".md"))]
        pub mod $name {}
    )*};
}

pages! {
    above
    choose
    coin_flips
    composition
    conversions
    frequent_keys
    gaussian
    gaussian_approx
    laplace
    largest
    mutants
    noise
    noisy_max
    quantile
    randomized_response
    sketch
    statistics
    subsampling
}
