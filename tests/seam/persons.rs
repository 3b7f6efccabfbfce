//! Some rows of each person, of tasks that run elsewhere: those of memory, or a refusal.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use privet::engine::{EngineError, Sweep, Task};
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::Loaded;
use privet::{Error, Simulation};

use crate::far::{Far, Fault, Visit, far};

type Persons = Table<Visit, PerPerson>;

#[test]
fn the_rows_that_are_kept_are_those_of_memory() {
    for (size, parts, seed) in [(1, 1, 3), (900, 3, 4), (1_024, 1, 5), (30_000, 4, 6)] {
        let (_, far) = far(size, parts, seed);
        let cost = rows::<Persons>()
            .bound_contributions::<3>(|v| v.patient)
            .filter(|v| v.smoker)
            .sum(|v| v.age.clamp::<0, 120>());
        for order in 0..3 {
            let memory = Loaded::new(far.parts.concat()).ordered_by(order);
            let away = Loaded::<Visit>::read::<PerPerson>(far.clone()).unwrap();
            let away = away.ordered_by(order);
            assert_eq!(away.exact(&cost), memory.exact(&cost), "{size}, {order}");
        }
        // In blocks, and in a report of several queries.
        let wards = rows::<Persons>()
            .bound_contributions::<2>(|v| v.patient)
            .group_by(|v| v.ward)
            .each(|_| {
                let days = rows::<Visit>().sum(|v| v.days.clamp::<0, 9>());
                days.laplace::<Eps<1, 1>>()
            });
        let mut memory = Simulation::<Persons>::of_public(far.parts.concat(), 7).unwrap();
        let mut away = Simulation::<Persons>::of_public(far, 7).unwrap();
        assert_eq!(away.run(&wards).unwrap(), memory.run(&wards).unwrap());
    }
}

/// A person is gone, or has other rows: at most K rows of each that is there move the cells.
#[test]
fn neighbours_move_a_count_by_at_most_k() {
    let (_, all) = far(400, 3, 9);
    let count = rows::<Persons>()
        .bound_contributions::<4>(|v| v.patient)
        .count();
    let wards = rows::<Persons>()
        .bound_contributions::<4>(|v| v.patient)
        .vector_sums(|v| v.ward, |v| v.place.clip_l1::<1>());
    let cells = |far: &Far| {
        let away = Loaded::<Visit>::read::<PerPerson>(far.clone()).unwrap();
        let away = away.ordered_by(2);
        (away.exact(&count)[0], away.exact(&wards))
    };
    let whole = cells(&all);
    for patient in 0..40 {
        let mut fewer = all.clone();
        for part in &mut fewer.parts {
            part.retain(|visit| visit.patient != patient);
        }
        let gone: usize = all.parts.iter().map(Vec::len).sum::<usize>()
            - fewer.parts.iter().map(Vec::len).sum::<usize>();
        let (count, wards) = cells(&fewer);
        assert_eq!(whole.0 - count, gone.min(4) as i128, "{patient}");
        let moved = whole.1.iter().zip(&wards).map(|(a, b)| a.abs_diff(*b));
        // A norm of 1 has 10^6 steps.
        assert!(moved.sum::<u128>() <= 4_000_000, "{patient}");
    }
}

fn refused(fault: Fault) -> String {
    let (_, far) = far(500, 3, 11);
    let fault_of = Arc::clone(&far.fault);
    let mut away = Simulation::<Persons>::of_public(far, 1).unwrap();
    let count = rows::<Persons>()
        .bound_contributions::<2>(|v| v.patient)
        .count();
    let count = count.laplace::<Eps<1, 1>>();
    away.run(&count).unwrap();
    *fault_of.lock().unwrap() = fault;
    away.run(&count).unwrap_err().to_string()
}

/// An engine that broke its promise: ranks would meet rows of other persons.
#[test]
fn ranks_of_other_rows_are_refused() {
    for (fault, why) in [
        (Fault::NoRanks, "is not what it was"),
        (Fault::OtherRanks, "is not what it was"),
        (Fault::OtherSweep, "its machines do not have the same rows"),
        (
            Fault::OtherOrder,
            "far is not what it was when the vault opened",
        ),
    ] {
        let said = refused(fault);
        assert!(said.contains(why), "{said}");
    }
}

/// Two months with the same persons in the same order: the checksum of the persons is the same for both, and a
/// person would keep rows of the same ranks in each.
#[test]
fn ranks_of_a_partition_that_looks_alike_are_refused() {
    let (_, mut far) = far(60, 1, 14);
    far.parts = vec![far.parts[0].clone(); 2];
    let fault = Arc::clone(&far.fault);
    let memory = Loaded::new(far.parts.concat()).ordered_by(0);
    let mut away = Simulation::<Persons>::of_public(far.clone(), 1).unwrap();
    let kept = rows::<Persons>()
        .bound_contributions::<1>(|v| v.patient)
        .count();
    let found = Loaded::<Visit>::read::<PerPerson>(far).unwrap();
    assert_eq!(found.ordered_by(0).exact(&kept), memory.exact(&kept));
    *fault.lock().unwrap() = Fault::FirstRanks;
    let said = away.run(&kept.laplace::<Eps<1, 1>>()).unwrap_err();
    assert!(said.to_string().contains("is not what it was"), "{said}");
}

#[test]
fn what_takes_all_rows_of_a_person_is_refused_before_it_is_charged() {
    let (_, far) = far(100, 2, 12);
    let tasks = Arc::clone(&far.tasks);
    let vault: Vault<Persons, Eps<1, 1>> = Vault::load(far).unwrap();
    let (meter, _vault) = vault.metered::<Eps<1, 1>>();
    let before = tasks.load(Ordering::Relaxed);
    let among = rows::<Persons>()
        .filter(|v| v.smoker)
        .bound_contributions::<3>(|v| v.patient);
    let refused = meter.release(among.count().laplace::<Eps<1, 4>>());
    let Err(Error::Engine(error)) = refused else {
        panic!("it was answered");
    };
    assert!(matches!(*error, EngineError::Unsupported { .. }), "{error}");
    assert_eq!(meter.remaining().to_string(), "ε = 1");
    // Blocks are divided while they run: refused, and nothing is asked.
    let each = rows::<Persons>()
        .group_by(|v| v.ward)
        .bound_contributions::<2, 2>(|v| v.patient)
        .each(|_| rows::<Visit>().count().laplace::<Eps<1, 16>>());
    assert!(matches!(meter.release(each), Err(Error::Engine(_))));
    assert_eq!(tasks.load(Ordering::Relaxed), before);
}

/// The order key is no part of a task's bytes.
#[test]
fn a_task_names_its_person_and_keeps_its_key() {
    let (_, far) = far(50, 2, 13);
    let sent = Arc::clone(&far.sent);
    let away = Loaded::<Visit>::read::<PerPerson>(far).unwrap();
    let count = rows::<Persons>()
        .bound_contributions::<2>(|v| v.patient)
        .count();
    away.ordered_by(0x1234_5678_9abc_def1).exact(&count);
    let bytes = sent.lock().unwrap().pop().unwrap();
    let key = 0x1234_5678_9abc_def1_u64.to_le_bytes();
    assert!(!bytes.windows(8).any(|window| window == key));
    let task = Task::decode(&bytes).unwrap();
    assert_eq!(task.person().unwrap().name(), "patient");
    assert_eq!(task.order_key(), [0; 16]);
    assert!(Sweep::new(&task, [7; 16]).is_some());
}
