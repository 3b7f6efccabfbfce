//! A cluster of processes on loopback, and what can be done to it.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use privet::testing::Choices;
use privet_ballista::{Ballista, ClusterKey};
use privet_datafusion::DataFusion;
use tempfile::TempDir;

use crate::visits::{Visit, batch, visits, write};

/// Waits for something that a test needs, for two minutes at most.
pub fn until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Two ports, one after the other, that nobody uses now.
pub fn ports() -> SocketAddr {
    for _ in 0..1000 {
        let first = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = first.local_addr().unwrap();
        let next = address.port().saturating_add(1);
        if TcpListener::bind((Ipv4Addr::LOCALHOST, next)).is_ok() {
            return address;
        }
    }
    panic!("there are no two free ports");
}

/// A process of the cluster; killed when dropped.
pub struct Process {
    child: Child,
    /// Where an executor works.
    pub work: PathBuf,
}

impl Process {
    fn start(directory: &Path, log: &str, work: PathBuf, arguments: &[&str]) -> Self {
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(directory.join(log))
            .unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_privet-ballista"));
        // The most talkative setting, if there were a logger.
        command
            .args(arguments)
            .env("RUST_LOG", "trace")
            .stdin(Stdio::null());
        command.stdout(log.try_clone().unwrap()).stderr(log);
        Process {
            child: command.spawn().unwrap(),
            work,
        }
    }

    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    /// How many hundredths of a second it has computed.
    #[cfg(target_os = "linux")]
    pub fn processor_time(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        // The fields after the name, which is in brackets; the 12th of them is the time in the program.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let time = fields.split_whitespace().nth(11);
        time.and_then(|time| time.parse().ok()).unwrap_or(0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Cluster {
    pub scheduler: Option<Process>,
    pub executors: Vec<Process>,
    /// How many executors were ever started: each works in a directory of its own.
    started: usize,
    old: HashSet<PathBuf>,
    pub at: SocketAddr,
    pub key: ClusterKey,
    pub directory: TempDir,
    pub rows: Vec<Visit>,
}

impl Cluster {
    /// A cluster, and visits in six files. Scheduler and executors run.
    pub fn start(seed: u64, rows: usize, executors: usize) -> Self {
        Cluster::of(visits(&mut Choices::new(seed), rows), executors)
    }

    pub fn of(rows: Vec<Visit>, executors: usize) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let key = ClusterKey::draw();
        key.write(directory.path().join("key")).unwrap();
        let mut cluster = Cluster {
            scheduler: None,
            executors: Vec::new(),
            started: 0,
            old: HashSet::new(),
            at: ports(),
            key,
            directory,
            rows,
        };
        cluster.write_files("visits", &cluster.rows, 6, 1000);
        cluster.start_scheduler();
        for _ in 0..executors {
            cluster.start_executor();
        }
        cluster
    }

    /// Writes rows as so many Parquet files of a new directory.
    pub fn write_files(&self, name: &str, rows: &[Visit], files: usize, group: usize) {
        let data = self.directory.path().join(name);
        std::fs::create_dir(&data).unwrap();
        let size = rows.len().div_ceil(files.max(1)).max(1);
        for file in 0..files.max(1) {
            let part = rows.chunks(size).nth(file).unwrap_or_default();
            write(
                &data.join(format!("{file}.parquet")),
                &batch(part, 0),
                group,
            );
        }
    }

    pub fn start_scheduler(&mut self) {
        let at = self.at.to_string();
        self.scheduler = Some(Process::start(
            self.directory.path(),
            "scheduler.log",
            PathBuf::new(),
            &["scheduler", "--at", &at],
        ));
        until("no scheduler", || TcpStream::connect(self.at).is_ok());
    }

    pub fn start_executor(&mut self) {
        let place = self.started;
        self.started += 1;
        let work = self.directory.path().join(format!("work-{place}"));
        let key = self.directory.path().join("key");
        let address = ports();
        let (scheduler, at) = (self.at.to_string(), address.to_string());
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
            work.clone(),
            &[&arguments[..], &more].concat(),
        ));
        until("no executor", || TcpStream::connect(address).is_ok());
    }

    pub fn files_in(&self, name: &str) -> DataFusion {
        DataFusion::parquet(format!("{}/{name}/", self.directory.path().display()))
    }

    pub fn files(&self) -> DataFusion {
        self.files_in("visits").with_partitions(6)
    }

    /// The cluster as an engine, with a deadline.
    pub fn engine(&self, seconds: u64) -> Ballista {
        self.engine_at(self.at, self.files(), seconds)
    }

    pub fn engine_at(&self, at: SocketAddr, files: DataFusion, seconds: u64) -> Ballista {
        Ballista::new(format!("http://{at}"), self.key.clone(), files)
            .with_deadline(Duration::from_secs(seconds))
    }

    /// From now on, only answers that are not there yet count as such.
    pub fn forget_answers(&mut self) {
        let works = self.executors.iter().map(|executor| &executor.work);
        self.old = works.flat_map(|work| answers(work)).collect();
    }

    /// For each executor, how many answers it has written that are still there.
    pub fn answered(&self) -> Vec<usize> {
        let new = |executor: &Process| {
            let all = answers(&executor.work).into_iter();
            // A file is made when a task starts, and written when it is done.
            let written = |path: &PathBuf| path.metadata().is_ok_and(|about| about.len() > 0);
            all.filter(|path| !self.old.contains(path) && written(path))
                .count()
        };
        self.executors.iter().map(new).collect()
    }

    /// An executor that has written an answer.
    pub fn first_to_answer(&self) -> Option<usize> {
        self.answered().into_iter().position(|count| count > 0)
    }

    /// PRIVACY: no process wrote anything to its output.
    pub fn assert_silent(&self) {
        for entry in std::fs::read_dir(self.directory.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "log") {
                let text = std::fs::read_to_string(&path).unwrap();
                assert_eq!(text, "", "{}", path.display());
            }
        }
    }
}

/// Files below a directory, but for the mark of its owner.
pub fn answers(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter();
    let mut files = Vec::new();
    for entry in entries.flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files.extend(answers(&entry.path())),
            _ if entry.file_name() == ".privet-executor" => {}
            _ => files.push(entry.path()),
        }
    }
    files
}

/// A way to the scheduler that can be held: requests pass, what comes back waits.
pub struct Gate {
    pub at: SocketAddr,
    held: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
}

impl Gate {
    pub fn before(scheduler: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let at = listener.local_addr().unwrap();
        let (held, ended) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let gate = Gate {
            at,
            held: Arc::clone(&held),
            ended: Arc::clone(&ended),
        };
        std::thread::spawn(move || {
            for driver in listener.incoming().flatten() {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(scheduler) = TcpStream::connect(scheduler) else {
                    continue;
                };
                let (from, to) = (driver.try_clone().unwrap(), scheduler.try_clone().unwrap());
                std::thread::spawn(move || pass(from, to, &AtomicBool::new(false)));
                let held = Arc::clone(&held);
                std::thread::spawn(move || pass(scheduler, driver, &held));
            }
        });
        gate
    }

    pub fn hold(&self, held: bool) {
        self.held.store(held, Ordering::Relaxed);
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.hold(false);
        self.ended.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.at);
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, held: &AtomicBool) {
    let mut bytes = [0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        while held.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
