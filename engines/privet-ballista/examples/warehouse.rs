//! One report on one warehouse: in memory, streamed from Parquet files, by DataFusion in this process, and on
//! a cluster of two executors that this program starts itself, one of which is killed on the way. The data is
//! made up, so exact cells may be shown and compared; a vault never shows them.

use std::error::Error;
use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::{Asked, Choices, Loaded};
use privet_ballista::{Ballista, ClusterKey, process};
use privet_datafusion::DataFusion;
use privet_parquet::Parquet;

#[derive(Record, Clone)]
struct Stay {
    #[privet(person)]
    patient: i64,
    age: i64,
    bill: f64,
    ward: Ward,
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

const WARDS: [(&str, Ward); 3] = [
    ("Surgery", Ward::Surgery),
    ("Maternity", Ward::Maternity),
    ("Oncology", Ward::Oncology),
];

/// Rows that nobody's privacy rests on, also written as Parquet files.
fn make(directory: &Path) -> Result<Vec<Stay>, Box<dyn Error>> {
    let choices = &mut Choices::new(2026);
    let mut all = Vec::new();
    for file in 0..4 {
        let rows = 50_000;
        let patients: Vec<i64> = (0..rows).map(|_| choices.below(60_000) as i64).collect();
        let ages: Vec<i64> = (0..rows).map(|_| choices.below(100) as i64).collect();
        let bills: Vec<f64> = (0..rows)
            .map(|_| choices.below(90_000) as f64 / 100.0)
            .collect();
        let wards: Vec<_> = (0..rows).map(|_| WARDS[choices.below(3)]).collect();
        let columns: [(&str, ArrayRef); 4] = [
            ("patient", Arc::new(Int64Array::from(patients.clone()))),
            ("age", Arc::new(Int64Array::from(ages.clone()))),
            ("bill", Arc::new(Float64Array::from(bills.clone()))),
            (
                "ward",
                Arc::new(StringArray::from_iter_values(
                    wards.iter().map(|ward| ward.0),
                )),
            ),
        ];
        let batch = RecordBatch::try_from_iter(columns)?;
        let file = File::create(directory.join(format!("{file}.parquet")))?;
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None)?;
        writer.write(&batch)?;
        writer.close()?;
        let rows = patients.iter().zip(&ages).zip(&bills).zip(&wards);
        all.extend(rows.map(|(((patient, age), bill), (_, ward))| Stay {
            patient: *patient,
            age: *age,
            bill: *bill,
            ward: *ward,
        }));
    }
    Ok(all)
}

/// What the report asks.
const NAMES: [&str; 6] = [
    "stays",
    "stays in each of three wards",
    "bills, in steps of 1/100",
    "bills of people of 65 and more",
    "squares of ages",
    "stays, of each patient two at most",
];

fn report() -> Vec<Asked<Stay>> {
    let stays = rows::<Stay>;
    vec![
        Asked::new(&stays().count()),
        Asked::new(&stays().histogram(|s| s.ward)),
        Asked::new(&stays().sum(|s| s.bill.grid::<100>().clamp::<0, 1000>())),
        Asked::new(
            &stays()
                .filter(|s| s.age.ge(65))
                .sum(|s| s.bill.grid::<100>().clamp::<0, 1000>()),
        ),
        Asked::new(&stays().sum(|s| s.age.clamp::<0, 120>().square())),
        Asked::new(
            &rows::<Table<Stay, PerPerson>>()
                .bound_contributions::<2>(|s| s.patient)
                .count(),
        ),
    ]
}

/// A part of the cluster, which is this same program.
struct Process(Child);

