//! What a vault does not open on, and what ends a pass: one error, without a value.

#[path = "../../tests-common/visits.rs"]
mod visits;

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result, Statistics, stats::Precision};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::datasource::{MemTable, TableType, ViewTable};
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::{ExecutionPlan, displayable};
use datafusion::prelude::{CsvReadOptions, SessionContext};
use object_store::{ObjectMeta, ObjectStore};
use privet::engine::EngineError;
use privet::prelude::*;
use privet::testing::{Choices, Loaded};
use privet_datafusion::{DataFusion, scan};
use visits::{batch, visits as random_visits, write};

#[derive(Record, Clone)]
struct Patient {
    age: i8,
    ward: Ward,
}

#[allow(dead_code)] // Only their names are used.
#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Oncology,
}

fn memory(ages: Vec<Option<i64>>, wards: Vec<Option<&str>>) -> Arc<dyn TableProvider> {
    let columns: [(&str, ArrayRef); 2] = [
        ("age", Arc::new(Int64Array::from(ages))),
        ("ward", Arc::new(StringArray::from(wards))),
    ];
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.map(|(n, a)| (n, a, true))).unwrap();
    Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]]).unwrap())
}

fn open(table: Arc<dyn TableProvider>) -> std::result::Result<Loaded<Patient>, privet::Error> {
    Loaded::read::<AddRemove>(DataFusion::table("patients", table))
}

fn error(table: Arc<dyn TableProvider>) -> String {
    open(table).expect_err("refused").to_string()
}

#[test]
fn values_that_do_not_fit_are_refused_when_the_vault_opens_and_not_quoted() {
    let fits = open(memory(vec![Some(7)], vec![Some("Surgery")])).unwrap();
    assert_eq!(fits.exact(&rows::<Patient>().count()), [1]);
    for (ages, wards, column) in [
        (vec![Some(7), None], vec![Some("Surgery"); 2], "age"),
        (vec![Some(7), Some(31_337)], vec![Some("Surgery"); 2], "age"),
        (
            vec![Some(7); 2],
            vec![Some("Surgery"), Some("Secret-31337")],
            "ward",
        ),
        (vec![Some(7); 2], vec![Some("Surgery"), None], "ward"),
    ] {
        let error = error(memory(ages, wards));
        assert!(
            error.contains(&format!("`{column}`")) && error.contains("patients"),
            "{error}"
        );
        assert!(
            !error.contains("31337") && !error.contains("Secret"),
            "{error}"
        );
    }
}

