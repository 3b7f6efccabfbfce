//! Ours beside others, on the same files in one run: decoding alone, our stream, our vaults on DataFusion and
//! Ballista, the SQL of both (inexact), Polars and DuckDB.
//!
//! `cargo bench -p privet-ballista --features bench --bench engines -- [rows,rows,..] [runs]`; `PRIVET_BENCH_PYTHON`
//! names a Python with `polars` and `duckdb`. Each engine answers each question in a process of its own, on
//! two threads: the best of its runs, seconds of the clock and of all processors, and the most memory.

use std::fs::File;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ballista_core::extension::SessionStateExt;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray,
};
use datafusion::execution::context::SessionState;
use datafusion::parquet::arrow::ProjectionMask;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use datafusion::parquet::arrow::arrow_writer::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::WriterProperties;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use privet::prelude::*;
use privet::testing::{Asked, Choices, Loaded};
use privet_ballista::{Ballista, ClusterKey, process};
use privet_datafusion::DataFusion;
use privet_parquet::Parquet;

const THREADS: usize = 2;

#[derive(Record, Clone)]
struct Visit {
    age: i64,
    bill: f64,
    copay: Option<f64>,
    smoker: bool,
    city: String,
}

fn write(path: &Path, rows: usize, compression: Compression) {
    let mut choices = Choices::new(1);
    let settings = WriterProperties::builder().set_compression(compression);
    let settings = settings.set_max_row_group_row_count(Some(1 << 20)).build();
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
        .unwrap();
        let writer = writer.get_or_insert_with(|| {
            let file = File::create(path).unwrap();
            ArrowWriter::try_new(file, batch.schema(), Some(settings.clone())).unwrap()
        });
        writer.write(&batch).unwrap();
    }
    writer.unwrap().close().unwrap();
}

/// What is asked: its name, the columns that it needs, ours, and SQL: statements that together say the same.
struct Question {
    name: &'static str,
    columns: &'static [usize],
    asked: fn() -> Vec<Asked<Visit>>,
    sql: &'static [&'static str],
}

const HISTOGRAM: &str = "SELECT least(greatest(age, 0), 120) AS k, count(*) FROM t GROUP BY k";

fn filtered() -> Asked<Visit> {
    Asked::new(&rows::<Visit>().filter(|v| v.smoker & v.age.gt(40)).count())
}
fn bills() -> Asked<Visit> {
    Asked::new(&rows::<Visit>().sum(|v| v.bill.grid::<100>().clamp::<0, 500>()))
}
fn copays() -> Asked<Visit> {
    Asked::new(&rows::<Visit>().sum(|v| v.copay.grid::<100>().clamp::<0, 50>()))
}
fn ages() -> Asked<Visit> {
    Asked::new(&rows::<Visit>().histogram(|v| v.age.clamp::<0, 120>()))
}
fn ten() -> Vec<Asked<Visit>> {
    let all = rows::<Visit>;
    vec![
        filtered(),
        bills(),
        copays(),
        ages(),
        Asked::new(&all().filter(|v| v.city.eq_to("Ulm")).count()),
        Asked::new(&all().count()),
        Asked::new(&all().sum(|v| v.age.clamp::<0, 120>())),
        Asked::new(&all().sum(|v| v.age.clamp::<0, 120>().square())),
        Asked::new(
            &all()
                .filter(|v| v.smoker)
                .sum(|v| v.bill.grid::<100>().clamp::<0, 500>()),
        ),
        Asked::new(&all().filter(|v| v.copay.gt(20.0)).count()),
    ]
}

const QUESTIONS: [Question; 5] = [
    Question {
        name: "filtered count",
        columns: &[0, 3],
        asked: || vec![filtered()],
        sql: &["SELECT count(*) FROM t WHERE smoker AND age > 40"],
    },
    Question {
        name: "sum of reals",
        columns: &[1],
        asked: || vec![bills()],
        sql: &["SELECT sum(least(greatest(bill, 0.0), 500.0)) FROM t"],
    },
    Question {
        name: "sum of nullable reals",
        columns: &[2],
        asked: || vec![copays()],
        sql: &["SELECT sum(least(greatest(copay, 0.0), 50.0)) FROM t WHERE copay IS NOT NULL"],
    },
    Question {
        name: "histogram of 121 cells",
        columns: &[0],
        asked: || vec![ages()],
        sql: &[HISTOGRAM],
    },
    Question {
        name: "ten statistics",
        columns: &[0, 1, 2, 3, 4],
        asked: ten,
        sql: &[
            "SELECT count(*) FILTER (WHERE smoker AND age > 40), sum(least(greatest(bill, 0.0), 500.0)), \
             sum(least(greatest(copay, 0.0), 50.0)) FILTER (WHERE copay IS NOT NULL), \
             count(*) FILTER (WHERE city = 'Ulm'), count(*), sum(least(greatest(age, 0), 120)), \
             sum(least(greatest(age, 0), 120) * least(greatest(age, 0), 120)), \
             sum(least(greatest(bill, 0.0), 500.0)) FILTER (WHERE smoker), \
             count(*) FILTER (WHERE copay > 20.0) FROM t",
            HISTOGRAM,
        ],
    },
];

