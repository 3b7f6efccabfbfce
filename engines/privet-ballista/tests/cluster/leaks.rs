//! What a cluster writes and says while it works holds no value of a row and no exact cell.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ballista_core::extension::SessionStateExt;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{GetJobMetricsParams, GetJobStatusParams};
use datafusion::execution::context::SessionState;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::{Asked, Choices, Loaded};

use crate::harness::{Cluster, Gate, answers, until};
use crate::visits::{Visit, visits};

const TEXT: &str = "Geheimrat-731377";
const WHOLE: i64 = 0x5EC2_E7D1_A905;
const REAL: f64 = 731_377.515_625;

/// Rows that can be recognised, in odd numbers.
fn rows_to_find() -> Vec<Visit> {
    let mut all = visits(&mut Choices::new(41), 7919);
    for row in &mut all {
        row.born = Some(TEXT.into());
        row.age = WHOLE;
        row.bill = REAL;
    }
    all
}

fn asked() -> Vec<Asked<Visit>> {
    let all = rows::<Visit>;
    let of_each = || rows::<Table<Visit, PerPerson>>().bound_contributions::<150>(|v| v.patient);
    vec![
        Asked::new(&all().count()),
        Asked::new(&all().sum(|v| v.age.clamp::<0, 2_251_799_813_685_248>())),
        Asked::new(&all().sum(|v| v.bill.grid::<64>().clamp::<0, 1_000_000>())),
        Asked::new(&all().histogram(|v| v.ward)),
        Asked::new(&all().sum(|v| v.days.clamp::<0, 30>())),
        Asked::new(&of_each().count()),
        Asked::new(&of_each().sum(|v| v.short.clamp::<0, 50>())),
        Asked::new(&all().vector_sum(|v| v.place.clip_l2::<1>())),
    ]
}

/// What must not be found, and why it would be bad.
fn secrets(rows: &[Visit], cells: &[Vec<i128>]) -> Vec<(String, Vec<u8>)> {
    let mut all = vec![
        ("a text".into(), TEXT.as_bytes().to_vec()),
        ("an integer".into(), WHOLE.to_le_bytes().to_vec()),
        ("an integer, written".into(), WHOLE.to_string().into_bytes()),
        ("a real".into(), REAL.to_le_bytes().to_vec()),
        ("a real, written".into(), REAL.to_string().into_bytes()),
    ];
    // Of all rows, and of the rows of one file, which is one answer. Small numbers are in every file.
    let part = Loaded::new(rows.iter().take(rows.len().div_ceil(6)).cloned());
    let parts = part.pass(&asked(), false);
    for cell in cells.iter().chain(&parts).flatten().filter(|c| **c > 500) {
        all.push((format!("the cell {cell}"), cell.to_le_bytes().to_vec()));
        all.push((format!("the cell {cell}, written"), cell.to_string().into()));
    }
    all
}

/// A number that is written counts if it stands alone: ports and identifiers have digits as well.
fn found(bytes: &[u8], secrets: &[(String, Vec<u8>)]) -> Option<String> {
    let part = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'-');
    let holds = |secret: &[u8]| {
        let number = secret.iter().all(u8::is_ascii_digit);
        let mut places = bytes.windows(secret.len()).enumerate();
        places.any(|(place, window)| {
            let before = place.checked_sub(1).and_then(|place| bytes.get(place));
            let within = part(before) || part(bytes.get(place + secret.len()));
            window == secret && !(number && within)
        })
    };
    let mut secrets = secrets.iter();
    secrets
        .find(|(_, secret)| holds(secret))
        .map(|(why, _)| why.clone())
}

