//! What a program needs: `use privet::prelude::*;`.

pub use crate::{
    AddRemove, Approx, AtMost, Concentrated, Cost, Delta, Epsilon, Eps, Mechanism, PaidFrom, Replace, Rho, Split,
    Table, Vault, Zcdp,
};
