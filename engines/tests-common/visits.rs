//! Random visits, as rows, as Arrow batches and as Parquet files, and a few queries about them.
#![allow(dead_code)]

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, FixedSizeListArray, Float64Array,
    Int8Array, Int32Array, Int64Array, RecordBatch, StringArray, StringViewArray,
    TimestampMicrosecondArray, UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Int32Type};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::file::properties::WriterProperties;
use privet::prelude::*;
use privet::testing::{Asked, Choices};
use privet::{Date, Timestamp};

#[derive(Record, Clone)]
pub struct Visit {
    #[privet(person)]
    pub patient: i64,
    pub age: i64,
    pub short: i8,
    pub days: u64,
    pub bill: f64,
    pub copay: Option<f64>,
    pub weight: Option<i32>,
    pub smoker: bool,
    pub insured: Option<bool>,
    pub ward: Ward,
    pub last: Option<Ward>,
    pub city: String,
    pub born: Option<String>,
    pub admitted: Date,
    pub discharged: Option<Date>,
    pub arrival: Timestamp,
    pub seen: Option<Timestamp>,
    pub place: [f64; 2],
}

#[derive(Category, Clone, Copy, Debug)]
pub enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

pub const WARDS: [Ward; 3] = [Ward::Surgery, Ward::Maternity, Ward::Oncology];
pub const CITIES: [&str; 4] = ["Basel", "Ulm", "", "Basel "];

pub fn integer(choices: &mut Choices) -> i64 {
    const EDGES: [i64; 6] = [i64::MIN, i64::MAX, 0, -1, 1 << 51, i64::MIN + 1];
    match choices.below(4) {
        0 => EDGES[choices.below(EDGES.len())],
        _ => choices.below(130) as i64 - 5,
    }
}

pub fn real(choices: &mut Choices) -> f64 {
    const EDGES: [f64; 7] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        f64::MAX,
        f64::MIN_POSITIVE,
        -4_503_599_627_370_496.5,
    ];
    match choices.below(4) {
        0 => EDGES[choices.below(EDGES.len())],
        _ => choices.below(20_000) as f64 / 100.0 - 10.0,
    }
}

pub fn date(choices: &mut Choices) -> Date {
    match choices.below(4) {
        0 => [
            Date::new(1, 1, 1),
            Date::new(9999, 12, 31),
            Date::new(1970, 1, 1),
        ][choices.below(3)],
        _ => Date::new(
            1969 + choices.below(3) as i32,
            1 + choices.below(12) as u32,
            1 + choices.below(28) as u32,
        ),
    }
}

pub fn moment(choices: &mut Choices) -> Timestamp {
    let hour = choices.below(24) as u32;
    Timestamp::new(date(choices), hour, choices.below(60) as u32, 0)
}

fn maybe<T>(choices: &mut Choices, value: impl FnOnce(&mut Choices) -> T) -> Option<T> {
    (choices.below(3) > 0).then(|| value(choices))
}

pub fn visit(choices: &mut Choices) -> Visit {
    Visit {
        patient: choices.below(40) as i64,
        age: integer(choices),
        short: choices.below(256) as u8 as i8,
        days: match choices.below(3) {
            0 => u64::MAX - choices.below(3) as u64,
            _ => choices.below(40) as u64,
        },
        bill: real(choices),
        copay: maybe(choices, real),
        weight: maybe(choices, |c| integer(c) as i32),
        smoker: choices.below(2) == 0,
        insured: maybe(choices, |c| c.below(2) == 0),
        ward: WARDS[choices.below(3)],
        last: maybe(choices, |c| WARDS[c.below(3)]),
        city: CITIES[choices.below(4)].into(),
        born: maybe(choices, |c| CITIES[c.below(4)].into()),
        admitted: date(choices),
        discharged: maybe(choices, date),
        arrival: moment(choices),
        seen: maybe(choices, moment),
        place: [real(choices), real(choices)],
    }
}

pub fn visits(choices: &mut Choices, rows: usize) -> Vec<Visit> {
    (0..rows).map(|_| visit(choices)).collect()
}

