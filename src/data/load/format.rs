//! How a file is written: its delimiter, its names of null, and what it calls the columns.

use super::cells::Cells;
use crate::data::Record;
use crate::error::{Error, Result};

/// How a file is written. All of it is public, and the owner's.
pub(super) struct Format {
    pub(super) delimiter: u8,
    pub(super) nulls: Vec<String>,
    /// Fields, and what the header calls them.
    pub(super) columns: Vec<(String, String)>,
}

impl Default for Format {
    fn default() -> Self {
        Format {
            delimiter: b',',
            nulls: vec![String::new()],
            columns: Vec::new(),
        }
    }
}

impl Format {
    /// Refuses settings under which no file can be read.
    pub(super) fn check<R: Record>(&self, file: &str) -> Result<()> {
        let setting = |reason| Error::Setting {
            file: file.to_owned(),
            reason,
        };
        // A quote or a line end would make two rows of one line; a byte above 127 is half a letter.
        if !self.delimiter.is_ascii() || b"\"\r\n".contains(&self.delimiter) {
            let delimiter = self.delimiter.escape_ascii();
            return Err(setting(format!(
                "`{delimiter}` cannot separate cells; use one ASCII character that is neither a \
                 quote nor a line end"
            )));
        }
        match self
            .columns
            .iter()
            .find(|(field, _)| !R::NAMES.contains(&&**field))
        {
            Some((field, _)) => Err(setting(format!(
                "`.column({field:?}, ..)` names no field of `{}`; its fields are {}",
                R::NAME,
                R::NAMES.join(", ")
            ))),
            None => Ok(()),
        }
    }

    /// The places of the record's fields in the file.
    pub(super) fn places<R: Record>(&self, file: &str, header: Cells<'_>) -> Result<Vec<usize>> {
        let place = |&column: &&'static str| {
            let name = self.name(column);
            let mut found =
                (0..header.len()).filter(|&i| header.get(i).trim_ascii() == name.as_bytes());
            match (found.next(), found.next()) {
                (Some(place), None) => Ok(place),
                _ => Err(Error::Header {
                    file: file.to_owned(),
                    column,
                    name: name.to_owned(),
                }),
            }
        };
        R::NAMES.iter().map(place).collect()
    }

    /// What the header calls a field.
    fn name<'a>(&'a self, field: &'a str) -> &'a str {
        let renamed = self.columns.iter().rev().find(|(of, _)| of == field);
        renamed.map_or(field, |(_, name)| name.trim_ascii())
    }
}
