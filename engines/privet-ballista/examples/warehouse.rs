//! One report on one warehouse: in memory, embedded, and on a cluster of two executors that this program
//! starts itself, one of which is killed on the way. The data is made up, so exact cells may be compared.

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
use privet::testing::{Asked, Choices, Loaded};
use privet_ballista::{Ballista, ClusterKey, process};
use privet_datafusion::DataFusion;

#[derive(Record, Clone)]
struct Stay {
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
        let ages: Vec<i64> = (0..rows).map(|_| choices.below(100) as i64).collect();
        let bills: Vec<f64> = (0..rows)
            .map(|_| choices.below(90_000) as f64 / 100.0)
            .collect();
        let wards: Vec<_> = (0..rows).map(|_| WARDS[choices.below(3)]).collect();
        let columns: [(&str, ArrayRef); 3] = [
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
        let rows = ages.iter().zip(&bills).zip(&wards);
        all.extend(rows.map(|((age, bill), (_, ward))| Stay {
            age: *age,
            bill: *bill,
            ward: *ward,
        }));
    }
    Ok(all)
}

/// The report's queries.
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

fn free() -> Result<SocketAddr, Box<dyn Error>> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

fn show(engine: &str, start: Instant, cells: &[Vec<i128>]) {
    println!(
        "{engine:<9} {:6.2} s   {cells:?}",
        start.elapsed().as_secs_f64()
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.is_empty() {
        return process::run(&arguments);
    }
    let place = std::env::temp_dir().join(format!("privet-warehouse-{}", std::process::id()));
    let data = place.join("stays");
    fs::create_dir_all(&data)?;
    let stays = make(&data)?;
    let files = DataFusion::parquet(format!("{}/", data.display())).with_partitions(8);

    let start = Instant::now();
    let memory = Loaded::new(stays).pass(&report(), true);
    show("memory", start, &memory);

    let start = Instant::now();
    let embedded = Loaded::read::<AddRemove>(files.clone())?.pass(&report(), true);
    show("embedded", start, &embedded);
    assert_eq!(embedded, memory);

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
    let start = Instant::now();
    let read = Loaded::<Stay>::read::<AddRemove>(cluster.clone())?;
    show("cluster", start, &read.pass(&report(), true));

    // `kill -9`, while the report runs.
    let killed = executors.remove(0);
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(40));
        drop(killed);
    });
    let start = Instant::now();
    let survived = read.pass(&report(), true);
    show("survivor", start, &survived);
    assert_eq!(survived, memory);
    killer.join().map_err(|_| "the killer died")?;

    // The noise is drawn here, once, after the last attempt.
    let vault: Vault<Table<Stay>, Eps<1, 1>> = Vault::load(cluster)?;
    let old = rows::<Stay>()
        .filter(|s| s.age.ge(65))
        .count()
        .laplace::<Eps<1, 2>>();
    let (old, vault) = vault.release(old)?;
    println!(
        "about {old} stays of people of 65 and more; {} is left",
        vault.remaining()
    );

    drop((executors, scheduler));
    fs::remove_dir_all(&place)?;
    Ok(())
}