impl Process {
    fn start(arguments: &[&str]) -> Result<Self, Box<dyn Error>> {
        let program = std::env::current_exe()?;
        Ok(Process(Command::new(program).args(arguments).spawn()?))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port that nobody uses now, and whose next one is free as well.
fn free() -> Result<SocketAddr, Box<dyn Error>> {
    for _ in 0..1000 {
        let at = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let next = at.port().checked_add(1);
        if next.is_some_and(|next| TcpListener::bind(("127.0.0.1", next)).is_ok()) {
            return Ok(at);
        }
    }
    Err("there are no two free ports".into())
}

/// The cells of the report, exactly as one engine has them.
fn table(cells: &[Vec<i128>]) {
    println!("\n                                     exact cells");
    for (name, cells) in NAMES.iter().zip(cells) {
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        println!("  {name:<34} {}", cells.join("  "));
    }
    println!();
}

/// Runs the report, and compares its cells with those in memory.
fn compare(engine: &str, rows: &Loaded<Stay>, memory: &[Vec<i128>]) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let cells = rows.pass(&report(), true);
    let seconds = start.elapsed().as_secs_f64();
    if cells != memory {
        return Err(format!("{engine}: other cells, {cells:?}").into());
    }
    println!("  {engine:<34} {seconds:6.2} s   the same cells");
    Ok(())
}

/// Waits until an executor has written an answer: then the report is on its way.
fn answered(work: &Path) -> bool {
    let inside = fs::read_dir(work).into_iter().flatten().flatten();
    inside
        .filter_map(|entry| entry.file_type().ok())
        .any(|kind| kind.is_dir())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some("scheduler" | "executor") = arguments.first().map(String::as_str) {
        return process::run(&arguments);
    }
    let place = std::env::temp_dir().join(format!("privet-warehouse-{}", std::process::id()));
    let data = place.join("stays");
    fs::create_dir_all(&data)?;
    println!("Writing 200,000 made-up stays to 4 Parquet files ...");
    let stays = make(&data)?;
    let memory = Loaded::new(stays);
    let cells = memory.pass(&report(), true);
    table(&cells);

    println!("The same report, by");
    compare("memory", &memory, &cells)?;
    let stream = Loaded::read::<AddRemove>(Parquet::open(&data))?;
    compare("a stream of the files", &stream, &cells)?;
    let files = DataFusion::parquet(format!("{}/", data.display())).with_partitions(8);
    let embedded = Loaded::read::<AddRemove>(files.clone())?;
    compare("DataFusion, in this process", &embedded, &cells)?;

    let key = ClusterKey::draw();
    key.write(place.join("key"))?;
    let at = free()?.to_string();
    let scheduler = Process::start(&["scheduler", "--at", &at])?;
    let mut executors = Vec::new();
    for executor in 0..2 {
        let (key, work) = (place.join("key"), place.join(format!("work-{executor}")));
        let (key, work) = (key.display().to_string(), work.display().to_string());
        let own = free()?.to_string();
        let place = ["executor", "--scheduler", &at, "--at", &own];
        executors.push(Process::start(
            &[&place[..], &["--key", &key, "--directory", &work]].concat(),
        )?);
    }
    let cluster =
        Ballista::new(format!("http://{at}"), key, files).with_deadline(Duration::from_secs(300));
    let remote = Loaded::<Stay>::read::<AddRemove>(cluster.clone())?;
    compare("a cluster of two executors", &remote, &cells)?;

    // `kill -9`, as soon as it has written a part of the report.
    let (killed, work) = (executors.remove(0), place.join("work-0"));
    fs::read_dir(&work)?
        .flatten()
        .filter(|old| old.path().is_dir())
        .try_for_each(|old| fs::remove_dir_all(old.path()))?;
    println!(
        "  ... killing one executor on the way; what it had done is done again, which can take ten seconds ..."
    );
    let killer = std::thread::spawn(move || {
        let start = Instant::now();
        while !answered(&work) && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(killed);
    });
    compare("the executor that is left", &remote, &cells)?;
    killer.join().map_err(|_| "the killer died")?;

    // The noise is drawn here, once, after the last attempt.
    let vault: Vault<Table<Stay>, Eps<1, 1>> = Vault::load(cluster)?;
    let old = rows::<Stay>()
        .filter(|s| s.age.ge(65))
        .count()
        .laplace::<Eps<1, 2>>();
    let (old, vault) = vault.release(old)?;
    println!(
        "\nAnd what an analyst gets, of a vault on what is left of the cluster:\n  about {old} stays of \
         people of 65 and more; {} is left",
        vault.remaining()
    );

    drop((executors, scheduler));
    fs::remove_dir_all(&place)?;
    Ok(())
}
