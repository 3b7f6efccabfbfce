//! Files in Arrow's own format (IPC, also called Feather).

use std::io::BufReader;
use std::path::PathBuf;

use arrow_ipc::reader::FileReader;
use privet::Result;
use privet::engine::{ColumnSource, Engine, EngineError, Opened, Pass, Schema, Sink};

use crate::columns::{self, Names};
use crate::pin::{self, Pinned, unreadable};
use crate::progress::{Meter, Progress};

/// Arrow IPC files for a vault, as [`Parquet`](crate::Parquet) is for Parquet files. A file is a partition.
#[derive(Debug)]
#[must_use = "files do nothing until a vault opens them"]
pub struct ArrowFiles {
    paths: Vec<PathBuf>,
    names: Names,
    meter: Meter,
}

impl ArrowFiles {
    /// A file, or all files that end in `.arrow` in a directory and below.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self::files([path])
    }

    /// Several of them: one table.
    pub fn files(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        ArrowFiles {
            paths: paths.into_iter().map(Into::into).collect(),
            names: Names::new(),
            meter: Meter::default(),
        }
    }

    /// Says what the files call a field, where that is not the field's name.
    pub fn column(mut self, field: impl Into<String>, name: impl Into<String>) -> Self {
        self.names.insert(field.into(), name.into());
        self
    }

    /// Calls `see` as a pass goes on, from whichever thread reads.
    pub fn on_progress(mut self, see: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.meter = Meter::new(see);
        self
    }
}

struct Files {
    files: Vec<(Pinned, Vec<usize>)>,
    meter: Meter,
}

impl Engine for ArrowFiles {
    fn open(self, schema: &Schema) -> Result<Opened> {
        let mut files = Vec::new();
        for path in pin::files(&self.paths, "arrow")? {
            let file = Pinned::new(path)?;
            let reader = FileReader::try_new(BufReader::new(file.open()?), None);
            let reader = reader.map_err(|error| unreadable(&file.path, error))?;
            let found = reader.schema();
            let places = columns::places(schema, &self.names, &found, &file.name())?;
            files.push((file, places));
        }
        Ok(Opened::Columns(Box::new(Files {
            files,
            meter: self.meter,
        })))
    }
}

// SAFETY: each pass reads all batches of every file, in their order, from files that are refused once they
// change, and hands them to the vault's sink alone. Errors are constants.
#[allow(unsafe_code)] // PRIVACY: the promise above; contains no unsafe operation.
unsafe impl ColumnSource for Files {
    fn name(&self) -> String {
        match &self.files[..] {
            [(one, _)] => one.name(),
            [(first, _), ..] => format!("{} and {} more", first.name(), self.files.len() - 1),
            [] => "no file".into(),
        }
    }

    fn partitions(&self) -> usize {
        self.files.len()
    }

    fn read(
        &self,
        _: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let (file, places) = &self.files[partition];
        let damaged = || file.failed("it is damaged, or written in a way that is not known here");
        let opened = file.open()?;
        let again = opened.try_clone();
        let again = again.map_err(|_| file.failed("the operating system did not read it"))?;
        let (roots, order) = columns::projected(columns, places);
        let reader = FileReader::try_new(BufReader::new(opened), Some(roots));
        for batch in reader.map_err(|_| damaged())? {
            let batch = batch.map_err(|_| damaged())?;
            columns::hand_over(&batch, &order, || file.name(), sink)?;
        }
        file.check(&again)?;
        self.meter.step(self.files.len());
        Ok(())
    }
}
