//! Queries as data: what a mechanism asks, to be printed, compared, stored and run by any engine.
//!
//! A [`Plan`] lists exact queries as [`Term`]s: typed columns, typed constants and [`Operation`]s
//! with a meaning for every value. It holds public things only: no row, no cell, no noise. It does
//! not say what a release costs, and running a plan is reading the data: with the data of a vault, only a
//! mechanism may do it.
//!
//! ```
//! use privet::plan::Plan;
//! use privet::prelude::*;
//!
//! #[derive(Record)]
//! struct Patient { age: i64 }
//!
//! let plan = Plan::new([rows::<Patient>().filter(|p| p.age.gt(40)).count().term()]);
//! assert_eq!(plan.to_string(), "count(where(age > 40))");
//! assert_eq!(Plan::decode(&plan.encode()), Ok(plan));
//! ```

mod codec;
mod operation;
mod term;
mod value;

use core::fmt;

pub use codec::DecodeError;
pub(super) use codec::{Reader, number, text};
pub use operation::Operation;
pub use term::Term;
pub use value::{Column, Constant, ValueKind};

/// Exact queries, in the order in which they are asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plan {
    queries: Vec<Term>,
}

impl Plan {
    /// A plan that asks these queries.
    pub fn new(queries: impl IntoIterator<Item = Term>) -> Self {
        Plan {
            queries: queries.into_iter().collect(),
        }
    }

    /// What is asked.
    #[must_use]
    pub fn queries(&self) -> &[Term] {
        &self.queries
    }

    /// The plan's bytes as text. Plans that read alike but differ, in a text or in a type, have different bytes.
    pub(crate) fn spelled(&self) -> String {
        let bytes = self.encode();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// A number that tells this plan from every other, whichever program or machine wrote it: the
    /// SHA-256 of its bytes.
    #[cfg(feature = "ledger")]
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        use sha2::Digest;
        sha2::Sha256::digest(self.encode()).into()
    }
}

/// One query a line.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, query) in self.queries.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{query}")?;
        }
        Ok(())
    }
}
