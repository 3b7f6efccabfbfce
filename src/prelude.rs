//! What programs need: `use privet::prelude::*;`

pub use crate::{AddRemove, Category, Mechanism, Record, Replace, Table, rows};
