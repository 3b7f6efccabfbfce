//! Random tables and questions, by every engine: equal cells, whatever holds the rows and however they are
//! divided.
//!
//! 10,000 questions to each engine by default; `PRIVET_ENGINE_QUESTIONS=1000000` asks more.

use std::time::Instant;

use privet::engine::EngineError;
use privet::plan::Plan;
use privet::prelude::*;
use privet::testing::{Asked, Choices, Loaded};
use privet_parquet::Parquet;

use crate::harness::Cluster;
use crate::questions::questions;
use crate::visits::{Visit, visits};

#[test]
fn random_questions_have_the_same_cells_on_every_engine() {
    let wanted = std::env::var("PRIVET_ENGINE_QUESTIONS");
    let wanted: usize = wanted.map_or(10_000, |wanted| wanted.parse().unwrap());
    let cluster = Cluster::start(61, 0, 2);
    let (start, mut asked_so_far, mut table) = (Instant::now(), 0, 0);
    let mut times = [0.0; 5];
    while asked_so_far < wanted {
        let choices = &mut Choices::new(6100 + table);
        let size = [0, 1, 5, 40, 1023, 1024, 1025, 4000][choices.below(8)];
        let rows = visits(choices, size);
        let name = format!("table-{table}");
        // Some files are empty; row groups, partitions and batches are of any size.
        let (files, group) = (1 + choices.below(4), 1 + choices.below(1500));
        cluster.write_files(&name, &rows, files, group);
        let partitions = 1 + choices.below(5);
        let files = || cluster.files_in(&name).with_partitions(partitions);
        let path = cluster.directory.path().join(&name);
        let memory = Loaded::new(rows);
        let stream: Loaded<Visit> = Loaded::read::<AddRemove>(Parquet::open(&path)).unwrap();
        let embedded: Loaded<Visit> = Loaded::read::<AddRemove>(files()).unwrap();
        let remote: Loaded<Visit> =
            Loaded::read::<AddRemove>(cluster.engine_at(cluster.at, files(), 120)).unwrap();
        for _ in 0..2 {
            // Three times every shape, each with constants of its own.
            let questions: Vec<_> = (0..3).flat_map(|_| questions(choices)).collect();
            let terms: Vec<_> = questions.iter().map(|q| q.term.clone()).collect();
            let asked: Vec<Asked<Visit>> = questions.into_iter().map(|q| q.asked).collect();
            let mut clocked = |engine: usize, run: &dyn Fn() -> Vec<Vec<i128>>| {
                let start = Instant::now();
                let cells = run();
                times[engine] += start.elapsed().as_secs_f64();
                cells
            };
            let expected = clocked(0, &|| memory.pass(&asked, false));
            let same = |engine: &str, cells: Vec<Vec<i128>>| {
                assert_eq!(cells.len(), expected.len());
                for ((cells, expected), term) in cells.iter().zip(&expected).zip(&terms) {
                    assert_eq!(cells, expected, "{engine}, table {table}: {term}");
                }
            };
            same("stream", clocked(1, &|| stream.pass(&asked, true)));
            same("embedded", clocked(2, &|| embedded.pass(&asked, true)));
            same("cluster", clocked(3, &|| remote.pass(&asked, true)));
            // The plan as bytes, and back.
            let plan = Plan::decode(&Plan::new(terms.clone()).encode()).unwrap();
            let decoded = clocked(4, &|| {
                let answers = memory.run(&plan).into_iter();
                answers.map(|answer| answer.expect("planned")).collect()
            });
            same("a decoded plan", decoded);
            asked_so_far += asked.len();
        }
        std::fs::remove_dir_all(&path).unwrap();
        table += 1;
    }
    println!(
        "{asked_so_far} questions to each engine, {table} tables, {:.1} s: memory {:.1}, stream {:.1}, \
         embedded {:.1}, cluster {:.1}, decoded {:.1}",
        start.elapsed().as_secs_f64(),
        times[0],
        times[1],
        times[2],
        times[3],
        times[4]
    );
    cluster.assert_silent();
}

/// What no plan can run is refused, with its reason, and not answered in another way.
#[test]
fn what_a_cluster_cannot_run_is_refused_or_read_here() {
    let cluster = Cluster::start(62, 100, 1);
    let vault: Vault<Table<Visit>, Eps<1, 1>> = Vault::load(cluster.engine(120)).unwrap();
    let long = || rows::<Visit>().filter(|v| v.city.length().gt(3)).count();
    let refused = vault.release(long().laplace::<Eps<1, 1>>()).unwrap_err();
    let privet::Error::Engine(reason) = &refused else {
        panic!("{refused}");
    };
    assert!(
        matches!(**reason, EngineError::Unsupported { .. }),
        "{refused}"
    );
    let both = cluster.engine(120).with_stream();
    let both: Loaded<Visit> = Loaded::read::<AddRemove>(both).unwrap();
    let memory = Loaded::new(cluster.rows.clone());
    assert_eq!(both.exact(&long()), memory.exact(&long()));
}
