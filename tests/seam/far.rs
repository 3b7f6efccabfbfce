//! A machine of a few lines, to which bytes travel, and from which they come back.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use privet::engine::{
    Batch, Bits, Cells, ColumnSource, Engine, EngineError, Opened, Part, Pass, Ranks, RemoteEngine,
    Schema, Sink, SourceColumn, Sweep, Task, Values,
};
use privet::prelude::*;
use privet::testing::Choices;

#[derive(Record, Clone)]
pub struct Visit {
    #[privet(person)]
    pub patient: i64,
    pub age: i64,
    pub days: u64,
    pub bill: f64,
    pub copay: Option<f64>,
    pub smoker: bool,
    pub ward: Ward,
    pub city: String,
    pub place: [f64; 2],
}

#[derive(Category, Clone, Copy)]
pub enum Ward {
    Surgery,
    Maternity,
}

pub const WARDS: [Ward; 2] = [Ward::Surgery, Ward::Maternity];
const CITIES: [&str; 3] = ["Ulm", "", "Basel"];

pub fn visit(c: &mut Choices) -> Visit {
    Visit {
        patient: c.below(40) as i64,
        age: c.int(),
        days: c.bits(),
        bill: c.real(),
        copay: (c.below(3) > 0).then(|| c.real()),
        smoker: c.below(2) == 0,
        ward: WARDS[c.below(2)],
        city: CITIES[c.below(3)].into(),
        place: [c.real(), c.real()],
    }
}

/// Rows on "another machine", in partitions.
#[derive(Clone)]
pub struct Far {
    pub parts: Vec<Vec<Visit>>,
    pub tasks: Arc<AtomicUsize>,
    /// The bytes of each task, and of the cells of each part.
    pub sent: Arc<Mutex<Vec<Vec<u8>>>>,
    pub answered: Arc<Mutex<Vec<Vec<u8>>>>,
    /// How many partitions were handed over, and their columns.
    pub passes: Arc<AtomicUsize>,
    pub schema: Arc<Mutex<Vec<SourceColumn>>>,
    /// The rows that are lost after the first task.
    pub lost: usize,
    pub fault: Arc<Mutex<Fault>>,
}

/// What goes wrong with the order of persons' rows.
#[derive(Clone, Copy, PartialEq)]
pub enum Fault {
    None,
    /// Workers are given no ranks.
    NoRanks,
    /// Those of another partition.
    OtherRanks,
    /// Those of the first partition, which is also where they do not belong.
    FirstRanks,
    /// The last machine sweeps over fewer rows.
    OtherSweep,
    /// A later task meets the rows in another order, in its sweep as well.
    OtherOrder,
}

/// Hands some rows over, in batches of that size.
pub fn hand_over(
    visits: &[Visit],
    columns: &[SourceColumn],
    size: usize,
    sink: &mut Sink<'_>,
) -> Result<(), EngineError> {
    for visits in visits.chunks(size) {
        let bits = |of: &dyn Fn(&Visit) -> bool| {
            let mut bytes = vec![0_u8; visits.len() / 8 + 1];
            for (row, visit) in visits.iter().enumerate() {
                bytes[row / 8] |= u8::from(of(visit)) << (row % 8);
            }
            bytes
        };
        let patient: Vec<i64> = visits.iter().map(|v| v.patient).collect();
        let place: Vec<f64> = visits.iter().flat_map(|v| v.place).collect();
        let age: Vec<i64> = visits.iter().map(|v| v.age).collect();
        let days: Vec<u64> = visits.iter().map(|v| v.days).collect();
        let bill: Vec<f64> = visits.iter().map(|v| v.bill).collect();
        let copay: Vec<f64> = visits.iter().map(|v| v.copay.unwrap_or(f64::NAN)).collect();
        let ward: Vec<u32> = visits.iter().map(|v| v.ward as u32).collect();
        let city: Vec<&str> = visits.iter().map(|v| &*v.city).collect();
        let (smoker, paid) = (bits(&|v| v.smoker), bits(&|v| v.copay.is_some()));
        let part = |column: &SourceColumn| Part {
            values: match column.name() {
                "patient" => Values::I64(&patient),
                "place" => Values::Vectors(&place, 2),
                "age" => Values::I64(&age),
                "days" => Values::U64(&days),
                "bill" => Values::F64(&bill),
                "copay" => Values::F64(&copay),
                "smoker" => Values::Bool(Bits::new(&smoker, 0)),
                "ward" => Values::Codes(&ward, &["Surgery", "Maternity"]),
                _ => Values::Texts(&city),
            },
            valid: (column.name() == "copay").then(|| Bits::new(&paid, 0)),
        };
        let parts: Vec<Part<'_>> = columns.iter().map(part).collect();
        sink(&Batch::new(visits.len(), &parts))?;
    }
    Ok(())
}

