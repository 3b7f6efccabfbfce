//! Each Arrow type that a field can be read from, in batches and in files; and those that are refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{
    FixedSizeListBuilder, Float32Builder, Float64Builder, LargeListBuilder, ListBuilder,
};
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type,
    Float32Type, UInt16Type,
};
use arrow_array::*;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use privet::load::InMemory;
use privet::prelude::*;
use privet::testing::{Asked, Choices, Loaded};
use privet::{AddRemove, Date, Decimal, Timestamp};
use privet_parquet::{ArrowFiles, Batches, Parquet};

#[derive(Record, Clone)]
struct Order {
    price: Decimal<2>,
    /// Whole units.
    fee: Decimal<2>,
    refund: Option<Decimal<3>>,
    pieces: i16,
    number: u64,
    day: Date,
    paid: Option<Date>,
    at: Timestamp,
    /// Halves.
    weight: f64,
    gift: Option<bool>,
    name: Option<String>,
    place: [f64; 2],
    /// Always missing.
    note: Option<String>,
    tax: Option<f64>,
    spot: Option<[f64; 1]>,
}

const SIZE: usize = 5_000;

fn order(c: &mut Choices) -> Order {
    let day = |c: &mut Choices| {
        Date::new(
            1890 + c.below(200) as i32,
            1 + c.below(12) as u32,
            1 + c.below(28) as u32,
        )
    };
    Order {
        price: Decimal::from_steps(c.below(100_000) as i64 - 20_000),
        fee: Decimal::from_steps(100 * (c.below(40) as i64 - 9)),
        refund: (c.below(3) > 0).then(|| Decimal::from_steps(c.below(90_000) as i64)),
        pieces: c.below(200) as i16 - 20,
        number: c.below(1 << 20) as u64,
        day: day(c),
        paid: (c.below(3) > 0).then(|| day(c)),
        at: Timestamp::new(
            day(c),
            c.below(24) as u32,
            c.below(60) as u32,
            c.below(60) as u32,
        ),
        weight: c.below(400) as f64 / 2.0 - 10.0,
        gift: (c.below(3) > 0).then(|| c.below(2) == 0),
        name: (c.below(3) > 0).then(|| ["Ann", "", "Bo"][c.below(3)].into()),
        place: [c.below(9) as f64 / 4.0, c.below(5) as f64 - 2.0],
        note: None,
        tax: None,
        spot: None,
    }
}

fn asked() -> Vec<Asked<Order>> {
    let all = rows::<Order>;
    let mut asked = Vec::new();
    macro_rules! ask {
        ($($query:expr;)*) => {$(asked.push(Asked::new(&$query));)*};
    }
    ask! {
        all().count();
        all().sum(|o| o.price.clamp::<-200, 700>());
        all().sum(|o| o.fee.clamp::<-5, 30>());
        all().sum(|o| o.refund.clamp::<0, 80>());
        all().filter(|o| o.refund.is_null()).count();
        all().sum(|o| o.pieces.clamp::<-10, 150>());
        all().sum(|o| o.number.clamp::<0, 1_000_000>());
        all().histogram(|o| o.day.month());
        all().filter(|o| o.day.ge(Date::new(1970, 1, 1))).count();
        all().filter(|o| o.paid.lt(o.day)).count();
        all().histogram(|o| o.at.hour());
        all().filter(|o| o.at.ge(Timestamp::new(Date::new(1960, 5, 1), 12, 30, 1))).count();
        all().sum(|o| o.weight.grid::<2>().clamp::<-5, 150>());
        all().filter(|o| o.gift.is_true()).count();
        all().histogram(|o| o.name.keys(["Ann", "", "Bo"]));
        all().filter(|o| o.note.is_null() & o.tax.is_null()).count();
        all().vector_sum(|o| o.place.clip_l2::<2>());
    }
    asked
}

fn all<T>(orders: &[Order], of: impl Fn(&Order) -> T) -> Vec<T> {
    orders.iter().map(of).collect()
}

fn decimals<T: DecimalType>(
    values: Vec<Option<i64>>,
    scale: i8,
    to: impl Fn(i64) -> T::Native,
) -> ArrayRef {
    let values = values.into_iter().map(|value| value.map(&to));
    let array: PrimitiveArray<T> = values.collect();
    let array = array.with_precision_and_scale(T::MAX_PRECISION, scale);
    Arc::new(array.expect("a scale"))
}

