//! Which plans an executor runs.

use std::sync::Arc;

use ballista_core::JobId;
use ballista_core::execution_plans::ShuffleWriterExec;
use ballista_core::serde::protobuf::ShuffleWritePartition;
use ballista_executor::execution_engine::{
    DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor,
};
use datafusion::common::{Result, exec_err};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::{ChildrenPropertiesMode, ExecutionPlan, ReplaceChildrenOptions};
use datafusion::prelude::SessionConfig;

use crate::cells::CellsExec;
use crate::key::ClusterKey;
use crate::swept::Swept;

/// Runs [`CellsExec`] over files, by order of who has the key, and refuses every other plan: who can reach
/// the scheduler cannot read rows.
pub struct Permits {
    key: ClusterKey,
    engine: DefaultExecutionEngine,
    /// Of all tasks of this executor.
    swept: Arc<Swept>,
}

impl Permits {
    /// For orders with this key.
    pub fn new(key: ClusterKey) -> Self {
        Permits {
            key,
            engine: DefaultExecutionEngine::new(),
            swept: Arc::default(),
        }
    }

    /// The plan with its permission, if it has one.
    pub fn permitted(&self, plan: &Arc<dyn ExecutionPlan>) -> Option<Arc<dyn ExecutionPlan>> {
        plan.downcast_ref::<ShuffleWriterExec>()?;
        let children = plan.children();
        let [input] = children.as_slice() else {
            return None;
        };
        let cells: &CellsExec = input.downcast_ref()?;
        let cells = cells.permitted(&self.key, &self.swept)?;
        let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
        Arc::clone(plan)
            .replace_children(vec![Arc::new(cells)], options)
            .ok()
    }
}

impl ExecutionEngine for Permits {
    fn create_query_stage_exec(
        &self,
        job: JobId,
        stage: usize,
        task: usize,
        partitions: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        directory: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        let Some(plan) = self.permitted(&plan) else {
            return exec_err!("this executor runs tasks of privet's only");
        };
        let stage = self
            .engine
            .create_query_stage_exec(job, stage, task, partitions, plan, directory, config)?;
        Ok(Arc::new(Unmeasured(stage)))
    }
}

/// Runs a task and reports where its answer is, and nothing else.
///
/// PRIVACY: a scan measures itself: how many rows it read, in how many pages. Ballista sends these numbers
/// to the scheduler, which shows them to whoever asks for a job's metrics.
struct Unmeasured(Arc<dyn QueryStageExecutor>);

impl core::fmt::Debug for Unmeasured {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Unmeasured")
    }
}

impl core::fmt::Display for Unmeasured {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Unmeasured")
    }
}

#[async_trait::async_trait]
impl QueryStageExecutor for Unmeasured {
    async fn execute_query_stage(
        &self,
        task: usize,
        context: Arc<TaskContext>,
    ) -> Result<Vec<ShuffleWritePartition>> {
        self.0.execute_query_stage(task, context).await
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        Vec::new()
    }
}
