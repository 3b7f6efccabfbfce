//! Files at a path: each is read once, or the vault does not open.

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::physical_plan::ExecutionPlanProperties;
use datafusion::prelude::SessionContext;
use privet::prelude::*;
use privet::testing::Loaded;
use privet_datafusion::{DataFusion, scan};

#[derive(Record, Clone)]
struct Patient {
    #[allow(dead_code)]
    age: Option<i64>,
}

fn write(path: &Path, column: &str, rows: i64) {
    let values: ArrayRef = Arc::new((0..rows).collect::<Int64Array>());
    let batch = RecordBatch::try_from_iter_with_nullable([(column, values, true)]).unwrap();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn opened(path: impl std::fmt::Display) -> Result<Loaded<Patient>, privet::Error> {
    Loaded::read::<AddRemove>(DataFusion::parquet(path.to_string()))
}

/// How many rows a directory has, or why it is refused.
fn count(directory: &Path) -> Result<i128, String> {
    let read = opened(format!("{}/", directory.display()));
    let read = read.map_err(|error| error.to_string())?;
    Ok(read.exact(&rows::<Patient>().count())[0])
}

#[test]
fn files_in_directories_below_are_read() {
    let directory = tempfile::tempdir().unwrap();
    write(&directory.path().join("a.parquet"), "age", 30);
    write(&directory.path().join("2025/b.parquet"), "age", 500);
    write(&directory.path().join("2025/12/c.parquet"), "age", 7000);
    assert_eq!(count(directory.path()), Ok(7530));
}

#[test]
fn a_file_of_another_ending_is_refused() {
    for other in ["b.parq", "b.PARQUET", "2025/b.csv", "b"] {
        let directory = tempfile::tempdir().unwrap();
        write(&directory.path().join("a.parquet"), "age", 30);
        write(&directory.path().join(other), "age", 500);
        let refused = count(directory.path()).unwrap_err();
        assert!(
            refused.contains("its rows would be lost") && refused.contains(other),
            "{refused}"
        );
        // Named alone, it is read, whatever it is called.
        let alone = opened(directory.path().join(other).display()).unwrap();
        assert_eq!(alone.exact(&rows::<Patient>().count()), [500], "{other}");
    }
}

#[test]
fn names_with_a_mark_in_front_are_left_out_or_refused() {
    let directory = tempfile::tempdir().unwrap();
    write(&directory.path().join("a.parquet"), "age", 30);
    for mark in ["_SUCCESS", "_metadata", ".a.parquet.crc", "_log/0.json"] {
        let path = directory.path().join(mark);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "a mark").unwrap();
    }
    assert_eq!(count(directory.path()), Ok(30));
    for other in ["_b.parquet", ".b.parquet", "_temporary/0/b.parquet"] {
        let path = directory.path().join(other);
        write(&path, "age", 500);
        let refused = count(directory.path()).unwrap_err();
        assert!(refused.contains("in front"), "{refused}");
        std::fs::remove_file(path).unwrap();
    }
    assert_eq!(count(directory.path()), Ok(30));
}

/// Its rows would count twice.
#[cfg(unix)]
#[test]
fn a_file_under_two_names_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (one, two) = (
        directory.path().join("a.parquet"),
        directory.path().join("2025/b.parquet"),
    );
    write(&one, "age", 30);
    std::fs::create_dir(directory.path().join("2025")).unwrap();
    for link in [
        std::fs::hard_link::<&Path, &Path>,
        std::os::unix::fs::symlink,
    ] {
        link(&one, &two).unwrap();
        let refused = count(directory.path()).unwrap_err();
        assert!(refused.contains("named twice"), "{refused}");
        std::fs::remove_file(&two).unwrap();
    }
    // Another file of the same rows.
    std::fs::copy(&one, &two).unwrap();
    assert_eq!(count(directory.path()), Ok(60));
}

#[test]
fn a_file_that_two_paths_name_is_read_once() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.parquet");
    write(&file, "age", 30);
    let urls = [
        format!("{}/", directory.path().display()),
        file.display().to_string(),
    ];
    let urls = urls.map(|url| ListingTableUrl::parse(url).unwrap());
    let format = datafusion::datasource::file_format::parquet::ParquetFormat::default();
    let config = ListingTableConfig::new_with_multi_paths(urls.to_vec())
        .with_listing_options(ListingOptions::new(Arc::new(format)))
        .with_schema(Arc::new(Schema::new(vec![Field::new(
            "age",
            DataType::Int64,
            true,
        )])));
    let table = Arc::new(ListingTable::try_new(config).unwrap());
    let read = Loaded::<Patient>::read::<AddRemove>(DataFusion::table("patients", table));
    let count = read.unwrap().exact(&rows::<Patient>().count());
    assert_eq!(count, [30]);
}

/// DataFusion would give nulls, which an `Option` takes.
#[test]
fn a_file_that_lacks_a_column_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    write(&directory.path().join("a.parquet"), "age", 30);
    write(&directory.path().join("b.parquet"), "alter", 500);
    let refused = count(directory.path()).unwrap_err();
    assert!(
        refused.contains("b.parquet") && refused.contains("no such column"),
        "{refused}"
    );
}

fn csv(path: &Path) -> ListingTable {
    let url = ListingTableUrl::parse(path.to_str().unwrap()).unwrap();
    let schema = Schema::new(vec![
        Field::new("age", DataType::Int64, true),
        Field::new("note", DataType::Utf8, true),
    ]);
    let options = ListingOptions::new(Arc::new(CsvFormat::default().with_has_header(true)));
    let config = ListingTableConfig::new(url)
        .with_listing_options(options)
        .with_schema(Arc::new(schema));
    ListingTable::try_new(config).unwrap()
}

/// Notes with lines that look like rows: wherever a file is cut, one of them begins at some place.
#[tokio::test]
async fn a_csv_file_is_not_divided() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("patients.csv");
    let note = "1,x\n".repeat(100);
    let row = format!("40,\"{note}\"\n");
    std::fs::write(&path, format!("age,note\n{}", row.repeat(30_000))).unwrap();
    assert!(path.metadata().unwrap().len() > 10 << 20);
    let context = SessionContext::new_with_config(scan::session(8));
    let plan = scan::scan(&context.state(), &csv(&path), &[0]).await;
    assert_eq!(
        plan.unwrap().output_partitioning().partition_count(),
        1,
        "divided"
    );
    let engine = DataFusion::table("patients", Arc::new(csv(&path))).with_partitions(8);
    let read = Loaded::<Patient>::read::<AddRemove>(engine).unwrap();
    assert_eq!(read.exact(&rows::<Patient>().count()), [30_000]);
}