/// The same numbers in each width.
fn each_width(values: Vec<Option<i64>>, scale: i8) -> Vec<ArrayRef> {
    vec![
        decimals::<Decimal128Type>(values.clone(), scale, i128::from),
        decimals::<Decimal32Type>(values.clone(), scale, |n| n as i32),
        decimals::<Decimal64Type>(values.clone(), scale, |n| n),
        decimals::<Decimal256Type>(values, scale, |n| i128::from(n).into()),
    ]
}

/// Vectors as lists of each kind.
fn lists<const D: usize>(vectors: Vec<Option<[f64; D]>>) -> Vec<ArrayRef> {
    macro_rules! list {
        ($list:expr, $real:ty, $missing:expr) => {{
            let mut list = $list;
            for vector in &vectors {
                // What stands in the place of a missing vector may be anything.
                let reals: &[f64] = vector.as_ref().map_or(&$missing, |vector| &vector[..]);
                reals
                    .iter()
                    .for_each(|x| list.values().append_value(*x as $real));
                list.append(vector.is_some());
            }
            Arc::new(list.finish())
        }};
    }
    vec![
        list!(
            FixedSizeListBuilder::new(Float64Builder::new(), D as i32),
            f64,
            [7.0; D]
        ),
        list!(ListBuilder::new(Float64Builder::new()), f64, []),
        list!(
            FixedSizeListBuilder::new(Float32Builder::new(), D as i32),
            f32,
            [7.0; D]
        ),
        list!(LargeListBuilder::new(Float32Builder::new()), f32, [7.0; 3]),
    ]
}

fn half(reals: &[f64]) -> PrimitiveArray<Float16Type> {
    let half = |real: &f64| <Float16Type as ArrowPrimitiveType>::Native::from_f64(*real);
    PrimitiveArray::from_iter_values(reals.iter().map(half))
}

/// For each column, every array that it can be read from, the usual one first.
fn columns(orders: &[Order]) -> Vec<(&'static str, Vec<ArrayRef>)> {
    let nothing: ArrayRef = Arc::new(NullArray::new(orders.len()));
    let micros = all(orders, |o| o.at.micros());
    let scaled = |by: i64| micros.iter().map(|micros| micros / by).collect::<Vec<_>>();
    let day = |date: Date| Timestamp::new(date, 0, 0, 0).micros() / 86_400_000_000;
    let days = all(orders, |o| day(o.day) as i32);
    let paid = all(orders, |o| o.paid.map(day));
    let names = all(orders, |o| o.name.clone());
    let named: Vec<Option<&str>> = names.iter().map(|name| name.as_deref()).collect();
    let pieces = all(orders, |o| o.pieces);
    let numbers = all(orders, |o| o.number);
    let weights = all(orders, |o| o.weight);
    macro_rules! arrays {
        ($($array:expr;)*) => {{
            let arrays: Vec<ArrayRef> = vec![$(Arc::new($array)),*];
            arrays
        }};
    }
    let mut of_pieces = arrays! {
        Int16Array::from(pieces.clone());
        Int32Array::from_iter_values(pieces.iter().map(|n| i32::from(*n)));
        Int64Array::from_iter_values(pieces.iter().map(|n| i64::from(*n)));
    };
    of_pieces.extend(each_width(all(orders, |o| Some(o.pieces.into())), 0));
    let mut of_numbers = arrays! {
        UInt64Array::from(numbers.clone());
        UInt32Array::from_iter_values(numbers.iter().map(|n| *n as u32));
        Int64Array::from_iter_values(numbers.iter().map(|n| *n as i64));
    };
    of_numbers.extend(each_width(all(orders, |o| Some(o.number as i64)), 0));
    let mut fees = each_width(all(orders, |o| Some(o.fee.steps())), 2);
    fees.extend(each_width(all(orders, |o| Some(o.fee.steps() / 10)), 1));
    fees.extend(each_width(all(orders, |o| Some(o.fee.steps() / 100)), 0));
    vec![
        (
            "price",
            each_width(all(orders, |o| Some(o.price.steps())), 2),
        ),
        ("fee", fees),
        (
            "refund",
            each_width(all(orders, |o| o.refund.map(Decimal::steps)), 3),
        ),
        ("pieces", of_pieces),
        ("number", of_numbers),
        (
            "day",
            arrays! {
                Date32Array::from(days.clone());
                Date64Array::from_iter_values(days.iter().map(|day| i64::from(*day) * 86_400_000));
            },
        ),
        (
            "paid",
            arrays! {
                Date32Array::from_iter(paid.iter().map(|day| day.map(|day| day as i32)));
                Date64Array::from_iter(paid.iter().map(|day| day.map(|day| day * 86_400_000)));
            },
        ),
        (
            "at",
            arrays! {
                TimestampMicrosecondArray::from(micros.clone());
                TimestampMicrosecondArray::from(micros.clone()).with_timezone("UTC");
                TimestampMillisecondArray::from(scaled(1_000));
                TimestampSecondArray::from(scaled(1_000_000)).with_timezone("+02:00");
                TimestampNanosecondArray::from_iter_values(micros.iter().map(|n| n * 1_000 + 999));
            },
        ),
        (
            "weight",
            arrays! {
                Float64Array::from(weights.clone());
                weights.iter().map(|x| Some(*x as f32)).collect::<PrimitiveArray<Float32Type>>();
                half(&weights);
            },
        ),
        (
            "gift",
            arrays! { BooleanArray::from(all(orders, |o| o.gift)); },
        ),
        (
            "name",
            arrays! {
                StringArray::from(named.clone());
                LargeStringArray::from(named.clone());
                StringViewArray::from(named.clone());
                named.iter().copied().collect::<DictionaryArray<UInt16Type>>();
                named.iter().copied().collect::<DictionaryArray<types::Int64Type>>();
            },
        ),
        ("place", lists(all(orders, |o| Some(o.place)))),
        (
            "note",
            vec![
                new_null_array(&DataType::Utf8, orders.len()),
                Arc::clone(&nothing),
            ],
        ),
        (
            "tax",
            vec![
                new_null_array(&DataType::Float64, orders.len()),
                Arc::clone(&nothing),
            ],
        ),
        ("spot", {
            let mut spots = lists::<1>(vec![None; orders.len()]);
            spots.push(nothing);
            spots
        }),
    ]
}

