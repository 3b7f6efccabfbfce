//! A vault inside of asynchronous programs: their threads can open one, release and drop it, whatever runs them.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch};
use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use privet::prelude::*;
use privet_datafusion::DataFusion;

#[derive(Record, Clone)]
struct Patient {
    #[allow(dead_code)]
    age: i64,
}

/// So little noise that it is 0 but for a chance of e^-75.
type Exact = Eps<200, 1>;

/// More batches than a task of tokio's may take from a channel before it has to return.
const BATCHES: i64 = 500;

fn table() -> Arc<dyn TableProvider> {
    let batch = |place| {
        let ages: ArrayRef = Arc::new(Int64Array::from(vec![place; 10]));
        RecordBatch::try_from_iter([("age", ages)]).unwrap()
    };
    let batches: Vec<_> = (0..BATCHES).map(batch).collect();
    Arc::new(MemTable::try_new(batches[0].schema(), vec![batches]).unwrap())
}

fn open_release_drop() {
    let engine = DataFusion::table("patients", table());
    let vault: Vault<Table<Patient>, Eps<400, 1>> = Vault::load(engine).unwrap();
    let count = || rows::<Patient>().count().laplace::<Exact>();
    let (counted, vault) = vault.release(count()).unwrap();
    assert_eq!(counted, 10 * BATCHES);
    drop(vault);
    // One that does not open ends its threads as well.
    let nothing = DataFusion::parquet("/no/such/directory/");
    assert!(Vault::<Table<Patient>, Exact>::load(nothing).is_err());
}

#[test]
fn inside_an_executor_of_futures() {
    futures::executor::block_on(async { open_release_drop() });
}

#[tokio::test(flavor = "current_thread")]
async fn inside_a_runtime_of_one_thread() {
    open_release_drop();
}

#[tokio::test(flavor = "multi_thread")]
async fn inside_a_task() {
    tokio::spawn(async { open_release_drop() }).await.unwrap();
}
