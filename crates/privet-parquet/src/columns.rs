//! Arrow's columns as privet wants them.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch};
use arrow_schema::{DataType, Schema as ArrowSchema, TimeUnit};
use privet::engine::{Batch, Bits, EngineError, Part, Schema, Sink, SourceColumn, Values};
use privet::plan::ValueKind;

/// What the data calls a field, where that is not the field's name.
pub(crate) type Names = BTreeMap<String, String>;

/// For each field of the record, the place of its column in the data.
pub(crate) fn places(
    wanted: &Schema,
    names: &Names,
    found: &ArrowSchema,
    data: &str,
) -> Result<Vec<usize>, EngineError> {
    let mismatch = |column: &SourceColumn, found: String| EngineError::Schema {
        data: data.into(),
        column: column.name().into(),
        expected: column.to_string(),
        found,
    };
    let mut places = Vec::new();
    for column in wanted.columns() {
        let name = names.get(column.name()).map_or(column.name(), |name| name);
        let mut same = found
            .fields()
            .iter()
            .enumerate()
            .filter(|(_, field)| field.name() == name);
        let (place, field) = match (same.next(), same.next()) {
            (Some(one), None) => one,
            (None, _) => return Err(mismatch(column, format!("no column `{name}`"))),
            _ => return Err(mismatch(column, format!("several columns `{name}`"))),
        };
        if !fits(column.kind(), field.data_type()) {
            return Err(mismatch(column, format!("{} in it", field.data_type())));
        }
        places.push(place);
    }
    Ok(places)
}

fn text(found: &DataType) -> bool {
    match found {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => text(values),
        _ => false,
    }
}

