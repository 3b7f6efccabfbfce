// The first definition of a link counts: the front page leads to items here, to files on a Git host.
#![doc = include_str!("docs/front_page_links.md")]
#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

// The derive names the crate, and the crate's own tests use the derive.
#[cfg(test)]
extern crate self as privet;

// The layers, from the bottom up: a module imports from its own layer and from those below it.
// `tests/layers.rs` keeps it so.
mod number;

pub mod cost;
pub mod noise;

mod error;

mod data;

pub mod expr;

pub mod query;

mod mechanism;

mod vault;

mod report;

pub mod algorithms;
#[doc(hidden)]
pub mod audit;
pub mod gallery;
pub mod guide;
pub mod prelude;
pub mod testing;

pub use cost::{
    Approx, Approximate, AtMost, Budget, Concentrated, Cost, Dearer, Delta, Eps, Epsilon,
    ForGroups, Notion, Overspent, PaidFrom, ParsePriceError, Plus, Positive, Price, Pure, Purse,
    Quoted, Rho, Split, Times, Zcdp,
};
pub use data::{
    AddRemove, Category, Col, Disjoint, Domain, Groups, HasPerson, MayShare, Pair, Record,
    Relation, Replace, Sharing, Table, TableData, load,
};
pub use error::{Error, Result};
pub use mechanism::{Bundle, EpsilonDelta, Mechanism, MovesByOne, SmallEpsilon, local};
pub use num_rational::Ratio;
#[doc = include_str!("docs/audited.md")]
pub use privet_derive::audited;
pub use privet_derive::{Category, Record};
pub use query::{Query, rows};
pub use report::{Accuracy, Advisory, Answer, Explanation};
pub use vault::{Chargeable, Meter, Simulation, Vault};

/// What the derives write against. Not for people.
#[doc(hidden)]
pub mod derive {
    pub use crate::data::{
        Category, Col, Field, FieldValue, First, HasPerson, Next, Record, RecordWithoutDrop,
    };
}
