//! A plan may be as deep as a program makes it: it is built, cloned, described, run and dropped
//! without overflowing the stack.

use privet::prelude::*;

#[derive(Record, Clone)]
struct Patient {
    smoker: bool,
}

type One = Eps<1, 1>;
type Plan<C = One> = Mechanism<Table<Patient>, i64, C>;

const DEEP: i64 = 300_000;

fn count() -> Plan {
    rows::<Patient>().count().laplace()
}

/// Runs, clones, describes and drops a plan.
fn live(plan: Plan) -> i64 {
    let copy = plan.clone();
    assert!(!copy.name().is_empty() && !copy.explain().name().is_empty());
    drop(copy);
    let patients = vec![Patient { smoker: true }; 10];
    let vault: Vault<Table<Patient>, One> = Vault::open(patients);
    let (answer, _vault) = vault.release(plan).expect("paid for");
    answer
}

/// Ten rows, noise of scale 1, and what was added on the way.
fn assert_about(answer: i64, added: i64) {
    assert!((answer - 10 - added).abs() < 100, "{answer}");
}

#[test]
fn a_plan_of_many_maps() {
    let plan = (0..DEEP).fold(count(), |plan, _| plan.map(|n| n + 1).named("one more"));
    assert_about(live(plan), DEEP);
}

#[test]
fn a_plan_that_is_never_run_is_dropped() {
    drop((0..DEEP).fold(count(), |plan, _| plan.map(|n| n + 1)));
}

#[test]
fn a_plan_of_many_parts() {
    let plan = (0..DEEP).fold(count(), |plan, _| {
        let free: Plan<Eps<0, 1>> = Mechanism::constant(1);
        plan.and(free).map(|(n, one)| n + one).at_most()
    });
    assert_about(live(plan), DEEP);
}

#[test]
fn a_plan_of_many_later_steps() {
    let plan = (0..DEEP).fold(count(), |plan, _| {
        let next = |_: &i64| -> Plan<Eps<0, 1>> { Mechanism::constant(1) };
        plan.then(next).map(|(n, one)| n + one).at_most()
    });
    assert_about(live(plan), DEEP);
}

/// Each plan is inside a function of the program's own, inside the next plan.
#[test]
fn plans_inside_functions_inside_plans() {
    let plan = (0..DEEP / 10).fold(count(), |plan, _| {
        let first: Plan<Eps<0, 1>> = Mechanism::constant(1);
        first
            .then(move |_| plan.clone())
            .map(|(one, n)| n + one)
            .at_most()
    });
    assert_about(live(plan), DEEP / 10);
}

#[test]
fn a_description_of_many_levels() {
    let levels = 2_000;
    let plan = (0..levels).fold(count(), |plan, _| {
        let plan = plan.repeat::<1>().map(|[n]| n);
        Mechanism::either(true, plan, count()).at_most()
    });
    let text = plan.explain().to_string();
    assert_eq!(text.matches("one of two").count(), levels);
    assert_eq!(text.matches("repeat").count(), levels);
    assert_about(live(plan), 0);
    // Too deep to print, since each line is indented; not too deep to make and to drop.
    let deep = (0..DEEP).fold(count(), |plan, _| {
        Mechanism::either(true, plan, count()).at_most()
    });
    assert_about(live(deep), 0);
}

#[test]
fn a_deep_plan_whose_end_is_a_panic() {
    let plan = (0..DEEP).fold(count(), |plan, i| {
        plan.map(move |n| {
            if i == DEEP / 2 {
                panic!("as meant")
            } else {
                n + 1
            }
        })
    });
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| live(plan)));
    assert!(ended.is_err());
    // The thread is as good as new.
    assert_about(live(count().map(|n| n + 1)), 1);
}
