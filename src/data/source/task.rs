//! A plan with the columns that it reads, and running it without the record.

use std::borrow::Cow;
use std::sync::Arc;

use super::filled::Filled;
use super::{Batch, Cells, Ranks, SourceColumn, Texts};
use crate::data::engine::{Field, Machine, Program};
use crate::data::plan::{DecodeError, Plan, Reader, ValueKind, number, text};
use crate::data::rank::OrderKey;
use crate::data::sequence::Sequence;
use crate::data::{CHUNK, Dictionary};
use crate::error::{EngineError, Misfit};

/// The first bytes of an encoded task; the last is the version.
const HEAD: &[u8; 8] = b"privtsk\x01";

/// The most columns and keys of a category that are decoded.
const MAX_ITEMS: u32 = 1 << 20;

/// The most bytes that are decoded: a plan's, and as many for its columns.
const MAX_BYTES: usize = 2 * Plan::MAX_BYTES;

/// The most cells of a task: each takes 20 bytes in every worker.
const MAX_CELLS: usize = 1 << 24;

/// How many chunks are filled before they are computed with: their columns stay in the second cache.
pub(crate) const CHUNKS: usize = 8;

/// A plan and the columns that it reads: all that an engine needs, whatever the record. Public.
#[derive(Clone, Debug)]
pub struct Task {
    columns: Vec<SourceColumn>,
    plan: Plan,
    program: Arc<Program>,
    /// What the order of each person's rows is made from.
    key: OrderKey,
}

impl PartialEq for Task {
    fn eq(&self, other: &Self) -> bool {
        (&self.columns, &self.plan) == (&other.columns, &other.plan)
    }
}
impl Eq for Task {}

impl Task {
    /// A plan over some columns; `Err` is the first query that plans cannot run.
    pub(crate) fn new(columns: Vec<SourceColumn>, plan: Plan) -> Result<Self, EngineError> {
        let field = |column: &SourceColumn| Field {
            name: column.name.clone(),
            kind: column.kind,
            nullable: column.nullable,
        };
        let fields: Vec<Field> = columns.iter().map(field).collect();
        let program = Program::of_task(plan.queries(), &fields);
        let program = program.map_err(|query| EngineError::Unsupported {
            query: query.to_string(),
        })?;
        if program.all_cells() > MAX_CELLS {
            return Err(EngineError::Unsupported {
                query: format!("more than {MAX_CELLS} cells at once"),
            });
        }
        Ok(Task {
            columns,
            plan,
            program: Arc::new(program),
            key: OrderKey::default(),
        })
    }

    /// The same, where the order of each person's rows is made from `key`.
    pub(crate) fn ordered_by(self, key: OrderKey) -> Self {
        Task { key, ..self }
    }

    /// The same queries, with only the columns that they read. Without queries, all columns are.
    pub(crate) fn narrowed(self) -> Result<Self, EngineError> {
        if self.plan.queries().is_empty() {
            return Ok(self);
        }
        let mut needed = self.program.columns.clone();
        // Whose row each is, so that ranks meet the rows that they are of.
        needed.extend(self.program.person);
        needed.sort_unstable();
        needed.dedup();
        let columns = needed.iter().map(|place| self.columns[*place].clone());
        Ok(Task::new(columns.collect(), self.plan)?.ordered_by(self.key))
    }

    /// The columns that are read; batches have them in this order.
    #[must_use]
    pub fn columns(&self) -> &[SourceColumn] {
        &self.columns
    }

    /// What is asked.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The column that names persons, if some rows of each are looked at: then each worker needs the ranks of
    /// its partition, which a [`Sweep`](super::Sweep) makes.
    #[must_use]
    pub fn person(&self) -> Option<&SourceColumn> {
        self.columns.get(self.program.person?)
    }

    /// What the order of each person's rows is made from, in a task that a vault gave. It is not among the bytes of
    /// [`encode`](Task::encode): who runs such a task elsewhere sends it along, encrypted.
    #[must_use]
    pub fn order_key(&self) -> [u8; 16] {
        self.key.to_bytes()
    }

    /// How many bytes encoded cells of this task take, but for the texts that it counts.
    #[must_use]
    pub fn cells_size(&self) -> usize {
        Cells::size(
            self.program.cells.iter().copied(),
            self.program.by_text.len(),
        )
    }

    /// Of how many blocks every query is asked, if it is.
    pub(crate) fn blocks(&self) -> Option<usize> {
        self.program.blocks
    }

    /// The exact answers, each by its cells, in the order asked, and those that count texts; none if the
    /// cells are of another task.
    pub(crate) fn answers(&self, cells: Cells) -> Option<(Vec<Vec<i128>>, Vec<Texts>)> {
        let lengths = cells.cells.iter().map(Vec::len);
        let same = lengths.eq(self.program.cells.iter().copied())
            && cells.texts.len() == self.program.by_text.len();
        same.then(|| (self.program.answers(cells.cells).collect(), cells.texts))
    }