fn batch(columns: &[(&str, ArrayRef)]) -> RecordBatch {
    let columns = columns
        .iter()
        .map(|(name, array)| (*name, Arc::clone(array), true));
    RecordBatch::try_from_iter_with_nullable(columns).expect("a batch")
}

/// A directory that is gone in the end.
struct Directory(PathBuf);
impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("privet-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        Directory(path)
    }
}
impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn write_parquet(path: &Path, batch: &RecordBatch) {
    let file = fs::File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(batch).expect("written");
    writer.close().expect("closed");
}

fn write_ipc(path: &Path, batch: &RecordBatch, compression: Option<CompressionType>) {
    let file = fs::File::create(path).expect("a file");
    let options = IpcWriteOptions::default().try_with_compression(compression);
    let writer = FileWriter::try_new_with_options(file, &batch.schema(), options.expect("options"));
    let mut writer = writer.expect("a writer");
    for from in (0..batch.num_rows()).step_by(99) {
        let some = batch.slice(from, 99.min(batch.num_rows() - from));
        writer.write(&some).expect("written");
    }
    writer.finish().expect("closed");
}

#[test]
fn every_type_of_a_column_gives_the_same_cells() {
    let directory = Directory::new("types");
    let mut c = Choices::new(13);
    let orders: Vec<Order> = (0..SIZE).map(|_| order(&mut c)).collect();
    let expected = Loaded::new(orders.clone()).pass(&asked(), true);
    let columns = columns(&orders);
    let rounds = columns.iter().map(|(_, arrays)| arrays.len()).max();
    // In each round every column has its next type, so that each type is read, and none alone.
    for round in 0..rounds.unwrap_or(0) {
        let columns: Vec<_> = columns
            .iter()
            .map(|(name, arrays)| (*name, Arc::clone(&arrays[round % arrays.len()])))
            .collect();
        let batch = batch(&columns);
        let same = |data: privet::Result<Loaded<Order>>, how: &str| {
            let data = data.unwrap_or_else(|error| panic!("{how}, round {round}: {error}"));
            assert_eq!(data.pass(&asked(), true), expected, "{how}, round {round}");
        };
        // Slices of arrays, so that nothing begins at a byte.
        let batches = || {
            let from = (0..SIZE).step_by(997);
            Batches::new(from.map(|from| batch.slice(from, 997.min(SIZE - from))))
        };
        same(Loaded::read::<AddRemove>(batches()), "batches");
        same(Loaded::read::<AddRemove>(InMemory::of(batches())), "loaded");
        let path = directory.0.join(format!("{round}.parquet"));
        write_parquet(&path, &batch);
        same(Loaded::read::<AddRemove>(Parquet::open(&path)), "parquet");
        let path = directory.0.join(format!("{round}.arrow"));
        let compression = [
            None,
            Some(CompressionType::LZ4_FRAME),
            Some(CompressionType::ZSTD),
        ];
        write_ipc(&path, &batch, compression[round % 3]);
        same(Loaded::read::<AddRemove>(ArrowFiles::open(&path)), "ipc");
    }
}