/// Every state in which a file of these directories was seen.
fn watch(directories: &[PathBuf], done: &AtomicBool) -> HashMap<(PathBuf, u64), Vec<u8>> {
    let mut seen = HashMap::new();
    let start = Instant::now();
    while !done.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(120) {
        for path in directories.iter().flat_map(|directory| answers(directory)) {
            let Ok(about) = path.metadata() else { continue };
            if seen.contains_key(&(path.clone(), about.len())) {
                continue;
            }
            if let Ok(bytes) = std::fs::read(&path) {
                seen.insert((path, bytes.len() as u64), bytes);
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    seen
}

/// What the scheduler says of a job to anyone who asks.
fn told(cluster: &Cluster, job: &str) -> String {
    let url = format!("http://{}", cluster.at);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut scheduler = SchedulerGrpcClient::connect(url).await.unwrap();
        let status = GetJobStatusParams { job_id: job.into() };
        let metrics = GetJobMetricsParams { job_id: job.into() };
        let status = scheduler.get_job_status(status).await.unwrap();
        let metrics = scheduler.get_job_metrics(metrics).await;
        format!("{status:?} {metrics:?}")
    })
}

/// The job of an executor's answers: the first directory in its own.
fn job(work: &Path) -> Option<String> {
    let path = answers(work).into_iter().next()?;
    let below = path.strip_prefix(work).ok()?.to_path_buf();
    Some(below.iter().next()?.to_str()?.to_owned())
}

#[test]
fn nothing_that_a_cluster_writes_or_says_holds_a_value_or_a_cell() {
    let cluster = Cluster::of(rows_to_find(), 2);
    let memory = Loaded::new(cluster.rows.clone()).pass(&asked(), false);
    let secrets = secrets(&cluster.rows, &memory);
    let gate = Gate::before(cluster.at);
    let read: Loaded<Visit> =
        Loaded::read::<AddRemove>(cluster.engine_at(gate.at, cluster.files(), 120)).unwrap();
    let works: Vec<PathBuf> = cluster.executors.iter().map(|e| e.work.clone()).collect();

    let done = AtomicBool::new(false);
    let (seen, said) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(&works, &done));
        let answer = scope.spawn(|| read.pass(&asked(), true));
        // While the driver does not know that the job is done, it is not cleaned up.
        until("no answer", || cluster.first_to_answer().is_some());
        gate.hold(true);
        until("not all answers", || {
            cluster.answered().iter().sum::<usize>() >= 6
        });
        std::thread::sleep(Duration::from_millis(500));
        let job = works.iter().find_map(|work| job(work)).expect("a job");
        let said = told(&cluster, &job);
        gate.hold(false);
        assert_eq!(answer.join().unwrap(), memory);
        done.store(true, Ordering::Relaxed);
        (watcher.join().unwrap(), said)
    });
    assert!(seen.len() >= 6, "{} files were seen", seen.len());
    for ((path, size), bytes) in &seen {
        assert_eq!(
            found(bytes, &secrets),
            None,
            "in {size} bytes of {}",
            path.display()
        );
    }
    // The scheduler knows the job, and neither its rows nor what a scan says of itself.
    assert!(said.contains("Successful"), "{said}");
    assert_eq!(found(said.as_bytes(), &secrets), None, "{said}");
    assert!(!said.contains("output_rows"), "{said}");
    // The search finds what is there: the same cells, as they would be without a seal.
    let unsealed: Vec<u8> = memory
        .iter()
        .flatten()
        .flat_map(|c| c.to_le_bytes())
        .collect();
    assert!(found(&unsealed, &secrets).is_some());
    assert!(found(format!("Found {TEXT}").as_bytes(), &secrets).is_some());

    // Directories are for their owner alone, and answers are removed.
    for work in &works {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(work).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
        until("answers were left behind", || answers(work).is_empty());
    }
    cluster.assert_silent();
}

/// Texts that are not public come back with their counts: sealed, and in pieces of a length that says little.
#[test]
fn texts_on_their_way_are_in_no_file() {
    type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
    let cluster = Cluster::of(rows_to_find(), 2);
    let gate = Gate::before(cluster.at);
    let engine = cluster.engine_at(gate.at, cluster.files(), 120);
    let vault: Vault<Table<Visit>, Price> = Vault::load(engine).unwrap();
    let secrets = secrets(&cluster.rows, &[vec![cluster.rows.len() as i128]]);
    let works: Vec<PathBuf> = cluster.executors.iter().map(|e| e.work.clone()).collect();
    let born = || rows::<Visit>().frequent_keys::<Price, _>(|v| v.born);
    until("answers were left behind", || {
        works.iter().all(|work| answers(work).is_empty())
    });
    let done = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(&works, &done));
        let release = scope.spawn(|| vault.release(born()).unwrap().0);
        until("no answer", || cluster.first_to_answer().is_some());
        gate.hold(true);
        until("not all answers", || {
            cluster.answered().iter().sum::<usize>() >= 6
        });
        std::thread::sleep(Duration::from_millis(300));
        gate.hold(false);
        let texts = release.join().unwrap();
        assert!(texts.len() == 1 && texts.contains_key(TEXT), "{texts:?}");
        done.store(true, Ordering::Relaxed);
        watcher.join().unwrap()
    });
    assert!(seen.len() >= 6, "{} files were seen", seen.len());
    for ((path, size), bytes) in &seen {
        let found = found(bytes, &secrets);
        assert_eq!(found, None, "in {size} bytes of {}", path.display());
    }
    cluster.assert_silent();
}

/// Somebody who reaches the scheduler, and knows where the files are.
#[test]
fn a_stranger_gets_no_rows_and_no_statistics() {
    let cluster = Cluster::of(rows_to_find(), 1);
    let url = format!("http://{}", cluster.at);
    let visits = cluster.directory.path().join("visits");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()
        .unwrap();
    let ask = |statement: &str| {
        let answer = async {
            let state = SessionState::new_ballista_state(url.clone()).unwrap();
            let context = SessionContext::new_with_state(state);
            let options = ParquetReadOptions::default();
            let path = format!("{}/", visits.display());
            context.register_parquet("t", &path, options).await.unwrap();
            context.sql(statement).await?.collect().await
        };
        let answer = runtime.block_on(async {
            let late = tokio::time::timeout(Duration::from_secs(60), answer);
            late.await.expect("an answer within a minute")
        });
        format!("{answer:?}")
    };
    for statement in [
        "SELECT count(*) FROM t",
        "SELECT max(bill), sum(age) FROM t",
        "SELECT born FROM t LIMIT 1",
        "EXPLAIN SELECT count(*), max(bill) FROM t",
        "EXPLAIN ANALYZE SELECT count(*) FROM t WHERE age > 3",
    ] {
        let told = ask(statement);
        assert!(told.starts_with("Err"), "{statement}: {told}");
        for secret in [TEXT, &WHOLE.to_string(), &REAL.to_string(), "7919"] {
            assert!(!told.contains(secret), "{statement}: {told}");
        }
    }
    // The cluster still works for who has its key.
    let read: Loaded<Visit> = Loaded::read::<AddRemove>(cluster.engine(120)).unwrap();
    let memory = Loaded::new(cluster.rows.clone()).pass(&asked(), false);
    assert_eq!(read.pass(&asked(), true), memory);
    cluster.assert_silent();
}
