//! Parquet files.

use std::fs::File;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Type as PhysicalType;

use crate::files::{FilesOf, Format};

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
pub type Parquet = FilesOf<Stored>;

#[derive(Debug)]
pub struct Stored(ArrowReaderMetadata);

impl Format for Stored {
    const ENDING: &'static str = "parquet";
    type Batches = ParquetRecordBatchReader;

    fn look(file: File) -> Result<Self, String> {
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new());
        let metadata = metadata.and_then(|metadata| match in_micros(&metadata) {
            Some(schema) => {
                let options = ArrowReaderOptions::new().with_schema(schema);
                ArrowReaderMetadata::load(&file, options)
            }
            None => Ok(metadata),
        });
        metadata.map(Stored).map_err(|error| error.to_string())
    }

    fn schema(&self) -> &Schema {
        self.0.schema()
    }

    /// Texts in the form that they are stored in: as codes. Arrow's own schema in a file is a hint of whoever
    /// wrote it.
    fn prepared(self, file: &File, wanted: impl Fn(usize) -> bool) -> Self {
        let coded = ArrowReaderOptions::new().with_schema(coded(self.schema(), wanted));
        ArrowReaderMetadata::load(file, coded).map_or(self, Stored)
    }

    fn parts(&self) -> usize {
        self.0.metadata().num_row_groups()
    }

    fn rows(&self, part: usize) -> Option<u64> {
        let rows = self.0.metadata().row_group(part).num_rows();
        u64::try_from(rows).ok()
    }

    fn read(&self, file: File, part: usize, roots: Vec<usize>) -> Option<Self::Batches> {
        let metadata = self.0.clone();
        let mask = ProjectionMask::roots(metadata.metadata().file_metadata().schema_descr(), roots);
        // PRIVACY: no predicate, no row selection, no index: the time depends on sizes alone, as far as it
        // is up to us.
        ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
            .with_row_groups(vec![part])
            .with_projection(mask)
            .with_batch_size(BATCH)
            .build()
            .ok()
    }
}

/// The schema with moments of 96 bits in microseconds, if there are any. Arrow reads them in nanoseconds, of which 64
/// bits hold the years 1677 to 2262 only: a year 9999 that stands for "never" would become another, and nobody would notice.
fn in_micros(metadata: &ArrowReaderMetadata) -> Option<Arc<Schema>> {
    let (stored, schema) = (metadata.parquet_schema(), metadata.schema());
    let mut fields: Vec<_> = schema.fields().iter().map(Arc::clone).collect();
    let mut found = false;
    for leaf in 0..stored.num_columns() {
        let field = &mut fields[stored.get_column_root_idx(leaf)];
        if let DataType::Timestamp(TimeUnit::Nanosecond, zone) = field.data_type()
            && stored.column(leaf).physical_type() == PhysicalType::INT96
        {
            let micros = DataType::Timestamp(TimeUnit::Microsecond, zone.clone());
            *field = Arc::new(field.as_ref().clone().with_data_type(micros));
            found = true;
        }
    }
    let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
    found.then(|| Arc::new(schema))
}

/// The same schema, with the texts that are wanted as codes.
fn coded(schema: &Schema, wanted: impl Fn(usize) -> bool) -> Arc<Schema> {
    let fields = schema.fields().iter().enumerate();
    let fields = fields.map(|(at, field)| match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View if wanted(at) => {
            let codes = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
            let coded = Field::new(field.name(), codes, field.is_nullable());
            Arc::new(coded.with_metadata(field.metadata().clone()))
        }
        _ => Arc::clone(field),
    });
    let fields: Vec<_> = fields.collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}
