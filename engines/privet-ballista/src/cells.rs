//! The one operator that executors run: a task over each partition of a scan, sealed.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};

use datafusion::arrow::array::{
    ArrayRef, BinaryArray, FixedSizeBinaryArray, RecordBatch, UInt32Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, exec_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning,
    PlanProperties, SendableRecordBatchStream,
};
use futures::{FutureExt, StreamExt};
use privet::engine::EngineError;
use privet::engine::{Cells, Ranks, Task, Worker};
use privet_datafusion::scan::{self, files, is_parquet, reads_all};
use privet_datafusion::{Pins, with_batch};

use crate::key::{ClusterKey, Order};
use crate::swept::{Swept, Unranked};
use crate::{answer, part};

/// Answers travel in pieces of so many bytes: messages have a limit.
const PIECE: usize = 4 << 20;

/// Pieces of sealed answers: of which answer, which of how many, the bytes.
pub fn schema() -> SchemaRef {
    static SCHEMA: OnceLock<SchemaRef> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        Arc::new(Schema::new(vec![
            Field::new("answer", DataType::FixedSizeBinary(16), false),
            Field::new("piece", DataType::UInt32, false),
            Field::new("pieces", DataType::UInt32, false),
            Field::new("sealed", DataType::Binary, false),
        ]))
    });
    Arc::clone(schema)
}

/// Runs an order over each partition of a scan of files.
///
/// The scheduler and the wire see the order, which is public, and how large the answer is, which follows
/// from it but for texts that are counted: of those it tells a power of two. Only an executor with the
/// cluster's key can run it.
#[derive(Debug)]
pub struct CellsExec {
    order: Arc<Order>,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
    /// On an executor that checked the order: its key, and the ranks that it keeps.
    permission: Option<(ClusterKey, Arc<Swept>)>,
}

impl CellsExec {
    /// An order over a scan.
    pub fn new(order: Arc<Order>, input: Arc<dyn ExecutionPlan>) -> Self {
        let partitions = input.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema()),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        CellsExec {
            order,
            input,
            properties: Arc::new(properties),
            permission: None,
        }
    }

    /// The order.
    pub fn order(&self) -> &Arc<Order> {
        &self.order
    }

    /// The same operator on an executor, if the order is by who has the key and the input is a scan of
    /// Parquet files that reads every row, and nothing else.
    pub fn permitted(&self, key: &ClusterKey, swept: &Arc<Swept>) -> Option<Self> {
        let scan = is_parquet(&self.input) && reads_all(&self.input);
        let obeyed = self.order.is_by(key) && scan;
        obeyed.then(|| CellsExec {
            permission: Some((key.clone(), Arc::clone(swept))),
            ..CellsExec::new(Arc::clone(&self.order), Arc::clone(&self.input))
        })
    }
}

impl DisplayAs for CellsExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CellsExec")
    }
}

impl ExecutionPlan for CellsExec {
    fn name(&self) -> &'static str {
        "CellsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let [input] = children.as_slice() else {
            return exec_err!("a task has one input");
        };
        Ok(Arc::new(CellsExec {
            permission: self.permission.clone(),
            ..CellsExec::new(Arc::clone(&self.order), Arc::clone(input))
        }))
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        // PRIVACY: errors are constants. Those of the input quote values.
        let Some((key, swept)) = self.permission.clone() else {
            return exec_err!("an order without permission");
        };
        let (order, input) = (Arc::clone(&self.order), Arc::clone(&self.input));
        let answer = async move {
            let ran = run((&key, &swept), &order, input, partition, context);
            // PRIVACY: Ballista sends the words of a panic to the scheduler.
            let ran = AssertUnwindSafe(ran).catch_unwind().await;
            let pieces = match ran.unwrap_or(Err("it panicked")) {
                Ok(sealed) => pieces(&sealed),
                Err(reason) => Err(DataFusionError::Execution(reason.into())),
            };
            match pieces {
                Ok(pieces) => pieces.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            }
        };
        let batches = futures::stream::once(answer).flat_map(futures::stream::iter);
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema(), batches)))
    }
}