#[test]
fn columns_of_another_type_are_refused_with_both_types() {
    let columns: [(&str, ArrayRef); 2] = [
        ("age", Arc::new(StringArray::from(vec!["seven"]))),
        ("ward", Arc::new(StringArray::from(vec!["Surgery"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let missing = batch.project(&[1]).unwrap();
    let table = |batch: RecordBatch| MemTable::try_new(batch.schema(), vec![vec![batch]]).unwrap();
    let wrong = error(Arc::new(table(batch)));
    assert!(
        wrong.contains("whole numbers from -128 to 127") && wrong.contains("Utf8"),
        "{wrong}"
    );
    let missing = error(Arc::new(table(missing)));
    assert!(
        missing.contains("`age`") && missing.contains("no such column"),
        "{missing}"
    );
}

/// A table whose statistics lie, and whose scan may fail with a message that quotes a value.
#[derive(Debug)]
struct Odd {
    rows: Arc<dyn TableProvider>,
    fails: bool,
}

#[async_trait::async_trait]
impl TableProvider for Odd {
    fn schema(&self) -> SchemaRef {
        self.rows.schema()
    }
    fn table_type(&self) -> TableType {
        TableType::Base
    }
    fn statistics(&self) -> Option<Statistics> {
        let mut statistics = Statistics::new_unknown(&self.schema());
        statistics.num_rows = Precision::Exact(1_000_000);
        Some(statistics)
    }
    async fn scan(
        &self,
        state: &dyn Session,
        places: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        assert!(filters.is_empty() && limit.is_none() && places.is_some_and(|p| !p.is_empty()));
        match self.fails {
            true => Err(DataFusionError::Execution(
                "cannot cast 'Secret' to Int64".into(),
            )),
            false => self.rows.scan(state, places, filters, limit).await,
        }
    }
}

#[test]
fn statistics_answer_nothing_and_errors_of_the_engine_are_dropped() {
    let rows_of_mine = memory(
        vec![Some(7), Some(8)],
        vec![Some("Surgery"), Some("Oncology")],
    );
    let odd = |fails| {
        Arc::new(Odd {
            rows: Arc::clone(&rows_of_mine),
            fails,
        })
    };
    // SAFETY: it gives the rows of a table in memory, which nobody changes.
    #[allow(unsafe_code)]
    let promised = |fails| unsafe { DataFusion::table_of("patients", odd(fails)) };
    let counted = Loaded::<Patient>::read::<AddRemove>(promised(false)).unwrap();
    assert_eq!(counted.exact(&rows::<Patient>().count()), [2]);
    let error = Loaded::<Patient>::read::<AddRemove>(promised(true));
    let error = error.expect_err("refused").to_string();
    assert!(
        !error.contains("Secret") && error.contains("the engine cannot scan it"),
        "{error}"
    );
}

/// Its scan is somebody's code: safe code would promise what `ColumnSource` is `unsafe` for.
#[test]
fn a_table_of_ones_own_is_refused_without_a_promise() {
    let rows = memory(vec![Some(7)], vec![Some("Surgery")]);
    let error = error(Arc::new(Odd { rows, fails: false }));
    assert!(error.contains("DataFusion::table_of"), "{error}");
}

/// A format of one's own plans the scan of a `ListingTable`.
#[test]
fn files_of_a_format_of_ones_own_are_refused() {
    #[derive(Debug)]
    struct Mine;
    #[async_trait::async_trait]
    impl FileFormat for Mine {
        fn get_ext(&self) -> String {
            ".csv".into()
        }
        fn get_ext_with_compression(&self, _: &FileCompressionType) -> Result<String> {
            Ok(self.get_ext())
        }
        fn compression_type(&self) -> Option<FileCompressionType> {
            None
        }
        async fn infer_schema(
            &self,
            _: &dyn Session,
            _: &Arc<dyn ObjectStore>,
            _: &[ObjectMeta],
        ) -> Result<SchemaRef> {
            Ok(Arc::new(Schema::empty()))
        }
        async fn infer_stats(
            &self,
            _: &dyn Session,
            _: &Arc<dyn ObjectStore>,
            schema: SchemaRef,
            _: &ObjectMeta,
        ) -> Result<Statistics> {
            Ok(Statistics::new_unknown(&schema))
        }
        async fn create_physical_plan(
            &self,
            _: &dyn Session,
            _: FileScanConfig,
        ) -> Result<Arc<dyn ExecutionPlan>> {
            panic!("its code ran")
        }
        fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
            CsvFormat::default().file_source(schema)
        }
    }
    let directory = tempfile::tempdir().unwrap();
    let url = ListingTableUrl::parse(directory.path().to_str().unwrap()).unwrap();
    let columns = ["age", "ward"].map(|name| Field::new(name, DataType::Int64, true));
    let config = ListingTableConfig::new(url)
        .with_listing_options(ListingOptions::new(Arc::new(Mine)))
        .with_schema(Arc::new(Schema::new(columns.to_vec())));
    let error = error(Arc::new(ListingTable::try_new(config).unwrap()));
    assert!(error.contains("DataFusion::table_of"), "{error}");
}

/// What is put into a table after a vault opened on it is not the vault's.
#[test]
fn a_table_in_memory_is_as_it_was_when_the_vault_opened() {
    let rows_of_mine = memory(vec![Some(7)], vec![Some("Surgery")]);
    let read = open(Arc::clone(&rows_of_mine)).unwrap();
    let table = rows_of_mine.downcast_ref::<MemTable>().unwrap();
    let mut batches = table.batches[0].try_write().unwrap();
    *batches = vec![batches[0].clone(), batches[0].clone()];
    drop(batches);
    assert_eq!(read.exact(&rows::<Patient>().count()), [1]);
}

#[test]
fn tables_that_a_session_registered_are_known() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("patients.csv");
    std::fs::write(&path, "age,ward\n7,Surgery\n9,Oncology\n").unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let tables = runtime.block_on(async {
        let context = SessionContext::new();
        let options = CsvReadOptions::new().has_header(true);
        let csv = context.register_csv("files", path.to_str().unwrap(), options);
        csv.await.unwrap();
        let table = memory(
            vec![Some(7), Some(8)],
            vec![Some("Surgery"), Some("Oncology")],
        );
        context.register_table("memory", table).unwrap();
        let files = context.table_provider("files").await.unwrap();
        [files, context.table_provider("memory").await.unwrap()]
    });
    for table in tables {
        let read = open(table).unwrap();
        assert_eq!(read.exact(&rows::<Patient>().count()), [2]);
    }
}

#[test]
fn a_view_is_refused() {
    let context = SessionContext::new();
    let rows_of_mine = memory(vec![Some(7)], vec![Some("Surgery")]);
    let plan = futures::executor::block_on(async {
        let rows = context.read_table(rows_of_mine).unwrap();
        rows.into_unoptimized_plan()
    });
    let error = error(Arc::new(ViewTable::new(plan, None)));
    assert!(error.contains("it is a view"), "{error}");
}

#[test]
fn csv_is_read_and_its_errors_quote_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("patients.csv");
    let table = |text: &str| -> Arc<dyn TableProvider> {
        std::fs::write(&path, text).unwrap();
        let url = ListingTableUrl::parse(path.to_str().unwrap()).unwrap();
        let schema = Schema::new(vec![
            Field::new("age", DataType::Int64, true),
            Field::new("ward", DataType::Utf8, true),
        ]);
        let options = ListingOptions::new(Arc::new(CsvFormat::default().with_has_header(true)));
        let config = ListingTableConfig::new(url)
            .with_listing_options(options)
            .with_schema(Arc::new(schema));
        Arc::new(ListingTable::try_new(config).unwrap())
    };
    let read = open(table("age,ward\n7,Surgery\n9,Oncology\n")).unwrap();
    assert_eq!(
        read.exact(&rows::<Patient>().sum(|p| p.age.clamp::<0, 100>())),
        [16]
    );
    let error = error(table("age,ward\n7,Surgery\nSecret,Oncology\n"));
    assert!(!error.contains("Secret"), "{error}");
}

#[test]
fn a_file_that_changed_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("visits.parquet");
    let rows_of_mine = random_visits(&mut Choices::new(1), 100);
    write(&path, &batch(&rows_of_mine, 0), 50);
    let engine = DataFusion::parquet(path.to_str().unwrap());
    let vault: Vault<Table<visits::Visit>, Eps<1, 1>> = Vault::load(engine).unwrap();
    let count = || rows::<visits::Visit>().count().laplace::<Eps<1, 2>>();
    let (_, vault) = vault.release(count()).unwrap();
    write(&path, &batch(&rows_of_mine[1..], 0), 50);
    let error = vault.release(count()).unwrap_err().to_string();
    let changed = EngineError::Changed {
        data: path.to_str().unwrap().into(),
    };
    assert!(error.contains(&changed.to_string()), "{error}");
}

#[test]
fn a_truncated_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("visits.parquet");
    write(
        &path,
        &batch(&random_visits(&mut Choices::new(1), 100), 0),
        50,
    );
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let engine = DataFusion::parquet(path.to_str().unwrap());
    assert!(Loaded::<visits::Visit>::read::<AddRemove>(engine).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_plan_is_a_scan_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("visits.parquet");
    write(
        &path,
        &batch(&random_visits(&mut Choices::new(1), 100), 0),
        50,
    );
    let context =
        SessionContext::new_with_config(scan::session(3).with_repartition_file_min_size(0));
    let url = ListingTableUrl::parse(path.to_str().unwrap()).unwrap();
    let format = datafusion::datasource::file_format::parquet::ParquetFormat::default();
    let config = ListingTableConfig::new(url)
        .with_listing_options(ListingOptions::new(Arc::new(format)))
        .infer_schema(&context.state())
        .await
        .unwrap();
    let table = ListingTable::try_new(config).unwrap();
    let place = table.schema().index_of("bill").unwrap();
    let plan = scan::scan(&context.state(), &table, &[place])
        .await
        .unwrap();
    let shown = displayable(plan.as_ref()).indent(false).to_string();
    assert_eq!(shown.lines().count(), 1, "{shown}");
    assert!(
        shown.starts_with("DataSourceExec: file_groups={3 groups: "),
        "{shown}"
    );
    assert!(
        shown.contains("projection=[bill], file_type=parquet"),
        "{shown}"
    );
    assert!(
        !shown.contains("predicate") && !shown.contains("limit"),
        "{shown}"
    );
    // Partitions do not take files from each other.
    assert!(
        !context
            .state()
            .config_options()
            .execution
            .enable_file_stream_work_stealing
    );
}

#[tokio::test]
async fn a_vault_works_inside_an_asynchronous_program() {
    let table = memory(vec![Some(7)], vec![Some("Surgery")]);
    let engine = DataFusion::table("patients", table);
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::load(engine).unwrap();
    let (_, vault) = vault
        .release(rows::<Patient>().count().laplace::<Eps<1, 2>>())
        .unwrap();
    drop(vault);
}
