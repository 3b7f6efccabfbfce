//! Decoding alone, the same data streamed through a vault's queries, and loaded into memory, beside decoding alone
//! on as many threads.
//!
//! `cargo bench -p privet-parquet --bench stream [rows]`: the best of five that take turns, processor time of
//! all threads, and wall time.

#[path = "../../../benches/shared/clock.rs"]
mod clock;

use std::fs::File;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray,
};
use clock::clock;
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use privet::AddRemove;
use privet::load::InMemory;
use privet::prelude::*;
use privet::testing::{Asked, Choices, Loaded};
use privet_parquet::{Batches, Parquet};

#[derive(Record, Clone)]
struct Visit {
    age: i64,
    bill: f64,
    copay: Option<f64>,
    smoker: bool,
    city: String,
}

fn write(path: &Path, rows: usize) {
    let mut choices = Choices::new(1);
    let settings = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .build();
    let mut writer = None;
    let mut left = rows;
    while left > 0 {
        let rows = left.min(1 << 16);
        left -= rows;
        let ages = (0..rows).map(|_| choices.below(100) as i64);
        let ages: ArrayRef = Arc::new(Int64Array::from_iter_values(ages));
        let bills = (0..rows).map(|_| choices.below(100_000) as f64 / 100.0);
        let bills: ArrayRef = Arc::new(Float64Array::from_iter_values(bills));
        let copays =
            (0..rows).map(|_| (choices.below(4) > 0).then(|| choices.below(10_000) as f64 / 100.0));
        let copays: ArrayRef = Arc::new(copays.collect::<Float64Array>());
        let smokers = (0..rows).map(|_| Some(choices.below(4) == 0));
        let smokers: ArrayRef = Arc::new(smokers.collect::<BooleanArray>());
        let cities = (0..rows).map(|_| ["Ulm", "Basel", "Rome", "Nowhere"][choices.below(4)]);
        let cities: ArrayRef = Arc::new(StringArray::from_iter_values(cities));
        let batch = RecordBatch::try_from_iter_with_nullable([
            ("age", ages, false),
            ("bill", bills, false),
            ("copay", copays, true),
            ("smoker", smokers, false),
            ("city", cities, false),
        ])
        .expect("a batch");
        let writer = writer.get_or_insert_with(|| {
            let file = File::create(path).expect("a file");
            ArrowWriter::try_new(file, batch.schema(), Some(settings.clone())).expect("a writer")
        });
        writer.write(&batch).expect("written");
    }
    if let Some(writer) = writer {
        writer.close().expect("closed");
    }
}

/// Processor time and wall time of a run.
fn time<T>(run: impl FnOnce() -> T) -> [f64; 2] {
    let (processor, wall) = (clock(), Instant::now());
    black_box(run());
    [clock() - processor, wall.elapsed().as_secs_f64()]
}

/// The least of each, of runs that take turns.
fn best<const N: usize>(mut runs: [&mut dyn FnMut(); N]) -> [[f64; 2]; N] {
    let mut best = [[f64::INFINITY; 2]; N];
    for _ in 0..5 {
        for (best, run) in best.iter_mut().zip(&mut runs) {
            let times = time(run);
            *best = [best[0].min(times[0]), best[1].min(times[1])];
        }
    }
    best
}

/// Decodes columns, on one thread.
fn decode(path: &Path, roots: &[usize]) -> impl Iterator<Item = RecordBatch> {
    let file = File::open(path).expect("a file");
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("metadata");
    let mask = ProjectionMask::roots(builder.parquet_schema(), roots.iter().copied());
    let reader = builder.with_projection(mask).with_batch_size(8192).build();
    reader
        .expect("a reader")
        .map(|batch| batch.expect("a batch"))
}

/// As many rows, and nothing of them is kept.
fn into_nothing(path: &Path, roots: &[usize]) -> usize {
    decode(path, roots).map(|batch| batch.num_rows()).sum()
}

/// How many threads this crate has.
fn threads() -> usize {
    let set = std::env::var("RAYON_NUM_THREADS").ok();
    let set = set.and_then(|set| set.parse().ok()).filter(|set| *set > 0);
    set.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |threads| threads.get()))
}

/// Decodes columns into nothing on as many threads as this crate has, each row group by one.
fn on_threads(path: &Path, roots: &[usize]) -> usize {
    let file = File::open(path).expect("a file");
    let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).expect("metadata");
    let groups = metadata.metadata().num_row_groups();
    let (next, rows) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        loop {
            let group = next.fetch_add(1, Ordering::Relaxed);
            if group >= groups {
                return;
            }
            let file = File::open(path).expect("a file");
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone());
            let mask = ProjectionMask::roots(builder.parquet_schema(), roots.iter().copied());
            let reader = builder
                .with_row_groups(vec![group])
                .with_projection(mask)
                .with_batch_size(8192)
                .build()
                .expect("a reader");
            for batch in reader {
                rows.fetch_add(batch.expect("a batch").num_rows(), Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads() {
            scope.spawn(work);
        }
        work();
    });
    rows.into_inner()
}

