//! What one column of Arrow's types becomes: the types that each kind of field can be read from, and how.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Decimal256Type, DecimalType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType};
use arrow_schema::{DataType, TimeUnit};
use privet::engine::{Bits, Misfit, SourceColumn, Values};
use privet::plan::ValueKind;

/// The values of an array, borrowed or converted.
pub(crate) enum Held<'a> {
    As(Values<'a>),
    Integers(Vec<i64>),
    Unsigned(Vec<u64>),
    Reals(Vec<f64>),
    Vectors(Vec<f64>, usize),
    Bits(Vec<u8>),
    Texts(Vec<&'a str>),
    Codes(Vec<u32>, Vec<&'a str>),
}

impl Held<'_> {
    pub(crate) fn values(&self) -> Values<'_> {
        match self {
            Held::As(values) => *values,
            Held::Integers(all) => Values::I64(all),
            Held::Unsigned(all) => Values::U64(all),
            Held::Reals(all) => Values::F64(all),
            Held::Vectors(all, width) => Values::Vectors(all, *width),
            Held::Bits(bytes) => Values::Bool(Bits::new(bytes, 0)),
            Held::Texts(texts) => Values::Texts(texts),
            Held::Codes(codes, texts) => Values::Codes(codes, texts),
        }
    }
}

/// Why an array of the right type was not read.
#[derive(Debug)]
pub(crate) enum Wrong {
    /// A value does not fit the field.
    Value(Misfit),
    /// A vector has a hole, which is neither a missing vector nor a number.
    Hole,
}

/// How an array of one type is read.
type Read = for<'a> fn(&'a ArrayRef, &SourceColumn) -> Result<Held<'a>, Wrong>;

/// How a field is read from data of a type; none if it cannot be.
pub(crate) fn reader(wanted: &SourceColumn, found: &DataType) -> Option<Read> {
    if *found == DataType::Null && wanted.nullable() {
        return Some(nothing);
    }
    match wanted.kind() {
        ValueKind::Integer => whole(found),
        ValueKind::Decimals(places) => decimals(found, places),
        ValueKind::Float => reals(found),
        ValueKind::Calendar => days(found),
        ValueKind::Clock => moments(found),
        ValueKind::Boolean => (*found == DataType::Boolean).then_some(conditions as Read),
        ValueKind::Textual | ValueKind::Key(_) => texts(found),
        ValueKind::Floats(width) => vectors(found, width),
        _ => None,
    }
}

fn primitive<T: ArrowPrimitiveType>(array: &ArrayRef) -> &[T::Native] {
    array.as_primitive::<T>().values()
}

/// Arrays whose values are as they are wanted.
macro_rules! as_they_are {
    ($found:expr, $($data:pat => $values:ident($t:ty);)*) => {
        match $found {
            $($data => Some(|array, _| Ok(Held::As(Values::$values(primitive::<$t>(array))))),)*
            _ => None,
        }
    };
}

fn whole(found: &DataType) -> Option<Read> {
    // As databases write their numbers without places.
    if let Some(0) = scale(found) {
        return decimals(found, 0);
    }
    as_they_are! { found,
        DataType::Int8 => I8(Int8Type);
        DataType::Int16 => I16(Int16Type);
        DataType::Int32 => I32(Int32Type);
        DataType::Int64 => I64(Int64Type);
        DataType::UInt8 => U8(UInt8Type);
        DataType::UInt16 => U16(UInt16Type);
        DataType::UInt32 => U32(UInt32Type);
        DataType::UInt64 => U64(UInt64Type);
    }
}

/// How many digits are behind the point.
fn scale(found: &DataType) -> Option<u32> {
    match found {
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => u32::try_from(*scale).ok(),
        _ => None,
    }
}

/// Decimals with at most so many places: nothing is rounded.
fn decimals(found: &DataType, places: u32) -> Option<Read> {
    if scale(found)? > places {
        return None;
    }
    match found {
        DataType::Decimal32(..) => {
            Some(|array, wanted| steps::<Decimal32Type>(array, wanted, |n| Some(n.into())))
        }
        DataType::Decimal64(..) => {
            Some(|array, wanted| steps::<Decimal64Type>(array, wanted, |n| Some(n.into())))
        }
        DataType::Decimal128(..) => {
            Some(|array, wanted| steps::<Decimal128Type>(array, wanted, Some))
        }
        _ => Some(|array, wanted| steps::<Decimal256Type>(array, wanted, |n| n.to_i128())),
    }
}

