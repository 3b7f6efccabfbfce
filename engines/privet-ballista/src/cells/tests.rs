//! An order that was on the wire, in the hands of who has no key: executors run it on its own parts, or not at all.

use std::path::Path;
use std::sync::Mutex;

use crypto_box::SecretKey;
use crypto_box::aead::OsRng;
use datafusion::arrow::array::{AsArray, Int64Array, StringArray};
use datafusion::catalog::TableProvider;
use datafusion::common::ScalarValue;
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
        Ok(unsafe { task.worker() }.finish())
    }
}

impl Engine for Capture {
    fn open(self, _: &Wanted) -> privet::Result<Opened> {
        Ok(Opened::Remote(Box::new(self)))
    }
}

fn task() -> Vec<u8> {
    let task = Arc::new(Mutex::new(Vec::new()));
    Loaded::<Patient>::read::<AddRemove>(Capture(Arc::clone(&task))).unwrap();
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
    let secret = SecretKey::generate(&mut OsRng);
    Order::new(key, &secret.public_key(), parts, task())
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
    let permitted = received.downcast_ref::<CellsExec>().unwrap().permitted(key);
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
