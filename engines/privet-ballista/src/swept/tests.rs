//! Ranks on an executor: swept once, forgotten after a while, and silent about values.

use std::fs::File;
use std::path::Path;

use crypto_box::SecretKey;
use crypto_box::aead::OsRng;
use datafusion::arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::physical_plan::ExecutionPlanProperties;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use privet::Simulation;
use privet::engine::{Cells, Engine, EngineError, Opened, Pass, RemoteEngine, Schema};
use privet::prelude::*;
use privet::query::PerPerson;

use super::*;
use crate::cells::CellsExec;
use crate::client::written;
use crate::key::{ClusterKey, Order, Persons};

#[derive(Record, Clone)]
struct Visit {
    #[privet(person)]
    patient: i64,
}

/// Keeps the last task that a driver sends.
struct Capture(Arc<Mutex<Option<Task>>>);

// SAFETY: no rows at all.
#[allow(unsafe_code)]
unsafe impl RemoteEngine for Capture {
    fn name(&self) -> String {
        "capture".into()
    }
    fn run(&self, _: &Pass, task: &Task) -> Result<Cells, EngineError> {
        *self.0.lock().unwrap() = Some(task.clone());
        #[allow(unsafe_code)]
        unsafe { task.worker() }.finish()
    }
}

impl Engine for Capture {
    fn open(self, _: &Schema) -> privet::Result<Opened> {
        Ok(Opened::Remote(Box::new(self)))
    }
}

/// A task that keeps two rows of each person.
fn task() -> Task {
    let task = Arc::new(Mutex::new(None));
    let engine = Capture(Arc::clone(&task));
    let mut vault = Simulation::<Table<Visit, PerPerson>>::of_public(engine, 1).unwrap();
    let kept = rows::<Table<Visit, PerPerson>>().bound_contributions::<2>(|v| v.patient);
    // Without ranks there is no answer.
    assert!(vault.run(&kept.count().laplace::<Eps<1, 1>>()).is_err());
    task.lock().unwrap().take().unwrap()
}

type Scan = Arc<dyn ExecutionPlan>;

/// Files of some persons each, and a scan of them, a part for each file.
async fn scan_of(directory: &Path, files: &[Vec<Option<i64>>]) -> (SessionContext, Scan) {
    std::fs::create_dir_all(directory).unwrap();
    for (place, persons) in files.iter().enumerate() {
        let column: ArrayRef = Arc::new(Int64Array::from(persons.clone()));
        let batch = RecordBatch::try_from_iter_with_nullable([("patient", column, true)]).unwrap();
        let file = File::create(directory.join(format!("{place}.parquet"))).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }
    let context = SessionContext::new_with_config(scan::session(files.len()));
    let path = format!("{}/", directory.display());
    let told = ParquetReadOptions::default();
    context.register_parquet("t", path, told).await.unwrap();
    let table = context.table_provider("t").await.unwrap();
    let scan = scan::scan(&context.state(), table.as_ref(), &[0]).await;
    let scan = scan.unwrap();
    assert_eq!(scan.output_partitioning().partition_count(), files.len());
    (context, scan)
}

fn some_files() -> Vec<Vec<Option<i64>>> {
    let persons = |file: i64| (0..500).map(move |row| Some((row * row + file) % 37));
    (0..3).map(|file| persons(file).collect()).collect()
}

fn in_runtime<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime.unwrap().block_on(work)
}

#[test]
fn those_who_ask_at_once_and_later_share_a_sweep() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let (context, scan) = scan_of(directory.path(), &some_files()).await;
        let (bytes, task) = (written(&scan).unwrap(), task());
        let swept: Arc<Swept> = Arc::default();
        let ask = |key: u8, part: usize| {
            let (swept, bytes, task) = (Arc::clone(&swept), bytes.clone(), task.clone());
            let context = context.task_ctx();
            async move {
                swept
                    .ranks(&task, ([key; 16], &bytes), (part, 3), &context)
                    .await
            }
        };
        let all: Vec<_> = (0..12).map(|n| tokio::spawn(ask(7, n % 3))).collect();
        for one in all {
            assert!(one.await.unwrap().is_ok());
        }
        assert_eq!(swept.tables().all.len(), 1);
        // No file is needed for those, and another order needs them.
        std::fs::remove_dir_all(directory.path()).unwrap();
        assert_eq!(ask(7, 2).await.map(|ranks| ranks.size()), Ok(4 * 1024));
        assert!(matches!(ask(8, 2).await, Err(Unranked::Plain(_))));
    });
}

