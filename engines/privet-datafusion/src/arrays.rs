//! Arrow's arrays as the columns of a batch.

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, DictionaryArray, FixedSizeListArray, PrimitiveArray, RecordBatch,
};
use datafusion::arrow::datatypes::{
    ArrowDictionaryKeyType, ArrowPrimitiveType, DataType, Date32Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, TimeUnit, TimestampMicrosecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use privet::engine::{Batch, Bits, Part, Values};

/// What a column borrows from, where Arrow's form is not ours.
enum Held<'a> {
    /// Arrow's own buffer will do.
    Array,
    Texts(Vec<&'a str>),
    Codes(Vec<u32>, Vec<&'a str>),
}

/// Calls `f` with the columns of Arrow's batch, or returns nothing if there is a type that no field has.
///
/// Nothing is decided by a value here: a null or a text that does not fit is refused by the core.
pub fn with_batch<T>(batch: &RecordBatch, f: impl FnOnce(&Batch<'_>) -> T) -> Option<T> {
    let nulls: Vec<_> = batch
        .columns()
        .iter()
        .map(|array| array.logical_nulls().filter(|nulls| nulls.null_count() > 0))
        .collect();
    let held: Vec<_> = batch.columns().iter().map(hold).collect::<Option<_>>()?;
    let parts: Vec<Part<'_>> = batch
        .columns()
        .iter()
        .zip(&held)
        .zip(&nulls)
        .map(|((array, held), nulls)| {
            let valid = nulls
                .as_ref()
                .map(|nulls| Bits::new(nulls.validity(), nulls.offset()));
            let values = values(array, held)?;
            Some(Part { values, valid })
        })
        .collect::<Option<_>>()?;
    Some(f(&Batch::new(batch.num_rows(), &parts)))
}

fn hold(array: &ArrayRef) -> Option<Held<'_>> {
    Some(match array.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Held::Texts(texts(array)?),
        DataType::Dictionary(key, _) => match key.as_ref() {
            DataType::Int8 => codes::<Int8Type>(array)?,
            DataType::Int16 => codes::<Int16Type>(array)?,
            DataType::Int32 => codes::<Int32Type>(array)?,
            DataType::Int64 => codes::<Int64Type>(array)?,
            DataType::UInt8 => codes::<UInt8Type>(array)?,
            DataType::UInt16 => codes::<UInt16Type>(array)?,
            DataType::UInt32 => codes::<UInt32Type>(array)?,
            DataType::UInt64 => codes::<UInt64Type>(array)?,
            _ => return None,
        },
        _ => Held::Array,
    })
}

/// What stands in the place of a null does not matter.
fn texts(array: &dyn Array) -> Option<Vec<&str>> {
    Some(match array.data_type() {
        DataType::Utf8 => array
            .as_string::<i32>()
            .iter()
            .map(Option::unwrap_or_default)
            .collect(),
        DataType::LargeUtf8 => array
            .as_string::<i64>()
            .iter()
            .map(Option::unwrap_or_default)
            .collect(),
        DataType::Utf8View => array
            .as_string_view()
            .iter()
            .map(Option::unwrap_or_default)
            .collect(),
        _ => return None,
    })
}

fn codes<K: ArrowDictionaryKeyType>(array: &dyn Array) -> Option<Held<'_>> {
    let array: &DictionaryArray<K> = array.as_dictionary_opt()?;
    let mut list = texts(array.values().as_ref())?;
    // The key of a null, which may be in no list.
    let missing = u32::try_from(list.len()).ok()?;
    list.push("");
    let codes = array.keys_iter().map(|key| {
        key.and_then(|key| u32::try_from(key).ok())
            .unwrap_or(missing)
    });
    Some(Held::Codes(codes.collect(), list))
}

fn primitive<T: ArrowPrimitiveType>(array: &dyn Array) -> Option<&[T::Native]> {
    let array: &PrimitiveArray<T> = array.as_primitive_opt()?;
    Some(array.values())
}

fn vectors(array: &FixedSizeListArray) -> Option<Values<'_>> {
    let values = array.values();
    let size = usize::try_from(array.value_length()).ok()?;
    let from = array.offset().checked_mul(size)?;
    // A number that is missing inside of a vector has no meaning of ours; a missing vector has nothing but such.
    let holes = values.logical_nulls().is_some_and(|nulls| {
        let mut places = 0..array.len() * size;
        places.any(|at| array.is_valid(at / size.max(1)) && nulls.is_null(from + at))
    });
    if holes {
        return None;
    }
    let values = primitive::<Float64Type>(values)?;
    Some(Values::Vectors(values.get(from..)?, size))
}

fn values<'a>(array: &'a ArrayRef, held: &'a Held<'a>) -> Option<Values<'a>> {
    match held {
        Held::Texts(texts) => return Some(Values::Texts(texts)),
        Held::Codes(codes, texts) => return Some(Values::Codes(codes, texts)),
        Held::Array => {}
    }
    Some(match array.data_type() {
        DataType::Int8 => Values::I8(primitive::<Int8Type>(array)?),
        DataType::Int16 => Values::I16(primitive::<Int16Type>(array)?),
        DataType::Int32 => Values::I32(primitive::<Int32Type>(array)?),
        DataType::Int64 => Values::I64(primitive::<Int64Type>(array)?),
        DataType::UInt8 => Values::U8(primitive::<UInt8Type>(array)?),
        DataType::UInt16 => Values::U16(primitive::<UInt16Type>(array)?),
        DataType::UInt32 => Values::U32(primitive::<UInt32Type>(array)?),
        DataType::UInt64 => Values::U64(primitive::<UInt64Type>(array)?),
        DataType::Float32 => Values::F32(primitive::<Float32Type>(array)?),
        DataType::Float64 => Values::F64(primitive::<Float64Type>(array)?),
        DataType::Date32 => Values::I32(primitive::<Date32Type>(array)?),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Values::I64(primitive::<TimestampMicrosecondType>(array)?)
        }
        DataType::Boolean => {
            let bits = array.as_boolean().values();
            Values::Bool(Bits::new(bits.values(), bits.offset()))
        }
        DataType::FixedSizeList(_, _) => vectors(array.as_fixed_size_list_opt()?)?,
        _ => return None,
    })
}
