//! A real cluster on loopback: a scheduler and executors as processes, killed, stopped and started again.

#[path = "../../tests-common/visits.rs"]
mod visits;

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use privet::prelude::*;
use privet::testing::{Asked, Choices, Loaded};
use privet_ballista::{Ballista, ClusterKey};
use privet_datafusion::DataFusion;
use tempfile::TempDir;
use visits::{Visit, batch, queries, visits as random_visits, write};

/// Clusters take processors from each other: one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Two ports, one after the other, that nobody uses now.
fn ports() -> SocketAddr {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = first.local_addr().unwrap();
        if TcpListener::bind(("127.0.0.1", address.port().saturating_add(1))).is_ok() {
            return address;
        }
    }
}

struct Process(Child);

impl Process {
    fn start(directory: &Path, log: &str, arguments: &[&str]) -> Self {
        let log = std::fs::File::create(directory.join(log)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_privet-ballista"));
        // The most talkative setting, if there were a logger.
        command
            .args(arguments)
            .env("RUST_LOG", "trace")
            .stdin(Stdio::null());
        command.stdout(log.try_clone().unwrap()).stderr(log);
        Process(command.spawn().unwrap())
    }

    fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        assert!(
            Command::new("kill")
                .args([name, &id])
                .status()
                .unwrap()
                .success()
        );
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Cluster {
    scheduler: Option<Process>,
    executors: Vec<Process>,
    at: SocketAddr,
    key: ClusterKey,
    directory: TempDir,
    rows: Vec<Visit>,
}

impl Cluster {
    fn start(seed: u64, rows: usize, executors: usize) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("visits");
        std::fs::create_dir(&data).unwrap();
        let rows = random_visits(&mut Choices::new(seed), rows);
        for (place, part) in rows.chunks(rows.len().div_ceil(6)).enumerate() {
            write(
                &data.join(format!("{place}.parquet")),
                &batch(part, 0),
                1000,
            );
        }
        let key = ClusterKey::draw();
        key.write(directory.path().join("key")).unwrap();
        let mut cluster = Cluster {
            scheduler: None,
            executors: Vec::new(),
            at: ports(),
            key,
            directory,
            rows,
        };
        cluster.start_scheduler();
        for _ in 0..executors {
            cluster.start_executor();
        }
        cluster
    }

    fn start_scheduler(&mut self) {
        let at = self.at.to_string();
        self.scheduler = Some(Process::start(
            self.directory.path(),
            "scheduler.log",
            &["scheduler", "--at", &at],
        ));
        let start = Instant::now();
        while TcpStream::connect(self.at).is_err() {
            assert!(start.elapsed() < Duration::from_secs(60), "no scheduler");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn work(&self, executor: usize) -> PathBuf {
        self.directory.path().join(format!("work-{executor}"))
    }

    fn start_executor(&mut self) {
        let place = self.executors.len();
        let (work, key) = (self.work(place), self.directory.path().join("key"));
        let (scheduler, at) = (self.at.to_string(), ports().to_string());
        let arguments = ["executor", "--scheduler", &scheduler, "--at", &at];
        let more = [
            "--key",
            key.to_str().unwrap(),
            "--directory",
            work.to_str().unwrap(),
        ];
        let log = format!("executor-{place}.log");
        self.executors.push(Process::start(
            self.directory.path(),
            &log,
            &[&arguments[..], &more].concat(),
        ));
    }

    fn files(&self) -> DataFusion {
        DataFusion::parquet(format!("{}/visits/", self.directory.path().display()))
            .with_partitions(6)
    }

    fn engine(&self, seconds: u64) -> Ballista {
        Ballista::new(
            format!("http://{}", self.at),
            self.key.clone(),
            self.files(),
        )
        .with_deadline(Duration::from_secs(seconds))
    }

    fn asked(&self) -> (Vec<Asked<Visit>>, Vec<Vec<i128>>) {
        let asked = queries(&mut Choices::new(5));
        let memory = Loaded::new(self.rows.clone()).pass(&asked, false);
        (asked, memory)
    }

    /// PRIVACY: no process wrote anything, but for what its directory holds, which is sealed.
    fn assert_silent(&self) {
        for entry in std::fs::read_dir(self.directory.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "log") {
                assert_eq!(
                    std::fs::read_to_string(&path).unwrap(),
                    "",
                    "{}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn a_cluster_has_the_cells_that_memory_has_and_forgets_them() {
    let _alone = ALONE.lock();
    let cluster = Cluster::start(1, 20_000, 2);
    let (_, _) = cluster.asked();
    let read = Loaded::<Visit>::read::<AddRemove>(cluster.engine(120)).unwrap();
    for seed in 0..5 {
        let asked = queries(&mut Choices::new(seed));
        let memory = Loaded::new(cluster.rows.clone()).pass(&asked, false);
        assert_eq!(read.pass(&asked, true), memory, "queries of seed {seed}");
    }
    // One noisy release, of a vault.
    let vault: Vault<Table<Visit>, Eps<1, 1>> = Vault::load(cluster.engine(120)).unwrap();
    let (count, _) = vault
        .release(rows::<Visit>().count().laplace::<Eps<1, 1>>())
        .unwrap();
    assert!((count - 20_000).abs() < 100);
    // Directories are for their owner alone, and answers are gone.
    for executor in 0..2 {
        let work = cluster.work(executor);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(
                std::fs::metadata(&work).unwrap().permissions().mode() & 0o777,
                0o700
            );
        }
        let start = Instant::now();
        while answers(&work) > 0 {
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "answers were left behind"
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    cluster.assert_silent();
}

/// Files in a directory, but for the mark of its owner.
fn answers(directory: &Path) -> usize {
    std::fs::read_dir(directory)
        .unwrap()
        .flatten()
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => answers(&entry.path()),
            _ => usize::from(entry.file_name() != ".privet-executor"),
        })
        .sum()
}

#[test]
fn an_executor_is_killed_and_another_answers() {
    let _alone = ALONE.lock();
    let cluster = Cluster::start(2, 60_000, 2);
    let (asked, memory) = cluster.asked();
    let read = Loaded::<Visit>::read::<AddRemove>(cluster.engine(240)).unwrap();
    // In whichever phase it is then.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(60));
            cluster.executors[0].signal("-KILL");
        });
        assert_eq!(read.pass(&asked, true), memory);
    });
    assert_eq!(read.pass(&asked, true), memory);
    cluster.assert_silent();
}

#[test]
fn an_executor_is_stopped_and_goes_on() {
    let _alone = ALONE.lock();
    let cluster = Cluster::start(3, 20_000, 2);
    let (asked, memory) = cluster.asked();
    let read = Loaded::<Visit>::read::<AddRemove>(cluster.engine(240)).unwrap();
    cluster.executors[1].signal("-STOP");
    assert_eq!(read.pass(&asked, true), memory);
    cluster.executors[1].signal("-CONT");
    assert_eq!(read.pass(&asked, true), memory);
}

#[test]
fn a_scheduler_is_started_again() {
    let _alone = ALONE.lock();
    let mut cluster = Cluster::start(4, 5000, 2);
    let (asked, memory) = cluster.asked();
    let read = Loaded::<Visit>::read::<AddRemove>(cluster.engine(240)).unwrap();
    cluster.scheduler = None;
    std::thread::scope(|scope| {
        let answer = scope.spawn(|| read.pass(&asked, true));
        std::thread::sleep(Duration::from_millis(500));
        cluster.start_scheduler();
        assert_eq!(answer.join().unwrap(), memory);
    });
}

#[test]
fn a_dead_cluster_a_stranger_and_a_changed_file_are_clear_errors() {
    let _alone = ALONE.lock();
    let mut cluster = Cluster::start(5, 5000, 1);
    let vault: Vault<Table<Visit>, Eps<2, 1>> = Vault::load(cluster.engine(60)).unwrap();
    let count = || rows::<Visit>().count().laplace::<Eps<1, 1>>();
    // Not the cluster's key.
    let stranger = Ballista::new(
        format!("http://{}", cluster.at),
        ClusterKey::draw(),
        cluster.files(),
    )
    .with_deadline(Duration::from_secs(3));
    let refused = Loaded::<Visit>::read::<AddRemove>(stranger)
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("the cluster could not run the plan"),
        "{refused}"
    );
    // All executors are dead.
    let (first, rest) = vault.split::<Eps<1, 1>>();
    let short = cluster.engine(4);
    cluster.executors.clear();
    let dead = Loaded::<Visit>::read::<AddRemove>(short)
        .unwrap_err()
        .to_string();
    assert!(
        dead.contains("the cluster") && !dead.contains("Basel"),
        "{dead}"
    );
    // A truncated file is not asked about.
    let path = cluster.directory.path().join("visits/0.parquet");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let changed = first.release(count()).unwrap_err().to_string();
    assert!(
        changed.contains("is not what it was when the vault opened"),
        "{changed}"
    );
    drop(rest);
    cluster.assert_silent();
}