#[test]
fn a_scan_of_other_parts_or_of_none_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let (context, scan) = scan_of(directory.path(), &some_files()).await;
        let (bytes, task, swept) = (written(&scan).unwrap(), task(), Arc::<Swept>::default());
        let context = context.task_ctx();
        for (bytes, of) in [
            (&bytes[..], (0, 2)),
            (&bytes, (3, 3)),
            (b"", (0, 3)),
            (b"x", (0, 3)),
        ] {
            let refused = swept.ranks(&task, ([7; 16], bytes), of, &context).await;
            assert!(matches!(refused, Err(Unranked::Plain(_))), "{of:?}");
        }
    });
}

#[test]
fn ranks_are_forgotten_after_a_while_or_when_there_are_too_many() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let (context, scan) = scan_of(directory.path(), &some_files()).await;
        let (bytes, task) = (written(&scan).unwrap(), task());
        let context = context.task_ctx();
        let few = Arc::new(Swept::new(KEPT, 4 * 1024 * 7));
        for key in 0..5 {
            let ranks = few
                .ranks(&task, ([key; 16], &bytes), (0, 3), &context)
                .await;
            assert!(ranks.is_ok());
            // Three parts of one chunk each: two orders are kept.
            assert_eq!(few.tables().all.len(), usize::from(key).min(1) + 1);
        }
        let short = Arc::new(Swept::new(Duration::from_millis(200), MOST));
        let ranks = short
            .ranks(&task, ([1; 16], &bytes), (0, 3), &context)
            .await;
        assert!(ranks.is_ok());
        let done = || {
            let tables = short.tables();
            tables.all.is_empty() && !tables.watched
        };
        let start = Instant::now();
        while !done() {
            assert!(start.elapsed() < Duration::from_secs(60), "they are kept");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // And swept again.
        let again = short
            .ranks(&task, ([1; 16], &bytes), (0, 3), &context)
            .await;
        assert!(again.is_ok());
    });
}

/// Runs an order over a part; how many bytes its answer has, and what it says.
async fn answered(
    context: &SessionContext,
    scan: &Scan,
    files: usize,
) -> Result<(usize, Result<Cells, EngineError>), String> {
    let (key, secret) = (ClusterKey::draw(), SecretKey::generate(&mut OsRng));
    let (reader, task) = (secret.public_key(), task());
    let persons = Persons::new(&key, &reader, task.order_key(), written(scan).unwrap());
    let parts = part::names(scan).unwrap();
    assert_eq!(parts.len(), files);
    let order = Order::new(&key, &reader, parts, task.encode(), Some(persons));
    let order = Order::decode(&order.encode()).unwrap();
    let cells = CellsExec::new(Arc::new(order.clone()), Arc::clone(scan));
    let cells = cells.permitted(&key, &Arc::default()).unwrap();
    let mut rows = cells.execute(0, context.task_ctx()).unwrap();
    let batch = rows.next().await.unwrap();
    let batch = batch.map_err(|error| error.to_string())?;
    let sealed = batch.column(3).as_binary::<i32>().value(0).to_vec();
    let (_, answer) = order.open(&key, &secret, &sealed).unwrap();
    Ok((sealed.len(), crate::answer::decode("data", &answer)))
}

/// A person who is missing, in a part that another task reads.
#[test]
fn a_sweep_that_fails_by_a_value_looks_like_one_that_does_not() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let mut sizes = Vec::new();
        for (name, last) in [("whole", Some(7)), ("hole", None)] {
            let files = vec![vec![Some(1), Some(1), Some(2)], vec![Some(2), last]];
            let (context, scan) = scan_of(&directory.path().join(name), &files).await;
            let (size, answer) = answered(&context, &scan, 2).await.unwrap();
            assert_eq!(answer.is_ok(), last.is_some());
            sizes.push(size);
        }
        assert_eq!(sizes[0], sizes[1]);
    });
}

/// Files that changed are no secret: the order fails, and may be given again.
#[test]
fn a_file_that_changed_ends_the_order() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let (context, scan) = scan_of(directory.path(), &some_files()).await;
        assert!(answered(&context, &scan, 3).await.unwrap().1.is_ok());
        let other = directory.path().join("2.parquet");
        std::fs::write(&other, b"no longer what it was").unwrap();
        let refused = answered(&context, &scan, 3).await.unwrap_err();
        assert!(
            refused.contains("not the one that was asked for"),
            "{refused}"
        );
    });
}
