//! Bytes that come from elsewhere: what is not the spelling of a task, or of cells, is refused, whatever it is.

use std::sync::Arc;

use privet::engine::{Batch, Bits, Cells, EngineError, Part, SourceColumn, Task, Values};
use privet::expr::vector;
use privet::plan::{DecodeError, Operation, Plan, ValueKind};
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::Choices;
use privet::{Mechanism, Simulation};

use crate::far::{Visit, far};

/// What an engine is sent, and what it answers, for questions of every shape.
fn samples() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
    let (_, engine) = far(60, 2, 8);
    let (sent, answered) = (Arc::clone(&engine.sent), Arc::clone(&engine.answered));
    let persons = engine.clone();
    let mut far = Simulation::<Table<Visit>>::of_public(engine, 1).unwrap();
    fn count() -> Mechanism<Table<Visit>, i64, Eps<1, 1>> {
        rows::<Visit>().count().laplace()
    }
    let wide = rows::<Visit>()
        .filter(|v| v.copay.gt(1.5) | v.city.one_of(["Ulm", "Rome"]) & !v.smoker)
        .sum(|v| v.bill.grid::<10>().clamp::<-9, 9>() * v.age.remainder::<7>());
    let keys = rows::<Visit>().histogram(|v| (v.ward, v.copay.clamp::<0, 3>()));
    let mean = rows::<Visit>()
        .estimate(0.9)
        .variance(|v| v.days.clamp::<0, 30>());
    let report = wide
        .laplace::<Eps<1, 1>>()
        .and(keys.laplace::<Eps<1, 1>>())
        .and(mean.query.laplace::<Eps<1, 1>>());
    far.run(&report).unwrap();
    let nested = rows::<Visit>().group_by(|v| v.ward).each(|_| {
        let blocks = rows::<Visit>().group_by(|v| (v.smoker, v.city.keys(["Ulm"])));
        blocks.each(|_| count())
    });
    far.run(&nested).unwrap();
    let texts = rows::<Visit>().filter(|v| v.age.gt(3));
    far.run(&texts.frequent_keys::<Price, _>(|v| v.city))
        .unwrap();
    let vectors = rows::<Visit>().filter(|v| v.copay.is_null());
    let by_ward = vectors.vector_sums(
        |v| v.ward,
        |v| vector((v.age, v.bill)).grid::<10>().clip_l2::<9>(),
    );
    let near = rows::<Visit>().vector_sum(|v| {
        let error = v.place.dot([0.5, -1.0]).logistic();
        v.place.scaled(error).clip_l1::<3>()
    });
    let both = by_ward
        .gaussian::<Rho<1, 1>>()
        .and(near.gaussian::<Rho<1, 1>>());
    far.run(&both).unwrap();
    let mut persons = Simulation::<Table<Visit, PerPerson>>::of_public(persons, 1).unwrap();
    let nearest = rows::<Table<Visit, PerPerson>>()
        .bound_contributions::<2>(|v| v.patient)
        .filter(|v| v.smoker)
        .histogram(|v| v.place.nearest([[0.0, 1.0], [2.0, -1.0]]));
    persons.run(&nearest.laplace::<Eps<1, 1>>()).unwrap();
    let take = |all: &std::sync::Mutex<Vec<Vec<u8>>>| std::mem::take(&mut *all.lock().unwrap());
    (take(&sent), take(&answered))
}

/// Whether they are a task: then there is no other spelling of it, and it can be run.
fn task(bytes: &[u8]) -> bool {
    let Ok(task) = Task::decode(bytes) else {
        return false;
    };
    assert_eq!(task.encode(), bytes);
    runs(&task);
    true
}

