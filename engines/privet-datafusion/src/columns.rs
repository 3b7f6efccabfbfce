//! The columns of a record, found in the schema of a table.

use datafusion::arrow::datatypes::{DataType, Schema as ArrowSchema, TimeUnit};
use privet::engine::EngineError;
use privet::engine::SourceColumn;
use privet::plan::ValueKind;

fn text(data: &DataType) -> bool {
    match data {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => {
            !matches!(**values, DataType::Dictionary(..)) && text(values)
        }
        _ => false,
    }
}

/// Whether a field can hold what a column has, as far as their types tell.
fn fits(column: &SourceColumn, data: &DataType) -> bool {
    match column.kind() {
        ValueKind::Integer => data.is_integer(),
        ValueKind::Float => matches!(data, DataType::Float32 | DataType::Float64),
        ValueKind::Boolean => matches!(data, DataType::Boolean),
        ValueKind::Calendar => matches!(data, DataType::Date32),
        ValueKind::Clock => matches!(data, DataType::Timestamp(TimeUnit::Microsecond, _)),
        ValueKind::Textual | ValueKind::Key(_) => text(data),
        ValueKind::Floats(width) => match data {
            DataType::FixedSizeList(item, size) => {
                item.data_type() == &DataType::Float64 && i64::from(*size) == i64::from(width)
            }
            _ => false,
        },
        _ => false,
    }
}

/// For each column of the record, its place in the table.
pub fn places(
    table: &str,
    columns: &[SourceColumn],
    schema: &ArrowSchema,
) -> Result<Vec<usize>, EngineError> {
    let place = |column: &SourceColumn| {
        let refused = |found: String| EngineError::Schema {
            data: table.into(),
            column: column.name().into(),
            expected: column.to_string(),
            found,
        };
        let fields = schema.fields().iter().enumerate();
        let mut found = fields.filter(|(_, field)| field.name() == column.name());
        match (found.next(), found.next()) {
            (Some((place, field)), None) if fits(column, field.data_type()) => Ok(place),
            (Some((_, field)), None) => Err(refused(field.data_type().to_string())),
            (None, _) => Err(refused("no such column".into())),
            (Some(_), Some(_)) => Err(refused("two columns of that name".into())),
        }
    };
    columns.iter().map(place).collect()
}
