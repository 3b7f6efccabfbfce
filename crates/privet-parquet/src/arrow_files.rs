//! Files in Arrow's own format (IPC, also called Feather).

use std::fs::File;
use std::io::BufReader;
use std::iter::Take;
use std::sync::Arc;

use arrow_ipc::reader::FileReader;
use arrow_schema::Schema;

use crate::files::{FilesOf, Format};

/// Arrow IPC files for a vault, as [`Parquet`](crate::Parquet) is for Parquet files.
pub type ArrowFiles = FilesOf<Ipc>;

/// The most parts of a file: each reads the footer and the dictionaries again.
const MOST_PARTS: usize = 16;

#[derive(Debug)]
pub struct Ipc {
    schema: Arc<Schema>,
    batches: usize,
}

impl Format for Ipc {
    const ENDING: &'static str = "arrow";
    type Batches = Take<FileReader<BufReader<File>>>;

    fn look(file: File) -> Result<Self, String> {
        let reader = FileReader::try_new_buffered(file, None);
        let reader = reader.map_err(|error| error.to_string())?;
        Ok(Ipc {
            schema: reader.schema(),
            batches: reader.num_batches(),
        })
    }

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn prepared(self, _: &File, _: impl Fn(usize) -> bool) -> Self {
        self
    }

    fn parts(&self) -> usize {
        self.batches.clamp(1, MOST_PARTS)
    }

    fn rows(&self, _: usize) -> Option<u64> {
        None
    }

    fn read(&self, file: File, part: usize, roots: Vec<usize>) -> Option<Self::Batches> {
        let first = |part: usize| self.batches * part / self.parts();
        let (from, to) = (first(part), first(part + 1));
        let mut reader = FileReader::try_new_buffered(file, Some(roots)).ok()?;
        if from < to {
            reader.set_index(from).ok()?;
        }
        Some(reader.take(to - from))
    }
}