/// Decodes columns into nothing: threads take row groups.
fn decode(path: &Path, columns: &[usize]) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let file = File::open(path).unwrap();
                    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
                    let group = next.fetch_add(1, Ordering::Relaxed);
                    if group >= builder.metadata().num_row_groups() {
                        return;
                    }
                    let mask =
                        ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied());
                    let reader = builder
                        .with_projection(mask)
                        .with_row_groups(vec![group])
                        .with_batch_size(8192);
                    for batch in reader.build().unwrap() {
                        std::hint::black_box(batch.unwrap());
                    }
                }
            });
        }
    });
}

/// Processor time and peak memory of a process: seconds, megabytes.
fn used(process: u32) -> (f64, f64) {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|f| f.parse::<f64>().ok());
    let seconds = (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0;
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    let peak = peak.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    (seconds, peak.unwrap_or(0.0) / 1024.0)
}

/// Best clock, best processor time, and peak memory, of this process and of others that work for it.
fn measure(runs: usize, others: &[u32], mut run: impl FnMut()) {
    let all = [&[std::process::id()], others].concat();
    let total = || all.iter().map(|process| used(*process).0).sum::<f64>();
    let (mut clock, mut processor) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..runs {
        let (start, before) = (Instant::now(), total());
        run();
        clock = clock.min(start.elapsed().as_secs_f64());
        processor = processor.min(total() - before);
    }
    let peak: f64 = all.iter().map(|process| used(*process).1).sum();
    println!("{clock} {processor} {peak}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()
        .unwrap()
}

async fn sql(state: SessionState, path: &str, statements: &[&str]) {
    let context = SessionContext::new_with_state(state);
    let options = ParquetReadOptions::default();
    context.register_parquet("t", path, options).await.unwrap();
    for statement in statements {
        let frame = context.sql(statement).await.unwrap();
        std::hint::black_box(frame.collect().await.unwrap());
    }
}

/// This program again, as something else; ended when dropped.
struct Part(Child);

impl Part {
    fn start(arguments: &[&str]) -> Self {
        let program = std::env::current_exe().unwrap();
        let mut command = Command::new(program);
        command.args(arguments).stdout(Stdio::null());
        Part(command.spawn().unwrap())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ports() -> SocketAddr {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = first.local_addr().unwrap();
        if TcpListener::bind(("127.0.0.1", address.port().saturating_add(1))).is_ok() {
            return address;
        }
    }
}

/// A scheduler and two executors of one core each, ours or Ballista's own.
fn cluster(directory: &Path, own: bool) -> (SocketAddr, Vec<Part>) {
    let at = ports();
    let kind = |name: &str| match own {
        true => name.to_owned(),
        false => format!("stock-{name}"),
    };
    let mut parts = vec![Part::start(&[&kind("scheduler"), "--at", &at.to_string()])];
    while TcpStream::connect(at).is_err() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let key = directory.join("key").display().to_string();
    for executor in 0..2 {
        let work = directory.join(format!("work-{own}-{executor}-{}", std::process::id()));
        let (work, place) = (work.display().to_string(), ports());
        parts.push(Part::start(&[
            &kind("executor"),
            "--scheduler",
            &at.to_string(),
            "--at",
            &place.to_string(),
            "--key",
            &key,
            "--directory",
            &work,
        ]));
        while TcpStream::connect(place).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    // They register themselves.
    std::thread::sleep(Duration::from_secs(2));
    (at, parts)
}

fn stock(arguments: &[String]) {
    let option = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name);
        arguments[place.unwrap() + 1].clone()
    };
    let at: SocketAddr = option("--at").parse().unwrap();
    if arguments[0] == "stock-scheduler" {
        let config = SchedulerConfig {
            bind_port: at.port(),
            ..SchedulerConfig::default()
        };
        return runtime().block_on(async {
            let cluster = BallistaCluster::new_from_config(&config).await.unwrap();
            start_server(cluster, at, Arc::new(config)).await.unwrap();
        });
    }
    let scheduler: SocketAddr = option("--scheduler").parse().unwrap();
    std::fs::create_dir_all(option("--directory")).unwrap();
    let config = ExecutorProcessConfig {
        external_host: Some("127.0.0.1".into()),
        port: at.port(),
        grpc_port: at.port() + 1,
        scheduler_host: "127.0.0.1".into(),
        scheduler_port: scheduler.port(),
        scheduler_connect_timeout_seconds: 60,
        vcores: 1,
        work_dir: Some(option("--directory")),
        ..ExecutorProcessConfig::default()
    };
    runtime()
        .block_on(start_executor_process(Arc::new(config)))
        .unwrap();
}

fn run(engine: &str, question: &Question, path: &str, runs: usize) {
    let file = Path::new(path);
    let read = |rows: Loaded<Visit>, others: &[u32]| {
        measure(runs, others, || {
            drop(std::hint::black_box(rows.pass(&(question.asked)(), true)));
        });
    };
    let files = || DataFusion::parquet(path).with_partitions(THREADS);
    let ids = |parts: &[Part]| parts.iter().map(|part| part.0.id()).collect::<Vec<_>>();
    match engine {
        "decoding alone" => measure(runs, &[], || decode(file, question.columns)),
        "our stream" => read(Loaded::read::<AddRemove>(Parquet::open(file)).unwrap(), &[]),
        "our DataFusion" => read(Loaded::read::<AddRemove>(files()).unwrap(), &[]),
        "DataFusion SQL" => {
            let runtime = runtime();
            measure(runs, &[], || {
                let config = SessionConfig::new().with_target_partitions(THREADS);
                let state = SessionContext::new_with_config(config).state();
                runtime.block_on(sql(state, path, question.sql));
            });
        }
        "our Ballista" => {
            let directory = file.parent().unwrap();
            let (at, parts) = cluster(directory, true);
            let key = ClusterKey::read(directory.join("key")).unwrap();
            let engine = Ballista::new(format!("http://{at}"), key, files());
            read(Loaded::read::<AddRemove>(engine).unwrap(), &ids(&parts));
        }
        "Ballista SQL" => {
            let (at, parts) = cluster(file.parent().unwrap(), false);
            let runtime = runtime();
            measure(runs, &ids(&parts), || {
                let state = SessionState::new_ballista_state(format!("http://{at}")).unwrap();
                runtime.block_on(sql(state, path, question.sql));
            });
        }
        _ => panic!("no such engine"),
    }
}

const ENGINES: [&str; 8] = [
    "decoding alone",
    "our stream",
    "our DataFusion",
    "DataFusion SQL",
    "our Ballista",
    "Ballista SQL",
    "Polars",
    "DuckDB",
];

/// Asks one engine in a process of its own. `None` if it is not there.
fn ask(engine: &str, place: usize, path: &Path, runs: usize) -> Option<[f64; 3]> {
    let path = path.display().to_string();
    let (place, runs) = (place.to_string(), runs.to_string());
    let mut command = match engine {
        "Polars" | "DuckDB" => {
            let mut command = Command::new(std::env::var("PRIVET_BENCH_PYTHON").ok()?);
            command.args(["-c", include_str!("peers.py")]);
            command
        }
        _ => Command::new(std::env::current_exe().unwrap()),
    };
    command.args(["ask", engine, &place, &path, &runs]);
    command.env("POLARS_MAX_THREADS", "2");
    command.env("RAYON_NUM_THREADS", "2");
    let output = command.stderr(Stdio::inherit()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let numbers: Vec<f64> = text
        .split_whitespace()
        .filter_map(|n| n.parse().ok())
        .collect();
    numbers.try_into().ok()
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    match arguments.first().map(String::as_str) {
        Some("ask") => {
            let question = &QUESTIONS[arguments[2].parse::<usize>().unwrap()];
            return run(
                &arguments[1],
                question,
                &arguments[3],
                arguments[4].parse().unwrap(),
            );
        }
        Some("stock-scheduler" | "stock-executor") => return stock(&arguments),
        Some("scheduler" | "executor") => return process::run(&arguments).unwrap(),
        _ => {}
    }
    let given = arguments.first().map_or("10000000", |rows| rows.as_str());
    let sizes = given.split(',').map(|rows| rows.parse().unwrap());
    let runs = arguments.get(1).map_or(5, |runs| runs.parse().unwrap());
    sizes.for_each(|rows| compare(rows, runs));
}

/// All engines on one table, twice.
fn compare(rows: usize, runs: usize) {
    let place = std::env::temp_dir().join(format!("privet-engines-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    ClusterKey::draw().write(place.join("key")).unwrap();
    let zstd = Compression::ZSTD(ZstdLevel::default());
    for (name, compression) in [("snappy", Compression::SNAPPY), ("zstd", zstd)] {
        let path = place.join(format!("{name}.parquet"));
        write(&path, rows, compression);
        let size = path.metadata().unwrap().len() >> 20;
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        println!("\n{rows} rows, {name}, {size} MB, best of {runs}; load {load}");
        let names: Vec<&str> = QUESTIONS.iter().map(|question| question.name).collect();
        println!(
            "| clock / processor seconds | {} | peak MB |",
            names.join(" | ")
        );
        println!("|---|{}", "--:|".repeat(names.len() + 1));
        for engine in ENGINES {
            let mut cells = Vec::new();
            let mut peak = 0.0_f64;
            for place in 0..QUESTIONS.len() {
                match ask(engine, place, &path, runs) {
                    Some([clock, processor, memory]) => {
                        cells.push(format!("{clock:.2} / {processor:.2}"));
                        peak = peak.max(memory);
                    }
                    None => cells.push("–".into()),
                }
            }
            println!("| {engine} | {} | {peak:.0} |", cells.join(" | "));
        }
    }
    std::fs::remove_dir_all(&place).unwrap();
}
