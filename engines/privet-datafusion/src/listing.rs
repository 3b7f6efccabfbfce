//! Tables of files: that every file is read, and has the columns.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::execution::context::SessionState;
use datafusion::physical_plan::ExecutionPlan;
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore};
use privet::engine::{EngineError, Schema, SourceColumn};

use crate::scan;

/// Footers that are read at once.
const AT_ONCE: usize = 16;

/// The Parquet files at a path or URL.
pub async fn parquet(state: &SessionState, path: &str) -> Option<Arc<dyn TableProvider>> {
    let url = ListingTableUrl::parse(path).ok()?;
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
        .with_file_extension(if url.is_collection() { ".parquet" } else { "" });
    let config = ListingTableConfig::new(url).with_listing_options(options);
    let config = config.infer_schema(state).await.ok()?;
    Some(Arc::new(ListingTable::try_new(config).ok()?))
}

fn failed(data: impl ToString, reason: &'static str) -> EngineError {
    EngineError::Failed {
        data: data.to_string(),
        reason,
    }
}

/// Refuses a table that leaves a file out of those at its paths, or fills a column that a file lacks.
pub async fn check(
    state: &SessionState,
    table: &ListingTable,
    plan: &Arc<dyn ExecutionPlan>,
    schema: &Schema,
) -> Result<(), EngineError> {
    let groups = scan::files(plan).into_iter().flat_map(|(_, groups)| groups);
    let files = groups.flat_map(|group| group.iter());
    let mut read = HashSet::new();
    let files: Vec<&ObjectMeta> = files
        .map(|file| &file.object_meta)
        .filter(|file| read.insert(&file.location))
        .collect();
    for url in table.table_paths() {
        if scan::files(plan).is_some_and(|(store, _)| *store != url.object_store()) {
            return Err(failed(url, "its files are not all in one store"));
        }
        // A file that is named alone.
        if !read.contains(url.prefix()) {
            all_read(state, url, &read).await?;
        }
    }
    all_columns(state, table, &files, schema).await
}

/// Each file at a URL and below is read. As for `privet-parquet`, names with `_` or `.` in front are those of marks and of
/// what is not finished: they are left out, and refused if DataFusion would read them.
async fn all_read(
    state: &SessionState,
    url: &ListingTableUrl,
    read: &HashSet<&Path>,
) -> Result<(), EngineError> {
    const UNLISTED: &str = "the engine cannot list it";
    const LEFT_OUT: &str = "it is not among the files that the table reads, and its rows would be lost; move it away, \
        or name the files";
    const HIDDEN: &str = "its name or a directory's has `_` or `.` in front, as files have that are not finished or \
        not of the table; move it away, or rename it";
    let store = state.runtime_env().object_store(url);
    let store = store.map_err(|_| failed(url, UNLISTED))?;
    let mut found = store.list(Some(url.prefix()));
    while let Some(file) = found.next().await {
        let file = file.map_err(|_| failed(url, UNLISTED))?;
        // Stores have empty objects in the place of directories.
        if file.size == 0 || !url.contains(&file.location, false) {
            continue;
        }
        let mut names = url.strip_prefix(&file.location).into_iter().flatten();
        match (
            names.any(|name| name.starts_with(['_', '.'])),
            read.contains(&file.location),
        ) {
            (false, true) | (true, false) => {}
            (false, false) => return Err(failed(&file.location, LEFT_OUT)),
            (true, true) => return Err(failed(&file.location, HIDDEN)),
        }
    }
    Ok(())
}

/// Each Parquet file has the record's columns: DataFusion fills those that one lacks with nulls.
async fn all_columns(
    state: &SessionState,
    table: &ListingTable,
    files: &[&ObjectMeta],
    schema: &Schema,
) -> Result<(), EngineError> {
    let format = &table.options().format;
    let (Some(_), Some(url)) = (
        format.downcast_ref::<ParquetFormat>(),
        table.table_paths().first(),
    ) else {
        return Ok(());
    };
    let store = state.runtime_env().object_store(url);
    let store = &store.map_err(|_| failed(url, "the engine cannot read it"))?;
    // Those that are not in the name of a directory.
    let within = |column: &&SourceColumn| {
        let mut others = table.options().table_partition_cols.iter();
        others.all(|(name, _)| name != column.name())
    };
    let columns: &Vec<&SourceColumn> = &schema.columns().iter().filter(within).collect();
    let mut looks = Vec::new();
    for file in files {
        looks.push(look(state, format, store, file, columns));
    }
    let looks = futures::stream::iter(looks).buffered(AT_ONCE);
    looks.try_collect().await
}

async fn look(
    state: &SessionState,
    format: &Arc<dyn FileFormat>,
    store: &Arc<dyn ObjectStore>,
    file: &ObjectMeta,
    columns: &[&SourceColumn],
) -> Result<(), EngineError> {
    let found = format.infer_schema(state, store, std::slice::from_ref(file));
    let found = found
        .await
        .map_err(|_| failed(&file.location, "the engine cannot read it"))?;
    for column in columns {
        if found.field_with_name(column.name()).is_err() {
            return Err(EngineError::Schema {
                data: file.location.to_string(),
                column: column.name().into(),
                expected: column.to_string(),
                found: "no such column".into(),
            });
        }
    }
    Ok(())
}
