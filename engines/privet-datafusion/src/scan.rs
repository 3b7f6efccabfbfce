//! The physical plan of a pass: a scan that reads some columns of every row, and nothing else.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Precision;
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    FileGroup, FileScanConfig, FileScanConfigBuilder, ParquetSource,
};
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
use object_store::ObjectMeta;
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
    // Files in directories below are rows as well.
    options.execution.listing_table_ignore_subdirectory = false;
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
    no_view(table)?;
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
    if named_twice(&config.file_groups) {
        return Err(
            "a file of it is named twice, so that its rows would count twice; name each file once",
        );
    }
    // PRIVACY: where an order of the files is declared, DataFusion divides them otherwise, but only in a
    // scan that has the ordered columns: then a partition would have other rows in other passes.
    let config = FileScanConfigBuilder::from(config.clone()).with_output_ordering(Vec::new());
    let plan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(config.build());
    // Large files are read by several threads; the division follows from their sizes. A text file has no
    // place where it can be cut: a value may hold the end of a line.
    if !is_parquet(&plan) {
        return Ok(plan);
    }
    let target = state.config().target_partitions();
    match plan.repartitioned(target, state.config_options()) {
        Ok(Some(divided)) => Ok(divided),
        Ok(None) => Ok(plan),
        Err(_) => Err("the engine cannot scan it"),
    }
}

/// PRIVACY: what a view's query filters could be pushed down and pruned by values.
pub(crate) fn no_view(table: &dyn TableProvider) -> Result<(), &'static str> {
    match table.table_type() == TableType::View || table.get_logical_plan().is_some() {
        true => Err("it is a view, whose query decides which rows are read; open its base table"),
        false => Ok(()),
    }
}

/// Whether a file is there under two names, or twice under one.
fn named_twice(groups: &[FileGroup]) -> bool {
    let mut known = HashSet::new();
    let mut files = groups.iter().flat_map(|group| group.iter());
    files.any(|file| {
        let range = file.range.as_ref().map(|range| (range.start, range.end));
        !known.insert((identity(&file.object_meta), range))
    })
}

/// What two names of one file share.
fn identity(file: &ObjectMeta) -> &str {
    // A local store's tags begin with the number by which the file system knows a file, and end with its
    // size. Those of other stores are equal where two files are.
    let local = |tag: &&str| {
        let parts: Vec<&str> = tag.split('-').collect();
        matches!(parts[..], [inode, _, size] if inode != "0" && size == format!("{:x}", file.size))
    };
    let tag = file.e_tag.as_deref().filter(local);
    tag.unwrap_or(file.location.as_ref())
}

/// Whether a plan gives every row of its leaves, in partitions that do not depend on timing.
///
/// The leaves are DataFusion's own, or of who promised what they do: see
/// [`table_of`](crate::DataFusion::table_of).
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
/// A schema of one file's own makes a scan fail by values: a dictionary of 8 bits, where there are more. No listing sets one.
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
    config.expr_adapter_factory.is_none()
        && projection.is_none_or(|all| all.iter().all(column))
        && files.all(|file| {
            let known = file.statistics.as_ref().is_some_and(|about| {
                let mut columns = about.column_statistics.iter();
                about.num_rows != Precision::Absent
                    || columns.any(|column| {
                        column.min_value != Precision::Absent
                            || column.null_count != Precision::Absent
                    })
            });
            !known && file.arrow_schema.is_none()
        })
}

fn file_scan(plan: &Arc<dyn ExecutionPlan>) -> Option<&FileScanConfig> {
    let source = plan.downcast_ref::<DataSourceExec>()?;
    source.data_source().downcast_ref::<FileScanConfig>()
}

/// Whether a plan is a scan of Parquet files: of them, columns, files and ranges say everything, where CSV has
/// signs and a header that the plan alone knows.
#[must_use]
pub fn is_parquet(plan: &Arc<dyn ExecutionPlan>) -> bool {
    file_scan(plan).is_some_and(|config| {
        let source = config.file_source().downcast_ref::<ParquetSource>();
        source.is_some()
    })
}

/// For each partition, which files it reads, and which of their bytes.
pub type Layout = Vec<Vec<(Path, Option<(i64, i64)>)>>;

/// What each partition reads, if the plan is a scan of files: the same in every pass.
#[must_use]
pub fn layout(plan: &Arc<dyn ExecutionPlan>) -> Option<Layout> {
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