/// Runs a task on three rows, with edges of each column's kind.
fn runs(task: &Task) {
    let wide: usize = 1 << 10;
    let too_wide = |column: &SourceColumn| matches!(column.kind(), ValueKind::Floats(width) if width as usize > wide);
    if task.columns().iter().any(too_wide) {
        return;
    }
    let reals = vec![f64::NAN; 3 * wide];
    let held: Vec<(Vec<i64>, Vec<&str>)> = task
        .columns()
        .iter()
        .map(|column| {
            let (low, high) = column.range().unwrap_or((0, 0));
            let whole = |value: i128| i64::try_from(value).unwrap_or(0);
            let texts = column.keys().chain(["Ulm", "", "\u{e9}"]).take(3).collect();
            (vec![whole(low), 0, whole(high)], texts)
        })
        .collect();
    let mut parts = Vec::new();
    for (column, (whole, texts)) in task.columns().iter().zip(&held) {
        let values = match column.kind() {
            ValueKind::Float => Values::F64(&[f64::NAN, f64::INFINITY, -0.0]),
            ValueKind::Boolean => Values::Bool(Bits::new(&[5], 0)),
            ValueKind::Textual | ValueKind::Key(_) => Values::Texts(texts),
            ValueKind::Floats(width) => Values::Vectors(&reals, width as usize),
            _ => Values::I64(whole),
        };
        let valid = column.nullable().then(|| Bits::new(&[6], 0));
        parts.push(Part { values, valid });
    }
    // SAFETY: the rows are made up.
    let mut worker = unsafe { task.worker() };
    if worker.add(&Batch::new(3, &parts)).is_ok() {
        match worker.finish() {
            Ok(cells) => {
                assert!(Cells::decode(&cells.encode()).is_ok_and(|again| again == cells));
            }
            // It keeps some rows of each person, and was given no ranks.
            Err(_) => assert!(task.person().is_some()),
        }
    }
}

fn cells(bytes: &[u8]) -> bool {
    Cells::decode(bytes)
        .map(|cells| assert_eq!(cells.encode(), bytes))
        .is_ok()
}

/// Every end, every bit, and a hundred thousand changes. Returns how many were something else's spelling.
fn mutate(samples: &[Vec<u8>], decode: fn(&[u8]) -> bool, rounds: usize) -> usize {
    let mut accepted = 0;
    for whole in samples {
        assert!(decode(whole));
        for end in 0..whole.len() {
            assert!(!decode(&whole[..end]), "cut off at {end}");
        }
        for place in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[place] ^= 1 << bit;
                accepted += usize::from(decode(&bytes));
            }
        }
    }
    let mut choices = Choices::new(13);
    for _ in 0..rounds {
        let mut bytes = samples[choices.below(samples.len())].clone();
        for _ in 0..=choices.below(3) {
            let place = choices.below(bytes.len());
            match choices.below(5) {
                0 => bytes[place] = choices.below(256) as u8,
                1 => bytes.insert(place, choices.below(256) as u8),
                2 => drop(bytes.remove(place)),
                3 => bytes[place] = [0, 1, 0x7f, 0x80, 0xff][choices.below(5)],
                _ => {
                    // Part of another one.
                    let other = &samples[choices.below(samples.len())];
                    let from = choices.below(other.len());
                    let part: Vec<u8> = other[from..].iter().take(17).copied().collect();
                    bytes.splice(place..place, part);
                }
            }
        }
        accepted += usize::from(decode(&bytes));
    }
    accepted
}

#[test]
fn mutated_tasks_are_refused_or_other_tasks() {
    let (mut tasks, _) = samples();
    // The first one reads all columns, and asks nothing.
    assert!(tasks.len() >= 5);
    tasks.sort_by_key(Vec::len);
    tasks.dedup();
    assert!(mutate(&tasks, task, 100_000) > 100);
}

#[test]
fn mutated_cells_are_refused_or_other_cells() {
    let (_, cells_of_parts) = samples();
    assert!(mutate(&cells_of_parts, cells, 100_000) > 100);
    // Whatever decodes can be added up, or is an error.
    let mut choices = Choices::new(4);
    for _ in 0..20_000 {
        let mut bytes = cells_of_parts[choices.below(cells_of_parts.len())].clone();
        for _ in 0..20 {
            let place = 8 + choices.below(bytes.len() - 8);
            bytes[place] = [0x7f, 0xff, 0x80][choices.below(3)];
        }
        let whole = &cells_of_parts[choices.below(cells_of_parts.len())];
        if let (Ok(mut sum), Ok(cells)) = (Cells::decode(whole), Cells::decode(&bytes)) {
            let _ = sum.merge(&cells);
            let _ = sum.merge(&cells);
        }
    }
}

