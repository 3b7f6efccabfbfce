//! Cells move between neighbours as types say, on every engine; and a release is the same on all of them.

use privet::Simulation;
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::{Asked, Choices, Loaded};
use privet_parquet::Parquet;

use crate::harness::Cluster;
use crate::visits::Visit;

/// Without each of some rows, by every engine: the cells that memory has, moved by no more than a row may
/// move them.
#[test]
fn neighbours_move_cells_as_the_types_say_on_every_engine() {
    let cluster = Cluster::start(51, 300, 2);
    let sum = rows::<Visit>()
        .filter(|v| v.smoker)
        .sum(|v| v.age.clamp::<-10, 120>());
    let wards = rows::<Visit>().histogram(|v| v.last);
    let asked = || vec![Asked::new(&sum), Asked::new(&wards)];
    let all = Loaded::new(cluster.rows.clone()).pass(&asked(), false);
    let choices = &mut Choices::new(52);
    for case in 0..12 {
        let mut fewer = cluster.rows.clone();
        let gone = fewer.remove(choices.below(fewer.len()));
        let name = format!("without-{case}");
        // Files and their rows shift.
        cluster.write_files(&name, &fewer, 1 + choices.below(4), 1 + choices.below(200));
        let path = cluster.directory.path().join(&name);
        let files = || cluster.files_in(&name).with_partitions(1 + case % 4);
        let there = |moved: bool| i128::from(moved);
        let expected_sum = i128::from(gone.age.clamp(-10, 120)) * there(gone.smoker);
        let engines: [(&str, Loaded<Visit>); 3] = [
            (
                "stream",
                Loaded::read::<AddRemove>(Parquet::open(&path)).unwrap(),
            ),
            ("embedded", Loaded::read::<AddRemove>(files()).unwrap()),
            (
                "cluster",
                Loaded::read::<AddRemove>(cluster.engine_at(cluster.at, files(), 120)).unwrap(),
            ),
        ];
        for (engine, read) in engines {
            let cells = read.pass(&asked(), true);
            assert_eq!(all[0][0] - cells[0][0], expected_sum, "{engine} {case}");
            let moved: i128 = all[1].iter().zip(&cells[1]).map(|(a, b)| a - b).sum();
            assert_eq!(moved, there(gone.last.is_some()), "{engine} {case}");
            for cell in 0..3 {
                let of_it = gone.last.is_some_and(|ward| ward as usize == cell);
                let moved = all[1][cell] - cells[1][cell];
                assert_eq!(moved, there(of_it), "{engine} {case}");
            }
        }
    }
}

/// The same coins on every engine: releases are equal, noise included. So what the laboratory finds about
/// one holds for all of them.
#[test]
fn the_same_coins_give_the_same_answers_on_every_engine() {
    let cluster = Cluster::start(53, 3000, 2);
    let path = cluster.directory.path().join("visits");
    let report = || {
        let young = |n: i64| rows::<Visit>().filter(move |v| v.age.lt(n % 100)).count();
        let days = rows::<Visit>().sum(|v| v.days.clamp::<0, 30>());
        let wards = rows::<Visit>().histogram(|v| v.ward);
        let median = rows::<Visit>().histogram(|v| v.age.clamp::<0, 120>());
        days.laplace::<Eps<1, 4>>()
            .and(wards.laplace::<Eps<1, 4>>())
            .and(median.median::<Eps<1, 4>>())
            .then(move |((days, _), _)| young(*days).laplace::<Eps<1, 4>>())
    };
    for seed in 0..5 {
        let mut memory = Simulation::<Table<Visit>>::of_public(cluster.rows.clone(), seed).unwrap();
        let mut stream = Simulation::<Table<Visit>>::of_public(Parquet::open(&path), seed).unwrap();
        let mut embedded = Simulation::<Table<Visit>>::of_public(cluster.files(), seed).unwrap();
        let mut remote = Simulation::<Table<Visit>>::of_public(cluster.engine(120), seed).unwrap();
        let answer = memory.run(&report()).unwrap();
        assert_eq!(stream.run(&report()).unwrap(), answer);
        assert_eq!(embedded.run(&report()).unwrap(), answer);
        assert_eq!(remote.run(&report()).unwrap(), answer);
    }
}

/// Some rows of each person: the same ones, chosen by the same order, in memory, embedded, and beside a cluster.
/// Without a stream, a cluster refuses.
#[test]
fn rows_of_each_person_are_the_same_or_refused() {
    let cluster = Cluster::start(54, 2000, 1);
    let kept = || {
        rows::<Table<Visit, PerPerson>>()
            .bound_contributions::<3>(|v| v.patient)
            .filter(|v| v.smoker)
            .sum(|v| v.age.clamp::<0, 120>())
            .laplace::<Eps<1, 1>>()
    };
    for seed in 0..3 {
        let mut memory =
            Simulation::<Table<Visit, PerPerson>>::of_public(cluster.rows.clone(), seed).unwrap();
        let mut embedded =
            Simulation::<Table<Visit, PerPerson>>::of_public(cluster.files(), seed).unwrap();
        let both = cluster.engine(120).with_stream();
        let mut both = Simulation::<Table<Visit, PerPerson>>::of_public(both, seed).unwrap();
        let answer = memory.run(&kept()).unwrap();
        assert_eq!(embedded.run(&kept()).unwrap(), answer);
        assert_eq!(both.run(&kept()).unwrap(), answer);
    }
    let mut remote =
        Simulation::<Table<Visit, PerPerson>>::of_public(cluster.engine(120), 0).unwrap();
    let refused = remote.run(&kept()).unwrap_err().to_string();
    assert!(refused.contains("cannot answer"), "{refused}");
}
