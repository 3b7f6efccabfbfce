//! Differential privacy whose price lives in types.
#![deny(unsafe_code)]

mod cost;
mod domain;
mod error;
pub mod expr;
pub mod load;
mod mechanism;
pub mod prelude;
pub mod query;
mod record;
mod run;
mod table;
pub mod testing;

pub use cost::Cost;
pub use domain::{AddRemove, Domain, Groups, Relation, Replace, Table};
pub use error::{Error, Result};
pub use mechanism::Mechanism;
pub use privet_derive::{Category, Record};
pub use query::{Query, rows};
pub use record::{Category, Col, HasPerson, Record};
pub use table::TableData;

/// What the derives write against. Not for people.
#[doc(hidden)]
pub mod derive {
    pub use crate::record::{Category, Col, Field, FieldValue, First, HasPerson, Next, Record};
}
