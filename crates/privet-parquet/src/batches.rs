//! Record batches.

use std::fmt;

use arrow_array::{RecordBatch, RecordBatchReader};
use privet::Result;
use privet::engine::{ColumnSource, Engine, EngineError, Opened, Pass, Schema, Sink};

use crate::columns::{self, Found, Names};

type Make = dyn Fn(usize) -> Option<Box<dyn RecordBatchReader>> + Send + Sync;

/// Arrow's record batches, in memory or from readers that can be made again, as one table.
#[must_use = "batches do nothing until a vault opens them"]
pub struct Batches {
    from: From,
    names: Names,
}

enum From {
    Memory(Vec<RecordBatch>),
    Readers { partitions: usize, make: Box<Make> },
}

/// Shows nothing of the rows.
impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Batches { .. }")
    }
}

impl Batches {
    /// Batches in memory.
    pub fn new(batches: impl IntoIterator<Item = RecordBatch>) -> Self {
        Batches {
            from: From::Memory(batches.into_iter().collect()),
            names: Names::new(),
        }
    }

    /// Readers, one for each of so many partitions, which are made anew for each pass. None is an engine
    /// that cannot read just now.
    ///
    /// # Safety
    ///
    /// Whoever makes the readers promises what a [`ColumnSource`] does: the same rows in every pass, all of
    /// them, to nobody else.
    #[allow(unsafe_code)] // PRIVACY: declares the obligation above; contains no unsafe operation.
    pub unsafe fn from_readers(
        partitions: usize,
        make: impl Fn(usize) -> Option<Box<dyn RecordBatchReader>> + Send + Sync + 'static,
    ) -> Self {
        Batches {
            from: From::Readers {
                partitions,
                make: Box::new(make),
            },
            names: Names::new(),
        }
    }

    /// Says what the batches call a field, where that is not the field's name.
    pub fn column(mut self, field: impl Into<String>, name: impl Into<String>) -> Self {
        self.names.insert(field.into(), name.into());
        self
    }
}

struct Source {
    from: From,
    names: Names,
    schema: Schema,
}

const NAME: &str = "the record batches";

impl Engine for Batches {
    fn open(self, schema: &Schema) -> Result<Opened> {
        let source = Source {
            from: self.from,
            names: self.names,
            schema: schema.clone(),
        };
        if let From::Memory(batches) = &source.from {
            for batch in batches {
                source.look(&batch.schema())?;
            }
        }
        Ok(Opened::Columns(Box::new(source)))
    }
}

impl Source {
    fn look(&self, found: &arrow_schema::Schema) -> Result<Found, EngineError> {
        Found::look(&self.schema, &self.names, found, NAME)
    }

    fn hand_over(
        &self,
        batch: &RecordBatch,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let found = self.look(&batch.schema())?;
        columns::hand_over(batch, &found.whole(columns), || NAME.into(), sink)
    }
}

// SAFETY: batches in memory are immutable, and each pass hands over all of them, in their order; readers
// keep the promise of `from_readers`.
#[allow(unsafe_code)] // PRIVACY: the promise above; contains no unsafe operation.
unsafe impl ColumnSource for Source {
    fn name(&self) -> String {
        NAME.into()
    }

    fn partitions(&self) -> usize {
        match &self.from {
            From::Memory(batches) => batches.len(),
            From::Readers { partitions, .. } => *partitions,
        }
    }

    fn rows(&self, _: &Pass, partition: usize) -> Option<u64> {
        match &self.from {
            From::Memory(batches) => Some(batches[partition].num_rows() as u64),
            From::Readers { .. } => None,
        }
    }

    fn read(
        &self,
        _: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let failed = || EngineError::Failed {
            data: NAME.into(),
            reason: "a reader failed",
        };
        match &self.from {
            From::Memory(batches) => self.hand_over(&batches[partition], columns, sink),
            From::Readers { make, .. } => {
                for batch in make(partition).ok_or_else(failed)? {
                    self.hand_over(&batch.map_err(|_| failed())?, columns, sink)?;
                }
                Ok(())
            }
        }
    }
}
