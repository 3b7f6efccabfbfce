//! A mechanism may be as deep as a program makes it: it is built, cloned, described, run and dropped
//! without overflowing the stack.

use privet::prelude::*;

#[derive(Record, Clone)]
struct Patient {
    smoker: bool,
}

type One = Eps<1, 1>;
type Deep<C = One> = Mechanism<Table<Patient>, i64, C>;

const DEEP: i64 = 300_000;

fn count() -> Deep {
    rows::<Patient>().count().laplace()
}

/// Runs, clones, describes and drops a mechanism.
fn live(mechanism: Deep) -> i64 {
    let copy = mechanism.clone();
    assert!(!copy.name().is_empty() && !copy.explain().name().is_empty());
    drop(copy);
    let patients = vec![Patient { smoker: true }; 10];
    let vault: Vault<Table<Patient>, One> = Vault::open(patients);
    let (answer, _vault) = vault.release(mechanism).expect("paid for");
    answer
}

/// Ten rows, noise of scale 1, and what was added on the way.
fn assert_about(answer: i64, added: i64) {
    assert!((answer - 10 - added).abs() < 100, "{answer}");
}

#[test]
fn a_mechanism_of_many_maps() {
    let mechanism = (0..DEEP).fold(count(), |mechanism, _| {
        mechanism.map(|n| n + 1).named("one more")
    });
    assert_about(live(mechanism), DEEP);
}

#[test]
fn a_mechanism_that_is_never_run_is_dropped() {
    drop((0..DEEP).fold(count(), |mechanism, _| mechanism.map(|n| n + 1)));
}

#[test]
fn a_mechanism_of_many_parts() {
    let mechanism = (0..DEEP).fold(count(), |mechanism, _| {
        let free: Deep<Eps<0, 1>> = Mechanism::constant(1);
        mechanism.and(free).map(|(n, one)| n + one).at_most()
    });
    assert_about(live(mechanism), DEEP);
}

#[test]
fn a_mechanism_of_many_later_steps() {
    let mechanism = (0..DEEP).fold(count(), |mechanism, _| {
        let next = |_: &i64| -> Deep<Eps<0, 1>> { Mechanism::constant(1) };
        mechanism.then(next).map(|(n, one)| n + one).at_most()
    });
    assert_about(live(mechanism), DEEP);
}

/// Each mechanism is inside a function of the program's own, inside the next mechanism.
#[test]
fn mechanisms_inside_functions_inside_mechanisms() {
    let mechanism = (0..DEEP / 10).fold(count(), |mechanism, _| {
        let first: Deep<Eps<0, 1>> = Mechanism::constant(1);
        first
            .then(move |_| mechanism.clone())
            .map(|(one, n)| n + one)
            .at_most()
    });
    assert_about(live(mechanism), DEEP / 10);
}

#[test]
fn a_description_of_many_levels() {
    let levels = 2_000;
    let mechanism = (0..levels).fold(count(), |mechanism, _| {
        let mechanism = mechanism.repeat::<1>().map(|[n]| n);
        Mechanism::either(true, mechanism, count()).at_most()
    });
    let text = mechanism.explain().to_string();
    assert_eq!(text.matches("one of two").count(), levels);
    assert_eq!(text.matches("repeat").count(), levels);
    assert_about(live(mechanism), 0);
    // Too deep to print, since each line is indented; not too deep to make and to drop.
    let deep = (0..DEEP).fold(count(), |mechanism, _| {
        Mechanism::either(true, mechanism, count()).at_most()
    });
    assert_about(live(deep), 0);
}

#[test]
fn a_deep_mechanism_whose_end_is_a_panic() {
    let mechanism = (0..DEEP).fold(count(), |mechanism, i| {
        mechanism.map(move |n| {
            if i == DEEP / 2 {
                panic!("as meant")
            } else {
                n + 1
            }
        })
    });
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| live(mechanism)));
    assert!(ended.is_err());
    // The thread is as good as new.
    assert_about(live(count().map(|n| n + 1)), 1);
}
