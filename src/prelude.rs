//! What a program needs: `use privet::prelude::*;`.

pub use crate::{
    AddRemove, Approx, AtMost, ByQuote, Category, Concentrated, Cost, Delta, Eps, Epsilon,
    Mechanism, PaidFrom, Record, Replace, Rho, Split, Table, Vault, Zcdp, rows,
};
