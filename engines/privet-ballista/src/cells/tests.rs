//! An order that was on the wire, in the hands of who has no key: executors run it on its own parts, or not at all.

use std::path::Path;
use std::sync::Mutex;

use crypto_box::SecretKey;
use crypto_box::aead::OsRng;
use datafusion::arrow::array::{
    AsArray, FixedSizeListBuilder, Float64Builder, Int64Array, StringArray,
};
use datafusion::catalog::TableProvider;
use datafusion::common::ScalarValue;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileScanConfig, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::logical_expr::Operator;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::physical_expr::expressions::{Literal, binary, case, col};
use datafusion::physical_expr::projection::{ProjectionExpr, ProjectionExprs};
use datafusion::prelude::{CsvReadOptions, ParquetReadOptions, SessionContext};
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::PhysicalPlanNode;
use privet::engine::{Engine, Opened, Pass, RemoteEngine, Schema as Wanted};
use privet::prelude::*;
use privet::testing::Loaded;

use super::*;
use crate::codec::Codec;

#[derive(Record, Clone, Debug)]
struct Patient {
    age: i64,
}

/// Keeps what a driver sends when a vault opens: all columns, no query.
struct Capture(Arc<Mutex<Vec<u8>>>);

// SAFETY: no rows at all.
#[allow(unsafe_code)]
unsafe impl RemoteEngine for Capture {
    fn name(&self) -> String {
        "capture".into()
    }
    fn run(&self, _: &Pass, task: &Task) -> std::result::Result<Cells, EngineError> {
        *self.0.lock().unwrap() = task.encode();
        #[allow(unsafe_code)]
        unsafe { task.worker() }.finish()
    }
}

impl Engine for Capture {
    fn open(self, _: &Wanted) -> privet::Result<Opened> {
        Ok(Opened::Remote(Box::new(self)))
    }
}

#[derive(Record, Clone, Debug)]
struct Point {
    at: [f64; 2],
}

fn task<R: Record>() -> Vec<u8> {
    let task = Arc::new(Mutex::new(Vec::new()));
    Loaded::<R>::read::<AddRemove>(Capture(Arc::clone(&task))).unwrap();
    let task = task.lock().unwrap();
    task.clone()
}

/// Patients in a file of each kind, and what reads them.
async fn tables(directory: &Path) -> (SessionContext, Arc<dyn TableProvider>, Scan) {
    let names: ArrayRef = Arc::new(StringArray::from(vec!["Ada", "Bob", "Cyd"]));
    let ages: ArrayRef = Arc::new(Int64Array::from(vec![31, 41, 59]));
    let batch = RecordBatch::try_from_iter([("name", names), ("age", ages)]).unwrap();
    let path = |name| directory.join(name).to_str().unwrap().to_owned();
    let file = std::fs::File::create(path("patients.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    std::fs::write(path("patients.csv"), "name,age\nAda,31\nBob,41\nCyd,59\n").unwrap();

    let context = SessionContext::new_with_config(scan::session(1));
    let parquet = ParquetReadOptions::default();
    let registered = context.register_parquet("p", path("patients.parquet"), parquet);
    registered.await.unwrap();
    let registered = context.register_csv(
        "c",
        path("patients.csv"),
        CsvReadOptions::new().has_header(true),
    );
    registered.await.unwrap();
    let csv = context.table_provider("c").await.unwrap();
    let csv = scan::scan(&context.state(), csv.as_ref(), &[1]).await;
    let parquet = context.table_provider("p").await.unwrap();
    (context, parquet, csv.unwrap())
}

type Scan = Arc<dyn ExecutionPlan>;

/// `age`, but nothing where the name is `name`: what a thief would have a scan compute.
async fn asking(context: &SessionContext, table: &dyn TableProvider, name: &str) -> Scan {
    let scan = scan::scan(&context.state(), table, &[0, 1]).await.unwrap();
    let schema = scan.schema();
    let of = |column| col(column, &schema).unwrap();
    let name = Arc::new(Literal::new(ScalarValue::Utf8View(Some(name.into()))));
    let named = binary(of("name"), Operator::Eq, name, &schema).unwrap();
    let nothing: Arc<dyn PhysicalExpr> = Arc::new(Literal::new(ScalarValue::Int64(None)));
    let asked = case(None, vec![(named, nothing)], Some(of("age"))).unwrap();
    let projection = ProjectionExprs::new(vec![ProjectionExpr::new(asked, "age".to_string())]);
    let source = scan.downcast_ref::<DataSourceExec>().unwrap().data_source();
    let source = source.try_swapping_with_projection(&projection);
    Arc::new(DataSourceExec::new(source.unwrap().unwrap()))
}

fn order(key: &ClusterKey, parts: Vec<[u8; 32]>) -> Order {
    order_of::<Patient>(key, parts)
}

fn order_of<R: Record>(key: &ClusterKey, parts: Vec<[u8; 32]>) -> Order {
    let secret = SecretKey::generate(&mut OsRng);
    Order::new(key, &secret.public_key(), parts, task::<R>(), None)
}

/// How many sealed bytes an executor publishes for an order over a scan, as both come from the wire.
async fn published(
    context: &SessionContext,
    key: &ClusterKey,
    order: &Order,
    scan: &Scan,
) -> Result<usize, String> {
    let order = Order::decode(&order.encode()).unwrap();
    let plan: Scan = Arc::new(CellsExec::new(Arc::new(order), Arc::clone(scan)));
    let codec = Codec::default();
    let mut bytes = Vec::new();
    let node = PhysicalPlanNode::try_from_physical_plan(plan, &codec).unwrap();
    node.try_encode(&mut bytes).unwrap();

    let node = PhysicalPlanNode::try_decode(&bytes).unwrap();
    let received = node.try_into_physical_plan(&context.task_ctx(), &codec);
    let received = received.unwrap();
    let swept = Arc::default();
    let received: &CellsExec = received.downcast_ref().unwrap();
    let permitted = received.permitted(key, &swept);
    let permitted = permitted.ok_or("not permitted")?;
    let mut rows = permitted.execute(0, context.task_ctx()).unwrap();
    let mut size = 0;
    while let Some(batch) = rows.next().await {
        let batch = batch.map_err(|error| error.to_string())?;
        size += batch.column(3).as_binary::<i32>().value(0).len();
    }
    Ok(size)
}

fn in_runtime<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(work)
}

#[test]
fn an_order_is_run_on_its_own_parts_only() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let (context, table, _) = tables(directory.path()).await;
        let key = ClusterKey::draw();
        let scan = scan::scan(&context.state(), table.as_ref(), &[1]).await;
        let scan = scan.unwrap();
        let own = order(&key, part::names(&scan).unwrap());
        assert!(published(&context, &key, &own, &scan).await.unwrap() > 1 << 16);
        // Of another vault's rows.
        let other = order(&key, vec![[7; 32]]);
        let refused = published(&context, &key, &other, &scan).await.unwrap_err();
        assert!(refused.contains("not a part of the rows"), "{refused}");
    });
}

