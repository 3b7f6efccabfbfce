//! The embedded engine against memory: equal cells, whatever holds the rows and however they are divided.

#[path = "../../tests-common/visits.rs"]
mod visits;

use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use privet::prelude::*;
use privet::testing::{Asked, Choices, Loaded};
use privet_datafusion::DataFusion;
use visits::{Visit, batch, queries, visits as random_visits, write};

/// A table in memory, of partitions and batches of random sizes, some of them empty.
fn table(choices: &mut Choices, rows: &[Visit]) -> Arc<dyn TableProvider> {
    let form = choices.below(3);
    let mut partitions = vec![Vec::new(); 1 + choices.below(4)];
    let mut rest = rows;
    while !rest.is_empty() {
        let (some, others) = rest.split_at(choices.below(rest.len().min(3000)) + 1);
        let place = choices.below(partitions.len());
        partitions[place].push(batch(some, form));
        partitions[place].push(batch(&[], form));
        rest = others;
    }
    Arc::new(MemTable::try_new(batch(&[], form).schema(), partitions).unwrap())
}

fn assert_equal(rows: &[Visit], engine: DataFusion, asked: &[Asked<Visit>], case: u64) {
    let memory = Loaded::new(rows.to_vec()).pass(asked, false);
    let read = Loaded::read::<AddRemove>(engine).unwrap();
    for by_program in [true, false] {
        assert_eq!(
            read.pass(asked, by_program),
            memory,
            "case {case}, by program: {by_program}"
        );
    }
}

#[test]
fn random_tables_have_the_cells_that_memory_has() {
    for case in 0..60 {
        let choices = &mut Choices::new(case);
        let size = [0, 1, 5, 1023, 1024, 1025, 9000][choices.below(7)];
        let rows = random_visits(choices, size);
        let asked = queries(choices);
        let engine = DataFusion::table("visits", table(choices, &rows));
        assert_equal(&rows, engine, &asked, case);
    }
}

#[test]
fn parquet_files_have_the_cells_that_memory_has() {
    for case in 0..12 {
        let choices = &mut Choices::new(1000 + case);
        let directory = tempfile::tempdir().unwrap();
        let (mut all, files) = (Vec::new(), 1 + choices.below(3));
        for file in 0..files {
            let size = choices.below(5000);
            let rows = random_visits(choices, size);
            let path = directory.path().join(format!("part-{file}.parquet"));
            write(&path, &batch(&rows, 0), 1 + choices.below(1500));
            all.extend(rows);
        }
        let asked = queries(choices);
        let path = format!("{}/", directory.path().display());
        let engine = DataFusion::parquet(path).with_partitions(1 + choices.below(5));
        assert_equal(&all, engine, &asked, case);
    }
}

#[test]
fn neighbours_move_cells_as_the_types_say() {
    let query = rows::<Visit>()
        .filter(|v| v.smoker)
        .sum(|v| v.age.clamp::<-10, 120>());
    let choices = &mut Choices::new(7);
    let rows = random_visits(choices, 400);
    let exact = |choices: &mut Choices, rows: &[Visit]| {
        let engine = DataFusion::table("visits", table(choices, rows));
        Loaded::read::<AddRemove>(engine).unwrap().exact(&query)[0]
    };
    let all = exact(choices, &rows);
    for left_out in 0..60 {
        let mut fewer = rows.clone();
        let gone = fewer.remove(left_out * 6);
        let moved = all - exact(choices, &fewer);
        let expected = if gone.smoker {
            gone.age.clamp(-10, 120)
        } else {
            0
        };
        assert_eq!(moved, i128::from(expected), "without row {left_out}");
    }
}

#[test]
fn queries_without_a_plan_work_too() {
    let choices = &mut Choices::new(3);
    let mut rows_of_mine = random_visits(choices, 3000);
    for row in rows_of_mine.iter_mut().take(2500) {
        row.city = "Lugano".into();
    }
    let engine = DataFusion::table("visits", table(choices, &rows_of_mine));
    type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
    let vault: Vault<Table<Visit>, Price> = Vault::load(engine).unwrap();
    let cities = rows::<Visit>().frequent_keys::<Price, _>(|v| v.city);
    let (cities, _) = vault.release(cities).unwrap();
    assert!((cities["Lugano"] - 2500).abs() < 200);
}
