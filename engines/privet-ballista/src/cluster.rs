//! A vault's rows in files that a cluster reads.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crypto_box::SecretKey;
use crypto_box::aead::OsRng;
use datafusion::physical_plan::ExecutionPlan;
use privet::engine::EngineError;
use privet::engine::{Cells, Engine, Opened, Pass, RemoteEngine, Schema, Task};
use privet_datafusion::{DataFusion, Table, Threads};

use crate::cells::CellsExec;
use crate::client::{Client, Reason};
use crate::key::{ClusterKey, Order, Persons};
use crate::{answer, client, part};

/// Pauses between attempts, in seconds.
const PAUSES: [u64; 5] = [1, 2, 4, 8, 8];

/// Files on which a vault can open, read by the executors of a cluster.
///
/// The vault's process is the driver: it plans, gives each attempt a key of its own, adds up what comes
/// back, and draws noise once, after the last attempt. Executors run privet's code over the files and
/// nothing else; they never see the program that asks.
#[derive(Clone, Debug)]
pub struct Ballista {
    scheduler: String,
    key: ClusterKey,
    files: DataFusion,
    deadline: Duration,
    stream: bool,
}

impl Ballista {
    /// Files on a cluster: the URL of its scheduler, the key that its executors have, and the Parquet files, which
    /// must be found under the same names on every machine. `with_partitions` of `files` says into
    /// how many parts the work is divided, at most.
    pub fn new(scheduler: impl Into<String>, key: ClusterKey, files: DataFusion) -> Self {
        Ballista {
            scheduler: scheduler.into(),
            key,
            files,
            deadline: Duration::from_secs(600),
            stream: false,
        }
    }

    /// Reads the files in the vault's own process for what no plan can run: `look_up`, the beginnings and lengths
    /// of texts. Without this, such queries are refused. Which way a query takes depends on the
    /// query alone.
    #[must_use]
    pub fn with_stream(mut self) -> Self {
        self.stream = true;
        self
    }

    /// How long a task may take with all its attempts; ten minutes if this is not called.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }
}

struct Cluster {
    scheduler: String,
    key: ClusterKey,
    deadline: Duration,
    table: Arc<Table>,
    threads: Threads,
}

impl Engine for Ballista {
    fn open(self, schema: &Schema) -> privet::Result<Opened> {
        let failed = EngineError::Failed {
            data: self.files.name().into(),
            reason: "the engine's threads cannot be started",
        };
        let start = |threads| Threads::start(threads).ok_or_else(|| failed.clone());
        let threads = start(2)?;
        let (schema, files) = (schema.clone(), self.files);
        let found = threads.run(async move { files.find(&schema).await });
        let table = Arc::new(found.ok_or_else(|| failed.clone())??);
        // One list of files for both ways.
        let columns = match self.stream {
            true => {
                let readers = start(table.state().config().target_partitions())?;
                Some(Arc::clone(&table).columns(readers))
            }
            false => None,
        };
        let cluster = Box::new(Cluster {
            scheduler: self.scheduler,
            key: self.key,
            deadline: self.deadline,
            table,
            threads,
        });
        Ok(match columns {
            Some(columns) => Opened::TasksAndColumns(cluster, columns),
            None => Opened::Remote(cluster),
        })
    }
}

// PRIVACY: rows are read by executors that run `CellsExec` and nothing else; cells come from a `Worker`, sealed
// to a key of this attempt, and are added up below. The parts of the rows are counted by name, each exactly
// once, whatever was retried. Errors are constants.
#[allow(unsafe_code)]
unsafe impl RemoteEngine for Cluster {
    fn name(&self) -> String {
        self.table.name().into()
    }

    fn run(&self, _: &Pass, task: &Task) -> Result<Cells, EngineError> {
        let stopped = || self.table.failed("the engine stopped");
        let driver = Driver {
            scheduler: self.scheduler.clone(),
            key: self.key.clone(),
            table: Arc::clone(&self.table),
            until: Instant::now() + self.deadline,
            each: self.deadline / 2,
        };
        let task = task.clone();
        let ran = self.threads.run(async move { driver.run(&task).await });
        ran.ok_or_else(stopped)?
    }
}

/// Runs one task.
struct Driver {
    scheduler: String,
    key: ClusterKey,
    table: Arc<Table>,
    until: Instant,
    /// How long one attempt may take: a cluster that hangs is asked once more.
    each: Duration,
}