/// The sealed answer of one partition.
async fn run(
    (key, swept): (&ClusterKey, &Arc<Swept>),
    order: &Order,
    input: Arc<dyn ExecutionPlan>,
    partition: usize,
    context: Arc<TaskContext>,
) -> Result<Vec<u8>, &'static str> {
    let task = Task::decode(&order.task).map_err(|_| "not a task")?;
    let (store, groups) = files(&input).ok_or("not a scan of files")?;
    let group = groups.get(partition).ok_or("no such partition")?;
    // PRIVACY: a scan is whose it comes from; the order says which it may be run on.
    let part = part::name(&input, store, group);
    let place = order.parts.iter().position(|other| *other == part);
    let place = place.ok_or("not a part of the rows that the order names")?;
    let pins = Pins::new(store, core::slice::from_ref(group));
    let (group, runtime) = (group.clone(), context.runtime_env());
    if !pins.hold(&runtime, Some(&group)).await {
        return Err("a file is not the one that was asked for");
    }
    // Of all parts, not of this one: a person's rows may be anywhere.
    let ranks = match &order.persons {
        None => Ok(None),
        Some(persons) => {
            let (of, scan) = ((place, order.parts.len()), persons.scan(key, &order.reader));
            swept.ranks(&task, scan, of, &context).await.map(Some)
        }
    };
    if let Err(Unranked::Plain(reason)) = ranks {
        return Err(reason);
    }
    // The scan and its settings are ours: what came with the task could let it take files of other partitions.
    let input = part::rebuilt(&input, &group).ok_or("not a scan of files")?;
    let context = TaskContext::default()
        .with_session_config(scan::session(1))
        .with_runtime(runtime.clone());
    // PRIVACY: the order is by who has the cluster's key, on behalf of a vault that paid; cells are sealed to
    // who gave it before they leave this operator.
    #[allow(unsafe_code)]
    let worker = unsafe { task.worker() };
    let counted = AssertUnwindSafe(count(worker, ranks, input, context)).catch_unwind();
    // PRIVACY: from here on a failure may be a value's, so it is an answer: sealed, and as long as any other.
    let cells = counted.await.unwrap_or(Err(EngineError::Failed {
        data: String::new(),
        reason: "it panicked",
    }));
    if !pins.hold(&runtime, Some(&group)).await {
        return Err("a file was changed while it was read");
    }
    order
        .seal(key, &part, &answer::encode(&cells, answer::size(&task)))
        .ok_or("the answer cannot be sealed")
}

/// The exact cells of a scan of one partition. A value that does not fit is an answer, as private as they are.
async fn count(
    worker: Worker,
    ranks: Result<Option<Ranks>, Unranked>,
    input: Arc<dyn ExecutionPlan>,
    context: TaskContext,
) -> Result<Cells, EngineError> {
    let failed = |reason| EngineError::Failed {
        data: String::new(),
        reason,
    };
    let unread = |_| failed("the files cannot be read");
    let ranks = ranks.map_err(|_| failed("persons cannot be ranked"))?;
    let mut worker = match &ranks {
        Some(ranks) => worker.with_ranks(ranks),
        None => worker,
    };
    let mut rows = input.execute(0, Arc::new(context)).map_err(unread)?;
    while let Some(batch) = rows.next().await {
        let batch = batch.map_err(unread)?;
        // Nothing is also said of a vector that has a hole.
        let added = with_batch(&batch, |batch| worker.add(batch));
        added.ok_or_else(|| failed("a column has a type that no field has"))??;
    }
    worker.finish()
}

/// An answer as rows of [`schema`], a batch for each piece.
fn pieces(sealed: &[u8]) -> Result<Vec<RecordBatch>> {
    let answer = uuid::Uuid::new_v4().into_bytes();
    let pieces: Vec<&[u8]> = sealed.chunks(PIECE).collect();
    let count = pieces.len() as u32;
    let batch = |(place, piece): (usize, &&[u8])| {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(FixedSizeBinaryArray::try_from_iter([answer].into_iter())?),
            Arc::new(UInt32Array::from_iter_values([place as u32])),
            Arc::new(UInt32Array::from_iter_values([count])),
            Arc::new(BinaryArray::from_iter_values([*piece])),
        ];
        Ok(RecordBatch::try_new(schema(), columns)?)
    };
    pieces.iter().enumerate().map(batch).collect()
}

#[cfg(test)]
mod tests;