fn fits(kind: ValueKind, found: &DataType) -> bool {
    match kind {
        ValueKind::Integer => found.is_integer(),
        ValueKind::Float => matches!(found, DataType::Float32 | DataType::Float64),
        ValueKind::Calendar => *found == DataType::Date32,
        ValueKind::Clock => matches!(found, DataType::Timestamp(TimeUnit::Microsecond, _)),
        ValueKind::Boolean => *found == DataType::Boolean,
        ValueKind::Textual | ValueKind::Key(_) => text(found),
        ValueKind::Floats(width) => match found {
            DataType::FixedSizeList(item, length) => {
                *item.data_type() == DataType::Float64 && u32::try_from(*length) == Ok(width)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Values that an array does not have in the form that is wanted.
enum Held<'a> {
    As(Values<'a>),
    Texts(Vec<&'a str>),
    Codes(Vec<u32>, Vec<&'a str>),
}

fn primitive<T: ArrowPrimitiveType>(array: &ArrayRef) -> &[T::Native] {
    array.as_primitive::<T>().values()
}

fn texts(array: &dyn Array) -> Option<Vec<&str>> {
    let rows = 0..array.len();
    Some(match array.data_type() {
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            rows.map(|row| array.value(row)).collect()
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            rows.map(|row| array.value(row)).collect()
        }
        DataType::Utf8View => {
            let array = array.as_string_view();
            rows.map(|row| array.value(row)).collect()
        }
        _ => return None,
    })
}

fn codes<K: ArrowDictionaryKeyType>(array: &ArrayRef) -> Option<Held<'_>>
where
    K::Native: TryInto<u32>,
{
    let array = array.as_dictionary::<K>();
    let keys = array.keys().values().iter();
    // What stands in the place of a missing value may be anything.
    let keys = keys.map(|key| (*key).try_into().unwrap_or(u32::MAX));
    Some(Held::Codes(keys.collect(), texts(&**array.values())?))
}

fn held(array: &ArrayRef) -> Option<Held<'_>> {
    Some(Held::As(match array.data_type() {
        DataType::Int8 => Values::I8(primitive::<Int8Type>(array)),
        DataType::Int16 => Values::I16(primitive::<Int16Type>(array)),
        DataType::Int32 => Values::I32(primitive::<Int32Type>(array)),
        DataType::Int64 => Values::I64(primitive::<Int64Type>(array)),
        DataType::UInt8 => Values::U8(primitive::<UInt8Type>(array)),
        DataType::UInt16 => Values::U16(primitive::<UInt16Type>(array)),
        DataType::UInt32 => Values::U32(primitive::<UInt32Type>(array)),
        DataType::UInt64 => Values::U64(primitive::<UInt64Type>(array)),
        DataType::Date32 => Values::I32(primitive::<Date32Type>(array)),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Values::I64(primitive::<TimestampMicrosecondType>(array))
        }
        DataType::Float32 => Values::F32(primitive::<Float32Type>(array)),
        DataType::Float64 => Values::F64(primitive::<Float64Type>(array)),
        DataType::Boolean => {
            let bits = array.as_boolean().values();
            Values::Bool(Bits::new(bits.values(), bits.offset()))
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            return Some(Held::Texts(texts(array)?));
        }
        DataType::Dictionary(key, _) => {
            return match **key {
                DataType::Int8 => codes::<Int8Type>(array),
                DataType::Int16 => codes::<Int16Type>(array),
                DataType::Int32 => codes::<Int32Type>(array),
                DataType::Int64 => codes::<Int64Type>(array),
                DataType::UInt8 => codes::<UInt8Type>(array),
                DataType::UInt16 => codes::<UInt16Type>(array),
                DataType::UInt32 => codes::<UInt32Type>(array),
                DataType::UInt64 => codes::<UInt64Type>(array),
                _ => None,
            };
        }
        DataType::FixedSizeList(..) => {
            let array = array.as_fixed_size_list();
            let width = array.value_length() as usize;
            let reals = array.values().as_primitive_opt::<Float64Type>()?;
            let from = array.value_offset(0) as usize;
            let reals = reals.values().get(from..from + array.len() * width)?;
            Values::Vectors(reals, width)
        }
        _ => return None,
    }))
}

/// Whether a vector has a hole, which is neither a missing vector nor a number.
fn holes(array: &ArrayRef) -> bool {
    array.as_fixed_size_list_opt().is_some_and(|list| {
        let inner = list.values().logical_nulls();
        inner.is_some_and(|nulls| {
            let width = list.value_length() as usize;
            let from = list.value_offset(0) as usize;
            (0..list.len() * width)
                .any(|at| list.is_valid(at / width.max(1)) && nulls.is_null(from + at))
        })
    })
}

/// Hands columns of a batch over; `columns` are their places in it.
pub(crate) fn hand_over(
    batch: &RecordBatch,
    columns: &[usize],
    name: impl Fn() -> String,
    sink: &mut Sink<'_>,
) -> Result<(), EngineError> {
    let failed = |reason| EngineError::Failed {
        data: name(),
        reason,
    };
    let arrays: Vec<&ArrayRef> = columns.iter().map(|place| batch.column(*place)).collect();
    if arrays.iter().any(|array| holes(array)) {
        return Err(failed(
            "a vector has a missing number; write it again without nulls in vectors",
        ));
    }
    let nulls: Vec<_> = arrays.iter().map(|array| array.logical_nulls()).collect();
    let held: Option<Vec<Held<'_>>> = arrays.iter().map(|array| held(array)).collect();
    let held = held.ok_or_else(|| failed("a column is not of the type it was"))?;
    let parts: Vec<Part<'_>> = held
        .iter()
        .zip(&nulls)
        .map(|(held, nulls)| Part {
            values: match held {
                Held::As(values) => *values,
                Held::Texts(texts) => Values::Texts(texts),
                Held::Codes(codes, texts) => Values::Codes(codes, texts),
            },
            valid: nulls
                .as_ref()
                .filter(|nulls| nulls.null_count() > 0)
                .map(|nulls| Bits::new(nulls.validity(), nulls.offset())),
        })
        .collect();
    sink(&Batch::new(batch.num_rows(), &parts))
}

/// The places that a reader gives the columns: it returns those asked for in the order of the data, each
/// once.
pub(crate) fn projected(columns: &[usize], places: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut roots: Vec<usize> = columns.iter().map(|column| places[*column]).collect();
    roots.sort_unstable();
    roots.dedup();
    let at = |column: &usize| roots.iter().position(|root| *root == places[*column]);
    let order = columns.iter().map(|column| at(column).unwrap_or_default());
    let order = order.collect();
    (roots, order)
}
