//! What is wrong with a line of a file.

use core::fmt;

/// What is wrong with a line of a file. It does not reveal the line's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The line is empty, in a file with more than one column.
    Empty,
    /// The line has more or fewer cells than the header.
    Cells,
    /// A cell's quote is not closed on the line, or text follows the closing quote.
    Quote,
    /// The line has a carriage return that is not at its end.
    LineBreak,
    /// The cell of this column is not UTF-8.
    Encoding {
        /// The column.
        column: &'static str,
    },
    /// The cell of this column is not a value of the field's type.
    Value {
        /// The column.
        column: &'static str,
    },
    /// The line is longer than the [limit](crate::load::Csv::line_limit).
    LongLine {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A cell is longer than the [limit](crate::load::Csv::cell_limit).
    LongCell {
        /// The limit, in bytes.
        limit: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Empty => f.write_str("it is empty"),
            Fault::Cells => f.write_str("it does not have as many cells as the header"),
            Fault::Quote => f.write_str("a cell's quotes do not match"),
            Fault::LineBreak => f.write_str("it has a line break inside"),
            Fault::Encoding { column } => write!(f, "column `{column}` is not UTF-8"),
            Fault::Value { column } => {
                write!(f, "column `{column}` is not a value of the field's type")
            }
            Fault::LongLine { limit } => write!(f, "it is longer than {limit} bytes"),
            Fault::LongCell { limit } => write!(f, "a cell is longer than {limit} bytes"),
        }
    }
}

impl Fault {
    /// What the owner can do about it without losing a row.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Fault::Quote => {
                "correct it, or allow line breaks in quoted cells with `.multiline_cells()`"
            }
            Fault::LineBreak => {
                "end lines with LF or CRLF, or allow line breaks in quoted cells with \
                 `.multiline_cells()`"
            }
            Fault::LongLine { .. } => "correct it, or raise the limit with `.line_limit(..)`",
            Fault::LongCell { .. } => "correct it, or raise the limit with `.cell_limit(..)`",
            Fault::Encoding { .. } => "convert the file to UTF-8",
            Fault::Value { .. } => {
                "correct it, or name what stands for null in an `Option` with `.null_values(..)`"
            }
            _ => "correct it",
        }
    }
}
