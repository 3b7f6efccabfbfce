//! What a record needs of an engine's data.

use core::fmt;
use std::borrow::Cow;

use crate::data::plan::ValueKind;

/// The columns of a record, in the order of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    pub(crate) columns: Vec<SourceColumn>,
}

impl Schema {
    /// Its columns. An engine is asked for them by their places here.
    #[must_use]
    pub fn columns(&self) -> &[SourceColumn] {
        &self.columns
    }
}

/// A column that a record needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceColumn {
    pub(crate) name: Cow<'static, str>,
    pub(crate) kind: ValueKind,
    pub(crate) nullable: bool,
    /// For whole numbers, the least and the greatest that the field's type has.
    pub(crate) range: Option<(i128, i128)>,
    /// For a category, the names of its keys, by place.
    pub(crate) keys: Vec<Cow<'static, str>>,
}

impl SourceColumn {
    /// The field's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it holds.
    #[must_use]
    pub fn kind(&self) -> ValueKind {
        self.kind
    }

    /// Whether values may be missing.
    #[must_use]
    pub fn nullable(&self) -> bool {
        self.nullable
    }

    /// For whole numbers, the least and the greatest that the field's type has.
    #[must_use]
    pub fn range(&self) -> Option<(i128, i128)> {
        self.range
    }

    /// For a category, the names of its keys, in order; data has them as texts.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|key| &**key)
    }
}

/// What the field holds, for people.
impl fmt::Display for SourceColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nullable {
            f.write_str("nullable ")?;
        }
        match (self.kind, self.range) {
            (ValueKind::Integer, Some((low, high))) => {
                write!(f, "whole numbers from {low} to {high}")
            }
            (ValueKind::Float, _) => f.write_str("reals"),
            (ValueKind::Boolean, _) => f.write_str("conditions"),
            (ValueKind::Textual, _) => f.write_str("texts"),
            (ValueKind::Key(keys), _) => write!(f, "texts that are one of {keys} keys"),
            (ValueKind::Calendar, _) => f.write_str("dates of the years 1 to 9999"),
            (ValueKind::Clock, _) => f.write_str("times of the years 1 to 9999"),
            (ValueKind::Decimals(places), _) => write!(f, "decimals with {places} places"),
            (ValueKind::Floats(width), _) => write!(f, "vectors of {width} reals"),
            (kind, _) => write!(f, "{kind:?}"),
        }
    }
}