#[derive(Record)]
struct Few {
    price: Decimal<2>,
    number: Option<u64>,
    day: Date,
    at: Timestamp,
    place: Option<[f64; 2]>,
}

/// What the vault says of two rows in which one column is another one.
fn refusal(name: &str, array: ArrayRef) -> String {
    let [place, ..] = &lists::<2>(vec![Some([0.0; 2]); 2])[..] else {
        return String::new();
    };
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        (
            "price",
            decimals::<Decimal128Type>(vec![Some(1); 2], 2, i128::from),
        ),
        ("number", Arc::new(UInt64Array::from(vec![1, 2]))),
        ("day", Arc::new(Date32Array::from(vec![1, 2]))),
        ("at", Arc::new(TimestampMicrosecondArray::from(vec![1, 2]))),
        ("place", Arc::clone(place)),
    ];
    let open = |columns: &[(&str, ArrayRef)]| -> privet::Result<Vault<Table<Few>, Eps<1, 1>>> {
        Vault::load(Batches::new([batch(columns)]))
    };
    assert!(open(&columns).is_ok());
    for column in &mut columns {
        if column.0 == name {
            column.1 = Arc::clone(&array);
        }
    }
    let refused = open(&columns).map(drop).expect_err("it was opened");
    refused.to_string()
}

#[test]
fn types_that_do_not_fit_are_named_when_the_vault_opens() {
    let says = |name: &str, array: ArrayRef, parts: &[&str]| {
        let refusal = refusal(name, array);
        for part in parts.iter().chain(&[name, "nothing was opened"]) {
            assert!(refusal.contains(part), "{refusal}");
        }
    };
    // More places than the field has, also where the last ones are zeros; and fewer than none.
    let fine = decimals::<Decimal128Type>(vec![Some(100); 2], 4, i128::from);
    says(
        "price",
        fine,
        &["decimals with 2 places", "Decimal128(38, 4)"],
    );
    let coarse = decimals::<Decimal256Type>(vec![Some(1); 2], -2, |n| i128::from(n).into());
    says(
        "price",
        coarse,
        &["decimals with 2 places", "Decimal256(76, -2)"],
    );
    let whole: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    says(
        "price",
        Arc::clone(&whole),
        &["decimals with 2 places", "Int64"],
    );
    let cents = decimals::<Decimal64Type>(vec![Some(1); 2], 2, |n| n);
    says(
        "number",
        cents,
        &["whole numbers from 0", "Decimal64(18, 2)"],
    );
    says("day", Arc::clone(&whole), &["dates", "Int64"]);
    says("at", whole, &["times", "Int64"]);
    let three = lists::<3>(vec![Some([0.0; 3]); 2]);
    says(
        "place",
        Arc::clone(&three[0]),
        &["vectors of 2 reals", "FixedSizeList(3"],
    );
    says("at", Arc::new(NullArray::new(2)), &["times", "Null"]);
}

#[test]
fn values_that_do_not_fit_are_refused_and_not_quoted() {
    let says = |name: &str, array: ArrayRef, why: &str| {
        let refusal = refusal(name, array);
        let column = format!("column `{name}` of the record batches {why}");
        assert!(refusal.contains(&column), "{refusal}");
        let digits = |c: char| c.is_ascii_digit();
        assert!(!refusal.contains(digits), "{refusal}");
    };
    const RANGE: &str = "has a value outside of the field's type";
    const KIND: &str = "has a value of another type";
    let wide = |value: i128, scale: i8| -> ArrayRef {
        let array = Decimal128Array::from(vec![0, value]);
        Arc::new(array.with_precision_and_scale(38, scale).expect("a scale"))
    };
    let (least, most) = (i128::from(i64::MIN), i128::from(i64::MAX));
    says("price", wide(most + 1, 2), RANGE);
    says("price", wide(least - 1, 2), RANGE);
    says("price", wide(most / 100 + 1, 0), RANGE);
    says("price", wide(10_i128.pow(37), 1), RANGE);
    let widest = vec![<Decimal256Type as ArrowPrimitiveType>::Native::MAX; 2];
    let widest = Decimal256Array::from(widest).with_precision_and_scale(76, 2);
    says("price", Arc::new(widest.expect("a scale")), RANGE);
    says("number", wide(-1, 0), RANGE);
    says("number", wide(i128::from(u64::MAX) + 1, 0), RANGE);
    says("day", Arc::new(Date64Array::from(vec![0, 1])), KIND);
    says(
        "day",
        Arc::new(Date32Array::from(vec![0, 2_932_897])),
        RANGE,
    );
    says(
        "at",
        Arc::new(TimestampSecondArray::from(vec![0, i64::MAX])),
        RANGE,
    );
    says(
        "at",
        Arc::new(TimestampMillisecondArray::from(vec![0, i64::MIN])),
        RANGE,
    );

    let mut uneven = ListBuilder::new(Float64Builder::new());
    uneven.append_value([Some(1.0), Some(2.0)]);
    uneven.append_value([Some(1.0)]);
    says("place", Arc::new(uneven.finish()), KIND);
    let mut hole = ListBuilder::new(Float64Builder::new());
    hole.append_value([Some(1.0), Some(2.0)]);
    hole.append_value([Some(1.0), None]);
    let hole = refusal("place", Arc::new(hole.finish()));
    assert!(hole.contains("a vector has a missing number"), "{hole}");
}