/// Queries that a plan can run, with random constants.
pub fn queries(choices: &mut Choices) -> Vec<Asked<Visit>> {
    let all = rows::<Visit>;
    let (i, x) = (integer(choices), real(choices));
    let ward = WARDS[choices.below(3)];
    let city = ["Basel", "Ulm", "Rome", ""][choices.below(4)];
    vec![
        Asked::new(&all().count()),
        Asked::new(&all().filter(|v| v.smoker & v.age.gt(i)).count()),
        Asked::new(&all().filter(|v| v.bill.le(x)).count()),
        Asked::new(&all().filter(|v| v.city.eq_to(city)).count()),
        Asked::new(&all().filter(|v| v.born.is_null()).count()),
        Asked::new(
            &all()
                .filter(|v| v.ward.eq_to(ward))
                .sum(|v| v.age.clamp::<0, 120>()),
        ),
        Asked::new(&all().sum(|v| v.bill.grid::<100>().clamp::<0, 100>())),
        Asked::new(&all().sum(|v| v.copay.grid::<100>().clamp::<0, 40>())),
        Asked::new(&all().sum(|v| v.age.clamp::<0, 120>().square())),
        Asked::new(&all().sum(|v| v.days.clamp::<0, 30>())),
        Asked::new(&all().sum(|v| v.short.clamp::<-50, 50>())),
        Asked::new(&all().sum(|v| v.weight.clamp::<0, 200>())),
        Asked::new(&all().histogram(|v| v.ward)),
        Asked::new(&all().histogram(|v| v.age.clamp::<0, 120>())),
        Asked::new(&all().filter(|v| !v.insured.is_null()).histogram(|v| v.ward)),
    ]
}

/// The same rows as Arrow has them; texts in one of three forms.
pub fn batch(visits: &[Visit], form: usize) -> RecordBatch {
    let texts = |texts: Vec<Option<&str>>| -> ArrayRef {
        match form % 3 {
            0 => Arc::new(StringArray::from(texts)),
            1 => Arc::new(StringViewArray::from(texts)),
            _ => Arc::new(texts.into_iter().collect::<DictionaryArray<Int32Type>>()),
        }
    };
    fn column<'a, T: 'a>(visits: &'a [Visit], of: impl Fn(&'a Visit) -> T) -> Vec<T> {
        visits.iter().map(of).collect()
    }
    fn name(ward: Ward) -> &'static str {
        ["Surgery", "Maternity", "Oncology"][ward as usize]
    }
    let micros =
        |times: Vec<Option<i64>>| -> ArrayRef { Arc::new(TimestampMicrosecondArray::from(times)) };
    let places = visits.iter().flat_map(|v| v.place);
    let places = FixedSizeListArray::new(
        Arc::new(Field::new_list_field(DataType::Float64, true)),
        2,
        Arc::new(Float64Array::from_iter_values(places)),
        None,
    );
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("place", Arc::new(places)),
        (
            "seen",
            micros(column(visits, |v| v.seen.map(Timestamp::micros))),
        ),
        (
            "arrival",
            micros(column(visits, |v| Some(v.arrival.micros()))),
        ),
        (
            "discharged",
            Arc::new(Date32Array::from(column(visits, |v| {
                v.discharged.map(|date| date.days() as i32)
            }))),
        ),
        (
            "admitted",
            Arc::new(Date32Array::from(column(visits, |v| {
                v.admitted.days() as i32
            }))),
        ),
        (
            "patient",
            Arc::new(Int64Array::from(column(visits, |v| v.patient))),
        ),
        ("born", texts(column(visits, |v| v.born.as_deref()))),
        ("city", texts(column(visits, |v| Some(v.city.as_str())))),
        ("last", texts(column(visits, |v| v.last.map(name)))),
        ("ward", texts(column(visits, |v| Some(name(v.ward))))),
        (
            "insured",
            Arc::new(BooleanArray::from(column(visits, |v| v.insured))),
        ),
        (
            "smoker",
            Arc::new(BooleanArray::from(column(visits, |v| v.smoker))),
        ),
        (
            "weight",
            Arc::new(Int32Array::from(column(visits, |v| v.weight))),
        ),
        (
            "copay",
            Arc::new(Float64Array::from(column(visits, |v| v.copay))),
        ),
        (
            "bill",
            Arc::new(Float64Array::from(column(visits, |v| v.bill))),
        ),
        (
            "days",
            Arc::new(UInt64Array::from(column(visits, |v| v.days))),
        ),
        (
            "short",
            Arc::new(Int8Array::from(column(visits, |v| v.short))),
        ),
        ("other", Arc::new(Int64Array::from(column(visits, |_| 1)))),
        ("age", Arc::new(Int64Array::from(column(visits, |v| v.age)))),
    ];
    // All nullable: which columns hold nulls must not decide about the schema.
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true)))
        .unwrap()
}

/// Writes a Parquet file with row groups of so many rows.
pub fn write(path: &Path, batch: &RecordBatch, group: usize) {
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(group))
        .build();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}
