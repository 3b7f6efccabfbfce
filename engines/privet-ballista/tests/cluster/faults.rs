//! What happens to a cluster while a task runs: the same cells, or a clear error; never a second charge.
//!
//! `PRIVET_CLUSTER_FAULTS=50` adds so many rounds of kills at random moments.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch};
use privet::ledger::Ledger;
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::{Asked, Choices, Loaded};

use crate::harness::{Cluster, Gate, until};
use crate::questions::questions;
use crate::visits::{Visit, write};

/// Enough questions that a task takes a while.
fn many() -> Vec<Asked<Visit>> {
    let seeds = 0..6;
    let all = seeds.flat_map(|seed| questions(&mut Choices::new(seed)));
    all.map(|question| question.asked).collect()
}

/// A cluster, its vault's rows, what is asked, and what memory answers.
struct Case {
    cluster: Cluster,
    gate: Gate,
    read: Loaded<Visit>,
    asked: Vec<Asked<Visit>>,
    memory: Vec<Vec<i128>>,
}

impl Case {
    fn start(seed: u64, rows: usize) -> Self {
        let cluster = Cluster::start(seed, rows, 2);
        let gate = Gate::before(cluster.at);
        let engine = cluster.engine_at(gate.at, cluster.files(), 240);
        let asked = many();
        Case {
            read: Loaded::read::<AddRemove>(engine).unwrap(),
            memory: Loaded::new(cluster.rows.clone()).pass(&asked, true),
            asked,
            cluster,
            gate,
        }
    }

    /// Asks, while `fault` does something; the answer must be right, and right again afterwards.
    fn answers_in_spite_of(&mut self, what: &str, fault: impl FnOnce(&mut Cluster, &Gate)) {
        self.cluster.forget_answers();
        let start = Instant::now();
        let (read, asked) = (&self.read, &self.asked);
        let cells = std::thread::scope(|scope| {
            let answer = scope.spawn(|| read.pass(asked, true));
            fault(&mut self.cluster, &self.gate);
            answer.join().unwrap()
        });
        println!(
            "{what}: answered after {:.1} s",
            start.elapsed().as_secs_f64()
        );
        assert!(cells == self.memory, "{what}: other cells");
        assert!(read.pass(asked, true) == self.memory, "after: {what}");
    }
}

