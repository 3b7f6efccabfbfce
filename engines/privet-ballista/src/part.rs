//! Parts of the rows: which files, and which of their bytes, a partition reads.

use std::sync::Arc;

use datafusion::arrow::datatypes::{FieldRef, Fields, Schema};
use datafusion::common::config::TableParquetOptions;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    FileGroup, FileScanConfig, FileScanConfigBuilder, FileSource, ParquetSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::projection::ProjectionExpr;
use datafusion::physical_plan::ExecutionPlan;
use object_store::ObjectMeta;
use privet_datafusion::scan::{self, files, is_parquet};

/// A name for what a partition reads: equal for equal columns, files and ranges, on every machine. It covers all
/// that [`rebuilt`] takes from a plan.
pub fn name(plan: &Arc<dyn ExecutionPlan>, store: &ObjectStoreUrl, group: &FileGroup) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    let mut fields = |of: &[u8], fields: &Fields| {
        add(of);
        add(&(fields.len() as u64).to_le_bytes());
        for field in fields {
            add(field.name().as_bytes());
            // A scan converts a file's column to the type that it was told.
            add(field.data_type().to_string().as_bytes());
            // It fails where a null is and none was promised.
            add(&[u8::from(field.is_nullable())]);
        }
    };
    fields(b"columns", plan.schema().fields());
    if let Some((_, source)) = parquet(plan) {
        let table = source.table_schema();
        fields(b"in files", table.file_schema().fields());
        fields(b"in names", table.table_partition_cols());
        let [unit, zone] = old_times(source);
        add(format!("{unit:?} {zone:?}").as_bytes());
    }
    add(b"files");
    add(store.as_str().as_bytes());
    for file in group.iter() {
        let about = &file.object_meta;
        add(about.location.as_ref().as_bytes());
        add(&about.size.to_le_bytes());
        add(&about
            .last_modified
            .timestamp_nanos_opt()
            .unwrap_or(0)
            .to_le_bytes());
        // Columns that are not in the file, but in its name.
        add(format!("{:?}", file.partition_values).as_bytes());
        match &file.range {
            Some(range) => {
                add(&[1]);
                add(&range.start.to_le_bytes());
                add(&range.end.to_le_bytes());
            }
            None => add(&[0]),
        }
    }
    *hasher.finalize().as_bytes()
}

/// The names of all partitions of a scan of Parquet files, in order. What other formats need to be read is in no name.
pub fn names(plan: &Arc<dyn ExecutionPlan>) -> Option<Vec<[u8; 32]>> {
    if !is_parquet(plan) {
        return None;
    }
    let (store, groups) = files(plan)?;
    Some(
        groups
            .iter()
            .map(|group| name(plan, store, group))
            .collect(),
    )
}

fn parquet(plan: &Arc<dyn ExecutionPlan>) -> Option<(&FileScanConfig, &ParquetSource)> {
    let source = plan.downcast_ref::<DataSourceExec>()?;
    let config: &FileScanConfig = source.data_source().downcast_ref()?;
    Some((config, config.file_source().downcast_ref()?))
}

/// Which times an old kind of column holds (96 bits, by Spark and Impala): the one option of a table that changes values.
fn old_times(source: &ParquetSource) -> [&Option<String>; 2] {
    let options = &source.table_parquet_options().global;
    [&options.coerce_int96, &options.coerce_int96_tz]
}

/// A scan of what one partition reads, made of what its [`name`] covers, and of nothing else in the plan.
///
/// PRIVACY: a plan on the wire has more: a schema for each file, options, how many rows are in a batch. With these a scan
/// can be made to fail by the values that it meets, and who put them there sees whether it does.
pub fn rebuilt(plan: &Arc<dyn ExecutionPlan>, group: &FileGroup) -> Option<Arc<dyn ExecutionPlan>> {
    let (config, told) = parquet(plan)?;
    let bare = |field: &FieldRef| {
        let bare = field.as_ref().clone();
        Arc::new(bare.with_metadata(Default::default()))
    };
    let table = told.table_schema();
    let in_files: Fields = table.file_schema().fields().iter().map(bare).collect();
    let in_names: Fields = table.table_partition_cols().iter().map(bare).collect();
    let column = |expr: &ProjectionExpr| Some(expr.expr.downcast_ref::<Column>()?.index());
    let columns: Option<Vec<usize>> = match told.projection() {
        Some(all) => all.iter().map(column).collect(),
        None => Some((0..table.table_schema().fields().len()).collect()),
    };
    let session = scan::session(1);
    let mut options = TableParquetOptions {
        global: session.options().execution.parquet.clone(),
        ..TableParquetOptions::default()
    };
    let [unit, zone] = old_times(told);
    options.global.coerce_int96 = unit.clone();
    options.global.coerce_int96_tz = zone.clone();
    let table = TableSchema::builder(Arc::new(Schema::new(in_files)))
        .with_table_partition_cols(in_names)
        .build();
    let source = ParquetSource::new(table).with_table_parquet_options(options);
    let group: FileGroup = group.iter().map(named).collect::<Vec<_>>().into();
    let builder = FileScanConfigBuilder::new(config.object_store_url.clone(), Arc::new(source));
    let builder = builder.with_projection_indices(Some(columns?)).ok()?;
    Some(DataSourceExec::from_data_source(
        builder.with_file_group(group).build(),
    ))
}

/// A file, with what its part's name says of it.
fn named(file: &PartitionedFile) -> PartitionedFile {
    let about = &file.object_meta;
    let mut named = PartitionedFile::new_from_meta(ObjectMeta {
        location: about.location.clone(),
        last_modified: about.last_modified,
        size: about.size,
        e_tag: None,
        version: None,
    });
    named.partition_values = file.partition_values.clone();
    named.range = file.range.clone();
    named
}
