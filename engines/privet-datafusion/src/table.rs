//! A vault's rows in a table of DataFusion's.

use std::sync::{Arc, Mutex};

use datafusion::arrow::array::RecordBatch;
use datafusion::catalog::TableProvider;
use datafusion::datasource::listing::ListingTable;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::SessionState;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use futures::StreamExt;
use privet::engine::EngineError;
use privet::engine::{ColumnSource, Engine, Opened, Pass, Schema, Sink};

use crate::arrays::with_batch;
use crate::pin::Pins;
use crate::threads::{Threads, wait};
use crate::{columns, listing, provider, scan};

/// Batches that wait between the engine and the thread that computes with them.
const WAITING: usize = 2;

/// A table of DataFusion's, on which a vault can open: `Vault::open_on_engine(DataFusion::table(..))`.
///
/// A `ListingTable` over Parquet, CSV, JSON or Arrow files on a disk or in an object store, or a `MemTable`:
/// what a `SessionContext` gives for files and batches that were registered in it. Of any other
/// [`TableProvider`], its maker says what each pass reads: [`table_of`](DataFusion::table_of).
#[derive(Clone)]
pub struct DataFusion {
    name: String,
    table: Found,
    runtime: Arc<RuntimeEnv>,
    partitions: usize,
}

#[derive(Clone)]
enum Found {
    /// To be looked at.
    Table(Arc<dyn TableProvider>),
    Promised(Arc<dyn TableProvider>),
    Parquet(String),
}

impl core::fmt::Debug for DataFusion {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "DataFusion({})", self.name)
    }
}

impl DataFusion {
    fn new(name: String, table: Found) -> Self {
        let threads = std::thread::available_parallelism();
        DataFusion {
            name,
            table,
            runtime: Arc::default(),
            partitions: threads.map_or(1, usize::from),
        }
    }

    /// A table whose rows are in files or in memory. Messages call it `name`.
    ///
    /// Of a table in memory the vault has the rows that are there when it opens. Every file at the paths of a
    /// `ListingTable` must be one that it reads, in directories below as well, except for names with `_` or `.`
    /// in front. Each Parquet file must have the record's columns.
    ///
    /// Any other table is refused when the vault opens: see [`table_of`](DataFusion::table_of).
    pub fn table(name: impl Into<String>, table: Arc<dyn TableProvider>) -> Self {
        DataFusion::new(name.into(), Found::Table(table))
    }

    /// A table of any kind, also one of your own.
    ///
    /// # Safety
    ///
    /// Whoever made the table promises what a [`ColumnSource`] does: its scans give the same rows in every pass,
    /// each in the same partition, all of them, to nobody else.
    #[allow(unsafe_code)] // PRIVACY: declares the obligation above; contains no unsafe operation.
    pub unsafe fn table_of(name: impl Into<String>, table: Arc<dyn TableProvider>) -> Self {
        DataFusion::new(name.into(), Found::Promised(table))
    }

    /// Parquet files: one, or all those of a directory and below, by a path or by the URL of an object store.
    pub fn parquet(path: impl Into<String>) -> Self {
        let path = path.into();
        DataFusion::new(path.clone(), Found::Parquet(path))
    }

    /// The runtime whose object stores are read. Who has it can read them as well, and could put another
    /// store in their place: share it with nobody who may not see the rows.
    #[must_use]
    pub fn with_runtime(mut self, runtime: Arc<RuntimeEnv>) -> Self {
        self.runtime = runtime;
        self
    }

    /// Into how many partitions files are divided, at most; as many as there are processors if this is
    /// not called. Answers do not depend on it.
    #[must_use]
    pub fn with_partitions(mut self, partitions: usize) -> Self {
        self.partitions = partitions.max(1);
        self
    }