/// A plan over one column `age` of whole numbers, and one of a kind and size that are given.
fn with_column(kind: u8, size: &[u8], plan: &[u8]) -> Vec<u8> {
    let mut bytes = b"privtsk\x01\x01".to_vec();
    bytes.extend([1, b'x', kind << 1]);
    bytes.extend(size);
    bytes.push(0);
    bytes.extend([0; 32]);
    bytes.push(0);
    bytes.extend(&Plan::default().encode()[..8]);
    bytes.extend(plan);
    bytes
}

#[test]
fn a_task_has_limits() {
    let (whole, _) = samples();
    assert_eq!(Task::decode(b"something else"), Err(DecodeError::Version));
    let mut newer = whole[0].clone();
    newer[7] += 1;
    assert_eq!(Task::decode(&newer), Err(DecodeError::Version));
    // Announced, but not there; more than any record has; beyond 32 bits.
    let head = |tail: &[u8]| [&whole[0][..8], tail].concat();
    for many in [
        &[0x80, 0x80, 0x40][..],
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
        &[0xff; 9],
    ] {
        assert!(Task::decode(&head(many)).is_err());
    }
    assert_eq!(Task::decode(&vec![0; 33 << 20]), Err(DecodeError::TooLarge));
    let count = [1, 8, 61, 0];
    assert!(task(&with_column(0, &[0], &count)));
    // A key of four billion, of which no name is there; decimals of a billion places.
    assert!(!task(&with_column(
        4,
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
        &count
    )));
    let decimals = |places: u8| {
        // sum(clamp(x, 0, 9))
        let mut plan = vec![1, 8, 62, 1, 8, 20, 3, 1, 1, b'x', 8 << 1, places];
        for bound in [0_i64, 9] {
            plan.push(2);
            plan.extend(bound.to_le_bytes());
        }
        task(&with_column(8, &[places], &plan))
    };
    assert!(decimals(9));
    for places in 16..128 {
        assert!(!decimals(places), "{places} places");
    }
    // A histogram of 2^20 cells, seventeen times.
    let mut large = vec![0x40];
    let mut histogram = vec![8, 63, 1, 8, 20, 3, 1, 1, b'x', 0];
    for bound in [0_i64, (1 << 20) - 1] {
        histogram.push(2);
        histogram.extend(bound.to_le_bytes());
    }
    large.extend(histogram.repeat(0x40));
    assert!(!task(&with_column(0, &[0], &large)));
    assert!(task(&with_column(
        0,
        &[0],
        &[&[1][..], &histogram].concat()
    )));
}

/// What only a task may say stays within it: divisions are whole, and no query is of two.
#[test]
fn a_task_divides_its_rows_once() {
    let column = [1, 1, b'x', 0];
    let keys = [&[8, 20, 3][..], &column, &[2], &[0; 8], &[2, 3], &[0; 7]].concat();
    let group = [&[8, 71, 1][..], &keys].concat();
    let count = [8, 61, 0];
    let each = [&[8, 72, 2][..], &group, &count].concat();
    let plan = |queries: &[&[u8]]| {
        let all = [&[queries.len() as u8][..], &queries.concat()].concat();
        Task::decode(&with_column(0, &[0], &all)).is_ok()
    };
    assert_eq!(Operation::Each.name(), "each");
    assert!(plan(&[&each]) && plan(&[&each, &each]));
    assert!(!plan(&[&each, &count]) && !plan(&[&count, &each]));
    assert!(!plan(&[&group]));
    let other = [&[8, 71, 1][..], &column].concat();
    let free = [&[8, 72, 2][..], &other, &count].concat();
    assert!(!plan(&[&free]), "blocks by a number without bounds");
    let twice = [&[8, 72, 2][..], &group, &each].concat();
    assert!(!plan(&[&twice]));
}

#[test]
fn an_error_quotes_no_byte() {
    let said = Cells::decode(b"privcel\x03Secret").unwrap_err();
    assert!(matches!(said, EngineError::Failed { .. }));
    assert!(!said.to_string().contains("Secret"));
}
