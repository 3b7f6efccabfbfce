//! Blocks and texts that a machine elsewhere answers: what memory answers, with the same coins.

use std::sync::atomic::Ordering;

use privet::prelude::*;
use privet::testing::Choices;
use privet::{Error, Mechanism, Simulation};

use crate::far::{Far, Visit, far};

/// So little noise on a count that it is 0.
type Exact = Eps<400, 1>;

fn count() -> Mechanism<Table<Visit>, i64, Eps<1, 1>> {
    rows::<Visit>().count().laplace()
}

fn old(age: i64) -> Mechanism<Table<Visit>, i64, Eps<1, 1>> {
    rows::<Visit>()
        .filter(move |v| v.age.gt(age) & v.smoker)
        .count()
        .laplace()
}

fn two() -> Mechanism<Table<Visit>, (Vec<i64>, f64), Eps<2, 1>> {
    let wards = rows::<Visit>().histogram(|v| (v.ward, v.smoker));
    let paid = rows::<Visit>()
        .filter(|v| v.age.le(20))
        .sum(|v| v.copay.grid::<10>().clamp::<-9, 9>());
    wards
        .laplace::<Eps<1, 1>>()
        .and(paid.laplace::<Eps<1, 1>>())
}

/// The answers of both, with the same coins, and how many tasks the engine was sent for one.
fn tasks<Out: PartialEq + std::fmt::Debug + 'static, C: 'static>(
    mechanism: &Mechanism<Table<Visit>, Out, C>,
    sizes: &[(usize, usize)],
) -> usize {
    let mut sent = 0;
    for &(size, parts) in sizes {
        let (visits, far) = far(size, parts, 31 + size as u64);
        let tasks = far.tasks.clone();
        let mut memory = Simulation::<Table<Visit>>::of_public(visits, 5).unwrap();
        let mut far = Simulation::<Table<Visit>>::of_public(far, 5).unwrap();
        let before = tasks.load(Ordering::Relaxed);
        let answer = far.run(mechanism).unwrap();
        sent = tasks.load(Ordering::Relaxed) - before;
        assert_eq!(answer, memory.run(mechanism).unwrap(), "{size} rows");
    }
    sent
}

const SIZES: [(usize, usize); 5] = [(0, 1), (1, 2), (1_024, 1), (3_000, 4), (20_000, 3)];

#[test]
fn blocks_that_ask_the_same_take_one_task() {
    let by = |n: usize| assert_eq!(n, 1);
    by(tasks(
        &rows::<Visit>().group_by(|v| v.ward).each(|_| two()),
        &SIZES,
    ));
    by(tasks(
        &rows::<Visit>()
            .filter(|v| v.age.lt(50))
            .group_by(|v| v.smoker)
            .each(|_| two()),
        &SIZES,
    ));
    by(tasks(
        &rows::<Visit>()
            .group_by(|v| v.copay.clamp::<-2, 3>())
            .each(|_| count()),
        &SIZES,
    ));
    // Several cells for each block.
    by(tasks(
        &rows::<Visit>().group_by(|v| v.smoker).each(|_| {
            let ages = rows::<Visit>().estimate(0.9);
            ages.variance(|v| v.age.clamp::<0, 120>())
                .laplace::<Eps<1, 1>>()
        }),
        &SIZES,
    ));
    by(tasks(
        &rows::<Visit>()
            .group_by(|v| (v.ward, v.age.bins([0, 50]), v.city.keys(["Ulm", "Rome"])))
            .each(|_| two()),
        &SIZES,
    ));
}

#[test]
fn blocks_that_ask_other_things_take_a_task_each() {
    let ages = rows::<Visit>()
        .filter(|v| v.smoker)
        .group_by(|v| v.age.clamp::<-1, 1>());
    assert_eq!(tasks(&ages.each(|block| old(block as i64)), &SIZES), 3);
    let turns = rows::<Visit>()
        .group_by(|v| (v.ward, v.smoker))
        .in_turn(0, |sum, block| {
            old(block as i64 - 3 + sum % 2).map(move |n| n + sum)
        });
    assert_eq!(tasks(&turns, &SIZES), 4);
}

#[test]
fn blocks_of_blocks_agree() {
    let inner = |_| {
        rows::<Visit>()
            .filter(|v| v.age.gt(-20))
            .group_by(|v| v.smoker)
            .each(|_| two())
    };
    let nested = rows::<Visit>()
        .filter(|v| v.bill.lt(40.0))
        .group_by(|v| v.ward)
        .each(inner);
    assert_eq!(tasks(&nested, &SIZES), 2);
    let thrice = rows::<Visit>()
        .group_by(|v| v.city.keys(["Ulm"]))
        .each(|_| {
            rows::<Visit>().group_by(|v| v.ward).each(|_| {
                rows::<Visit>()
                    .group_by(|v| v.smoker)
                    .each(|block| old(block as i64))
            })
        });
    assert_eq!(tasks(&thrice, &[(3_000, 4)]), 8);
}

