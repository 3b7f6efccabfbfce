//! Parts of the rows: which files, and which of their bytes, a partition reads.

use std::sync::Arc;

use datafusion::datasource::physical_plan::FileGroup;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_plan::ExecutionPlan;
use privet_datafusion::scan::{files, is_parquet};

/// A name for what a partition reads: equal for equal columns, files and ranges, on every machine.
pub fn name(plan: &Arc<dyn ExecutionPlan>, store: &ObjectStoreUrl, group: &FileGroup) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for field in plan.schema().fields() {
        add(field.name().as_bytes());
        // A scan converts a file's column to the type that it was told.
        add(field.data_type().to_string().as_bytes());
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
        if let Some(range) = &file.range {
            add(&range.start.to_le_bytes());
            add(&range.end.to_le_bytes());
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
