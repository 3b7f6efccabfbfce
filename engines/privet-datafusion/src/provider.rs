//! Which tables of others' read the same rows in every pass: those whose code is known.

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::arrow::ArrowFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::ListingTable;

use crate::scan;

const UNKNOWN: &str = "it is neither a MemTable nor a ListingTable of Parquet, CSV, JSON or Arrow files, so that \
    nothing shows that every pass reads the same rows; whoever knows that it does can promise it with the unsafe \
    DataFusion::table_of";

/// The table, if DataFusion's own code decides what it reads.
pub async fn known(table: Arc<dyn TableProvider>) -> Result<Arc<dyn TableProvider>, &'static str> {
    scan::no_view(table.as_ref())?;
    if let Some(memory) = table.downcast_ref::<MemTable>() {
        return frozen(memory).await;
    }
    let files = table.downcast_ref::<ListingTable>();
    match files.is_some_and(|files| is_known(files.options().format.as_ref())) {
        true => Ok(table),
        false => Err(UNKNOWN),
    }
}

/// The rows that a table in memory has now: others may put some into it later.
async fn frozen(memory: &MemTable) -> Result<Arc<dyn TableProvider>, &'static str> {
    let mut partitions = Vec::new();
    for partition in &memory.batches {
        partitions.push(partition.read().await.clone());
    }
    match MemTable::try_new(memory.schema(), partitions) {
        Ok(table) => Ok(Arc::new(table)),
        Err(_) => Err("its batches have other columns than it says"),
    }
}

fn is_known(format: &dyn FileFormat) -> bool {
    format.downcast_ref::<ParquetFormat>().is_some()
        || format.downcast_ref::<CsvFormat>().is_some()
        || format.downcast_ref::<JsonFormat>().is_some()
        || format.downcast_ref::<ArrowFormat>().is_some()
}
