//! Differential privacy whose price lives in types.
#![deny(unsafe_code)]

mod budget;
mod compose;
mod cost;
mod domain;
mod error;
mod explain;
mod mechanism;
mod meter;
mod noise;
mod number;
pub mod prelude;
mod run;
mod vault;

pub use cost::{Approx, Approximate, AtMost, Budget, Concentrated, Cost, Dearer, Delta, Epsilon, Eps, ForGroups, Notion, Overspent, PaidFrom, ParsePriceError, Plus, Positive, Price, Pure, Purse, Rho, Split, Times, Zcdp};
pub use num_rational::Ratio;
pub use domain::{AddRemove, Domain, Groups, Relation, Replace, Table};
pub use error::{Error, Result};
pub use compose::Bundle;
pub use explain::Explanation;
pub use mechanism::Mechanism;
pub use meter::{Chargeable, Meter, Quoted};
pub use vault::Vault;
