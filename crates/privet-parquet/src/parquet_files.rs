//! Parquet files.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema as ArrowSchema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use privet::Result;
use privet::engine::{ColumnSource, Engine, EngineError, Opened, Pass, Schema, Sink};

use crate::columns::{self, Names};
use crate::pin::{self, Pinned, unreadable};
use crate::progress::{Meter, Progress};

/// Rows that are decoded at a time.
const BATCH: usize = 8192;

/// Parquet files for a vault, which reads them anew for each release, and only the columns that it needs.
///
/// ```no_run
/// use privet::prelude::*;
/// use privet_parquet::Parquet;
///
/// #[derive(Record)]
/// struct Visit { age: i64, bill: Option<f64>, ward: String }
///
/// # fn main() -> privet::Result<()> {
/// let vault: Vault<Table<Visit>, Eps<1, 1>> = Vault::load(Parquet::open("visits/"))?;
/// let bills = rows::<Visit>().sum(|v| v.bill.clamp::<0, 5_000>()).laplace::<Eps<1, 2>>();
/// let (total, vault) = vault.release(bills)?;
/// # let _ = (total, vault); Ok(()) }
/// ```
#[derive(Debug)]
#[must_use = "files do nothing until a vault opens them"]
pub struct Parquet {
    paths: Vec<PathBuf>,
    names: Names,
    meter: Meter,
}

impl Parquet {
    /// A file, or all files that end in `.parquet` in a directory and below.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self::files([path])
    }

    /// Several of them: one table.
    pub fn files(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Parquet {
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

    /// Calls `see` as a pass goes on, from whichever thread reads: when the vault opens, and in each
    /// release.
    pub fn on_progress(mut self, see: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.meter = Meter::new(see);
        self
    }
}

/// A file, what is in it, and where the record's columns are.
struct Known {
    file: Pinned,
    metadata: ArrowReaderMetadata,
    places: Vec<usize>,
}

struct Files {
    files: Vec<Known>,
    /// Each row group of each file.
    partitions: Vec<(usize, usize)>,
    meter: Meter,
}

impl Engine for Parquet {
    fn open(self, schema: &Schema) -> Result<Opened> {
        let mut files = Vec::new();
        for path in pin::files(&self.paths, "parquet")? {
            let file = Pinned::new(path)?;
            let load = |options| {
                let opened = file.open().map_err(privet::Error::from)?;
                ArrowReaderMetadata::load(&opened, options).map_err(|error| {
                    // About the file's structure, and for its owner.
                    unreadable(&file.path, error)
                })
            };
            // Arrow's own schema in a file is a hint of whoever wrote it; texts are read by their codes.
            let plain = load(ArrowReaderOptions::new())?;
            let places = columns::places(schema, &self.names, plain.schema(), &file.name())?;
            let coded = ArrowReaderOptions::new().with_schema(coded(plain.schema(), &places));
            let metadata = load(coded).unwrap_or(plain);
            files.push(Known {
                file,
                metadata,
                places,
            });
        }
        let groups = |(at, known): (usize, &Known)| {
            let groups = known.metadata.metadata().num_row_groups();
            (0..groups).map(move |group| (at, group))
        };
        let partitions = files.iter().enumerate().flat_map(groups).collect();
        Ok(Opened::Columns(Box::new(Files {
            files,
            partitions,
            meter: self.meter,
        })))
    }
}

/// The same schema, with the texts that are wanted in the form that they are stored in: as codes.
fn coded(schema: &ArrowSchema, places: &[usize]) -> Arc<ArrowSchema> {
    let fields = schema
        .fields()
        .iter()
        .enumerate()
        .map(|(at, field)| match field.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View if places.contains(&at) => {
                let codes = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
                let coded = Field::new(field.name(), codes, field.is_nullable());
                Arc::new(coded.with_metadata(field.metadata().clone()))
            }
            _ => Arc::clone(field),
        });
    let fields: Vec<_> = fields.collect();
    Arc::new(ArrowSchema::new_with_metadata(
        fields,
        schema.metadata().clone(),
    ))
}

// SAFETY: each pass reads all rows of every row group, in their order, with no predicate and no index,
// from files that are refused once they change, and hands them to the vault's sink alone. Errors are constants.
#[allow(unsafe_code)] // PRIVACY: the promise above; contains no unsafe operation.
unsafe impl ColumnSource for Files {
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

    fn read(
        &self,
        _: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let (at, group) = self.partitions[partition];
        let known = &self.files[at];
        let file = known.file.open()?;
        let again = file.try_clone();
        let again = again.map_err(|_| known.file.failed("the operating system did not read it"))?;
        let (roots, order) = columns::projected(columns, &known.places);
        let metadata = known.metadata.clone();
        let mask = ProjectionMask::roots(metadata.metadata().file_metadata().schema_descr(), roots);
        let damaged = |_| {
            known
                .file
                .failed("it is damaged, or written in a way that is not known here")
        };
        // PRIVACY: no predicate, no row selection, no index: the time depends on sizes alone, as far as it
        // is up to us.
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
            .with_row_groups(vec![group])
            .with_projection(mask)
            .with_batch_size(BATCH)
            .build()
            .map_err(damaged)?;
        for batch in reader {
            let batch = batch.map_err(|_| {
                known
                    .file
                    .failed("it is damaged, or written in a way that is not known here")
            })?;
            columns::hand_over(&batch, &order, || known.file.name(), sink)?;
        }
        known.file.check(&again)?;
        self.meter.step(self.partitions.len());
        Ok(())
    }
}
