//! The record's columns in the data: where each is, and handing them over.

use std::collections::BTreeMap;

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::Schema as ArrowSchema;
use privet::engine::{Batch, Bits, EngineError, Part, Schema, Sink, SourceColumn};

use crate::values::{Held, Wrong, reader};

/// What the data calls a field, where that is not the field's name.
pub(crate) type Names = BTreeMap<String, String>;

/// The record's columns, and for each its place in the data.
pub(crate) struct Found {
    wanted: Schema,
    places: Vec<usize>,
}

/// Some of the record's columns, each with its place in a batch.
pub(crate) type Chosen<'a> = Vec<(usize, &'a SourceColumn)>;

impl Found {
    /// Looks for the columns in a schema.
    pub(crate) fn look(
        wanted: &Schema,
        names: &Names,
        found: &ArrowSchema,
        data: &str,
    ) -> Result<Self, EngineError> {
        let mut places = Vec::new();
        for column in wanted.columns() {
            let mismatch = |found: String| EngineError::Schema {
                data: data.into(),
                column: column.name().into(),
                expected: column.to_string(),
                found,
            };
            let name = names.get(column.name()).map_or(column.name(), |name| name);
            let fields = found.fields().iter().enumerate();
            let mut same = fields.filter(|(_, field)| field.name() == name);
            let (place, field) = match (same.next(), same.next()) {
                (Some(one), None) => one,
                (None, _) => return Err(mismatch(format!("no column `{name}`"))),
                _ => return Err(mismatch(format!("several columns `{name}`"))),
            };
            if reader(column, field.data_type()).is_none() {
                return Err(mismatch(format!("{} in it", field.data_type())));
            }
            places.push(place);
        }
        Ok(Found {
            wanted: wanted.clone(),
            places,
        })
    }

    /// Whether the column at a place is one of them.
    pub(crate) fn has(&self, place: usize) -> bool {
        self.places.contains(&place)
    }

    /// Columns of the record, in batches that have every column of the data.
    pub(crate) fn whole(&self, columns: &[usize]) -> Chosen<'_> {
        let all = self.wanted.columns();
        let chosen = columns.iter();
        chosen
            .map(|column| (self.places[*column], &all[*column]))
            .collect()
    }

    /// The places of columns in the data, and the columns in batches of a reader that returns those alone: in
    /// the order of the data, each once.
    pub(crate) fn projected(&self, columns: &[usize]) -> (Vec<usize>, Chosen<'_>) {
        let mut chosen = self.whole(columns);
        let mut roots: Vec<usize> = chosen.iter().map(|(place, _)| *place).collect();
        roots.sort_unstable();
        roots.dedup();
        for (place, _) in &mut chosen {
            *place = roots.partition_point(|root| root < place);
        }
        (roots, chosen)
    }
}

/// Hands columns of a batch over.
pub(crate) fn hand_over(
    batch: &RecordBatch,
    chosen: &Chosen<'_>,
    name: impl Fn() -> String,
    sink: &mut Sink<'_>,
) -> Result<(), EngineError> {
    let failed = |reason| EngineError::Failed {
        data: name(),
        reason,
    };
    let mut held: Vec<(Held<'_>, _)> = Vec::with_capacity(chosen.len());
    for (place, column) in chosen {
        let array: &ArrayRef = batch.column(*place);
        let read = reader(column, array.data_type());
        let read = read.ok_or_else(|| failed("a column is not of the type it was"))?;
        let values = read(array, column).map_err(|wrong| match wrong {
            Wrong::Value(misfit) => EngineError::Value {
                data: name(),
                column: column.name().into(),
                misfit,
            },
            Wrong::Hole => {
                failed("a vector has a missing number; write it again without nulls in vectors")
            }
        })?;
        held.push((values, array.logical_nulls()));
    }
    let parts = held.iter().map(|(held, nulls)| {
        let nulls = nulls.as_ref().filter(|nulls| nulls.null_count() > 0);
        Part {
            values: held.values(),
            valid: nulls.map(|nulls| Bits::new(nulls.validity(), nulls.offset())),
        }
    });
    let parts: Vec<Part<'_>> = parts.collect();
    sink(&Batch::new(batch.num_rows(), &parts))
}
