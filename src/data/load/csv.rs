//! CSV files, straight into columns.

use core::fmt;
use core::marker::PhantomData;
use std::fs::File;
use std::io::{BufReader, IsTerminal, Read, Write};
use std::path::PathBuf;

use super::{Source, sealed};
use crate::data::PerPerson;
use crate::data::{AddRemove, Relation, Table};
use crate::data::{Building, TableData};
use crate::data::{Columns, Record};
use crate::error::{Error, Result};

/// Malformed rows are an error, and nothing opens.
#[derive(Debug)]
pub enum Strict {}

/// Malformed rows are left out, as a filter would.
#[derive(Debug)]
pub enum Lenient {}

/// A CSV file with a header that names the record's fields, in any order.
///
/// Cells go straight into columns: no record is built and no `Deserialize` of a user's sees one.
/// Other columns of the file are ignored. An empty cell is null for an `Option`; a category is its
/// variant's name; a vector is numbers separated by spaces or semicolons.
///
/// Errors name the file and the line, never what is on it.
///
/// ```
/// use privet::load::{Csv, Source};
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64, bill: Option<f64> }
///
/// let csv = "name,bill,age\nA. B.,12.5,44\nC. D.,,51\n";
/// let source = Csv::<Patient>::from_reader("patients", csv.as_bytes());
/// # fn open(_: impl Source<Table<Patient, Replace>>) {}
/// open(source);
/// ```
///
/// Skipping malformed rows makes the number of rows private, so that a table read in this way
/// cannot be opened under `Replace`:
///
/// ```compile_fail
/// # use privet::load::{Csv, Source};
/// # use privet::prelude::*;
/// # #[derive(Record)]
/// # struct Patient { age: i64 }
/// # fn open(_: impl Source<Table<Patient, Replace>>) {}
/// open(Csv::<Patient>::file("patients.csv").skip_malformed());
/// ```
#[must_use = "nothing is read until a vault opens it"]
pub struct Csv<R, Policy = Strict> {
    name: String,
    input: Input,
    row: PhantomData<fn() -> (R, Policy)>,
}

enum Input {
    File(PathBuf),
    Reader(Box<dyn Read + Send>),
}

impl<R: Record> Csv<R> {
    /// A file, read when a vault opens.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Csv {
            name: path.display().to_string(),
            input: Input::File(path),
            row: PhantomData,
        }
    }

    /// Anything that can be read, with a name for errors.
    pub fn from_reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        Csv {
            name: name.into(),
            input: Input::Reader(Box::new(reader)),
            row: PhantomData,
        }
    }

    /// Leaves malformed rows out. The table is then private in its number of rows.
    pub fn skip_malformed(self) -> Csv<R, Lenient> {
        Csv {
            name: self.name,
            input: self.input,
            row: PhantomData,
        }
    }
}

impl<R, Policy> fmt::Debug for Csv<R, Policy> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Csv({:?})", self.name)
    }
}

impl<R, Policy> sealed::Source for Csv<R, Policy> {}
impl<R: Record, Rel: Relation> Source<Table<R, Rel>> for Csv<R, Strict> {
    fn load(self) -> Result<TableData<R>> {
        read(self, false)
    }
}
impl<R: Record> Source<Table<R, AddRemove>> for Csv<R, Lenient> {
    fn load(self) -> Result<TableData<R>> {
        read(self, true)
    }
}
impl<R: Record> Source<Table<R, PerPerson>> for Csv<R, Lenient> {
    fn load(self) -> Result<TableData<R>> {
        read(self, true)
    }
}

fn read<R: Record, Policy>(source: Csv<R, Policy>, skip: bool) -> Result<TableData<R>> {
    let file = source.name;
    let unreadable = || Error::Unreadable { file: file.clone() };
    let (input, size): (Box<dyn Read>, u64) = match source.input {
        Input::File(path) => {
            let input = File::open(path).map_err(|_| unreadable())?;
            let size = input.metadata().map_or(0, |data| data.len());
            (Box::new(input), size)
        }
        Input::Reader(reader) => (reader, 0),
    };
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(BufReader::with_capacity(1 << 16, input));

    let header = reader.byte_headers().map_err(|_| unreadable())?;
    let mut places = Vec::with_capacity(R::NAMES.len());
    for &column in R::NAMES {
        let mut found = (0..header.len()).filter(|&i| header[i].trim_ascii() == column.as_bytes());
        match (found.next(), found.next()) {
            (Some(place), None) => places.push(place),
            _ => return Err(Error::Header { file, column }),
        }
    }
    let width = header.len();

    let mut progress = Progress::new(size);
    let mut building = Building::<R>::new();
    let mut record = csv::ByteRecord::new();
    while reader
        .read_byte_record(&mut record)
        .map_err(|_| unreadable())?
    {
        // PRIVACY: raw cells; what is wrong with one is not told, only where.
        let mut cells = Vec::with_capacity(places.len());
        if record.len() == width {
            cells.extend(
                places
                    .iter()
                    .map_while(|&i| core::str::from_utf8(&record[i]).ok()),
            );
        }
        let read = cells.len() == places.len()
            && building
                .columns
                .parse(&cells, &mut building.dictionary)
                .is_ok();
        if read {
            building.rows += 1;
        } else if !skip {
            let line = record.position().map_or(0, csv::Position::line);
            return Err(Error::Malformed { file, line });
        }
        progress.at(|| reader.position().byte());
    }
    Ok(building.finish())
}

/// A line on the terminal that says how far a long load is.
struct Progress {
    size: u64,
    rows: u64,
    shown: bool,
}

impl Progress {
    fn new(size: u64) -> Self {
        let long = size > 64 << 20 && std::io::stderr().is_terminal();
        Progress {
            size: if long { size } else { 0 },
            rows: 0,
            shown: false,
        }
    }

    fn at(&mut self, byte: impl FnOnce() -> u64) {
        self.rows += 1;
        if self.size > 0 && self.rows.is_multiple_of(1 << 17) {
            self.shown = true;
            let percent = 100 * byte() / self.size;
            let _ = write!(std::io::stderr(), "\rreading: {percent} %");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = writeln!(std::io::stderr(), "\rreading: done ");
        }
    }
}