/// Waits until an executor computes, and stops it before it has written an answer. Says whether it did.
fn stop_while_it_runs(cluster: &Cluster, executor: usize) -> bool {
    let process = &cluster.executors[executor];
    let idle = process.processor_time();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if cluster.answered()[executor] > 0 {
            return false;
        }
        // Two hundredths of a second: more than a heartbeat takes.
        if process.processor_time() >= idle + 2 {
            process.signal("-STOP");
            if cluster.answered()[executor] == 0 {
                return true;
            }
            process.signal("-CONT");
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    false
}

#[test]
fn an_executor_is_killed_before_its_task_starts_and_while_the_driver_fetches() {
    let mut case = Case::start(21, 6000);
    // It holds the whole answer, and the driver has not been told yet.
    case.answers_in_spite_of("killed while the driver fetches", |cluster, gate| {
        until("no answer", || cluster.first_to_answer().is_some());
        gate.hold(true);
        until("not all answers", || {
            cluster.answered().iter().sum::<usize>() >= 6
        });
        std::thread::sleep(Duration::from_millis(500));
        let victim = cluster.first_to_answer().unwrap();
        drop(cluster.executors.remove(victim));
        gate.hold(false);
    });
    case.cluster.start_executor();
    case.cluster.executors[1].signal("-STOP");
    case.answers_in_spite_of("killed before its task starts", |cluster, _| {
        std::thread::sleep(Duration::from_millis(100));
        cluster.executors[1].signal("-KILL");
    });
    case.cluster.assert_silent();
}

#[cfg(target_os = "linux")]
#[test]
fn an_executor_is_killed_while_its_task_runs() {
    let mut case = Case::start(22, 120_000);
    let mut hit = false;
    for _ in 0..5 {
        case.answers_in_spite_of("killed while it runs", |cluster, _| {
            hit = stop_while_it_runs(cluster, 0);
            if hit {
                cluster.executors[0].signal("-KILL");
            }
        });
        if hit {
            break;
        }
    }
    assert!(hit, "it always answered before it was stopped");
    case.cluster.assert_silent();
}

#[derive(Record, Clone)]
struct Visited {
    #[privet(person)]
    patient: i64,
}

/// Each executor sweeps over all rows before it answers for some of them.
#[cfg(target_os = "linux")]
#[test]
fn an_executor_is_killed_while_it_ranks_the_rows_of_persons() {
    let mut cluster = Cluster::start(30, 10, 2);
    let directory = cluster.directory.path().join("visited");
    std::fs::create_dir(&directory).unwrap();
    let choices = &mut Choices::new(30);
    let mut all = Vec::new();
    for file in 0..6 {
        let part: Vec<i64> = (0..300_000).map(|_| choices.below(50_000) as i64).collect();
        all.extend(part.iter().map(|patient| Visited { patient: *patient }));
        let column: ArrayRef = Arc::new(Int64Array::from(part));
        let batch = RecordBatch::try_from_iter([("patient", column)]).unwrap();
        write(&directory.join(format!("{file}.parquet")), &batch, 100_000);
    }
    let kept = rows::<Table<Visited, PerPerson>>()
        .bound_contributions::<30>(|v| v.patient)
        .histogram(|v| v.patient.clamp::<0, 2_000>());
    let mut hit = false;
    for order in 0..5 {
        let files = cluster.files_in("visited").with_partitions(6);
        let engine = cluster.engine_at(cluster.at, files, 240);
        // Each order is swept anew.
        let read = Loaded::<Visited>::read::<PerPerson>(engine)
            .unwrap()
            .ordered_by(order);
        let memory = Loaded::new(all.clone()).ordered_by(order).exact(&kept);
        cluster.forget_answers();
        std::thread::scope(|scope| {
            let answer = scope.spawn(|| read.exact(&kept));
            hit = stop_while_it_runs(&cluster, 0);
            if hit {
                cluster.executors[0].signal("-KILL");
            }
            assert!(answer.join().unwrap() == memory, "other cells");
        });
        assert!(read.exact(&kept) == memory, "afterwards");
        if hit {
            break;
        }
    }
    assert!(hit, "it always answered before it was stopped");
    cluster.assert_silent();
}

#[test]
fn an_executor_is_killed_after_it_wrote_an_answer() {
    let mut case = Case::start(23, 60_000);
    case.answers_in_spite_of("killed after it wrote an answer", |cluster, _| {
        until("no answer", || cluster.first_to_answer().is_some());
        let victim = cluster.first_to_answer().unwrap();
        cluster.executors[victim].signal("-KILL");
    });
    case.cluster.assert_silent();
}

#[cfg(target_os = "linux")]
#[test]
fn an_executor_is_stopped_past_its_timeout_and_goes_on() {
    let mut case = Case::start(24, 120_000);
    let mut hit = false;
    for _ in 0..5 {
        // The other one answers only after the scheduler has given the stopped one up.
        case.answers_in_spite_of("stopped while it runs", |cluster, _| {
            hit = stop_while_it_runs(cluster, 0);
        });
        if hit {
            break;
        }
    }
    assert!(hit, "it always answered before it was stopped");
    case.cluster.executors[0].signal("-CONT");
    case.answers_in_spite_of("continued", |_, _| {});
    case.cluster.assert_silent();
}

#[test]
fn a_scheduler_is_killed_and_started_again() {
    let mut case = Case::start(25, 6000);
    case.answers_in_spite_of("the scheduler is killed", |cluster, _| {
        until("no answer", || cluster.first_to_answer().is_some());
        cluster.scheduler = None;
        std::thread::sleep(Duration::from_millis(300));
        cluster.start_scheduler();
    });
    case.cluster.assert_silent();
}

/// A price at which noise is 0 but for a chance of e^-75.
type Exact = Eps<200, 1>;

#[test]
fn a_release_is_charged_once_whatever_happens() {
    let mut cluster = Cluster::start(26, 5000, 2);
    let ledger = Ledger::create(cluster.directory.path().join("ledger")).unwrap();
    let account = ledger
        .create_account("visits", "1000".parse().unwrap())
        .unwrap();
    let spent = || account.balance().unwrap().spent.to_string();
    let count = || rows::<Visit>().count().laplace::<Exact>();
    let vault: Vault<Table<Visit>, Eps<800, 1>> =
        Vault::load_on(&account, cluster.engine(40)).unwrap();

    // An executor dies on the way: one answer, one charge.
    let (sender, asked) = mpsc::channel();
    let (answer, vault) = std::thread::scope(|scope| {
        let release = scope.spawn(move || {
            sender.send(()).unwrap();
            vault.release_as("count", count()).unwrap()
        });
        asked.recv().unwrap();
        std::thread::sleep(Duration::from_millis(30));
        cluster.executors[0].signal("-KILL");
        release.join().unwrap()
    });
    assert_eq!((answer, spent()), (5000, "ε = 200".into()));
    // Asked again by its name: the same answer, no pass, no charge.
    cluster.executors.clear();
    let (again, vault) = vault.release_as("count", count()).unwrap();
    assert_eq!((again, spent()), (5000, "ε = 200".into()));

    // All are dead: one clear error. What was charged stays charged, since a mechanism may have run.
    let (first, rest) = vault.split::<Eps<200, 1>>();
    let dead = first.release_as("sum", count()).unwrap_err().to_string();
    assert!(dead.contains("the cluster"), "{dead}");
    assert!(!dead.contains("5000"), "{dead}");
    assert_eq!(spent(), "ε = 400");

    // The cluster is there again: the vault goes on.
    cluster.start_executor();
    cluster.start_executor();
    let (answer, _) = rest.release_as("later", count()).unwrap();
    assert_eq!((answer, spent()), (5000, "ε = 600".into()));
    cluster.assert_silent();
}

/// Blocks and texts, with a kill in the middle: right, and paid for once.
#[test]
fn blocks_and_texts_are_charged_once_whatever_happens() {
    type Price = Approx<Exact, Delta<1, 6>>;
    type Budget = Approx<Eps<800, 1>, Delta<8, 6>>;
    let mut cluster = Cluster::start(29, 30_000, 2);
    let ledger = Ledger::create(cluster.directory.path().join("ledger")).unwrap();
    let account = ledger
        .create_account("visits", "eps = 800, delta = 0.000008".parse().unwrap())
        .unwrap();
    let spent = || account.balance().unwrap().spent.to_string();
    let vault: Vault<Table<Visit>, Budget> = Vault::load_on(&account, cluster.engine(120)).unwrap();
    let wards = || {
        let blocks = rows::<Visit>().group_by(|v| v.ward);
        blocks.each(|_| rows::<Visit>().count().laplace::<Exact>())
    };
    let cities = || rows::<Visit>().frequent_keys::<Price, _>(|v| v.city);
    let killing = |cluster: &mut Cluster, wait: u64| {
        std::thread::sleep(Duration::from_millis(wait));
        drop(cluster.executors.remove(0));
        cluster.start_executor();
    };
    let (counts, vault) = std::thread::scope(|scope| {
        let release = scope.spawn(move || vault.release_as("wards", wards()).unwrap());
        killing(&mut cluster, 30);
        release.join().unwrap()
    });
    let of = |ward: usize| {
        cluster
            .rows
            .iter()
            .filter(|v| v.ward as usize == ward)
            .count()
    };
    assert_eq!(counts, [0, 1, 2].map(|ward| of(ward) as i64));
    assert_eq!(spent(), "ε = 200, δ = 0");
    let (texts, _) = std::thread::scope(|scope| {
        let release = scope.spawn(move || vault.release_as("cities", cities()).unwrap());
        killing(&mut cluster, 30);
        release.join().unwrap()
    });
    for (text, count) in &texts {
        let its = cluster.rows.iter().filter(|v| v.city == *text);
        assert_eq!(*count, its.count() as i64);
    }
    assert_eq!(texts.len(), 4);
    assert_eq!(spent(), "ε = 400, δ = 1e-6");
    cluster.assert_silent();
}

#[test]
fn a_stranger_and_a_changed_file_are_clear_errors() {
    let cluster = Cluster::start(27, 5000, 1);
    let vault: Vault<Table<Visit>, Eps<1, 1>> = Vault::load(cluster.engine(60)).unwrap();
    // Not the cluster's key.
    let stranger = privet_ballista::Ballista::new(
        format!("http://{}", cluster.at),
        privet_ballista::ClusterKey::draw(),
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
    let path = cluster.directory.path().join("visits/0.parquet");
    let bytes = std::fs::read(&path).unwrap();
    // Damaged within, but for its footer.
    let mut damaged = bytes.clone();
    let length = damaged.len();
    damaged[4..length * 3 / 4].fill(0xff);
    std::fs::write(&path, &damaged).unwrap();
    let unread = Loaded::<Visit>::read::<AddRemove>(cluster.engine(4))
        .unwrap_err()
        .to_string();
    // The failure came as a sealed answer: the scheduler was told of none.
    let sealed = "an executor could not run the task";
    assert!(unread.contains(sealed), "{unread}");
    // Truncated: its footer is gone, and it is not what it was.
    std::fs::write(&path, &bytes[..length / 2]).unwrap();
    let cut = Loaded::<Visit>::read::<AddRemove>(cluster.engine(4))
        .unwrap_err()
        .to_string();
    assert!(cut.contains("cannot be read"), "{cut}");
    let count = rows::<Visit>().count().laplace::<Eps<1, 1>>();
    let changed = vault.release(count).unwrap_err().to_string();
    assert!(
        changed.contains("is not what it was when the vault opened"),
        "{changed}"
    );
    for error in [refused, unread, cut, changed] {
        assert!(
            !error.contains("Basel") && !error.contains("5000"),
            "{error}"
        );
    }
    cluster.assert_silent();
}

#[test]
fn kills_at_random_moments() {
    let rounds = std::env::var("PRIVET_CLUSTER_FAULTS");
    let rounds: usize = rounds.map_or(0, |rounds| rounds.parse().unwrap());
    if rounds == 0 {
        return;
    }
    let mut case = Case::start(28, 30_000);
    let choices = &mut Choices::new(1);
    for round in 0..rounds {
        let (wait, victim) = (choices.below(400), choices.below(2));
        let scheduler = choices.below(5) == 0;
        case.answers_in_spite_of(&format!("round {round}, {wait} ms"), |cluster, _| {
            std::thread::sleep(Duration::from_millis(wait as u64));
            if scheduler {
                cluster.scheduler = None;
                cluster.start_scheduler();
            } else {
                drop(cluster.executors.remove(victim));
            }
        });
        while case.cluster.executors.len() < 2 {
            case.cluster.start_executor();
        }
    }
    case.cluster.assert_silent();
}
