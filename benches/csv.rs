//! A CSV file into a vault, against the bare `csv` crate reading the same file.
//!
//! `cargo bench --bench csv [megabytes]`: files of 100 MB unless said otherwise, on all threads; `RAYON_NUM_THREADS=1` for one. Processor
//! time of all threads and wall time, the best of several runs in turn; `PRIVET_CSV_RUNS` sets how many, 5 unless set. The `csv`
//! crate, which has one thread, reads byte records and parses nothing, and then, of files below a gigabyte, tuples of the fields,
//! which it does faster than structs, whose names it looks up in each row.
//!
//! On a busy machine several threads of a process may get no more of it than one. So a loop that needs no memory runs on one
//! thread and on all of them, in turn with the readers: that is how much faster threads could make anything here.

#[path = "shared/clock.rs"]
mod clock;

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use clock::clock;
use privet::load::Csv;
use privet::prelude::*;
use privet::testing::Choices;
use privet::{Date, Decimal};

/// Numbers, mostly.
#[derive(Record)]
struct Ride {
    vendor: i64,
    distance: f64,
    passengers: Option<i64>,
    fare: f64,
    tip: f64,
    minutes: i64,
    airport: bool,
    hour: u8,
}
type RideTuple = (i64, f64, Option<i64>, f64, f64, i64, bool, u8);

/// Texts, dates and a category; every tenth row has quotes, and one column of the file is not read.
#[derive(Record)]
struct Stay {
    patient: String,
    admitted: Date,
    ward: Ward,
    diagnosis: Option<String>,
    bill: Decimal<2>,
}
type StayTuple = (String, String, String, Option<String>, f64, String);

#[derive(Category, Clone, Copy)]
#[allow(dead_code)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

fn write(path: &Path, megabytes: u64, mut line: impl FnMut(&mut Choices) -> String, header: &str) {
    let mut choices = Choices::new(1);
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    writeln!(file, "{header}").expect("room");
    let mut written = 0;
    while written < megabytes << 20 {
        let line = line(&mut choices);
        written += line.len() as u64 + 1;
        writeln!(file, "{line}").expect("room");
    }
}

fn ride(c: &mut Choices) -> String {
    let passengers = match c.below(10) {
        0 => String::new(),
        n => n.to_string(),
    };
    let (cents, tip) = (c.below(9_000), c.below(2_000));
    format!(
        "{},{}.{:02},{passengers},{}.{:02},{}.{:02},{},{},{}",
        c.below(3),
        c.below(30),
        c.below(100),
        cents / 100,
        cents % 100,
        tip / 100,
        tip % 100,
        c.below(120),
        c.below(20) == 0,
        c.below(24),
    )
}

fn stay(c: &mut Choices) -> String {
    let ward = ["Surgery", "Maternity", "Oncology"][c.below(3)];
    let diagnosis = match c.below(10) {
        0 => "\"heart, \"\"left\"\" side\"",
        1 | 2 => "",
        3..5 => "fracture",
        _ => "appendicitis",
    };
    format!(
        "P{:06},20{:02}-{:02}-{:02},{ward},{diagnosis},{}.{:02},remark {}",
        c.below(200_000),
        c.below(26),
        1 + c.below(12),
        1 + c.below(28),
        c.below(20_000),
        c.below(100),
        c.below(1000),
    )
}

/// Processor time and time, in seconds.
fn timed<T>(run: impl FnOnce() -> T) -> (f64, f64) {
    let (start, wall) = (clock(), Instant::now());
    black_box(run());
    (clock() - start, wall.elapsed().as_secs_f64())
}

fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    kilobytes.unwrap_or(0) / 1024
}

fn bytes(path: &Path) -> u64 {
    let mut reader = csv::Reader::from_path(path).expect("a file");
    let mut record = csv::ByteRecord::new();
    let mut rows = 0;
    while reader.read_byte_record(&mut record).expect("a row") {
        rows += 1;
    }
    rows
}

fn fields<T: serde::de::DeserializeOwned>(path: &Path) -> Vec<T> {
    let mut reader = csv::Reader::from_path(path).expect("a file");
    let rows = reader.deserialize().map(|row| row.expect("a row"));
    rows.collect()
}

fn load<R: Record>(path: &Path) -> Vault<Table<R>, Eps<1, 1>> {
    Vault::load(Csv::<R>::file(path)).expect("a vault")
}

/// How many threads a vault is loaded on.
fn threads() -> usize {
    let set = std::env::var("RAYON_NUM_THREADS").ok();
    let set = set.and_then(|set| set.parse().ok()).filter(|set| *set > 0);
    set.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |threads| threads.get()))
}

/// A loop that takes about 0.1 s, once for each thread.
fn spin(threads: usize) {
    let work = || {
        let step = |sum: u64, at| sum.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at);
        black_box((0..100_000_000).fold(black_box(1), step));
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}

fn compare<R: Record, T: serde::de::DeserializeOwned>(what: &str, path: &Path, runs: usize) {
    let threads = threads();
    let mut best = [(f64::INFINITY, f64::INFINITY); 5];
    let mut least = |at: usize, (cpu, wall): (f64, f64)| {
        best[at] = (best[at].0.min(cpu), best[at].1.min(wall));
    };
    let mut loaded = 0;
    // Tuples of a larger file take more memory than most machines have.
    let in_memory = path.metadata().expect("a file").len() < 1 << 30;
    for _ in 0..runs {
        least(0, timed(|| load::<R>(path)));
        loaded = loaded.max(peak());
        least(1, timed(|| bytes(path)));
        if in_memory {
            least(2, timed(|| fields::<T>(path)));
        }
        least(3, timed(|| spin(1)));
        least(4, timed(|| spin(threads)));
    }
    let size = path.metadata().expect("a file").len() as f64 / f64::from(1 << 20);
    let names = ["this crate", "csv, byte records", "csv, tuples"];
    for (name, (cpu, wall)) in names.into_iter().zip(best) {
        if cpu.is_infinite() {
            continue;
        }
        let each = [cpu / best[1].0, wall / best[1].1];
        println!(
            "| {what} | {name} | {cpu:.2} | {wall:.2} | {:.2} | {:.2} | {:.0} |",
            each[0],
            each[1],
            size / cpu
        );
    }
    let faster = threads as f64 * best[3].1 / best[4].1;
    println!(
        "{what}: {threads} threads are {faster:.2} times as fast as one at a loop without memory"
    );
    println!("{what}: {size:.0} MB, {} rows", bytes(path));
    if loaded > 0 {
        println!(
            "{what}: peak memory after loading {loaded} MB (the tuples of earlier runs included)"
        );
    }
}

fn main() {
    let number = |name, default| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let size = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let (megabytes, runs) = (size.unwrap_or(100), number("PRIVET_CSV_RUNS", 5));
    let path = std::env::temp_dir().join(format!("privet-bench-{}.csv", std::process::id()));
    println!(
        "| file | reader | processor s | wall s | to byte records | wall, to them | MB a second |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|");
    let header = "vendor,distance,passengers,fare,tip,minutes,airport,hour";
    write(&path, megabytes, ride, header);
    compare::<Ride, RideTuple>("numbers", &path, runs as usize);
    let header = "patient,admitted,ward,diagnosis,bill,remark";
    write(&path, megabytes, stay, header);
    compare::<Stay, StayTuple>("texts", &path, runs as usize);
    let _ = std::fs::remove_file(&path);
}