#[test]
fn the_widest_values_are_read_exactly() {
    let (least, most) = (i64::MIN, i64::MAX);
    let mut missing = vec![Some(0); 4];
    missing[3] = None;
    let prices = Decimal128Array::from(vec![least.into(), most.into(), 7, -7]);
    let numbers = Decimal128Array::from(vec![0, u64::MAX.into(), 1 << 63, -1]);
    // What stands in the place of a missing value does not matter.
    let (_, values, _) = numbers.into_parts();
    let numbers = Decimal128Array::new(values, UInt8Array::from(missing).nulls().cloned());
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "price",
            Arc::new(prices.with_precision_and_scale(38, 2).expect("a scale")),
        ),
        (
            "number",
            Arc::new(numbers.with_precision_and_scale(38, 0).expect("a scale")),
        ),
        ("day", Arc::new(Date32Array::from(vec![0; 4]))),
        (
            "at",
            Arc::new(TimestampNanosecondArray::from(vec![
                -1,
                -1_000,
                999,
                i64::MIN,
            ])),
        ),
        ("place", Arc::new(NullArray::new(4))),
    ];
    let data = Loaded::<Few>::read::<AddRemove>(Batches::new([batch(&columns)])).expect("batches");
    macro_rules! count {
        ($condition:expr, $rows:literal) => {
            assert_eq!(
                data.exact(&rows::<Few>().filter($condition).count()),
                [$rows]
            );
        };
    }
    count!(|f| f.price.real().le(-9.2e16), 1);
    count!(|f| f.price.real().ge(9.2e16), 1);
    count!(|f| f.price.real().le(-0.07), 2);
    count!(|f| f.number.ge(most), 2);
    count!(|f| f.number.is_null(), 1);
    // Cut off below a microsecond, as in texts: towards the past.
    let at = |micros| Timestamp::from_micros(micros);
    count!(|f| f.at.eq_to(at(-1)), 2);
    count!(|f| f.at.eq_to(at(0)), 1);
    count!(|f| f.at.lt(at(-1)), 1);
}

/// Moments of 96 bits, as Spark writes them: a day and nanoseconds in it. A year that nanoseconds in 64 bits cannot say
/// stays what it is.
#[test]
fn moments_of_96_bits_are_read_in_microseconds() {
    use parquet::data_type::{Int96, Int96Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    #[derive(Record, Clone)]
    struct Seen {
        at: Timestamp,
    }

    let moments = ["0001-01-01T00:00", "2026-11-19T03:22", "9999-12-31T23:59"];
    let directory = Directory::new("int96");
    let path = directory.0.join("seen.parquet");
    let schema = parse_message_type("message seen { required int96 at; }").expect("a schema");
    let file = fs::File::create(&path).expect("a file");
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(schema), Default::default()).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    let mut column = group.next_column().expect("a column").expect("one column");
    const DAY: i64 = 24 * 60 * 60 * 1_000_000;
    let stored = moments.map(|moment| {
        let micros = moment.parse::<Timestamp>().expect("a moment").micros();
        // 1970-01-01 is the Julian day 2,440,588.
        let day = u32::try_from(micros.div_euclid(DAY) + 2_440_588).expect("a day");
        let nanos = micros.rem_euclid(DAY) as u64 * 1_000;
        let mut bits = Int96::new();
        bits.set_data(nanos as u32, (nanos >> 32) as u32, day);
        bits
    });
    let values = column.typed::<Int96Type>();
    values.write_batch(&stored, None, None).expect("written");
    column.close().expect("closed");
    group.close().expect("closed");
    writer.close().expect("closed");

    let data = Loaded::<Seen>::read::<AddRemove>(Parquet::open(&path)).expect("a file");
    for moment in moments {
        let at = moment.parse::<Timestamp>().expect("a moment");
        let same = rows::<Seen>().filter(|s| s.at.eq_to(at)).count();
        assert_eq!(data.exact(&same), [1], "{moment}");
    }
}
