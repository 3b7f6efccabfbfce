//! Engines of a few lines: a task runs elsewhere with the cells of a table in memory, what an engine cannot
//! answer is refused before it is charged, and what it says of its rows is checked.

mod blocks;
mod decoders;
mod far;
mod here;
mod persons;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use privet::engine::{
    Batch, Bits, Cells, ColumnSource, Engine, EngineError, Misfit, Opened, Part, Pass, Schema,
    Sink, Values,
};
use privet::expr::vector;
use privet::plan::Plan;
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::Loaded;
use privet::{AddRemove, Error};

use far::{Visit, Ward, far};

#[test]
fn a_task_elsewhere_has_the_cells_of_a_table_in_memory() {
    for (size, parts) in [(0, 1), (1, 3), (1_024, 1), (3_000, 4), (20_000, 2)] {
        let (_, far) = far(size, parts, size as u64);
        let memory = Loaded::new(far.parts.concat());
        let far = Loaded::<Visit>::read::<AddRemove>(far).expect("an engine");
        macro_rules! same {
            ($($query:expr;)*) => {$(
                let query = $query;
                assert_eq!(memory.exact(&query), far.exact(&query), "{query:?}, {size} rows");
            )*};
        }
        let all = rows::<Visit>;
        let of_each = rows::<Table<Visit, PerPerson>>;
        same! {
            all().count();
            all().filter(|v| v.smoker & v.age.gt(3)).count();
            all().filter(|v| v.copay.gt(1.5) | v.city.eq_to("Ulm")).count();
            all().sum(|v| v.days.clamp::<0, 2_251_799_813_685_248>());
            all().sum(|v| v.copay.grid::<10>().clamp::<-9, 9>());
            all().filter(|v| v.ward.eq_to(Ward::Maternity)).sum(|v| v.bill.clamp::<0, 100>());
            all().histogram(|v| v.ward);
            all().histogram(|v| v.city.keys(["Basel", "Rome"]));
            all().histogram(|v| v.age.clamp::<-200, 200>());
            all().vector_sum(|v| v.place.clip_l2::<3>());
            all().filter(|v| v.smoker).vector_sum(|v| vector((v.bill, v.copay.or(1.5), v.age)).clip_l1::<3>());
            all().vector_sums(|v| v.ward, |v| v.place.scaled(v.bill).grid::<100>().clip_l1::<3>());
            all().vector_sums(|v| v.place.nearest([[0.0, 0.0], [1.0, 99.0]]), |v| v.place.clip_l2::<100>());
            all().histogram(|v| v.place.dot([0.25, -1.0]).logistic().bins([0.25, 0.75]));
            of_each().bound_contributions::<2>(|v| v.patient).count();
            of_each().bound_contributions::<1>(|v| v.patient).filter(|v| v.smoker).sum(|v| v.days.clamp::<0, 90>());
            of_each().bound_contributions::<7>(|v| v.patient).vector_sums(|v| v.ward, |v| v.place.clip_l2::<3>());
        }
    }
}

#[test]
fn what_an_engine_cannot_answer_is_refused_before_it_is_charged() {
    let (_, far) = far(100, 2, 7);
    let tasks = Arc::clone(&far.tasks);
    let vault: Vault<Table<Visit>, Eps<1, 1>> = Vault::load(far).expect("a vault");
    let (meter, _vault) = vault.metered::<Eps<1, 2>>();
    let before = tasks.load(Ordering::Relaxed);
    let scaled = rows::<Visit>().filter(|v| v.city.length().gt(3)).count();
    let refused = meter.release(scaled.laplace::<Eps<1, 4>>());
    let Err(Error::Engine(error)) = refused else {
        panic!("it was answered");
    };
    assert!(matches!(*error, EngineError::Unsupported { .. }), "{error}");
    assert_eq!(meter.remaining().to_string(), "ε = 1/2");
    assert_eq!(tasks.load(Ordering::Relaxed), before);
    let blocks = rows::<Visit>().group_by(|v| v.ward);
    let blocks = blocks.each(|_| {
        let long = rows::<Visit>().filter(|v| v.city.length().gt(3)).count();
        long.laplace::<Eps<1, 8>>()
    });
    assert!(meter.release(blocks).is_err());
    // What is asked of blocks is known when they are reached: this attempt was charged.
    assert_eq!(meter.remaining().to_string(), "ε = 3/8");
    let count = rows::<Visit>().count().laplace::<Eps<1, 4>>();
    meter.release(count).expect("an answer");
}