#[test]
fn a_stolen_order_answers_no_predicate() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let (context, table, _) = tables(directory.path()).await;
        let key = ClusterKey::draw();
        let scan = scan::scan(&context.state(), table.as_ref(), &[1]).await;
        let own = order(&key, part::names(&scan.unwrap()).unwrap());
        for name in ["Bob", "Zoe"] {
            let asking = asking(&context, table.as_ref(), name).await;
            let refused = published(&context, &key, &own, &asking).await;
            assert_eq!(refused, Err("not permitted".into()), "{name}");
        }
    });
}

/// A table of one file, whose ages are written as they are and read as integers.
async fn ages(directory: &Path, name: &str, ages: ArrayRef) -> (SessionContext, Scan) {
    let path = directory.join(name).to_str().unwrap().to_owned();
    let batch = RecordBatch::try_from_iter_with_nullable([("age", ages, true)]).unwrap();
    let file = std::fs::File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let context = SessionContext::new_with_config(scan::session(1));
    let told = Schema::new(vec![Field::new("age", DataType::Int64, true)]);
    let told = ParquetReadOptions::default().schema(&told);
    context.register_parquet("t", path, told).await.unwrap();
    let table = context.table_provider("t").await.unwrap();
    let scan = scan::scan(&context.state(), table.as_ref(), &[0]).await;
    (context, scan.unwrap())
}

/// The scan of a thief, who keeps columns and files and changes the rest.
fn changed(scan: &Scan, change: impl FnOnce(&mut FileScanConfig)) -> Scan {
    let source = scan.downcast_ref::<DataSourceExec>().unwrap().data_source();
    let mut config = source.downcast_ref::<FileScanConfig>().unwrap().clone();
    change(&mut config);
    DataSourceExec::from_data_source(config)
}

fn told_of_age(kind: DataType, nullable: bool) -> SchemaRef {
    Arc::new(Schema::new(vec![Field::new("age", kind, nullable)]))
}

