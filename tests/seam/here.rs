//! What no plan can run is read here, if the engine hands over columns as well: answers are those of memory.

use std::sync::atomic::Ordering;

use privet::prelude::*;
use privet::query::PerPerson;
use privet::{Error, Simulation};

use crate::far::{Both, Far, Visit, far};

type Persons = Table<Visit, PerPerson>;

/// How many tasks the engine was sent, and how many of its partitions were read.
fn so_far(far: &Far) -> (usize, usize) {
    let (tasks, passes) = (&far.tasks, &far.passes);
    (
        tasks.load(Ordering::Relaxed),
        passes.load(Ordering::Relaxed),
    )
}

/// The answers of both with the same coins; how many tasks the engine was sent, and how many of its
/// partitions were read.
macro_rules! compare {
    ($rows:ty, $mechanism:expr, $far:expr) => {{
        let mechanism = $mechanism;
        let mut memory = Simulation::<$rows>::of_public($far.parts.concat(), 5).unwrap();
        let mut both = Simulation::<$rows>::of_public(Both($far.clone()), 5).unwrap();
        let before = so_far(&$far);
        assert_eq!(
            both.run(&mechanism).unwrap(),
            memory.run(&mechanism).unwrap()
        );
        let after = so_far(&$far);
        (after.0 - before.0, after.1 - before.1)
    }};
}

#[test]
fn what_a_plan_can_run_is_a_task_and_the_rest_is_read_here() {
    for (size, parts) in [(0, 1), (700, 3), (20_000, 2)] {
        let (_, far) = far(size, parts, 4);
        let count = rows::<Visit>().count().laplace::<Eps<1, 1>>();
        assert_eq!(compare!(Table<Visit>, count, far), (1, 0));
        let long = rows::<Visit>().filter(|v| v.city.length().gt(3)).count();
        // Rows are counted, then read.
        assert_eq!(
            compare!(Table<Visit>, long.clone().laplace::<Eps<1, 1>>(), far),
            (0, 2 * parts)
        );
        let places = rows::<Visit>()
            .filter(|v| v.smoker)
            .vector_sum(|v| v.place.clip_l1::<3>());
        let beside = rows::<Visit>().histogram(|v| v.ward);
        let vectors = || {
            places
                .clone()
                .laplace::<Eps<1, 1>>()
                .and(beside.clone().laplace::<Eps<1, 1>>())
        };
        assert_eq!(compare!(Table<Visit>, vectors(), far), (1, 0));
        // One query that no plan has takes all of them along.
        let all = vectors().and(long.laplace::<Eps<1, 1>>());
        assert_eq!(compare!(Table<Visit>, all, far), (0, 2 * parts));
        let blocks = rows::<Visit>().group_by(|v| v.smoker).each(|_| {
            let places = rows::<Visit>().vector_sum(|v| v.place.clip_l2::<3>());
            places.gaussian::<Rho<1, 1>>()
        });
        assert_eq!(compare!(Table<Visit>, blocks, far), (1, 0));
        let blocks = rows::<Visit>().group_by(|v| v.smoker).each(|_| {
            let long = rows::<Visit>().filter(|v| v.city.length().gt(3)).count();
            long.laplace::<Eps<1, 1>>()
        });
        assert_eq!(compare!(Table<Visit>, blocks, far), (0, 3 * parts));
        // A division that no plan has, and blocks that a plan could answer.
        let by_length = rows::<Visit>()
            .group_by(|v| v.city.length().clamp::<0, 9>())
            .each(|_| rows::<Visit>().count().laplace::<Eps<1, 1>>());
        assert_eq!(compare!(Table<Visit>, by_length, far), (0, 2 * parts));
    }
}

#[test]
fn rows_of_persons_are_those_of_memory() {
    let (_, far) = far(3_000, 4, 6);
    let kept = || rows::<Persons>().bound_contributions::<3>(|v| v.patient);
    let sum = kept().filter(|v| v.smoker).sum(|v| v.age.clamp::<0, 120>());
    assert_eq!(compare!(Persons, sum.laplace::<Eps<1, 1>>(), far), (1, 0));
    // The same rows, where they are read here.
    let long = kept().filter(|v| v.city.length().gt(3)).count();
    let (tasks, passes) = compare!(Persons, long.laplace::<Eps<1, 1>>(), far);
    assert!(tasks == 0 && passes > 0);
    type Price = Approx<Eps<400, 1>, Delta<1, 6>>;
    compare!(Persons, kept().frequent_keys::<Price, _>(|v| v.city), far);
    let wards = kept().group_by(|v| v.ward);
    let wards = wards.each(|_| rows::<Visit>().count().laplace::<Eps<1, 1>>());
    compare!(Persons, wards, far);
}

#[test]
fn what_takes_all_rows_of_a_person_is_refused_here_too() {
    let (_, far) = far(50, 2, 6);
    let mut both = Simulation::<Persons>::of_public(Both(far), 5).unwrap();
    let among = rows::<Persons>()
        .filter(|v| v.smoker)
        .bound_contributions::<3>(|v| v.patient);
    let refused = both.run(&among.count().laplace::<Eps<1, 1>>());
    assert!(matches!(refused, Err(Error::Engine(_))));
}

/// The columns have other rows than the tasks had.
#[test]
fn an_engine_that_hands_over_other_rows_is_refused() {
    let (_, mut far) = far(100, 2, 7);
    far.lost = 1;
    let mut both = Simulation::<Table<Visit>>::of_public(Both(far), 5).unwrap();
    let long = rows::<Visit>().filter(|v| v.city.length().gt(3)).count();
    let lost = both.run(&long.laplace::<Eps<1, 1>>()).unwrap_err();
    let lost = lost.to_string();
    assert!(
        lost.contains("near is not what it was when the vault opened"),
        "{lost}"
    );
}