#[test]
fn an_engine_that_lost_rows_is_refused() {
    let (_, mut far) = far(100, 1, 7);
    far.lost = 1;
    let vault: Vault<Table<Visit>, Eps<1, 1>> = Vault::load(far).expect("a vault");
    let lost = vault.release(rows::<Visit>().count().laplace::<Eps<1, 4>>());
    let lost = lost.map(drop).expect_err("a row is lost").to_string();
    assert!(
        lost.contains("far is not what it was when the vault opened"),
        "{lost}"
    );
}

/// One column of numbers, as a stream.
struct Ages(Vec<i64>, Option<Vec<u8>>);
// SAFETY: it is a test; its rows are public.
unsafe impl ColumnSource for Ages {
    fn name(&self) -> String {
        "ages".into()
    }
    fn partitions(&self) -> usize {
        1
    }
    fn read(
        &self,
        _: &Pass,
        _: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let valid = self.1.as_ref().map(|bytes| Bits::new(bytes, 0));
        let part = Part {
            values: Values::I64(&self.0),
            valid,
        };
        sink(&Batch::new(self.0.len(), &vec![part; columns.len()]))
    }
}
impl Engine for Ages {
    fn open(self, _: &Schema) -> privet::Result<Opened> {
        Ok(Opened::Columns(Box::new(self)))
    }
}

#[derive(Record, Clone)]
struct Small {
    age: u8,
}