/// Decimals in steps of the field's.
fn steps<'a, T: DecimalType>(
    array: &'a ArrayRef,
    wanted: &SourceColumn,
    number: impl Fn(T::Native) -> Option<i128>,
) -> Result<Held<'a>, Wrong> {
    let places = match wanted.kind() {
        ValueKind::Decimals(places) => places,
        _ => 0,
    };
    let missing = places.saturating_sub(scale(array.data_type()).unwrap_or(0));
    let by = 10_i128.pow(missing.min(38));
    let number = |value| number(value)?.checked_mul(by);
    match wanted.range() {
        Some((_, high)) if high > i64::MAX.into() => {
            let to = |value| u64::try_from(number(value)?).ok();
            converted::<T, u64>(array, to).map(Held::Unsigned)
        }
        _ => {
            let to = |value| i64::try_from(number(value)?).ok();
            converted::<T, i64>(array, to).map(Held::Integers)
        }
    }
}

/// Each value, converted; one that is there and has no conversion is a misfit. It looks at all values in the
/// same way.
fn converted<T: ArrowPrimitiveType, N: Default>(
    array: &ArrayRef,
    to: impl Fn(T::Native) -> Option<N>,
) -> Result<Vec<N>, Wrong> {
    let values = primitive::<T>(array);
    let mut misfits = false;
    let all = values.iter().map(|value| {
        let value = to(*value);
        misfits |= value.is_none();
        value.unwrap_or_default()
    });
    let all = all.collect();
    let misfit = |row: usize| array.is_valid(row) && to(values[row]).is_none();
    match misfits && (0..values.len()).any(misfit) {
        true => Err(Wrong::Value(Misfit::Range)),
        false => Ok(all),
    }
}

fn reals(found: &DataType) -> Option<Read> {
    if *found == DataType::Float16 {
        return Some(|array, _| {
            let all = primitive::<Float16Type>(array).iter();
            Ok(Held::Reals(all.map(|real| real.to_f64()).collect()))
        });
    }
    as_they_are! { found,
        DataType::Float32 => F32(Float32Type);
        DataType::Float64 => F64(Float64Type);
    }
}

fn days(found: &DataType) -> Option<Read> {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    match found {
        DataType::Date32 => {
            Some(|array, _| Ok(Held::As(Values::I32(primitive::<Date32Type>(array)))))
        }
        // Milliseconds, which are said to be whole days.
        DataType::Date64 => Some(|array, _| {
            let to = |millis: i64| (millis % DAY == 0).then_some(millis / DAY);
            let days = converted::<Date64Type, i64>(array, to);
            days.map(Held::Integers)
                .map_err(|_| Wrong::Value(Misfit::Kind))
        }),
        _ => None,
    }
}

fn moments(found: &DataType) -> Option<Read> {
    /// What does not fit 64 bits lies far outside of the years that a field holds.
    fn times<T: ArrowPrimitiveType<Native = i64>>(array: &ArrayRef, by: i64) -> Held<'_> {
        let all = primitive::<T>(array).iter();
        Held::Integers(all.map(|time| time.saturating_mul(by)).collect())
    }
    let DataType::Timestamp(unit, _) = found else {
        return None;
    };
    Some(match unit {
        TimeUnit::Second => |array, _| Ok(times::<TimestampSecondType>(array, 1_000_000)),
        TimeUnit::Millisecond => |array, _| Ok(times::<TimestampMillisecondType>(array, 1_000)),
        TimeUnit::Microsecond => |array, _| {
            let all = primitive::<TimestampMicrosecondType>(array);
            Ok(Held::As(Values::I64(all)))
        },
        // Digits beyond a microsecond are cut off, as in texts.
        TimeUnit::Nanosecond => |array, _| {
            let all = primitive::<TimestampNanosecondType>(array).iter();
            Ok(Held::Integers(
                all.map(|time| time.div_euclid(1_000)).collect(),
            ))
        },
    })
}

fn conditions<'a>(array: &'a ArrayRef, _: &SourceColumn) -> Result<Held<'a>, Wrong> {
    let bits = array.as_boolean().values();
    let bits = Bits::new(bits.values(), bits.offset());
    Ok(Held::As(Values::Bool(bits)))
}

fn texts(found: &DataType) -> Option<Read> {
    fn plain(found: &DataType) -> bool {
        matches!(
            found,
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
        )
    }
    macro_rules! keys {
        ($key:expr, $($data:ident $t:ty;)*) => {
            match $key {
                $(DataType::$data => Some(|array, _| Ok(codes::<$t>(array))),)*
                _ => None,
            }
        };
    }
    match found {
        DataType::Dictionary(key, values) if plain(values) => keys! { **key,
            Int8 Int8Type;
            Int16 Int16Type;
            Int32 Int32Type;
            Int64 Int64Type;
            UInt8 UInt8Type;
            UInt16 UInt16Type;
            UInt32 UInt32Type;
            UInt64 UInt64Type;
        },
        _ if plain(found) => Some(|array, _| Ok(Held::Texts(listed(array)))),
        _ => None,
    }
}