/// A dictionary of eight bits has no place for a 129th value.
#[test]
fn a_stolen_order_answers_no_schema_of_a_file() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let key = ClusterKey::draw();
        for distinct in [100, 200] {
            let values: ArrayRef = Arc::new(Int64Array::from_iter_values(0..distinct));
            let name = format!("{distinct}.parquet");
            let (context, scan) = ages(directory.path(), &name, values).await;
            let own = order(&key, part::names(&scan).unwrap());
            let size = published(&context, &key, &own, &scan).await.unwrap();
            let kind = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Int64));
            let asking = changed(&scan, |config| {
                let group = config.file_groups[0].iter();
                let telling = |file: &PartitionedFile| {
                    file.clone()
                        .with_arrow_schema(told_of_age(kind.clone(), true))
                };
                config.file_groups = vec![group.map(telling).collect::<Vec<_>>().into()];
            });
            let refused = published(&context, &key, &own, &asking).await;
            assert_eq!(refused, Err("not permitted".into()), "{distinct}");
            // Nor does what is built anew hold it, were it permitted.
            let (_, groups) = files(&asking).unwrap();
            let anew = part::rebuilt(&asking, &groups[0]).unwrap();
            let (_, groups) = files(&anew).unwrap();
            assert!(groups[0].iter().all(|file| file.arrow_schema.is_none()));
            // Options and batches are ours.
            let asking = changed(&scan, |config| {
                config.batch_size = Some(1);
                let source = config
                    .file_source()
                    .downcast_ref::<ParquetSource>()
                    .unwrap();
                let source = source.clone().with_pushdown_filters(true);
                config.file_source = Arc::new(source.with_enable_page_index(true));
            });
            assert_eq!(published(&context, &key, &own, &asking).await, Ok(size));
            let (_, groups) = files(&asking).unwrap();
            let anew = part::rebuilt(&asking, &groups[0]).unwrap();
            let source = anew.downcast_ref::<DataSourceExec>().unwrap().data_source();
            let config = source.downcast_ref::<FileScanConfig>().unwrap();
            assert_eq!(config.batch_size, None);
            let source = config.file_source().downcast_ref::<ParquetSource>();
            let options = &source.unwrap().table_parquet_options().global;
            assert!(!options.pushdown_filters && !options.pruning);
        }
    });
}

/// A scan that was promised no nulls fails where there is one.
#[test]
fn a_stolen_order_answers_no_promise_of_the_rows() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let key = ClusterKey::draw();
        for last in [None, Some(59)] {
            let values: ArrayRef = Arc::new(Int64Array::from(vec![Some(31), last]));
            let name = format!("{}.parquet", last.is_some());
            let (context, scan) = ages(directory.path(), &name, values).await;
            let own = order(&key, part::names(&scan).unwrap());
            assert!(published(&context, &key, &own, &scan).await.unwrap() > 1 << 16);
            let asking = changed(&scan, |config| {
                let source = ParquetSource::new(told_of_age(DataType::Int64, false));
                config.file_source = Arc::new(source);
            });
            let refused = published(&context, &key, &own, &asking).await;
            assert!(refused.unwrap_err().contains("not a part of the rows"));
        }
    });
}

/// A value that the scan itself cannot read is an answer like any other.
#[test]
fn a_scan_that_fails_by_a_value_looks_like_one_that_does_not() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let key = ClusterKey::draw();
        let mut sizes = Vec::new();
        for last in ["59", "many"] {
            let values: ArrayRef = Arc::new(StringArray::from(vec!["31", last]));
            let (context, scan) = ages(directory.path(), &format!("{last}.parquet"), values).await;
            let reads = datafusion::physical_plan::collect(Arc::clone(&scan), context.task_ctx());
            assert_eq!(reads.await.is_ok(), last == "59");
            let own = order(&key, part::names(&scan).unwrap());
            sizes.push(published(&context, &key, &own, &scan).await.unwrap());
        }
        assert_eq!(sizes[0], sizes[1]);
    });
}

#[test]
fn a_hole_in_a_vector_looks_like_none() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let key = ClusterKey::draw();
        let mut sizes = Vec::new();
        for second in [Some(2.0), None] {
            let mut list = FixedSizeListBuilder::new(Float64Builder::new(), 2);
            list.values().append_value(1.0);
            list.values().append_option(second);
            list.append(true);
            let list: ArrayRef = Arc::new(list.finish());
            let batch = RecordBatch::try_from_iter([("at", list)]).unwrap();
            let path = directory
                .path()
                .join(format!("{}.parquet", second.is_some()));
            let file = std::fs::File::create(&path).unwrap();
            let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
            let context = SessionContext::new_with_config(scan::session(1));
            let (path, told) = (path.to_str().unwrap(), ParquetReadOptions::default());
            context.register_parquet("t", path, told).await.unwrap();
            let table = context.table_provider("t").await.unwrap();
            let scan = scan::scan(&context.state(), table.as_ref(), &[0]).await;
            let scan = scan.unwrap();
            let own = order_of::<Point>(&key, part::names(&scan).unwrap());
            sizes.push(published(&context, &key, &own, &scan).await.unwrap());
        }
        assert_eq!(sizes[0], sizes[1]);
    });
}

/// A name of a part does not say which signs of a CSV file are a quote, a comment or the end of a cell.
#[test]
fn files_that_are_not_parquet_are_no_parts() {
    let directory = tempfile::tempdir().unwrap();
    in_runtime(async {
        let (context, _, csv) = tables(directory.path()).await;
        assert_eq!(part::names(&csv), None);
        let key = ClusterKey::draw();
        let (store, groups) = files(&csv).unwrap();
        let order = order(&key, vec![part::name(&csv, store, &groups[0])]);
        let refused = published(&context, &key, &order, &csv).await;
        assert_eq!(refused, Err("not permitted".into()));
    });
}