impl Driver {
    async fn run(&self, task: &Task) -> Result<Cells, EngineError> {
        let place = |column: &privet::engine::SourceColumn| self.table.place(column.name());
        let columns: Option<Vec<usize>> = task.columns().iter().map(place).collect();
        let columns = columns.ok_or_else(|| self.table.failed("it has no such column"))?;
        let person = task.person().and_then(place);
        let mut pauses = PAUSES.iter();
        loop {
            // Each attempt is the whole task, from files that are still the same.
            let scan = self.table.scan(&columns).await?;
            let persons = match person {
                Some(person) => Some(self.table.scan(&[person]).await?),
                None => None,
            };
            let reason = match self.attempt(task, scan, persons).await {
                Ok(cells) => return cells,
                Err(reason) => reason,
            };
            let pause = pauses.next().map(|pause| Duration::from_secs(*pause));
            match pause {
                Some(pause) if Instant::now() + pause < self.until => {
                    tokio::time::sleep(pause).await
                }
                _ => return Err(self.table.failed(reason)),
            }
        }
    }

    /// One attempt: `Err` if another one may succeed.
    async fn attempt(
        &self,
        task: &Task,
        scan: Arc<dyn ExecutionPlan>,
        persons: Option<Arc<dyn ExecutionPlan>>,
    ) -> Result<Result<Cells, EngineError>, Reason> {
        let Some(parts) = part::names(&scan) else {
            return Ok(Err(self.table.failed(
                "it is not a list of Parquet files; use the embedded engine",
            )));
        };
        // PRIVACY: the key of this attempt. It stays here, so that no answer to another one is taken for it.
        let secret = SecretKey::generate(&mut OsRng);
        let (key, reader) = (&self.key, secret.public_key());
        let persons = match persons {
            Some(scan) => {
                let scan = client::written(&scan)?;
                Some(Persons::new(key, &reader, task.order_key(), scan))
            }
            None => None,
        };
        let order = Order::new(key, &reader, parts.clone(), task.encode(), persons);
        let plan = Arc::new(CellsExec::new(Arc::new(order.clone()), scan));
        let plan: Arc<dyn ExecutionPlan> = plan;
        let left = self
            .until
            .saturating_duration_since(Instant::now())
            .min(self.each);
        let mut client =
            Client::connect(&self.scheduler, self.table.state().config().clone()).await?;
        let sealed = client.run(&plan, left).await?;
        let mut answers = Vec::new();
        for sealed in sealed {
            let opened = order.open(&self.key, &secret, &sealed);
            answers.push(opened.ok_or("an answer is not one of the cluster's")?);
        }
        count_once(&parts, &answers)?;
        Ok(self.add_up(&answers))
    }

    fn add_up(&self, answers: &[([u8; 32], Vec<u8>)]) -> Result<Cells, EngineError> {
        let mut total: Option<Cells> = None;
        for (_, bytes) in answers {
            let cells = answer::decode(self.table.name(), bytes)?;
            match &mut total {
                None => total = Some(cells),
                Some(total) => total.merge(&cells)?,
            }
        }
        total.ok_or_else(|| self.table.failed("it has no files"))
    }
}

/// PRIVACY: each part of the rows is in the sum exactly once.
fn count_once(parts: &[[u8; 32]], answers: &[([u8; 32], Vec<u8>)]) -> Result<(), Reason> {
    let mut open: HashMap<&[u8; 32], usize> = HashMap::new();
    for part in parts {
        *open.entry(part).or_default() += 1;
    }
    for (part, _) in answers {
        match open.get_mut(part) {
            Some(count @ 1..) => *count -= 1,
            _ => return Err("an answer came twice, or to what was not asked"),
        }
    }
    match open.values().all(|count| *count == 0) {
        true => Ok(()),
        false => Err("an answer is missing"),
    }
}

#[cfg(test)]
mod tests {
    use super::count_once;

    #[test]
    fn every_part_counts_exactly_once() {
        let parts = [[1; 32], [2; 32], [2; 32]];
        let answers = |names: &[u8]| {
            names
                .iter()
                .map(|name| ([*name; 32], vec![]))
                .collect::<Vec<_>>()
        };
        assert!(count_once(&parts, &answers(&[2, 1, 2])).is_ok());
        for wrong in [
            &[1, 2][..],
            &[1, 2, 2, 2],
            &[1, 1, 2],
            &[1, 2, 3],
            &[1, 2, 2, 3],
            &[],
        ] {
            assert!(count_once(&parts, &answers(wrong)).is_err(), "{wrong:?}");
        }
    }
}
