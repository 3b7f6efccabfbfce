// The first definition of a link wins: these lead to items here, those in the README to files.
#![doc = include_str!("docs/front_page_links.md")]
#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

// The derive names the crate, and the crate's own tests use the derive.
#[cfg(test)]
extern crate self as privet;

// The layers, from the bottom up. A module imports from its own layer and from those below it, and
// `tests/layers.rs` checks that.
mod number;
mod process;
#[cfg(any(feature = "ledger", feature = "serde"))]
mod stored;

pub mod cost;
pub mod noise;

#[cfg(feature = "ledger")]
pub mod ledger;

mod error;

mod data;

pub mod expr;

pub mod query;

pub mod mechanism;

pub mod vault;

pub mod report;

pub mod algorithms;
#[doc(hidden)]
pub mod audit;
pub mod gallery;
pub mod guide;
pub mod prelude;
pub mod testing;

// The front door: what the README's programs and a generic author need.
pub use cost::{
    Approx, AtMost, Concentrated, Cost, Delta, Eps, Epsilon, PaidFrom, Price, Rho, Split, Zcdp,
};
pub use data::{
    AddRemove, Category, Date, Decimal, Disjoint, Pair, Record, Replace, Table, Timestamp, load,
    plan,
};
pub use error::{Error, Result};
pub use mechanism::{Mechanism, local};
#[doc = include_str!("docs/audited.md")]
pub use privet_derive::audited;
pub use privet_derive::{Category, Record};
pub use query::{Query, rows};
pub use vault::{Meter, Simulation, Vault};

// Names that were at the root before they had a module of their own.
#[doc(hidden)]
pub use cost::{
    Approximate, Budget, Dearer, ForGroups, Notion, Overspent, ParsePriceError, Plus, Positive,
    Pure, Purse, Quoted, Ratio, Times,
};
#[doc(hidden)]
pub use data::{Col, Domain, Groups, HasPerson, MayShare, Relation, Sharing, TableData};
#[doc(hidden)]
pub use mechanism::{Bundle, ByQuote, EpsilonDelta, MovesByOne, SmallEpsilon};
#[doc(hidden)]
pub use report::{Accuracy, Advisory, Answer, Explanation};
#[doc(hidden)]
pub use vault::Chargeable;

/// What a mechanism runs on: tables, pairs of tables, one person's value, and when two of them are
/// neighbours.
///
/// You need this page when you write code that is generic over its data, protect groups or whole
/// persons instead of single rows, or put two tables into one vault. [`Table`] with its default
/// relation is enough otherwise.
pub mod domain {
    pub use crate::data::{
        AddRemove, Col, Disjoint, Domain, Groups, HasPerson, MayShare, Pair, PerPerson, Person,
        Relation, Replace, Sampled, Sharing, Table, TableData,
    };
}

/// For those who write engines: data that a vault opens without holding it in memory.
///
/// You need this page to connect another format, database or cluster. To *use* one, see its own
/// crate.
///
#[doc = include_str!("docs/engine.md")]
pub mod engine {
    pub use crate::data::source::{
        Batch, Bits, Cells, ColumnSource, Engine, Opened, Part, Pass, Ranks, RemoteEngine, Schema,
        Sink, SourceColumn, Sweep, Task, Values, Worker,
    };
    pub use crate::error::{EngineError, Misfit};
}

/// The names that derived code uses. Do not use them directly.
#[doc(hidden)]
pub mod derive {
    pub use crate::data::{
        Categorical, Category, Col, Derived, Field, FieldValue, First, HasPerson, NamesData, Next,
        NoData, Record, RecordWithoutDrop,
    };
}