    /// The task as bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = HEAD.to_vec();
        number(self.columns.len() as u64, &mut out);
        for column in &self.columns {
            text(&column.name, &mut out);
            let (kind, size) = match column.kind {
                ValueKind::Integer => (0, 0),
                ValueKind::Float => (1, 0),
                ValueKind::Boolean => (2, 0),
                ValueKind::Textual => (3, 0),
                ValueKind::Key(keys) => (4, keys),
                ValueKind::Floats(width) => (5, width),
                ValueKind::Calendar => (6, 0),
                ValueKind::Clock => (7, 0),
                ValueKind::Decimals(places) => (8, places),
                _ => (127, 0),
            };
            out.push(kind << 1 | u8::from(column.nullable));
            number(size.into(), &mut out);
            let (low, high) = column.range.unwrap_or_default();
            out.push(u8::from(column.range.is_some()));
            out.extend(low.to_le_bytes());
            out.extend(high.to_le_bytes());
            number(column.keys.len() as u64, &mut out);
            column.keys.iter().for_each(|key| text(key, &mut out));
        }
        out.extend(self.plan.encode());
        out
    }

    /// Reads what [`encode`](Task::encode) wrote.
    ///
    /// # Errors
    ///
    /// If the bytes are not a task, exceed a limit, or ask for what this version cannot run.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        if bytes.len() > MAX_BYTES {
            return Err(DecodeError::TooLarge);
        }
        let rest = bytes.strip_prefix(HEAD).ok_or(DecodeError::Version)?;
        let mut reader = Reader::new(rest);
        let mut columns = Vec::new();
        for _ in 0..limited(&mut reader)? {
            columns.push(column(&mut reader)?);
        }
        let plan = Plan::decode(reader.rest())?;
        Task::new(columns, plan).map_err(|_| DecodeError::Term)
    }

    /// One thread's part of the task.
    ///
    /// # Safety
    ///
    /// What it returns in the end are exact answers about private rows. The caller is a
    /// [`RemoteEngine`](super::RemoteEngine) whose vault paid for this task, and keeps its promises.
    #[allow(unsafe_code)] // PRIVACY: declares the obligation above; contains no unsafe operation.
    #[must_use]
    pub unsafe fn worker(&self) -> Worker {
        Worker::new(self)
    }
}

fn limited(reader: &mut Reader<'_>) -> Result<u32, DecodeError> {
    let items = reader.number()?;
    match items <= MAX_ITEMS {
        true => Ok(items),
        false => Err(DecodeError::TooLarge),
    }
}

fn column(reader: &mut Reader<'_>) -> Result<SourceColumn, DecodeError> {
    let name = Cow::Owned(reader.text()?);
    let code = reader.byte()?;
    let size = reader.number()?;
    let kind = match (code >> 1, size) {
        (0, 0) => ValueKind::Integer,
        (1, 0) => ValueKind::Float,
        (2, 0) => ValueKind::Boolean,
        (3, 0) => ValueKind::Textual,
        (4, keys) => ValueKind::Key(keys),
        (5, width) => ValueKind::Floats(width),
        (6, 0) => ValueKind::Calendar,
        (7, 0) => ValueKind::Clock,
        (8, places @ 1..=9) => ValueKind::Decimals(places),
        _ => return Err(DecodeError::Term),
    };
    let ranged = reader.byte()?;
    let mut wide = || -> Result<i128, DecodeError> {
        let (low, high) = (reader.word()?, reader.word()?);
        Ok(i128::from(low) | i128::from(high as i64) << 64)
    };
    let range = (wide()?, wide()?);
    let mut keys = Vec::new();
    for _ in 0..limited(reader)? {
        keys.push(Cow::Owned(reader.text()?));
    }
    let keyed = match kind {
        ValueKind::Key(count) => keys.len() == count as usize,
        _ => keys.is_empty(),
    };
    match (ranged, range, keyed) {
        (0, (0, 0), true) | (1, _, true) => Ok(SourceColumn {
            name,
            kind,
            nullable: code & 1 == 1,
            range: (ranged == 1).then_some(range),
            keys,
        }),
        _ => Err(DecodeError::Term),
    }
}

/// What is said of a value that does not fit: which column it is in.
pub(super) fn misfit(column: &SourceColumn, misfit: Misfit) -> EngineError {
    EngineError::Value {
        data: "the data".into(),
        column: column.name.to_string(),
        misfit,
    }
}

/// One thread's part of a [`Task`]: it is given batches, and has their exact [`Cells`] in the end.
pub struct Worker {
    columns: Vec<SourceColumn>,
    /// The place of the one that names persons, if some rows of each are looked at.
    person: Option<usize>,
    machine: Machine<Arc<Program>>,
    filled: Vec<Filled>,
    /// The public texts of the plan, then those of the chunks that are being filled.
    dictionary: Dictionary,
    /// For each query that counts texts, those of the chunks before.
    texts: Vec<Texts>,
    waiting: usize,
    rows: u64,
    /// Of this partition, if persons matter, and a checksum of whose rows it has.
    ranks: Option<(Ranks, Sequence)>,
}

