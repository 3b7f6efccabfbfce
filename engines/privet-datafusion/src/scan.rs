//! The physical plan of a pass: a scan that reads some columns of every row, and nothing else.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Precision;
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::context::SessionState;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::projection::ProjectionExpr;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::limit::{GlobalLimitExec, LocalLimitExec};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use datafusion::prelude::SessionConfig;
use object_store::path::Path;

/// Settings of a session whose scans read every row, each partition its own.
///
/// DataFusion lets partitions take files from each other while they run; then a partition would have
/// other rows in every pass. It also prunes files by statistics, keeps statistics, and looks at an index
/// of pages where there is a predicate. There is none here, but none of them is needed either.
#[must_use]
pub fn session(partitions: usize) -> SessionConfig {
    let mut config = SessionConfig::new()
        .with_target_partitions(partitions.max(1))
        .with_collect_statistics(false)
        .with_parquet_pruning(false)
        .with_parquet_bloom_filter_pruning(false)
        .with_parquet_page_index_pruning(false);
    let options: &mut ConfigOptions = config.options_mut();
    options.execution.enable_file_stream_work_stealing = false;
    options.execution.parquet.pushdown_filters = false;
    options.execution.parquet.reorder_filters = false;
    config
}

/// Plans a scan of the columns at these places of the table.
///
/// # Errors
///
/// Why the table cannot be scanned; the reason quotes nothing of the engine's.
pub async fn scan(
    state: &SessionState,
    table: &dyn TableProvider,
    places: &[usize],
) -> Result<Arc<dyn ExecutionPlan>, &'static str> {
    // PRIVACY: what a view's query filters could be pushed down and pruned by values.
    if table.table_type() == TableType::View || table.get_logical_plan().is_some() {
        return Err("it is a view, whose query decides which rows are read; open its base table");
    }
    let places = places.to_vec();
    let plan = table
        .scan(state, Some(&places), &[], None)
        .await
        .map_err(|_| "the engine cannot scan it")?;
    if plan.boundedness().is_unbounded() {
        return Err("it has no end");
    }
    if !reads_all(&plan) {
        return Err("its scan does more than to read columns");
    }
    let Some(config) = file_scan(&plan) else {
        return Ok(plan);
    };
    // PRIVACY: where an order of the files is declared, DataFusion divides them otherwise, but only in a
    // scan that has the ordered columns: then a partition would have other rows in other passes.
    let config = FileScanConfigBuilder::from(config.clone()).with_output_ordering(Vec::new());
    let plan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(config.build());
    // Large files are read by several threads; the division follows from their sizes.
    let target = state.config().target_partitions();
    match plan.repartitioned(target, state.config_options()) {
        Ok(Some(divided)) => Ok(divided),
        Ok(None) => Ok(plan),
        Err(_) => Err("the engine cannot scan it"),
    }
}

/// Whether a plan gives every row of its leaves, in partitions that do not depend on timing.
///
/// The leaves are the engine's own, or of who made the table: what they do is trusted.
#[must_use]
pub fn reads_all(plan: &Arc<dyn ExecutionPlan>) -> bool {
    if plan.fetch().is_some() || plan.is::<FilterExec>() {
        return false;
    }
    if plan.is::<GlobalLimitExec>() || plan.is::<LocalLimitExec>() {
        return false;
    }
    if let Some(config) = file_scan(plan) {
        return config.limit.is_none() && config.file_source().filter().is_none() && plain(config);
    }
    let passes_on =
        plan.is::<ProjectionExec>() || plan.is::<UnionExec>() || plan.is::<CooperativeExec>();
    let children = plan.children();
    children.is_empty() || passes_on && children.into_iter().all(reads_all)
}

/// Whether a scan of files hands over columns as the files have them.
///
/// PRIVACY: an expression in the place of a column would be computed of every row, and its errors seen by
/// whoever sees whether a scan succeeds. Where a file's statistics say that a column holds one value, DataFusion does not read it.
fn plain(config: &FileScanConfig) -> bool {
    let schema = config.file_source().table_schema().table_schema();
    let column = |expr: &ProjectionExpr| {
        let column = expr.expr.downcast_ref::<Column>();
        column.is_some_and(|column| {
            let field = schema.fields().get(column.index());
            field.is_some_and(|field| field.name() == column.name()) && column.name() == expr.alias
        })
    };
    let mut files = config.file_groups.iter().flat_map(|group| group.iter());
    let projection = config.file_source().projection();
    projection.is_none_or(|all| all.iter().all(column))
        && files.all(|file| {
            file.statistics.as_ref().is_none_or(|about| {
                let mut columns = about.column_statistics.iter();
                about.num_rows == Precision::Absent
                    && columns.all(|column| {
                        column.min_value == Precision::Absent
                            && column.null_count == Precision::Absent
                    })
            })
        })
}

fn file_scan(plan: &Arc<dyn ExecutionPlan>) -> Option<&FileScanConfig> {
    let source = plan.downcast_ref::<DataSourceExec>()?;
    source.data_source().downcast_ref::<FileScanConfig>()
}

/// Which files, and which of their bytes, each partition reads, if the plan is a scan of files: the same in
/// every pass.
#[must_use]
pub fn layout(plan: &Arc<dyn ExecutionPlan>) -> Option<Vec<Vec<(Path, Option<(i64, i64)>)>>> {
    let (_, groups) = files(plan)?;
    let part = |file: &PartitionedFile| {
        let range = file.range.as_ref().map(|range| (range.start, range.end));
        (file.object_meta.location.clone(), range)
    };
    let groups = groups.iter().map(|group| group.iter().map(part).collect());
    Some(groups.collect())
}

/// The files of each partition, if the plan is a scan of files.
#[must_use]
pub fn files(plan: &Arc<dyn ExecutionPlan>) -> Option<(&ObjectStoreUrl, &[FileGroup])> {
    let config = file_scan(plan)?;
    Some((&config.object_store_url, &config.file_groups))
}
