//! What can go wrong in an engine that holds a vault's rows.

use core::fmt;

/// Why an engine did not answer. It never contains a value.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineError {
    /// A field of the record has no column, or one of another type. Nothing was opened.
    Schema {
        /// The data, as its engine calls it.
        data: String,
        /// The field.
        column: String,
        /// What the field holds.
        expected: String,
        /// What the data has instead.
        found: String,
    },
    /// A column holds a value that the field cannot have. Nothing was opened.
    Value {
        /// The data, as its engine calls it.
        data: String,
        /// The field.
        column: String,
        /// What is wrong with the value.
        misfit: Misfit,
    },
    /// The data is not what it was when the vault opened. Nothing was released.
    Changed {
        /// The data, as its engine calls it.
        data: String,
    },
    /// The engine failed. Nothing was released. The reason is a constant of the engine's, so that it
    /// cannot quote a value.
    Failed {
        /// The data, as its engine calls it.
        data: String,
        /// The reason.
        reason: &'static str,
    },
    /// The engine cannot answer this query. Nothing was released.
    Unsupported {
        /// The query, which is public.
        query: String,
    },
}

/// What is wrong with a value of a column. It does not reveal the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// It is missing, and the field is not an `Option`.
    Null,
    /// It is outside of the field's integer type.
    Range,
    /// It is not a key of the category.
    Key,
    /// It is of another type than the field.
    Kind,
    /// Columns are not of one length, or a code is not in its list.
    Length,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misfit::Null => "is missing in a row; make the field an `Option`",
            Misfit::Range => {
                "has a value outside of the field's type; use a wider integer, if it is one"
            }
            Misfit::Key => "has a text that is no key of the category; add the key to the enum",
            Misfit::Kind => "has a value of another type; change the field's type",
            Misfit::Length => "does not have a value for each row; write the data again",
        })
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Schema {
                data,
                column,
                expected,
                found,
            } => write!(
                f,
                "field `{column}` holds {expected}, and {data} has {found}; nothing was opened; change the \
                 field's type or name, or the data's"
            ),
            EngineError::Value {
                data,
                column,
                misfit,
            } => {
                write!(
                    f,
                    "column `{column}` of {data} {misfit}; nothing was opened"
                )
            }
            EngineError::Changed { data } => write!(
                f,
                "{data} is not what it was when the vault opened, so nothing was released (the cost stays \
                 charged); restore it, or open a new vault on it"
            ),
            EngineError::Failed { data, reason } => write!(
                f,
                "{data} could not be read: {reason}; nothing was released (a cost that was charged stays \
                 charged); try again once it can be read"
            ),
            EngineError::Unsupported { query } => write!(
                f,
                "this engine cannot answer `{query}`, so nothing was released; open the vault on a stream \
                 or in memory"
            ),
        }
    }
}
/// As `Display`, so that `main` prints a sentence and `unwrap` does.
impl fmt::Debug for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl core::error::Error for EngineError {}