#[test]
fn a_value_that_does_not_fit_is_refused_and_not_shown() {
    let open = |ages: Ages| Vault::<Table<Small>, Eps<1, 1>>::load(ages).map(drop);
    assert!(open(Ages(vec![0, 255], None)).is_ok());
    let misfit = |ages: Ages| match open(ages) {
        Err(Error::Engine(error)) => match *error {
            EngineError::Value { misfit, column, .. } => (column, misfit),
            other => panic!("{other}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!(
        misfit(Ages(vec![0, 256], None)),
        ("age".into(), Misfit::Range)
    );
    assert_eq!(
        misfit(Ages(vec![0, -1], None)),
        ("age".into(), Misfit::Range)
    );
    assert_eq!(
        misfit(Ages(vec![0, 1], Some(vec![1]))),
        ("age".into(), Misfit::Null)
    );
    assert_eq!(
        misfit(Ages(vec![0, 1], Some(vec![]))),
        ("age".into(), Misfit::Length)
    );
}

/// Ages in several partitions, of which each is said to have so many rows.
struct Said(Vec<(Vec<i64>, Option<u64>)>);
// SAFETY: it breaks its promise, which is the test; its rows are public.
unsafe impl ColumnSource for Said {
    fn name(&self) -> String {
        "said".into()
    }
    fn partitions(&self) -> usize {
        self.0.len()
    }
    fn rows(&self, _: &Pass, partition: usize) -> Option<u64> {
        self.0[partition].1
    }
    fn read(
        &self,
        pass: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        // In two batches.
        let (first, second) = self.0[partition].0.split_at(self.0[partition].0.len() / 2);
        Ages(first.into(), None).read(pass, 0, columns, sink)?;
        Ages(second.into(), None).read(pass, 0, columns, sink)
    }
}
impl Engine for Said {
    fn open(self, _: &Schema) -> privet::Result<Opened> {
        Ok(Opened::Columns(Box::new(self)))
    }
}

fn load(parts: &[(&[i64], Option<u64>)]) -> privet::Result<Loaded<Small>> {
    let parts = parts.iter().map(|(ages, said)| (ages.to_vec(), *said));
    let parts = Said(parts.collect());
    Loaded::read::<AddRemove>(privet::load::InMemory::of(parts))
}

#[test]
fn as_many_rows_are_loaded_as_an_engine_has() {
    let ages = rows::<Small>().histogram(|s| s.age.clamp::<0, 3>());
    for said in [Some(3), None] {
        let data = load(&[(&[1, 2, 3], said), (&[], Some(0)), (&[0, 3], Some(2))]);
        assert_eq!(data.expect("five rows").exact(&ages), [1, 1, 1, 2]);
    }
    assert_eq!(load(&[]).expect("no rows").exact(&ages), [0; 4]);

    let error = |parts: &[(&[i64], _)]| match load(parts) {
        Err(Error::Engine(error)) => *error,
        other => panic!("{other:?}"),
    };
    // Also more than there is memory for.
    for said in [0, 2, 4, 1 << 40, u64::MAX] {
        let reason = "it does not have as many rows as it says";
        let data = "said".into();
        assert_eq!(
            error(&[(&[1, 2, 3], Some(said)), (&[1], Some(1))]),
            EngineError::Failed { data, reason }
        );
    }
    // The first partition that does not fit is the one that is reported.
    let wrong = error(&[(&[1], Some(1)), (&[1, 256], Some(2)), (&[1, 2, 3], Some(2))]);
    let (data, column) = ("said".into(), "age".into());
    let misfit = Misfit::Range;
    assert_eq!(
        wrong,
        EngineError::Value {
            data,
            column,
            misfit
        }
    );
}

/// Ages that become negative, or that the engine itself says do not fit, once the vault has opened.
struct Fickle {
    passes: AtomicUsize,
    says: bool,
}
// SAFETY: it breaks its promise, which is the test; its rows are public.
unsafe impl ColumnSource for Fickle {
    fn name(&self) -> String {
        "fickle".into()
    }
    fn partitions(&self) -> usize {
        1
    }
    fn read(
        &self,
        pass: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let later = self.passes.fetch_add(1, Ordering::Relaxed) > 0;
        if later && self.says {
            return Err(EngineError::Value {
                data: "fickle".into(),
                column: "age".into(),
                misfit: Misfit::Range,
            });
        }
        Ages(vec![1, if later { -1 } else { 1 }], None).read(pass, partition, columns, sink)
    }
}
impl Engine for Fickle {
    fn open(self, _: &Schema) -> privet::Result<Opened> {
        Ok(Opened::Columns(Box::new(self)))
    }
}

#[test]
fn a_release_says_nothing_of_a_value() {
    for says in [false, true] {
        let passes = AtomicUsize::new(0);
        let vault = Vault::<Table<Small>, Eps<1, 1>>::load(Fickle { passes, says });
        let sum = rows::<Small>().sum(|s| s.age.clamp::<0, 9>());
        let released = vault.expect("a vault").release(sum.laplace::<Eps<1, 4>>());
        let error = released.map(drop).expect_err("it changed");
        let Error::Engine(error) = error else {
            panic!("{error}");
        };
        let data = "fickle".into();
        assert_eq!(*error, EngineError::Changed { data });
    }
}

#[test]
fn cells_of_another_task_are_not_added_up() {
    let task = |plan: Plan| {
        let (_, far) = far(10, 1, 1);
        let memory = Loaded::<Visit>::read::<AddRemove>(far).expect("an engine");
        memory.run(&plan)
    };
    let counts = Plan::new([rows::<Visit>().count().term()]);
    assert_eq!(task(counts), [Some(vec![10])]);
    assert!(Cells::decode(b"").is_err());
    let mut bytes = b"privcel\x03".to_vec();
    bytes.extend([0; 48]);
    let none = Cells::decode(&bytes).expect("no cells");
    assert_eq!(none.encode(), bytes);
    bytes[40] = 1;
    bytes.extend([0; 8]);
    let mut one = Cells::decode(&bytes).expect("cells");
    assert!(one.merge(&none).is_err());
    bytes[48] = 0xff;
    assert!(Cells::decode(&bytes).is_err());
}

#[derive(Record, Clone)]
struct Visited {
    #[privet(person)]
    person: i64,
    days: i64,
}

/// Two partitions of two rows, that change places when the days are read.
struct Swapped;
// SAFETY: it breaks its promise, which is the test; its rows are public.
unsafe impl ColumnSource for Swapped {
    fn name(&self) -> String {
        "swapped".into()
    }
    fn partitions(&self) -> usize {
        2
    }
    fn read(
        &self,
        _: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let partition = partition ^ usize::from(columns.contains(&1));
        let persons = [[7, 7], [8, 9]][partition];
        let part = |place: &usize| Part {
            values: Values::I64(if *place == 0 { &persons } else { &[1, 1] }),
            valid: None,
        };
        let parts: Vec<Part<'_>> = columns.iter().map(part).collect();
        sink(&Batch::new(2, &parts))
    }
}
impl Engine for Swapped {
    fn open(self, _: &Schema) -> privet::Result<Opened> {
        Ok(Opened::Columns(Box::new(self)))
    }
}

/// Ranks of 0 would meet both rows of a person: as many rows as before, and more than one kept.
#[test]
fn rows_in_another_order_than_their_ranks_are_refused() {
    let open = || Vault::<Table<Visited, PerPerson>, Eps<1, 1>>::load(Swapped).expect("a vault");
    let kept = || rows::<Table<Visited, PerPerson>>().bound_contributions::<1>(|v| v.person);
    let count = kept().count().laplace::<Eps<1, 2>>();
    assert!(open().release(count).is_ok());
    let days = kept()
        .sum(|v| v.days.clamp::<0, 9>())
        .laplace::<Eps<1, 2>>();
    let changed = open().release(days).map(drop).expect_err("another order");
    assert!(
        changed
            .to_string()
            .contains("swapped is not what it was when the vault opened"),
        "{changed}"
    );
}
