//! Differential privacy whose price lives in types.
#![deny(unsafe_code)]

mod cost;
mod domain;
mod error;
mod mechanism;
mod run;

pub use cost::Cost;
pub use domain::{AddRemove, Domain, Groups, Relation, Replace, Table};
pub use error::{Error, Result};
pub use mechanism::Mechanism;
