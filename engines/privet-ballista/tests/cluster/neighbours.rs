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

type Persons = Table<Visit, PerPerson>;

/// Some rows of each person, whose rows are in many files: the same ones on every engine, in the same order.
#[test]
fn rows_of_each_person_are_the_same_on_every_engine() {
    let cluster = Cluster::start(54, 2000, 2);
    let path = cluster.directory.path().join("visits");
    let kept = || {
        rows::<Persons>()
            .bound_contributions::<3>(|v| v.patient)
            .filter(|v| v.smoker)
            .sum(|v| v.age.clamp::<0, 120>())
            .laplace::<Eps<1, 1>>()
    };
    // Divided, in rounds, beside others.
    let report = || {
        let wards = rows::<Persons>()
            .bound_contributions::<2>(|v| v.patient)
            .group_by(|v| v.ward)
            .each(|_| {
                let places = rows::<Visit>().vector_sum(|v| v.place.clip_l1::<3>());
                places.laplace::<Eps<1, 1>>()
            });
        wards.then(move |_| kept())
    };
    for seed in 0..3 {
        let mut memory = Simulation::<Persons>::of_public(cluster.rows.clone(), seed).unwrap();
        let mut stream = Simulation::<Persons>::of_public(Parquet::open(&path), seed).unwrap();
        let mut embedded = Simulation::<Persons>::of_public(cluster.files(), seed).unwrap();
        let mut remote = Simulation::<Persons>::of_public(cluster.engine(120), seed).unwrap();
        let both = cluster.engine(120).with_stream();
        let mut both = Simulation::<Persons>::of_public(both, seed).unwrap();
        let answer = memory.run(&kept()).unwrap();
        assert_eq!(stream.run(&kept()).unwrap(), answer);
        assert_eq!(embedded.run(&kept()).unwrap(), answer);
        assert_eq!(remote.run(&kept()).unwrap(), answer);
        assert_eq!(both.run(&kept()).unwrap(), answer);
        let answer = memory.run(&report()).unwrap();
        assert_eq!(embedded.run(&report()).unwrap(), answer);
        assert_eq!(remote.run(&report()).unwrap(), answer);
        assert_eq!(both.run(&report()).unwrap(), answer);
        // With a stream beside it, what no plan runs keeps the same rows.
        let long = rows::<Persons>()
            .bound_contributions::<3>(|v| v.patient)
            .filter(|v| v.city.length().gt(3))
            .count()
            .laplace::<Eps<1, 1>>();
        assert_eq!(both.run(&long).unwrap(), memory.run(&long).unwrap());
    }
    cluster.assert_silent();
}

/// Which rows match is a matter of values, so that takes all rows of a person at once: refused, and not charged.
#[test]
fn rows_among_those_that_match_are_refused_before_the_charge() {
    let cluster = Cluster::start(55, 100, 1);
    let vault: Vault<Persons, Eps<1, 1>> = Vault::load(cluster.engine(120)).unwrap();
    let (meter, _vault) = vault.metered::<Eps<1, 1>>();
    let among = rows::<Persons>()
        .filter(|v| v.smoker)
        .bound_contributions::<3>(|v| v.patient);
    let refused = meter.release(among.count().laplace::<Eps<1, 4>>());
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("cannot answer"), "{refused}");
    assert_eq!(meter.remaining().to_string(), "ε = 1");
}

/// Without each of some persons: cells move by what at most K of their rows may move them.
#[test]
fn without_a_person_cells_move_by_at_most_k_rows() {
    let cluster = Cluster::start(56, 600, 2);
    let count = rows::<Persons>()
        .bound_contributions::<4>(|v| v.patient)
        .count();
    let places = rows::<Persons>()
        .bound_contributions::<4>(|v| v.patient)
        .vector_sums(|v| v.ward, |v| v.place.clip_l1::<1>());
    let cells = |name: &str, partitions: usize| {
        let files = cluster.files_in(name).with_partitions(partitions);
        let engine = cluster.engine_at(cluster.at, files, 120);
        let read = Loaded::<Visit>::read::<PerPerson>(engine)
            .unwrap()
            .ordered_by(8);
        (read.exact(&count)[0], read.exact(&places))
    };
    let all = cells("visits", 6);
    let memory = Loaded::new(cluster.rows.clone()).ordered_by(8);
    assert_eq!(all, (memory.exact(&count)[0], memory.exact(&places)));
    for patient in 0..6 {
        let mut fewer = cluster.rows.clone();
        fewer.retain(|visit| visit.patient != patient);
        let gone = cluster.rows.len() - fewer.len();
        let name = format!("without-{patient}");
        // Files and their rows shift.
        let patient = patient as usize;
        cluster.write_files(&name, &fewer, 1 + patient, 70);
        let (count, places) = cells(&name, 1 + patient % 4);
        assert_eq!(all.0 - count, gone.min(4) as i128, "{patient}");
        let moved = all.1.iter().zip(&places).map(|(a, b)| a.abs_diff(*b));
        // A norm of 1 has 10^6 steps.
        assert!(moved.sum::<u128>() <= 4_000_000, "{patient}");
    }
}
