//! CSV files, straight into columns.

use core::fmt;
use core::marker::PhantomData;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use super::cells::{Cells, Splitter};
use super::format::Format;
use super::lines::Lines;
use super::reading::{Reading, Stop};
use super::{Fault, LoadReport, Source, sealed};
use crate::data::{AddRemove, PerPerson, Record, Relation, Table, TableData};
use crate::error::{Error, Result};

/// Malformed lines are an error, and nothing opens.
#[derive(Debug)]
pub enum Strict {}

/// Malformed lines are left out, as a filter would.
#[derive(Debug)]
pub enum Lenient {}

/// Quoted cells may contain line breaks; malformed rows are an error, and nothing opens.
#[derive(Debug)]
pub enum Multiline {}

/// A CSV file with a header that names the record's fields, in any order.
/// [`column`](Csv::column) gives a field another name, [`delimiter`](Csv::delimiter) sets what separates
/// cells.
///
/// Cells go straight into columns. No record is built, and no user-written `Deserialize` sees a cell.
/// Other columns of the file are ignored.
///
/// Errors name the file, the line and the column, never what is on the line.
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
/// # Every line is one row or one error
///
/// Line 1 is the header, and every further line is one row or malformed. A line ends with LF or
/// CRLF, or with the file; a carriage return elsewhere makes a line malformed. So does a quote that
/// is not closed on its line, or is followed by anything but a delimiter. An empty line is an empty cell
/// if the file has one column, and malformed if it has more, even at the end of the file. A malformed
/// line has no effect on any other line: a file with one line more or less is a table with at most
/// one row more or less.
///
/// Files whose quoted cells contain line breaks are read with
/// [`multiline_cells`](Csv::multiline_cells).
///
/// # Which spellings are accepted
///
/// | field | cells |
/// |---|---|
/// | integer | `44`, `+44`, `-44`, and with zeros after a point: `44.0`. Not `44.5`, `4e1`, `1,000` |
/// | `f64` | `12.5`, `-.5`, `1e-3`; `nan`, `inf` and `infinity` in any case, with a sign or without. Not `12,5` |
/// | `bool` | `true`, `t`, `yes`, `y`, `1`, `1.0`, and `false`, `f`, `no`, `n`, `0`, `0.0`, in any case |
/// | [`Date`](crate::Date) | `2013-01-31` only |
/// | [`Timestamp`](crate::Timestamp) | `2013-01-31T23:59`, with a space for `T`, with seconds and their fractions, with `Z` or an offset as in `+01:00` |
/// | [`Decimal<2>`](crate::Decimal) | `12.5`, `-12.50`, `12`; at most two digits after the point, zeros aside. Not `0.005`, `1e3` |
/// | `String` | any text, spaces included |
/// | category | a variant's name, as it is written in Rust |
/// | `[f64; D]` | `D` reals separated by spaces or semicolons |
/// | `Option` | a [name of null](Csv::null_values), which is the empty cell unless set, or a value |
///
/// Spaces around a cell do not count, except in texts. Only an `Option` can be null: elsewhere a name
/// of null is a cell like any other, so that `NA` is malformed in an integer column and a text in a
/// `String`. `nan` is a value of an `f64`, unless it is a name of null.
///
/// # Limits
///
/// A line has at most 16 MiB ([`line_limit`](Csv::line_limit)) and a cell at most 1 MiB
/// ([`cell_limit`](Csv::cell_limit)), so that an input without line ends is an error, not an
/// allocation without end.
///
/// # Malformed lines
///
/// Skipping malformed lines makes the number of rows private, so that a table read in this way
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
///
/// How many were skipped, and where, is in the owner's [`LoadReport`].
#[must_use = "nothing is read until a vault opens it"]
pub struct Csv<R, Policy = Strict> {
    name: String,
    input: Input,
    limits: Limits,
    format: Format,
    watch: Option<Box<dyn FnMut(Progress) + Send>>,
    row: PhantomData<fn() -> (R, Policy)>,
}

/// How far the reading of a file has come: see [`Csv::on_progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The bytes that were read.
    pub done: u64,
    /// The bytes of the file; none for a reader, which does not say.
    pub of: Option<u64>,
}

/// How many bytes lie between two reports of progress.
const STRIDE: u64 = 1 << 20;

/// The largest number of bytes of a line and of a cell.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) line: usize,
    pub(super) cell: usize,
}

