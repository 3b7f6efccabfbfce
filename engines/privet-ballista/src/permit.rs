//! Which plans an executor runs.

use std::sync::Arc;

use ballista_core::JobId;
use ballista_core::execution_plans::ShuffleWriterExec;
use ballista_executor::execution_engine::{
    DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor,
};
use datafusion::common::{Result, exec_err};
use datafusion::physical_plan::{ChildrenPropertiesMode, ExecutionPlan, ReplaceChildrenOptions};
use datafusion::prelude::SessionConfig;

use crate::cells::CellsExec;
use crate::key::ClusterKey;

/// Runs [`CellsExec`] over files, by order of who has the key, and refuses every other plan: who can reach
/// the scheduler cannot read rows.
pub struct Permits {
    key: ClusterKey,
    engine: DefaultExecutionEngine,
}

impl Permits {
    /// For orders with this key.
    pub fn new(key: ClusterKey) -> Self {
        Permits {
            key,
            engine: DefaultExecutionEngine::new(),
        }
    }

    /// The plan with its permission, if it has one.
    pub fn permitted(&self, plan: &Arc<dyn ExecutionPlan>) -> Option<Arc<dyn ExecutionPlan>> {
        plan.downcast_ref::<ShuffleWriterExec>()?;
        let children = plan.children();
        let [input] = children.as_slice() else {
            return None;
        };
        let cells = input.downcast_ref::<CellsExec>()?.permitted(&self.key)?;
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
        match self.permitted(&plan) {
            Some(plan) => self
                .engine
                .create_query_stage_exec(job, stage, task, partitions, plan, directory, config),
            None => exec_err!("this executor runs tasks of privet's only"),
        }
    }
}