/// The ranks of each part, if a task needs them.
fn swept(
    task: &Task,
    key: [u8; 16],
    parts: &[Vec<Visit>],
) -> Result<Option<Vec<Ranks>>, EngineError> {
    let (Some(mut sweep), Some(person)) = (Sweep::new(task, key), task.person()) else {
        return Ok(None);
    };
    for part in parts {
        let person = core::slice::from_ref(person);
        hand_over(part, person, 700, &mut |batch| sweep.add(batch))?;
        assert_eq!(sweep.end_partition(), part.len() as u64);
    }
    Ok(Some(sweep.finish()))
}

// SAFETY: it is a test; its rows are public.
unsafe impl RemoteEngine for Far {
    fn name(&self) -> String {
        "far".into()
    }
    fn run(&self, _: &Pass, task: &Task) -> Result<Cells, EngineError> {
        let before = self.tasks.fetch_add(1, Ordering::Relaxed);
        // Only bytes travel.
        let (bytes, order_key) = (task.encode(), task.order_key());
        let task = Task::decode(&bytes).expect("a task");
        self.sent.lock().expect("a lock").push(bytes);
        let fault = *self.fault.lock().expect("a lock");
        let mut parts = self.parts.clone();
        if fault == Fault::OtherOrder {
            parts.iter_mut().for_each(|part| part.reverse());
        }
        let ranks = swept(&task, order_key, &parts)?;
        let mut total: Option<Cells> = None;
        for (place, part) in parts.iter().enumerate() {
            let mut worker = unsafe { task.worker() };
            if let Some(ranks) = &ranks {
                let last = place + 1 == parts.len();
                worker = match fault {
                    Fault::NoRanks => worker,
                    Fault::OtherRanks => worker.with_ranks(&ranks[(place + 1) % ranks.len()]),
                    Fault::FirstRanks => worker.with_ranks(&ranks[0]),
                    Fault::OtherSweep if last => {
                        let mut fewer = parts.clone();
                        fewer[0].pop();
                        let ranks = swept(&task, order_key, &fewer)?.expect("persons");
                        worker.with_ranks(&ranks[place])
                    }
                    _ => worker.with_ranks(&ranks[place]),
                };
            }
            let lost = if before > 0 {
                self.lost.min(part.len())
            } else {
                0
            };
            let size = [1, 1000, 30_000][place % 3];
            hand_over(&part[lost..], task.columns(), size, &mut |batch| {
                worker.add(batch)
            })?;
            let bytes = worker.finish()?.encode();
            assert!(bytes.len() >= task.cells_size());
            let cells = Cells::decode(&bytes)?;
            self.answered.lock().expect("a lock").push(bytes);
            match &mut total {
                None => total = Some(cells),
                Some(total) => total.merge(&cells)?,
            }
        }
        Ok(total.expect("a partition"))
    }
}
impl Engine for Far {
    fn open(self, _: &Schema) -> privet::Result<Opened> {
        Ok(Opened::Remote(Box::new(self)))
    }
}

/// The same rows, also handed over by column.
pub struct Near(pub Far);

// SAFETY: it is a test; its rows are public, and the same in every pass.
unsafe impl ColumnSource for Near {
    fn name(&self) -> String {
        "near".into()
    }
    fn partitions(&self) -> usize {
        self.0.parts.len()
    }
    fn read(
        &self,
        _: &Pass,
        partition: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        let all = &self.0.schema.lock().expect("a lock");
        let columns: Vec<SourceColumn> = columns.iter().map(|place| all[*place].clone()).collect();
        self.0.passes.fetch_add(1, Ordering::Relaxed);
        let lost = self.0.lost.min(self.0.parts[partition].len());
        hand_over(&self.0.parts[partition][lost..], &columns, 100, sink)
    }
}

/// An engine that runs tasks, and hands over columns for the rest.
pub struct Both(pub Far);

impl Engine for Both {
    fn open(self, schema: &Schema) -> privet::Result<Opened> {
        *self.0.schema.lock().expect("a lock") = schema.columns().to_vec();
        let near = Near(self.0.clone());
        Ok(Opened::TasksAndColumns(Box::new(self.0), Box::new(near)))
    }
}

pub fn far(size: usize, parts: usize, seed: u64) -> (Vec<Visit>, Far) {
    let mut c = Choices::new(seed);
    let visits: Vec<Visit> = (0..size).map(|_| visit(&mut c)).collect();
    let mut split = vec![Vec::new(); parts];
    for visit in &visits {
        split[c.below(parts)].push(visit.clone());
    }
    let far = Far {
        parts: split,
        tasks: Arc::default(),
        sent: Arc::default(),
        answered: Arc::default(),
        passes: Arc::default(),
        schema: Arc::default(),
        lost: 0,
        fault: Arc::new(Mutex::new(Fault::None)),
    };
    (visits, far)
}