const LIMITS: Limits = Limits {
    line: 16 << 20,
    cell: 1 << 20,
};

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
            limits: LIMITS,
            format: Format::default(),
            watch: None,
            row: PhantomData,
        }
    }

    /// Anything that can be read, with a name for errors.
    pub fn from_reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        Csv {
            name: name.into(),
            input: Input::Reader(Box::new(reader)),
            limits: LIMITS,
            format: Format::default(),
            watch: None,
            row: PhantomData,
        }
    }

    /// Leaves out each malformed line. The table is then private in its number of
    /// rows.
    ///
    /// Rows are lost: look at [`Vault::load_with_report`](crate::Vault::load_with_report) before
    /// analysing what is left.
    pub fn skip_malformed(self) -> Csv<R, Lenient> {
        self.with()
    }

    /// Lets quoted cells contain line breaks.
    ///
    /// A row may then have several lines, and two stray quotes may join rows, which is usually but not
    /// always an error. So such a file is read strictly: the lines that a malformed row would absorb
    /// cannot be skipped.
    ///
    /// ```compile_fail,E0599
    /// # use privet::load::Csv;
    /// # use privet::prelude::*;
    /// # #[derive(Record)]
    /// # struct Patient { age: i64 }
    /// let _ = Csv::<Patient>::file("patients.csv").multiline_cells().skip_malformed();
    /// ```
    pub fn multiline_cells(self) -> Csv<R, Multiline> {
        self.with()
    }
}

impl<R, Policy> Csv<R, Policy> {
    /// Sets the largest number of bytes in a line, without its end. The default is 16 MiB. With
    /// [`multiline_cells`](Csv::multiline_cells) it applies to a row.
    pub fn line_limit(mut self, bytes: usize) -> Self {
        self.limits.line = bytes;
        self
    }

    /// Sets the largest number of bytes in a cell, without its quotes. The default is 1 MiB.
    pub fn cell_limit(mut self, bytes: usize) -> Self {
        self.limits.cell = bytes;
        self
    }

    /// What separates cells; a comma unless set. `b';'` and `b'\t'` are common.
    ///
    /// It must be an ASCII character other than a quote or a line end; otherwise loading is an
    /// [error](Error::Setting).
    pub fn delimiter(mut self, delimiter: u8) -> Self {
        self.format.delimiter = delimiter;
        self
    }

