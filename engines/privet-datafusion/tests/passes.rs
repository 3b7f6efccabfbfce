//! A declared order of files: does a partition have the same rows in every pass?

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::file::properties::WriterProperties;
use datafusion::prelude::{SessionContext, col};
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::Loaded;
use privet_datafusion::DataFusion;

#[derive(Record, Clone, Debug)]
struct Visit {
    #[privet(person)]
    patient: i64,
    at: i64,
}

const ROWS: i64 = 50_000;

fn group(patients: impl Iterator<Item = i64>, from: i64, pad: usize) -> RecordBatch {
    let patients: ArrayRef = Arc::new(patients.take(ROWS as usize).collect::<Int64Array>());
    let at: ArrayRef = Arc::new((from..from + ROWS).collect::<Int64Array>());
    let texts = (0..ROWS).map(|i| Some(format!("{i:0pad$}")));
    let pads: ArrayRef = Arc::new(texts.collect::<StringArray>());
    RecordBatch::try_from_iter([("patient", patients), ("at", at), ("pad", pads)]).unwrap()
}

fn write(path: &Path, groups: &[RecordBatch]) {
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(ROWS as usize))
        .set_dictionary_enabled(false)
        .build();
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, groups[0].schema(), Some(properties)).unwrap();
    groups.iter().for_each(|group| writer.write(group).unwrap());
    writer.close().unwrap();
}

fn kept(sorted: bool) -> i128 {
    let directory = tempfile::tempdir().unwrap();
    // One patient has all visits after 1,000,000.
    let groups = [
        group(0.., 0, 100),
        group(std::iter::repeat(7_000_000), 1_000_000, 80),
    ];
    write(&directory.path().join("a.parquet"), &groups);
    write(&directory.path().join("b.parquet"), &[group(ROWS.., 0, 80)]);
    let url = format!("{}/", directory.path().display());
    let mut options = ListingOptions::new(Arc::new(ParquetFormat::default()));
    if sorted {
        options = options.with_file_sort_order(vec![vec![col("at").sort(true, false)]]);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let table = runtime.block_on(async {
        let config = ListingTableConfig::new(ListingTableUrl::parse(url).unwrap())
            .with_listing_options(options)
            .infer_schema(&SessionContext::new().state())
            .await
            .unwrap();
        ListingTable::try_new(config).unwrap()
    });
    let engine = DataFusion::table("visits", Arc::new(table)).with_partitions(3);
    let read = Loaded::<Visit>::read::<PerPerson>(engine).unwrap();
    let late = rows::<Table<Visit, PerPerson>>()
        .bound_contributions::<1>(|v| v.patient)
        .filter(|v| v.at.ge(1_000_000))
        .count();
    read.exact(&late)[0]
}

#[test]
fn a_person_keeps_one_row_whatever_order_was_declared() {
    assert!(kept(false) <= 1, "not declared: {}", kept(false));
    assert!(kept(true) <= 1, "declared: {}", kept(true));
}

/// A vector that is missing, as an `Option` may be.
#[test]
fn a_missing_vector_is_read() {
    use datafusion::arrow::array::{FixedSizeListBuilder, Float64Builder};
    use datafusion::datasource::MemTable;
    #[derive(Record, Clone)]
    struct Place {
        #[allow(dead_code)]
        at: Option<[f64; 2]>,
    }
    let mut list = FixedSizeListBuilder::new(Float64Builder::new(), 2);
    list.values().append_slice(&[1.0, 2.0]);
    list.append(true);
    list.values().append_nulls(2);
    list.append(false);
    let at: ArrayRef = Arc::new(list.finish());
    let batch = RecordBatch::try_from_iter_with_nullable([("at", at, true)]).unwrap();
    let table = MemTable::try_new(batch.schema(), vec![vec![batch]]).unwrap();
    let engine = DataFusion::table("places", Arc::new(table));
    let read = Loaded::<Place>::read::<AddRemove>(engine);
    assert!(read.is_ok(), "{}", read.unwrap_err());
}