/// Each row as a value of its own.
fn records(batch: &RecordBatch) -> impl Iterator<Item = Visit> + use<> {
    let age = batch.column(0).as_primitive::<Int64Type>().clone();
    let bill = batch.column(1).as_primitive::<Float64Type>().clone();
    let copay = batch.column(2).as_primitive::<Float64Type>().clone();
    let smoker = batch.column(3).as_boolean().clone();
    let city = batch.column(4).as_string::<i32>().clone();
    (0..batch.num_rows()).map(move |row| Visit {
        age: age.value(row),
        bill: bill.value(row),
        copay: copay.is_valid(row).then(|| copay.value(row)),
        smoker: smoker.value(row),
        city: city.value(row).to_owned(),
    })
}

/// Loading into memory, beside decoding alone.
fn loading(path: &Path, count: usize) {
    let all = [0, 1, 2, 3, 4];
    let batches: Vec<RecordBatch> = decode(path, &all).collect();
    type Rows = Loaded<Visit>;
    let [nothing, alike, kept, by_record, by_column, of_arrow] = best([
        &mut || assert_eq!(into_nothing(path, &all), count),
        &mut || assert_eq!(on_threads(path, &all), count),
        &mut || drop(decode(path, &all).collect::<Vec<_>>()),
        &mut || {
            drop(Rows::new(
                decode(path, &all).flat_map(|batch| records(&batch)),
            ))
        },
        &mut || {
            let source = InMemory::of(Parquet::open(path));
            drop(Rows::read::<AddRemove>(source).expect("a table"));
        },
        &mut || {
            let source = InMemory::of(Batches::new(batches.iter().cloned()));
            drop(Rows::read::<AddRemove>(source).expect("a table"));
        },
    ]);
    let threads = threads();
    println!("\nTo decoding into nothing on {threads} threads:\n");
    println!("| loading five columns | processor | wall | processor | wall |");
    println!("|---|---:|---:|---:|---:|");
    for (name, [processor, wall]) in [
        ("decoding into nothing, as many threads", alike),
        ("decoding into nothing, one thread", nothing),
        ("decoding into record batches, one thread", kept),
        ("through records", by_record),
        ("column by column", by_column),
        ("column by column, from record batches", of_arrow),
    ] {
        let [ratio, walls] = [processor / alike[0], wall / alike[1]];
        println!("| {name} | {processor:.3} | {wall:.3} | {ratio:.2} | {walls:.2} |");
    }
}

fn main() {
    let rows = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let count: usize = rows.unwrap_or(10_000_000);
    let path = std::env::temp_dir().join(format!("privet-bench-{}.parquet", std::process::id()));
    write(&path, count);
    let bytes = path.metadata().expect("a file").len();
    println!(
        "{count} rows, {} MB, RAYON_NUM_THREADS=1 for one thread",
        bytes >> 20
    );
    let stream = Loaded::<Visit>::read::<AddRemove>(Parquet::open(&path)).expect("a stream");
    let all = ::privet::rows::<Visit>;
    let filtered = || {
        vec![Asked::new(
            &all().filter(|v| v.smoker & v.age.gt(40)).count(),
        )]
    };
    let real = || {
        vec![Asked::new(
            &all().sum(|v| v.bill.grid::<100>().clamp::<0, 500>()),
        )]
    };
    let nullable = || {
        vec![Asked::new(
            &all().sum(|v| v.copay.grid::<100>().clamp::<0, 50>()),
        )]
    };
    let histogram = || vec![Asked::new(&all().histogram(|v| v.age.clamp::<0, 120>()))];
    let city = || vec![Asked::new(&all().filter(|v| v.city.eq_to("Ulm")).count())];
    let ten = || {
        let mut ten: Vec<_> = [filtered(), real(), nullable(), histogram(), city()]
            .into_iter()
            .flatten()
            .collect();
        ten.push(Asked::new(&all().count()));
        ten.push(Asked::new(&all().sum(|v| v.age.clamp::<0, 120>())));
        ten.push(Asked::new(&all().sum(|v| v.age.clamp::<0, 120>().square())));
        ten.push(Asked::new(
            &all().filter(|v| v.smoker).sum(|v| v.bill.clamp::<0, 500>()),
        ));
        ten.push(Asked::new(&all().filter(|v| v.copay.gt(20.0)).count()));
        ten
    };
    type Queries<'a> = &'a dyn Fn() -> Vec<Asked<Visit>>;
    let cases: [(&str, &[usize], Queries<'_>); 6] = [
        ("filtered count", &[0, 3], &filtered),
        ("sum of reals", &[1], &real),
        ("sum of nullable reals", &[2], &nullable),
        ("histogram of 121 cells", &[0], &histogram),
        ("count of a text", &[4], &city),
        ("ten statistics", &[0, 1, 2, 3, 4], &ten),
    ];
    println!("| seconds: processor, wall | decoding, one thread | streamed | processor |");
    println!("|---|---:|---:|---:|");
    for (name, roots, queries) in cases {
        let [alone, ours] = best([
            &mut || assert_eq!(into_nothing(&path, roots), count),
            &mut || drop(stream.pass(&queries(), true)),
        ]);
        let ratio = ours[0] / alone[0];
        let [alone, ours] =
            [alone, ours].map(|[processor, wall]| format!("{processor:.3}, {wall:.3}"));
        println!("| {name} | {alone} | {ours} | {ratio:.2} |");
    }
    let peak = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = peak.lines().find(|line| line.starts_with("VmHWM"));
    println!("{}", peak.unwrap_or("peak memory is not known here"));
    loading(&path, count);
    let _ = std::fs::remove_file(&path);
}