fn listed(array: &dyn Array) -> Vec<&str> {
    let rows = 0..array.len();
    match array.data_type() {
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            rows.map(|row| array.value(row)).collect()
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            rows.map(|row| array.value(row)).collect()
        }
        _ => {
            let array = array.as_string_view();
            rows.map(|row| array.value(row)).collect()
        }
    }
}

fn codes<K: ArrowDictionaryKeyType>(array: &ArrayRef) -> Held<'_>
where
    K::Native: TryInto<u32>,
{
    let array = array.as_dictionary::<K>();
    let keys = array.keys().values().iter();
    // What stands in the place of a missing value may be anything.
    let keys = keys.map(|key| (*key).try_into().unwrap_or(u32::MAX));
    Held::Codes(keys.collect(), listed(&**array.values()))
}

fn vectors(found: &DataType, width: u32) -> Option<Read> {
    let item = match found {
        DataType::FixedSizeList(item, length) if u32::try_from(*length) == Ok(width) => item,
        DataType::List(item) | DataType::LargeList(item) => item,
        _ => return None,
    };
    let reals = matches!(item.data_type(), DataType::Float32 | DataType::Float64);
    reals.then_some(|array, wanted| {
        let width = match wanted.kind() {
            ValueKind::Floats(width) => width as usize,
            _ => 0,
        };
        match array.data_type() {
            DataType::FixedSizeList(..) => {
                let list = array.as_fixed_size_list();
                side_by_side(array, list.values(), width, |row| {
                    let from = list.value_offset(row) as usize;
                    from..from + width
                })
            }
            DataType::List(_) => {
                let list = array.as_list::<i32>();
                let offsets = list.value_offsets();
                let range = |row: usize| offsets[row] as usize..offsets[row + 1] as usize;
                side_by_side(array, list.values(), width, range)
            }
            _ => {
                let list = array.as_list::<i64>();
                let offsets = list.value_offsets();
                let range = |row: usize| offsets[row] as usize..offsets[row + 1] as usize;
                side_by_side(array, list.values(), width, range)
            }
        }
    })
}

/// Vectors one after the other, where each lies in a range of `items`: there already, or copied.
fn side_by_side<'a>(
    array: &ArrayRef,
    items: &'a ArrayRef,
    width: usize,
    range: impl Fn(usize) -> core::ops::Range<usize>,
) -> Result<Held<'a>, Wrong> {
    let there = |row: usize| array.is_valid(row);
    if (0..array.len()).any(|row| there(row) && range(row).len() != width) {
        return Err(Wrong::Value(Misfit::Kind));
    }
    if let Some(nulls) = items.logical_nulls() {
        let hole = |row: usize| there(row) && range(row).any(|at| nulls.is_null(at));
        if (0..array.len()).any(hole) {
            return Err(Wrong::Hole);
        }
    }
    fn all<T: ArrowPrimitiveType<Native: Into<f64>>>(
        items: &ArrayRef,
        rows: usize,
        width: usize,
        range: impl Fn(usize) -> core::ops::Range<usize>,
    ) -> Vec<f64> {
        let items = primitive::<T>(items);
        let mut vectors = Vec::with_capacity(rows * width);
        for row in 0..rows {
            // A missing vector may have another length, and is not looked at.
            let vector = items.get(range(row)).unwrap_or_default();
            vectors.extend(vector.iter().take(width).map(|real| (*real).into()));
            vectors.resize((row + 1) * width, 0.0);
        }
        vectors
    }
    let rows = array.len();
    let from = if rows > 0 { range(0).start } else { 0 };
    let in_place = |row: usize| range(row).start == from + row * width && range(row).len() == width;
    if *items.data_type() == DataType::Float64
        && (0..rows).all(in_place)
        && let Some(vectors) = primitive::<Float64Type>(items).get(from..from + rows * width)
    {
        return Ok(Held::As(Values::Vectors(vectors, width)));
    }
    Ok(Held::Vectors(
        match items.data_type() {
            DataType::Float32 => all::<Float32Type>(items, rows, width, range),
            _ => all::<Float64Type>(items, rows, width, range),
        },
        width,
    ))
}

/// A column in which every value is missing; writers give it a type of its own.
fn nothing<'a>(array: &'a ArrayRef, wanted: &SourceColumn) -> Result<Held<'a>, Wrong> {
    let rows = array.len();
    Ok(match wanted.kind() {
        ValueKind::Float => Held::Reals(vec![0.0; rows]),
        ValueKind::Boolean => Held::Bits(vec![0; rows.div_ceil(8)]),
        ValueKind::Textual | ValueKind::Key(_) => Held::Codes(vec![0; rows], Vec::new()),
        ValueKind::Floats(width) => Held::Vectors(vec![0.0; rows * width as usize], width as usize),
        _ => Held::Integers(vec![0; rows]),
    })
}
