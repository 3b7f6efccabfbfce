#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

// The derive names the crate, and the crate's own tests use the derive.
#[cfg(test)]
extern crate self as privet;

mod accuracy;
pub mod algorithms;
#[doc(hidden)]
pub mod audit;
mod budget;
mod compose;
mod cost;
mod domain;
mod error;
mod explain;
pub mod expr;
pub mod gallery;
#[cfg(feature = "ledger")]
pub mod ledger;
pub mod load;
pub mod local;
mod mechanism;
mod meter;
pub mod noise;
mod number;
mod pair;
pub mod prelude;
pub mod query;
mod record;
mod run;
mod scale;
mod simulate;
mod table;
pub mod testing;
mod vault;

pub use accuracy::{Accuracy, Advisory, Answer};
pub use compose::Bundle;
pub use cost::{
    Approx, Approximate, AtMost, Budget, Concentrated, Cost, Dearer, Delta, Eps, Epsilon,
    ForGroups, Notion, Overspent, PaidFrom, ParsePriceError, Plus, Positive, Price, Pure, Purse,
    Rho, Split, Times, Zcdp,
};
pub use domain::{AddRemove, Domain, Groups, Relation, Replace, Table};
pub use error::{Error, Result};
pub use explain::Explanation;
pub use mechanism::{EpsilonDelta, Mechanism, MovesByOne, SmallEpsilon};
pub use meter::{Chargeable, Meter, Quoted};
pub use num_rational::Ratio;
pub use pair::{Disjoint, MayShare, Pair, Sharing};
#[doc = include_str!("docs/audited.md")]
pub use privet_derive::audited;
pub use privet_derive::{Category, Record};
pub use query::{Query, rows};
pub use record::{Category, Col, HasPerson, Record};
pub use simulate::Simulation;
pub use table::TableData;
pub use vault::Vault;

/// What the derives write against. Not for people.
#[doc(hidden)]
pub mod derive {
    pub use crate::record::{
        Category, Col, Field, FieldValue, First, HasPerson, Next, Record, RecordWithoutDrop,
    };
}

/// The long reads.
pub mod guide {
    #[doc = include_str!("docs/compile_errors.md")]
    pub mod compile_errors {}
    #[doc = include_str!("docs/mechanisms.md")]
    pub mod mechanisms {}
    #[doc = include_str!("docs/notions.md")]
    pub mod notions {}
    #[doc = include_str!("docs/verified.md")]
    pub mod verified {}
}
