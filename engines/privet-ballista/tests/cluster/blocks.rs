//! Blocks of a partition, and texts that are not public: with the same coins, the same answers on every engine.

use std::collections::BTreeMap;

use privet::prelude::*;
use privet::testing::Choices;
use privet::{Mechanism, Simulation};
use privet_parquet::Parquet;

use crate::harness::Cluster;
use crate::visits::{CITIES, Visit, integer, visits};

/// So little noise on a count that it is 0.
type Exact = Eps<400, 1>;
type Price = Approx<Exact, Delta<1, 6>>;

fn two(age: i64) -> Mechanism<Table<Visit>, (Vec<i64>, f64), Eps<2, 1>> {
    let wards = rows::<Visit>().histogram(|v| (v.last, v.smoker));
    let paid = rows::<Visit>()
        .filter(move |v| v.age.le(age))
        .sum(|v| v.copay.grid::<10>().clamp::<-9, 9>());
    wards
        .laplace::<Eps<1, 1>>()
        .and(paid.laplace::<Eps<1, 1>>())
}

/// What a report on blocks says: of all at once, of each its own, in turn, and of blocks of blocks.
type Said = (
    (Vec<(Vec<i64>, f64)>, Vec<(Vec<i64>, f64)>),
    (i64, Vec<Vec<i64>>),
);

fn report(age: i64, city: &'static str) -> Mechanism<Table<Visit>, Said, Eps<6, 1>> {
    let all = rows::<Visit>;
    let same = all()
        .filter(move |v| v.age.gt(age))
        .group_by(|v| (v.ward, v.discharged.weekday()))
        .each(move |_| two(age));
    let other = all()
        .group_by(move |v| v.born.keys([city, "Ulm"]))
        .each(move |block| two(age.saturating_add(block as i64)));
    let turns =
        all()
            .group_by(|v| v.weight.clamp::<0, 3>())
            .in_turn(0, move |before, block: usize| {
                let bound = (before + block as i64) % 100;
                let some = rows::<Visit>().filter(move |v| v.age.lt(bound)).count();
                some.laplace::<Eps<1, 1>>().map(move |n| before + n)
            });
    let nested = all().group_by(|v| v.smoker).each(|_| {
        let inner = rows::<Visit>().group_by(|v| v.ward);
        inner.each(|_| rows::<Visit>().count().laplace::<Eps<1, 1>>())
    });
    same.and(other).and(turns.and(nested))
}

/// How many rows have each text.
type Counts = BTreeMap<String, i64>;

/// Of each city, and of each place of birth of those who smoke, in each ward.
type Texts = (Counts, Vec<Counts>);

/// What counts them.
type Counting<T> = Mechanism<Table<Visit>, T, Price>;

fn texts(age: i64) -> (Counting<Counts>, Counting<Vec<Counts>>) {
    let cities = rows::<Visit>()
        .filter(move |v| v.age.gt(age))
        .frequent_keys::<Price, _>(|v| v.city);
    let born = rows::<Visit>().group_by(|v| v.ward).each(|_| {
        let smokers = rows::<Visit>().filter(|v| v.smoker);
        smokers.frequent_keys::<Price, _>(|v| v.born)
    });
    (cities, born)
}

#[test]
fn blocks_and_texts_are_the_same_on_every_engine() {
    let cluster = Cluster::start(71, 0, 2);
    for table in 0..4 {
        let choices = &mut Choices::new(7100 + table);
        let size = [0, 40, 1025, 9000][table as usize];
        let rows = visits(choices, size);
        let name = format!("table-{table}");
        let (files, group) = (1 + choices.below(4), 1 + choices.below(1500));
        cluster.write_files(&name, &rows, files, group);
        let files = || cluster.files_in(&name).with_partitions(1 + size % 4);
        let path = cluster.directory.path().join(&name);
        let mut memory = Simulation::<Table<Visit>>::of_public(rows, table).unwrap();
        let mut stream =
            Simulation::<Table<Visit>>::of_public(Parquet::open(&path), table).unwrap();
        let mut embedded = Simulation::<Table<Visit>>::of_public(files(), table).unwrap();
        let remote = cluster.engine_at(cluster.at, files(), 120);
        let mut remote = Simulation::<Table<Visit>>::of_public(remote, table).unwrap();
        for _ in 0..2 {
            let (age, city) = (integer(choices), CITIES[choices.below(4)]);
            let report = report(age, city);
            let said: Said = memory.run(&report).unwrap();
            assert_eq!(stream.run(&report).unwrap(), said, "stream, {size} rows");
            assert_eq!(
                embedded.run(&report).unwrap(),
                said,
                "embedded, {size} rows"
            );
            assert_eq!(remote.run(&report).unwrap(), said, "cluster, {size} rows");
        }
        // How many coins these take depends on what an engine has seen of other texts.
        let (cities, born) = texts(integer(choices));
        let all = |simulation: &mut Simulation<Table<Visit>>| -> Texts {
            (
                simulation.run(&cities).unwrap(),
                simulation.run(&born).unwrap(),
            )
        };
        let counted = all(&mut memory);
        assert_eq!(all(&mut stream), counted, "stream, {size} rows");
        assert_eq!(all(&mut embedded), counted, "embedded, {size} rows");
        assert_eq!(all(&mut remote), counted, "cluster, {size} rows");
    }
    cluster.assert_silent();
}

/// Without a row: its block and its text move by one, and nothing else does.
#[test]
fn neighbours_move_one_block_and_one_text() {
    let cluster = Cluster::start(72, 400, 2);
    let said = |name: &str, partitions: usize| {
        let files = cluster.files_in(name).with_partitions(partitions);
        let engine = cluster.engine_at(cluster.at, files, 120);
        let mut remote = Simulation::<Table<Visit>>::of_public(engine, 3).unwrap();
        let counts = rows::<Visit>()
            .filter(|v| v.smoker)
            .group_by(|v| v.last)
            .each(|_| rows::<Visit>().count().laplace::<Exact>());
        let cities = rows::<Visit>().frequent_keys::<Price, _>(|v| v.born);
        (remote.run(&counts).unwrap(), remote.run(&cities).unwrap())
    };
    let all = said("visits", 6);
    let choices = &mut Choices::new(73);
    for case in 0..8 {
        let mut fewer = cluster.rows.clone();
        let gone = fewer.remove(choices.below(fewer.len()));
        let name = format!("without-{case}");
        cluster.write_files(&name, &fewer, 1 + choices.below(4), 1 + choices.below(200));
        let less = said(&name, 1 + case % 4);
        for (block, (count, fewer)) in all.0.iter().zip(&less.0).enumerate() {
            let its = gone.smoker && gone.last.is_some_and(|ward| ward as usize == block);
            assert_eq!(count - fewer, i64::from(its));
        }
        for (text, count) in &all.1 {
            let its = gone.born.as_ref() == Some(text);
            assert_eq!(count - less.1[text], i64::from(its));
        }
    }
}