/// Shows nothing of the rows.
impl core::fmt::Debug for Worker {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Worker { .. }")
    }
}

impl Worker {
    fn new(task: &Task) -> Self {
        let dictionary = task.program.texts();
        let find = |text: &str| dictionary.find(text);
        Worker {
            machine: Machine::new(Arc::clone(&task.program), find),
            filled: task
                .columns
                .iter()
                .enumerate()
                .map(|(place, column)| Filled::new(column, task.program.columns.contains(&place)))
                .collect(),
            person: task.program.person,
            columns: task.columns.clone(),
            dictionary,
            texts: vec![Texts::new(); task.program.by_text.len()],
            waiting: 0,
            rows: 0,
            ranks: None,
        }
    }

    /// The same worker, with the ranks of the rows that it will be given, in their order.
    #[must_use]
    pub fn with_ranks(self, ranks: &Ranks) -> Self {
        Worker {
            ranks: Some((ranks.clone(), ranks.start())),
            ..self
        }
    }

    /// Adds the rows of a batch.
    ///
    /// # Errors
    ///
    /// If a value does not fit its column. Give the worker up then.
    pub fn add(&mut self, batch: &Batch<'_>) -> Result<(), EngineError> {
        let mut from = 0;
        while from < batch.rows {
            let to = batch.rows.min(from + CHUNKS * CHUNK - self.waiting);
            for (place, column) in self.columns.iter().enumerate() {
                let part = batch.columns.get(place);
                let part = part.ok_or_else(|| misfit(column, Misfit::Length))?;
                // PRIVACY: raw values, copied to our chunks; an error says which column, not what is in it.
                self.filled[place]
                    .append(column, *part, from..to, &mut self.dictionary)
                    .map_err(|fault| misfit(column, fault))?;
            }
            self.waiting += to - from;
            from = to;
            if self.waiting == CHUNKS * CHUNK {
                self.compute();
            }
        }
        Ok(())
    }

    fn compute(&mut self) {
        let rows = self.waiting.next_multiple_of(CHUNK);
        self.filled
            .iter_mut()
            .for_each(|filled| filled.resize(rows));
        self.machine.make_room(self.dictionary.len());
        // A whole number of chunks came before, but at the end.
        let before = self.rows as usize / CHUNK;
        let names = match (self.person, &self.ranks) {
            (Some(_), Some((_, sequence))) => sequence.names(&self.dictionary),
            _ => Vec::new(),
        };
        for index in 0..rows / CHUNK {
            let filled = &self.filled;
            let left = self.waiting - index * CHUNK;
            if let (Some(person), Some((_, sequence))) = (self.person, &mut self.ranks)
                && let Some((persons, _)) = filled[person].lane(index)
            {
                sequence.add(persons, left, &names);
            }
            let ranks = self.ranks.as_ref();
            self.machine.read(
                left,
                |place, _| filled[place].lane(index),
                |_| false,
                None,
                ranks.and_then(|(ranks, _)| ranks.chunk(before + index)),
            );
        }
        for (totals, counts) in self.texts.iter_mut().zip(self.machine.texts()) {
            // PRIVACY: texts stay with their counts, as private as the rows.
            add_counts(totals, &self.dictionary, counts);
        }
        self.rows += self.waiting as u64;
        self.waiting = 0;
        self.filled.iter_mut().for_each(|filled| filled.resize(0));
        self.dictionary.keep_public();
    }

    /// The exact cells of all rows that were added.
    ///
    /// # Errors
    ///
    /// If the task looks at some rows of each person, and the ranks are not those of these rows in this order.
    pub fn finish(mut self) -> Result<Cells, EngineError> {
        self.compute();
        self.machine.make_room(0);
        let persons = match (self.person, &self.ranks) {
            (None, _) => None,
            // PRIVACY: with ranks of other rows, a person could have more rows than are asked for.
            (Some(_), Some((ranks, sequence))) if ranks.are_of(self.rows, sequence) => {
                Some(ranks.place())
            }
            (Some(_), _) => {
                return Err(EngineError::Changed {
                    data: "the data".into(),
                });
            }
        };
        Ok(Cells {
            rows: self.rows,
            persons,
            cells: self.machine.finish(),
            texts: self.texts,
        })
    }
}

/// Adds how many rows have each text of a dictionary. Texts that no row has are left out.
fn add_counts(totals: &mut Texts, dictionary: &Dictionary, counts: &[i128]) {
    for (text, code) in dictionary.texts() {
        match (counts.get(code as usize), totals.get_mut(&*text)) {
            (None | Some(0), _) => {}
            (Some(count), Some(total)) => *total += count,
            (Some(count), None) => drop(totals.insert(text.into_owned(), *count)),
        }
    }
}