    /// What messages call the table.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table, with the places of the record's columns in it, for an engine like this one.
    ///
    /// # Errors
    ///
    /// If there is no such table, or it does not have the columns.
    pub async fn find(self, schema: &Schema) -> Result<Table, EngineError> {
        let state = SessionStateBuilder::new()
            .with_config(scan::session(self.partitions))
            .with_runtime_env(Arc::clone(&self.runtime))
            .with_default_features()
            .build();
        let failed = |reason| EngineError::Failed {
            data: self.name.clone(),
            reason,
        };
        let table = match self.table {
            Found::Table(table) => provider::known(table).await.map_err(failed)?,
            Found::Promised(table) => table,
            Found::Parquet(ref path) => listing::parquet(&state, path)
                .await
                .ok_or_else(|| failed("there are no Parquet files, or they cannot be read"))?,
        };
        let places = columns::places(&self.name, schema.columns(), &table.schema())?;
        let plan = scan::scan(&state, table.as_ref(), &places)
            .await
            .map_err(failed)?;
        if let Some(files) = table.downcast_ref::<ListingTable>() {
            listing::check(&state, files, &plan, schema).await?;
        }
        let pins = scan::files(&plan).map(|(store, groups)| Pins::new(store, groups));
        Ok(Table {
            name: self.name,
            state,
            partitions: plan.output_partitioning().partition_count(),
            layout: scan::layout(&plan),
            names: schema
                .columns()
                .iter()
                .map(|column| column.name().to_owned())
                .collect(),
            table,
            places,
            pins,
        })
    }
}

/// A table whose columns were found.
pub struct Table {
    name: String,
    state: SessionState,
    table: Arc<dyn TableProvider>,
    names: Vec<String>,
    /// For each column of the record, its place in the table.
    places: Vec<usize>,
    partitions: usize,
    /// What each of them reads, where the rows are in files.
    layout: Option<scan::Layout>,
    /// Where the rows are in files.
    pins: Option<Pins>,
}

impl core::fmt::Debug for Table {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Table({})", self.name)
    }
}

impl Table {
    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The session in which it is scanned.
    #[must_use]
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// An error with a reason that quotes nothing.
    #[must_use]
    pub fn failed(&self, reason: &'static str) -> EngineError {
        EngineError::Failed {
            data: self.name.clone(),
            reason,
        }
    }

    /// The place of a column of the record, by its name.
    #[must_use]
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// The plan of a pass over some columns of the record, in this order: see [`scan`](crate::scan).
    ///
    /// # Errors
    ///
    /// If the table cannot be scanned, or not as it was when the vault opened.
    pub async fn scan(&self, columns: &[usize]) -> Result<Arc<dyn ExecutionPlan>, EngineError> {
        let mut places = Vec::new();
        for column in columns {
            let place = self.places.get(*column);
            places.push(*place.ok_or_else(|| self.failed("it has no such column"))?);
        }
        // PRIVACY: rows are counted as they are read. A scan of no columns would be answered from a footer.
        if places.is_empty() {
            places.extend(self.places.first());
        }
        let plan = scan::scan(&self.state, self.table.as_ref(), &places)
            .await
            .map_err(|reason| self.failed(reason))?;
        let count = plan.output_partitioning().partition_count();
        if count != self.partitions || scan::layout(&plan) != self.layout {
            return Err(self.changed());
        }
        self.unchanged(&plan, None).await?;
        Ok(plan)
    }

    /// Whether the files of a partition, or all of them, are what they were when the vault opened.
    ///
    /// # Errors
    ///
    /// If not.
    pub async fn unchanged(
        &self,
        plan: &Arc<dyn ExecutionPlan>,
        partition: Option<usize>,
    ) -> Result<(), EngineError> {
        let Some(pins) = &self.pins else {
            return Ok(());
        };
        let Some((_, groups)) = scan::files(plan) else {
            return Err(self.changed());
        };
        let group = partition.and_then(|partition| groups.get(partition));
        match pins.hold(self.state.runtime_env(), group).await {
            true => Ok(()),
            false => Err(self.changed()),
        }
    }

    fn changed(&self) -> EngineError {
        EngineError::Changed {
            data: self.name.clone(),
        }
    }
}