/// Without a row, by any way to ask: its block moves by what the row counts there, and no other.
#[test]
fn a_row_moves_its_own_block_by_no_more_than_it_may() {
    let (visits, machine) = far(300, 3, 77);
    let by_block = |far: Far| {
        let blocks = rows::<Visit>()
            .filter(|v| v.smoker)
            .group_by(|v| (v.ward, v.age.bins([0, 50])))
            .each(|_| {
                let sum = rows::<Visit>().sum(|v| v.age.clamp::<-10, 120>());
                rows::<Visit>()
                    .count()
                    .laplace::<Exact>()
                    .and(sum.laplace::<Exact>())
            });
        let turns = rows::<Visit>()
            .filter(|v| v.smoker)
            .group_by(|v| v.ward)
            .in_turn(vec![], |counts: Vec<i64>, _| {
                rows::<Visit>().count().laplace::<Exact>().map(move |n| {
                    let mut counts = counts.clone();
                    counts.push(n);
                    counts
                })
            });
        let mut far = Simulation::<Table<Visit>>::of_public(far, 0).unwrap();
        (far.run(&blocks).unwrap(), far.run(&turns).unwrap())
    };
    let all = by_block(machine.clone());
    let c = &mut Choices::new(3);
    for _ in 0..40 {
        let mut fewer = machine.clone();
        let part = c.below(fewer.parts.len());
        let place = c.below(fewer.parts[part].len());
        let gone = fewer.parts[part].remove(place);
        let less = by_block(fewer);
        let bin = i64::from(gone.age >= 0) + i64::from(gone.age >= 50);
        let its = 3 * gone.ward as usize + bin as usize;
        let one = i64::from(gone.smoker);
        for (block, ((count, sum), (fewer, smaller))) in all.0.iter().zip(&less.0).enumerate() {
            let here = if block == its { one } else { 0 };
            assert_eq!(count - fewer, here);
            assert_eq!(sum - smaller, here * gone.age.clamp(-10, 120));
        }
        for (ward, (count, fewer)) in all.1.iter().zip(&less.1).enumerate() {
            assert_eq!(
                count - fewer,
                if ward == gone.ward as usize { one } else { 0 }
            );
        }
    }
    assert_eq!(visits.len(), 300);
}

type Price = Approx<Exact, Delta<1, 6>>;

#[test]
fn texts_elsewhere_are_counted_as_in_memory() {
    for (size, parts) in SIZES {
        let (visits, far) = far(size, parts, 9 + size as u64);
        let tasks = far.tasks.clone();
        let mut memory = Simulation::<Table<Visit>>::of_public(visits.clone(), 5).unwrap();
        let mut far = Simulation::<Table<Visit>>::of_public(far, 5).unwrap();
        let cities = || {
            rows::<Visit>()
                .filter(|v| v.smoker | v.city.eq_to("Ulm"))
                .frequent_keys::<Price, _>(|v| v.city)
        };
        let here = memory.run(&cities()).unwrap();
        let before = tasks.load(Ordering::Relaxed);
        assert_eq!(far.run(&cities()).unwrap(), here);
        assert_eq!(tasks.load(Ordering::Relaxed) - before, 1);
        for (city, count) in &here {
            let of = |v: &&Visit| v.city == *city && (v.smoker || v.city == "Ulm");
            assert_eq!(visits.iter().filter(of).count() as i64, *count);
        }
        // Beside other queries, and in blocks.
        let young = || rows::<Visit>().filter(|v| v.age.lt(9));
        let both = || cities().and(young().frequent_keys::<Price, _>(|v| v.city));
        assert_eq!(far.run(&both()).unwrap(), memory.run(&both()).unwrap());
        let blocks = || rows::<Visit>().group_by(|v| v.ward).each(|_| cities());
        assert_eq!(far.run(&blocks()).unwrap(), memory.run(&blocks()).unwrap());
    }
}

/// Without a row, the count of its text moves by one, and no other text's.
#[test]
fn a_row_moves_the_count_of_its_own_text() {
    let (_, machine) = far(200, 3, 5);
    let cities = |far: Far| {
        let cities = rows::<Visit>()
            .filter(|v| v.age.gt(-1000))
            .frequent_keys::<Price, _>(|v| v.city);
        let mut far = Simulation::<Table<Visit>>::of_public(far, 0).unwrap();
        far.run(&cities).unwrap()
    };
    let all = cities(machine.clone());
    assert_eq!(all.len(), 3);
    for place in 0..30 {
        let mut fewer = machine.clone();
        let gone = fewer.parts[place % 3].remove(place);
        let less = cities(fewer);
        for (city, count) in &all {
            let its = *city == gone.city && gone.age > -1000;
            assert_eq!(count - less[city], i64::from(its));
        }
    }
}

#[test]
fn what_blocks_cannot_ask_elsewhere_is_refused() {
    let (_, far) = far(100, 2, 1);
    let mut far = Simulation::<Table<Visit>>::of_public(far, 0).unwrap();
    let long = rows::<Visit>().group_by(|v| v.city.length().clamp::<0, 9>());
    let refused = far.run(&long.each(|_| count())).unwrap_err();
    assert!(matches!(refused, Error::Engine(_)), "{refused}");
    let text = refused.to_string();
    assert!(text.contains("length(city)"), "{text}");
    let sampled = rows::<Visit>()
        .sampled::<1, 2>()
        .once(|sample| sample.count().laplace::<Exact>());
    let mechanism: Mechanism<Table<Visit>, i64, Exact> = sampled.at_most();
    assert!(matches!(far.run(&mechanism), Err(Error::Engine(_))));
}