    /// Which cells are null, for fields that are `Option`s. Replaces the empty cell, which is null
    /// unless set.
    ///
    /// ```
    /// # use privet::load::Csv;
    /// # use privet::prelude::*;
    /// # use privet::testing::Loaded;
    /// #[derive(Record)]
    /// struct Flight { delay: Option<i64> }
    ///
    /// # fn main() -> privet::Result<()> {
    /// let csv = "dep_delay;carrier\n2.0;UA\nNA;AA\n;B6\n";
    /// let flights = Csv::<Flight>::from_reader("flights", csv.as_bytes())
    ///     .delimiter(b';')
    ///     .column("delay", "dep_delay")
    ///     .null_values(["NA", ""]);
    /// let flights = Loaded::read::<Replace>(flights)?;
    /// let cancelled = rows::<Flight>().filter(|f| f.delay.is_null()).count();
    /// assert_eq!(flights.exact(&cancelled), [2]);
    /// # Ok(()) }
    /// ```
    pub fn null_values<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.format.nulls = names.into_iter().map(Into::into).collect();
        self
    }

    /// What the header calls a field of the record, where it does not have the field's name.
    ///
    /// A name that is not a field's is an [error](Error::Setting) when the file is loaded.
    pub fn column(mut self, field: impl Into<String>, header: impl Into<String>) -> Self {
        self.format.columns.push((field.into(), header.into()));
        self
    }

    /// Calls a function after each mebibyte and at the end, so that the caller can draw a bar.
    ///
    /// It is given the number of bytes that were read, which the owner of the file could count anyway, and
    /// nothing of what is in them.
    ///
    /// ```
    /// # use privet::load::Csv;
    /// # use privet::prelude::*;
    /// # #[derive(Record)]
    /// # struct Patient { age: i64 }
    /// # let csv = "age\n44\n51\n".as_bytes();
    /// use indicatif::ProgressBar;
    ///
    /// let bar = ProgressBar::no_length();
    /// let patients = Csv::<Patient>::from_reader("patients", csv).on_progress(move |progress| {
    ///     bar.set_length(progress.of.unwrap_or(progress.done));
    ///     bar.set_position(progress.done);
    /// });
    /// let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::load(patients)?;
    /// # drop(vault);
    /// # Ok::<(), privet::Error>(())
    /// ```
    pub fn on_progress(mut self, watch: impl FnMut(Progress) + Send + 'static) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    fn with<Other>(self) -> Csv<R, Other> {
        Csv {
            name: self.name,
            input: self.input,
            limits: self.limits,
            format: self.format,
            watch: self.watch,
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
    fn load(self, _: &mut LoadReport) -> Result<TableData<R>> {
        read(self, false, None)
    }
}
impl<R: Record, Rel: Relation> Source<Table<R, Rel>> for Csv<R, Multiline> {
    fn load(self, _: &mut LoadReport) -> Result<TableData<R>> {
        read(self, true, None)
    }
}
impl<R: Record> Source<Table<R, AddRemove>> for Csv<R, Lenient> {
    fn load(self, report: &mut LoadReport) -> Result<TableData<R>> {
        read(self, false, Some(report))
    }
}
impl<R: Record> Source<Table<R, PerPerson>> for Csv<R, Lenient> {
    fn load(self, report: &mut LoadReport) -> Result<TableData<R>> {
        read(self, false, Some(report))
    }
}

/// Reads a file; with a report, malformed lines go there and are skipped.
fn read<R: Record, Policy>(
    source: Csv<R, Policy>,
    breaks: bool,
    report: Option<&mut LoadReport>,
) -> Result<TableData<R>> {
    let file = source.name;
    let (limits, format) = (source.limits, source.format);
    format.check::<R>(&file)?;
    let unreadable = |error: io::Error| Error::Unreadable {
        file: file.clone(),
        reason: reason(&error),
    };
    let (input, of): (Box<dyn Read>, Option<u64>) = match source.input {
        Input::File(path) => {
            let input = File::open(path).map_err(unreadable)?;
            let size = input.metadata().map(|data| data.len());
            (Box::new(input), size.ok())
        }
        Input::Reader(reader) => (reader, None),
    };
    let mut lines =
        Lines::new(input, limits.line, breaks.then_some(format.delimiter)).map_err(unreadable)?;
    let mut splitter = Splitter::new(format.delimiter);

    // The header. A file without one counts as a file whose header names nothing.
    let header = match lines.next_line().map_err(unreadable)? {
        None => splitter.split(&[], breaks),
        Some(line) => match line.text {
            None => Err(limits.long_line()),
            Some(text) => splitter.split(text, breaks),
        },
    };
    let header = match header.and_then(|header| limits.check(header)) {
        Ok(header) => header,
        Err(fault) => {
            return Err(Error::Malformed {
                file,
                line: 1,
                fault,
            });
        }
    };
    let places = format.places::<R>(&file, header)?;

    let reading = Reading {
        file: &file,
        limits,
        delimiter: format.delimiter,
        nulls: &format.nulls,
        places: &places,
        width: header.len(),
        breaks,
        lenient: report.is_some(),
    };
    let mut watch = source.watch;
    let (mut done, mut due) = (0, STRIDE);
    let read = reading.all::<R, _>(lines, |bytes| {
        done = bytes;
        if let (true, Some(watch)) = (done >= due, &mut watch) {
            due = done - done % STRIDE + STRIDE;
            watch(Progress { done, of });
        }
    });
    let rows = match read {
        Ok(rows) => rows,
        Err(Stop::Input(error)) => return Err(unreadable(error)),
        Err(Stop::Line(line, fault)) => return Err(Error::Malformed { file, line, fault }),
    };
    if let Some(watch) = &mut watch {
        watch(Progress { done, of });
    }
    if let Some(report) = report {
        *report = rows.report;
    }
    Ok(rows.building.finish())
}

impl Limits {
    pub(super) fn long_line(self) -> Fault {
        Fault::LongLine { limit: self.line }
    }

    pub(super) fn check(self, cells: Cells<'_>) -> Result<Cells<'_>, Fault> {
        if cells.longest() > self.cell {
            return Err(Fault::LongCell { limit: self.cell });
        }
        Ok(cells)
    }
}

/// The operating system's reason. The owner's own reader may put anything into an error's text.
fn reason(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => error.kind().to_string(),
    }
}