/// A scan, and which columns it reads.
type Planned = (Vec<usize>, Arc<dyn ExecutionPlan>);

/// The embedded engine: scans on threads of its own, computes on the core's.
struct Embedded {
    table: Arc<Table>,
    /// The scan of the latest pass.
    latest: Mutex<Option<Planned>>,
    threads: Threads,
}

impl Engine for DataFusion {
    fn open(self, schema: &Schema) -> privet::Result<Opened> {
        let failed = EngineError::Failed {
            data: self.name.clone(),
            reason: "the engine's threads cannot be started",
        };
        let threads = Threads::start(self.partitions).ok_or_else(|| failed.clone())?;
        let schema = schema.clone();
        let found = threads.run(async move { self.find(&schema).await });
        let table = Arc::new(found.ok_or(failed)??);
        Ok(Opened::Columns(table.columns(threads)))
    }
}

impl Table {
    /// The table as the embedded engine reads it, by these threads.
    #[must_use]
    pub fn columns(self: Arc<Self>, threads: Threads) -> Box<dyn ColumnSource> {
        Box::new(Embedded {
            table: self,
            latest: Mutex::new(None),
            threads,
        })
    }
}

/// What the engine sends to the thread that computes.
enum Sent {
    Rows(RecordBatch),
    /// All rows were sent, and the files are still the same.
    Done,
}

impl Embedded {
    fn plan(&self, columns: &[usize]) -> Result<Arc<dyn ExecutionPlan>, EngineError> {
        let mut latest = match self.latest.lock() {
            Ok(latest) => latest,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some((read, plan)) = latest.as_ref()
            && read == columns
        {
            return Ok(Arc::clone(plan));
        }
        let (table, wanted) = (Arc::clone(&self.table), columns.to_vec());
        let plan = self.threads.run(async move { table.scan(&wanted).await });
        let plan = plan.ok_or_else(|| self.table.failed("the engine stopped"))??;
        *latest = Some((columns.to_vec(), Arc::clone(&plan)));
        Ok(plan)
    }
}

// PRIVACY: every pass runs the same scan of all rows, see `scan`: a partition is a list of pinned files and
// ranges, or what the table's maker answers for. Rows go to `sink` and nowhere else; errors are
// replaced by constants. Values are not looked at here.
#[allow(unsafe_code)]
unsafe impl ColumnSource for Embedded {
    fn name(&self) -> String {
        self.table.name.clone()
    }

    fn partitions(&self) -> usize {
        self.table.partitions
    }

    fn read(
        &self,
        _: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let stopped = || self.table.failed("the engine stopped");
        let plan = self.plan(columns)?;
        let (sender, mut receiver) = tokio::sync::mpsc::channel(WAITING);
        let table = Arc::clone(&self.table);
        // It ends by itself once nobody receives.
        self.threads.spawn(async move {
            let read = async {
                table.unchanged(&plan, Some(partition)).await?;
                let unread = |_| table.failed("the engine cannot read it");
                let context = table.state.task_ctx();
                let mut rows = plan.execute(partition, context).map_err(unread)?;
                while let Some(batch) = rows.next().await {
                    if sender
                        .send(Ok(Sent::Rows(batch.map_err(unread)?)))
                        .await
                        .is_err()
                    {
                        return Ok(());
                    }
                }
                table.unchanged(&plan, Some(partition)).await
            };
            let end = read.await.map(|()| Sent::Done);
            // Nobody receives after an error of the sink.
            let _ = sender.send(end).await;
        });
        loop {
            match wait(receiver.recv()).ok_or_else(stopped)?? {
                Sent::Done => return Ok(()),
                Sent::Rows(batch) => {
                    let batch = match columns.is_empty() {
                        true => batch.project(&[]).map_err(|_| stopped())?,
                        false => batch,
                    };
                    let read = with_batch(&batch, |batch| sink(batch));
                    read.ok_or_else(|| self.table.failed("it has a type that no field has"))??;
                }
            }
        }
    }
}
