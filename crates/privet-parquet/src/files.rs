//! Files of one format, whichever it is.

use std::fmt;
use std::fs::File;
use std::marker::PhantomData;
use std::path::PathBuf;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema as ArrowSchema};
use privet::Result;
use privet::engine::{ColumnSource, Engine, EngineError, Opened, Pass, Schema, Sink};

use crate::columns::{self, Found, Names};
use crate::pin::{self, Pinned, unreadable};
use crate::progress::{Meter, Progress};

/// Files for a vault, which reads them anew for each release, and only the columns that it needs:
/// [`Parquet`](crate::Parquet) or [`ArrowFiles`](crate::ArrowFiles).
#[must_use = "files do nothing until a vault opens them"]
pub struct FilesOf<F> {
    paths: Vec<PathBuf>,
    names: Names,
    meter: Meter,
    format: PhantomData<fn() -> F>,
}

impl<F> fmt::Debug for FilesOf<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("FilesOf");
        shown
            .field("paths", &self.paths)
            .field("names", &self.names);
        shown.finish_non_exhaustive()
    }
}

impl<F> FilesOf<F> {
    /// A file, or all files of this format in a directory and below, by their ending.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self::files([path])
    }

    /// Several of them: one table.
    pub fn files(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        FilesOf {
            paths: paths.into_iter().map(Into::into).collect(),
            names: Names::new(),
            meter: Meter::default(),
            format: PhantomData,
        }
    }

    /// Says what the files call a field, where that is not the field's name.
    pub fn column(mut self, field: impl Into<String>, name: impl Into<String>) -> Self {
        self.names.insert(field.into(), name.into());
        self
    }

    /// Calls `see` as a pass goes on, from whichever thread reads: when the vault opens, and in each
    /// release.
    pub fn on_progress(mut self, see: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.meter = Meter::new(see);
        self
    }
}

/// How files of a format are read: what was found in one of them.
///
/// Every method reads what its arguments say, whatever the values are.
pub trait Format: Sized + Send + Sync + 'static {
    /// How the names of such files end.
    const ENDING: &'static str;

    /// The batches of a part.
    type Batches: Iterator<Item = Result<RecordBatch, ArrowError>>;

    /// Reads where everything is. An error is about the file's structure, and for its owner.
    fn look(file: File) -> Result<Self, String>;

    /// The columns that the file has.
    fn schema(&self) -> &ArrowSchema;

    /// Asks for the form in which a text that `wanted` has is read fastest.
    fn prepared(self, file: &File, wanted: impl Fn(usize) -> bool) -> Self;

    /// How many parts can be read at once.
    fn parts(&self) -> usize;

    /// How many rows a part has, if the file says so.
    fn rows(&self, part: usize) -> Option<u64>;

    /// All rows of a part, in their order, with the columns at these places, which ascend.
    fn read(&self, file: File, part: usize, roots: Vec<usize>) -> Option<Self::Batches>;
}

/// A file, what is in it, and where the record's columns are.
struct Known<F> {
    file: Pinned,
    format: F,
    found: Found,
}

struct Source<F> {
    files: Vec<Known<F>>,
    /// Each part of each file.
    partitions: Vec<(usize, usize)>,
    meter: Meter,
}

impl<F: Format> Engine for FilesOf<F> {
    fn open(self, schema: &Schema) -> Result<Opened> {
        let mut files = Vec::new();
        for path in pin::files(&self.paths, F::ENDING)? {
            let file = Pinned::new(path)?;
            let opened = file.open()?;
            let format = F::look(file.again(&opened)?);
            let format = format.map_err(|error| unreadable(&file.path, error))?;
            let found = Found::look(schema, &self.names, format.schema(), &file.name())?;
            let format = format.prepared(&opened, |place| found.has(place));
            files.push(Known {
                file,
                format,
                found,
            });
        }
        let parts = |(at, known): (usize, &Known<F>)| {
            let parts = known.format.parts();
            (0..parts).map(move |part| (at, part))
        };
        let partitions = files.iter().enumerate().flat_map(parts).collect();
        Ok(Opened::Columns(Box::new(Source {
            files,
            partitions,
            meter: self.meter,
        })))
    }
}

// SAFETY: each pass reads all rows of every part, in their order, from files that are refused once they
// change, and hands them to the vault's sink alone. Errors are constants.
#[allow(unsafe_code)] // PRIVACY: the promise above; contains no unsafe operation.
unsafe impl<F: Format> ColumnSource for Source<F> {
    fn name(&self) -> String {
        match &self.files[..] {
            [one] => one.file.name(),
            [first, ..] => format!("{} and {} more", first.file.name(), self.files.len() - 1),
            [] => "no file".into(),
        }
    }

    fn partitions(&self) -> usize {
        self.partitions.len()
    }

    fn rows(&self, _: &Pass, partition: usize) -> Option<u64> {
        let (at, part) = self.partitions[partition];
        self.files[at].format.rows(part)
    }

    fn read(
        &self,
        _: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let (at, part) = self.partitions[partition];
        let Known {
            file,
            format,
            found,
        } = &self.files[at];
        let damaged = || file.failed("it is damaged, or written in a way that is not known here");
        let opened = file.open()?;
        let (roots, chosen) = found.projected(columns);
        let batches = format.read(file.again(&opened)?, part, roots);
        for batch in batches.ok_or_else(damaged)? {
            let batch = batch.map_err(|_| damaged())?;
            let seen = columns::hand_over(&batch, &chosen, || file.name(), sink);
            if let Err(error) = seen {
                // PRIVACY: values fitted when the vault opened; if they do not now, the file is another.
                file.check(&opened)?;
                return Err(error);
            }
        }
        file.check(&opened)?;
        self.meter.step(self.partitions.len());
        Ok(())
    }
}
