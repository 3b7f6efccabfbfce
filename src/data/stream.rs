//! A table whose rows an engine has: opening it, and a pass over it through a few chunks of our own.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::engine::Buffer;
use super::keep::Masks;
use super::plan::{Operation, Plan, Term};
use super::rank::OrderKey;
use super::sequence::Sequence;
use super::source::{ColumnSource, Opened, Pass, Ranks, RemoteEngine, Schema, Sweep, Task, Texts};
use super::table::{Building, Refill};
use super::{CHUNK, Columns, ColumnsOf, Dictionary, Fields, Places, Record, TableData, TableQuery};
use crate::error::{EngineError, Misfit};

#[cfg(feature = "parallel")]
use super::scan::POOL;

/// The columns of a record.
pub(crate) fn schema<R: Record>() -> Schema {
    let mut columns = Vec::new();
    <<R::Fields as Fields>::Columns as Columns>::schema(R::NAMES, &mut columns);
    Schema { columns }
}

/// The places of the columns that these terms read.
pub(super) fn needed<'a, R: Record>(terms: impl IntoIterator<Item = &'a Term>) -> Vec<usize> {
    let mut places = Vec::new();
    for term in terms {
        term.visit(&mut |term| {
            if let Term::Column(column) = term {
                places.extend(R::NAMES.iter().position(|name| *name == column.name));
            }
        });
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// An engine with the rows of a table, and how many they are. PRIVACY: as private as the rows.
enum Rows {
    Columns(Streamed),
    Remote {
        engine: Box<dyn RemoteEngine>,
        rows: u64,
        /// A checksum of whose rows the engine has, once some rows of each person were looked at.
        persons: OnceLock<u64>,
        /// For what no plan can run.
        here: Option<Streamed>,
    },
}

/// An engine that hands over columns.
struct Streamed {
    source: Box<dyn ColumnSource>,
    /// The rows of each partition; counted when they are first needed, if another engine opened them.
    rows: OnceLock<Vec<u64>>,
    /// The ranks of each partition; made when first asked for.
    ranks: OnceLock<Vec<Ranks>>,
}

impl Streamed {
    fn new(source: Box<dyn ColumnSource>) -> Self {
        Streamed {
            source,
            rows: OnceLock::new(),
            ranks: OnceLock::new(),
        }
    }

    /// Reads every row once, all of these columns, to see that values fit. Returns how many there are in each
    /// partition.
    fn count<R: Record>(&self, columns: &[usize]) -> Result<Vec<u64>, EngineError> {
        let count = |partition: usize| -> Result<Vec<u64>, EngineError> {
            let mut refill = Refill::<R>::new(columns.to_vec(), Dictionary::default(), None);
            self.source
                .read(&Pass::new(), partition, columns, &mut |batch| {
                    let fits = refill.add(batch, |_| {});
                    fits.map_err(|(place, misfit)| EngineError::Value {
                        data: self.source.name(),
                        column: R::NAMES.get(place).copied().unwrap_or_default().into(),
                        misfit,
                    })
                })?;
            refill.flush(|_| {});
            Ok(vec![refill.read])
        };
        let append = |a: Vec<u64>, b| [a, b].concat();
        Ok(each_partition(self.source.partitions(), count, append)?.unwrap_or_default())
    }

    /// The rows of each partition, which are `all` in total.
    fn rows<R: Record>(&self, all: u64, column: usize) -> Result<&[u64], EngineError> {
        if let Some(rows) = self.rows.get() {
            return Ok(rows);
        }
        let changed = || EngineError::Changed {
            data: self.source.name(),
        };
        // PRIVACY: every value fitted when the vault opened.
        let rows = self.count::<R>(&[column]).map_err(|_| changed())?;
        match rows.iter().sum::<u64>() == all {
            true => Ok(self.rows.get_or_init(|| rows)),
            false => Err(changed()),
        }
    }
}

/// Which rows of a batch are in which block.
type ToPlaces<R> = dyn Fn(&TableData<R>) -> Places + Send + Sync;

/// Rows divided into blocks, for tables that are read batch by batch.
pub(crate) struct Later<R: Record> {
    places: Arc<ToPlaces<R>>,
    /// The same as data, for engines that are sent it.
    term: Term,
    /// The blocks, of divisions as data, that these rows are in.
    within: Vec<(Term, u32)>,
    columns: Vec<usize>,
    /// The place of the column that names persons, if their ranks are asked for.
    person: Option<usize>,
    refused: Option<String>,
}

impl<R: Record> Clone for Later<R> {
    fn clone(&self) -> Self {
        Later {
            refused: self.refused.clone(),
            places: Arc::clone(&self.places),
            term: self.term.clone(),
            within: self.within.clone(),
            columns: self.columns.clone(),
            person: self.person,
        }
    }
}

impl<R: Record> Later<R> {
    /// What rows of a block have in common.
    fn conditions(&self, block: u32) -> Vec<(Term, u32)> {
        let this = (self.term.clone(), block);
        self.within.iter().cloned().chain([this]).collect()
    }
}

/// The query, or the division, of rows in all of these blocks only.
fn restricted(query: Term, blocks: &[(Term, u32)]) -> Result<Term, EngineError> {
    if blocks.is_empty() {
        return Ok(query);
    }
    let of_a_block = |query: &Term| EngineError::Unsupported {
        query: format!("{query} of a block"),
    };
    let Term::Apply(op, mut args) = query else {
        return Err(of_a_block(&query));
    };
    let mut conditions = Vec::new();
    match args.pop() {
        Some(Term::Apply(Operation::Where, condition)) => conditions.extend(condition),
        other => args.extend(other),
    }
    conditions.extend(blocks.iter().map(|(division, block)| {
        let block = Term::constant(i64::from(*block));
        Term::Apply(Operation::InBlock, vec![division.clone(), block])
    }));
    let both = |a, b| Term::Apply(Operation::And, vec![a, b]);
    let condition = conditions.into_iter().reduce(both);
    args.push(Term::Apply(
        Operation::Where,
        condition.into_iter().collect(),
    ));
    match args.len() <= op.arity().1 {
        true => Ok(Term::Apply(op, args)),
        false => Err(of_a_block(&Term::Apply(op, args))),
    }
}

/// Whether the query counts texts that are not public: that takes a pass of its own.
fn counts_texts(query: &Term) -> bool {
    matches!(query, Term::Apply(Operation::FrequentKeys, _))
}

/// Rows divided into blocks: a place for each row, or how to find them.
pub(crate) enum Division<R: Record> {
    Now(Arc<Places>),
    Later(Later<R>),
}

impl<R: Record> Division<R> {
    /// Divides the rows of a table. `term` names the columns that `place` reads.
    pub(crate) fn new(
        table: &TableData<R>,
        term: &Term,
        place: impl Fn(&TableData<R>) -> Places + Send + Sync + 'static,
    ) -> Self {
        let Some(outside) = table.outside() else {
            return Division::Now(Arc::new(place(table)));
        };
        let mut later = Later {
            columns: needed::<R>([term]),
            person: person::<R>(term),
            refused: refused(term),
            places: Arc::new(place),
            term: term.clone(),
            within: Vec::new(),
        };
        if let Some((outer, block)) = outside.block.clone() {
            later.within = outer.conditions(block);
            later.columns.extend(&outer.columns);
            later.person = later.person.or(outer.person);
            later.refused = later.refused.or(outer.refused.clone());
            let place = later.places;
            later.places = Arc::new(move |batch| {
                let places = Division::Now(Arc::new((outer.places)(batch)));
                place(&batch.block(&places, block as usize))
            });
        }
        Division::Later(later)
    }
}

/// The place of the column that names persons, if a term asks for some rows of each.
fn person<R: Record>(term: &Term) -> Option<usize> {
    let mut person = None;
    term.visit(&mut |term| {
        if let Term::Apply(Operation::First, of) = term {
            person = needed::<R>(of).first().copied();
        }
    });
    person
}

/// The term, if it asks which rows of a person come first among those that match: that takes all rows of
/// the person at once, and a batch has some.
fn refused(term: &Term) -> Option<String> {
    let mut found = false;
    term.visit(&mut |part| {
        found |= matches!(
            part,
            Term::Apply(Operation::FirstAmong | Operation::FirstInEach, _)
        );
    });
    found.then(|| term.to_string())
}

/// Rows that an engine has, all of them or those of a block.
pub(super) struct Outside<R: Record> {
    rows: Arc<Rows>,
    /// What the order of each person's rows is made from.
    key: OrderKey,
    block: Option<(Later<R>, u32)>,
}

impl<R: Record> Clone for Outside<R> {
    fn clone(&self) -> Self {
        Outside {
            rows: Arc::clone(&self.rows),
            key: self.key,
            block: self.block.clone(),
        }
    }
}

/// What one pass over an engine's rows reads.
pub(super) struct Reading<'a, R: Record> {
    pub(super) columns: Vec<usize>,
    /// The place of the column that names persons, if their ranks are asked for.
    pub(super) person: Option<usize>,
    /// The texts that are public, each with a code that is the same in all batches.
    pub(super) texts: &'a (dyn Fn() -> Dictionary + Sync),
    /// The blocks that are all asked at once.
    pub(super) places: Option<&'a Later<R>>,
    /// A query that a pass over batches cannot answer.
    refused: Option<String>,
}

impl<'a, R: Record> Reading<'a, R> {
    pub(super) fn new<'t>(
        terms: impl Iterator<Item = &'t Term> + Clone,
        texts: &'a (dyn Fn() -> Dictionary + Sync),
    ) -> Self {
        Reading {
            columns: needed::<R>(terms.clone()),
            person: terms.clone().find_map(person::<R>),
            texts,
            places: None,
            refused: terms.clone().find_map(refused),
        }
    }
}

impl<R: Record> Outside<R> {
    /// Reads every row once, to see that its values fit the record.
    pub(super) fn open(opened: Opened) -> Result<Self, EngineError> {
        let rows = match opened {
            Opened::Columns(source) => {
                let all: Vec<usize> = (0..R::NAMES.len()).collect();
                let streamed = Streamed::new(source);
                let rows = streamed.count::<R>(&all)?;
                Rows::Columns(Streamed {
                    rows: OnceLock::from(rows),
                    ..streamed
                })
            }
            Opened::Remote(engine) => Self::open_remote(engine, None)?,
            Opened::TasksAndColumns(engine, source) => {
                Self::open_remote(engine, Some(Streamed::new(source)))?
            }
        };
        Ok(Outside {
            rows: Arc::new(rows),
            key: OrderKey::default(),
            block: None,
        })
    }

    fn open_remote(
        engine: Box<dyn RemoteEngine>,
        here: Option<Streamed>,
    ) -> Result<Rows, EngineError> {
        let task = Task::new(schema::<R>().columns, Plan::default())?;
        let rows = engine.run(&Pass::new(), &task)?.rows;
        Ok(Rows::Remote {
            engine,
            rows,
            persons: OnceLock::new(),
            here,
        })
    }

    pub(super) fn block(&self, later: Later<R>, block: u32) -> Self {
        Outside {
            rows: Arc::clone(&self.rows),
            key: self.key,
            block: Some((later, block)),
        }
    }

    /// Whether the engine can answer these queries.
    pub(super) fn check(&self, queries: &[Arc<dyn TableQuery<R>>]) -> Result<(), EngineError> {
        let terms: Vec<Term> = queries.iter().map(|query| query.term()).collect();
        if !self.streams(&terms) {
            return self.task(terms.into_iter()).map(drop);
        }
        match terms.iter().find_map(refused) {
            Some(query) => Err(EngineError::Unsupported { query }),
            None => Ok(()),
        }
    }

    /// Whether these queries take a pass over columns, rather than a task.
    pub(super) fn streams(&self, terms: &[Term]) -> bool {
        match &*self.rows {
            Rows::Columns(_) => true,
            Rows::Remote { here, .. } => {
                here.is_some() && self.task(terms.iter().cloned()).is_err()
            }
        }
    }

    /// The engine that hands over columns, if there is one.
    fn streamed(&self) -> Option<&Streamed> {
        match &*self.rows {
            Rows::Columns(streamed) => Some(streamed),
            Rows::Remote { here, .. } => here.as_ref(),
        }
    }

    /// Whether there is an engine that hands over columns.
    pub(super) fn has_columns(&self) -> bool {
        self.streamed().is_some()
    }

    fn task(&self, terms: impl Iterator<Item = Term>) -> Result<Task, EngineError> {
        let blocks = match &self.block {
            Some((later, block)) => later.conditions(*block),
            None => Vec::new(),
        };
        let terms = terms.map(|query| restricted(query, &blocks));
        let plan = Plan::new(terms.collect::<Result<Vec<_>, _>>()?);
        Task::new(schema::<R>().columns, plan)?
            .ordered_by(self.key)
            .narrowed()
    }

    /// PRIVACY: exact answers, from an engine that computes them.
    pub(super) fn run(&self, terms: &[Term]) -> Result<Vec<Vec<i128>>, EngineError> {
        let planned = terms.iter().filter(|query| !counts_texts(query));
        let task = self.task(planned.cloned())?;
        let mut answers = self.send(&task)?.0.into_iter();
        let answer = |query| match counts_texts(query) {
            true => Some(Vec::new()),
            false => answers.next(),
        };
        Ok(terms.iter().filter_map(answer).collect())
    }

    /// PRIVACY: exact answers of every block, from an engine that computes them; none if it cannot answer all
    /// blocks at once.
    pub(super) fn run_blocks(
        &self,
        division: &Later<R>,
        terms: &[Term],
        blocks: usize,
    ) -> Result<Option<Vec<Vec<i128>>>, EngineError> {
        if matches!(&*self.rows, Rows::Columns(_)) {
            return Ok(None);
        }
        let of = restricted(division.term.clone(), &division.within)?;
        let each = |query: &Term| Term::Apply(Operation::Each, vec![of.clone(), query.clone()]);
        let plan = Plan::new(terms.iter().map(each));
        let task = Task::new(schema::<R>().columns, plan);
        match task.and_then(|task| task.ordered_by(self.key).narrowed()) {
            Ok(task) if task.blocks() == Some(blocks) => Ok(Some(self.send(&task)?.0)),
            _ => Ok(None),
        }
    }

    /// PRIVACY: the texts that occur, from an engine that counts them.
    fn texts(&self, query: Term) -> Result<Texts, EngineError> {
        let task = self.task(core::iter::once(query))?;
        let (_, mut texts) = self.send(&task)?;
        Ok(texts.pop().unwrap_or_default())
    }

    /// Sends a task; its answers.
    fn send(&self, task: &Task) -> Result<(Vec<Vec<i128>>, Vec<Texts>), EngineError> {
        let Rows::Remote {
            engine,
            rows,
            persons,
            ..
        } = &*self.rows
        else {
            return Ok((Vec::new(), Vec::new()));
        };
        if task.plan().queries().is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let changed = || EngineError::Changed {
            data: engine.name(),
        };
        let cells = engine.run(&Pass::new(), task);
        let cells = cells.map_err(|error| in_a_release(error, changed))?;
        if cells.rows != *rows {
            return Err(changed());
        }
        // PRIVACY: all passes keep the same rows of a person, and machines rank the rows that they have.
        let same = match (task.person(), cells.persons) {
            (None, None) => true,
            (Some(_), Some(found)) => {
                found.is_whole() && *persons.get_or_init(|| found.of_all()) == found.of_all()
            }
            _ => false,
        };
        if !same {
            return Err(changed());
        }
        task.answers(cells).ok_or_else(changed)
    }

    /// Before the table is shared, so before anyone asked for ranks.
    pub(super) fn order_by(&mut self, key: OrderKey) {
        self.key = key;
    }

    pub(super) fn is_block(&self) -> bool {
        self.block.is_some()
    }

    /// One pass: `start` makes what a partition adds up to, `add` is given each batch, with the
    /// places of its rows if all blocks are asked at once, and `merge` adds two partitions up.
    pub(super) fn pass<A, T: Send>(
        &self,
        mut reading: Reading<'_, R>,
        start: impl Fn() -> A + Sync,
        add: impl Fn(&mut A, &TableData<R>, Option<&Places>) + Sync,
        finish: impl Fn(A) -> T + Sync,
        merge: impl Fn(T, T) -> T + Sync,
    ) -> Result<Option<T>, EngineError> {
        let Some(streamed) = self.streamed() else {
            return Ok(None);
        };
        let Streamed { source, ranks, .. } = streamed;
        let laters = reading.places.into_iter();
        for later in laters.chain(self.block.iter().map(|(later, _)| later)) {
            reading.columns.extend(&later.columns);
            reading.person = reading.person.or(later.person);
            reading.refused = reading.refused.or(later.refused.clone());
        }
        if let Some(query) = reading.refused {
            return Err(EngineError::Unsupported { query });
        }
        reading.columns.sort_unstable();
        reading.columns.dedup();
        let rows = match &*self.rows {
            Rows::Columns(_) => streamed.rows.get().map_or(&[][..], |rows| rows),
            Rows::Remote { rows, .. } => {
                let column = reading.columns.first().copied().unwrap_or(0);
                streamed.rows::<R>(*rows, column)?
            }
        };
        let ranks = match reading.person {
            None => None,
            Some(place) => Some(match ranks.get() {
                Some(ranks) => ranks,
                None => {
                    let made = self.rank(&**source, rows, place)?;
                    ranks.get_or_init(|| made)
                }
            }),
        };
        let reading = &reading;
        let run = |partition: usize| {
            let texts = (reading.texts)();
            let ranks = ranks.and_then(|ranks| ranks.get(partition));
            let of_rows = reading.person.zip(ranks.map(Ranks::all));
            let mut refill = Refill::<R>::new(reading.columns.clone(), texts, of_rows);
            let (mut sequence, mut buffer) = (Sequence::new(self.key), Buffer::new());
            let mut total = start();
            let mut see = |batch: &TableData<R>| {
                if let Some(person) = reading.person {
                    add_persons(&mut sequence, batch, person, &mut buffer);
                }
                let block = self.block.as_ref().map(|(later, block)| {
                    let places = Division::Now(Arc::new((later.places)(batch)));
                    batch.block(&places, *block as usize)
                });
                let batch = block.as_ref().unwrap_or(batch);
                let places = reading.places.map(|later| (later.places)(batch));
                // PRIVACY: raw rows, for the queries of this crate.
                add(&mut total, batch, places.as_ref());
            };
            let changed = || EngineError::Changed {
                data: source.name(),
            };
            let read = source.read(&Pass::new(), partition, &reading.columns, &mut |batch| {
                refill.add(batch, &mut see).map_err(|_| changed())
            });
            read.map_err(|error| in_a_release(error, changed))?;
            refill.flush(&mut see);
            let same_order = ranks.is_none_or(|ranks| ranks.are_of(refill.read, &sequence));
            match same_order && refill.read == rows[partition] {
                true => Ok(finish(total)),
                false => Err(changed()),
            }
        };
        each_partition(rows.len(), run, merge)
    }
}

impl<R: Record> TableData<R> {
    /// PRIVACY: how many rows have each text, for texts that are not public; `cells` are what a scan
    /// found, where the rows are in memory.
    pub(crate) fn count_texts(
        &self,
        query: &Arc<dyn TableQuery<R>>,
        cells: &[i128],
    ) -> Result<Vec<(String, i128)>, EngineError> {
        let Some(outside) = self.outside() else {
            let count = |code: u32| cells.get(code as usize).copied().unwrap_or(0);
            let texts = self.dictionary().texts();
            return Ok(texts
                .map(|(text, code)| (text.into_owned(), count(code)))
                .collect());
        };
        let term = query.term();
        if !outside.streams(core::slice::from_ref(&term)) {
            return Ok(outside.texts(term)?.into_iter().collect());
        }
        let total = outside.pass(
            Reading::new(core::iter::once(&term), &Dictionary::default),
            HashMap::<String, i128>::new,
            |counts, batch, _| {
                let texts = batch.dictionary();
                let mut cells = vec![0; query.cells_for(texts)];
                let masks = Masks::default();
                for index in 0..batch.chunks() {
                    query.chunk(&batch.chunk(index, &masks), &mut cells);
                }
                for (text, code) in texts.texts() {
                    match (cells.get(code as usize), counts.get_mut(&*text)) {
                        (None | Some(0), _) => {}
                        (Some(count), Some(total)) => *total += count,
                        (Some(count), None) => drop(counts.insert(text.into_owned(), *count)),
                    }
                }
            },
            |counts| counts,
            |mut total, counts| {
                for (text, count) in counts {
                    *total.entry(text).or_insert(0) += count;
                }
                total
            },
        )?;
        Ok(total.unwrap_or_default().into_iter().collect())
    }
}

impl<R: Record> Outside<R> {
    /// The ranks of each partition: one sweep over the column that names persons.
    fn rank(
        &self,
        source: &dyn ColumnSource,
        rows: &[u64],
        column: usize,
    ) -> Result<Vec<Ranks>, EngineError> {
        let changed = || EngineError::Changed {
            data: source.name(),
        };
        let persons = schema::<R>().columns.into_iter().nth(column);
        let mut sweep = Sweep::over(persons.ok_or_else(changed)?, self.key);
        for (partition, rows) in rows.iter().enumerate() {
            let read = source.read(&Pass::new(), partition, &[column], &mut |batch| {
                sweep.add(batch)
            });
            read.map_err(|error| in_a_release(error, changed))?;
            if sweep.end_partition() != *rows {
                return Err(changed());
            }
        }
        Ok(sweep.finish())
    }
}

/// Adds the persons of a batch, whom this column names.
fn add_persons<R: Record>(
    sequence: &mut Sequence,
    batch: &TableData<R>,
    column: usize,
    buffer: &mut Buffer,
) {
    let names = sequence.names(batch.dictionary());
    let none = Masks::default();
    for index in 0..batch.chunks() {
        let rows = batch.chunk(index, &none).len();
        if let Some((persons, _)) = batch.columns().lane(column, index, buffer) {
            sequence.add(persons, rows, &names);
        }
    }
}

/// PRIVACY: every value fitted when the vault opened, so if one does not now, the data is another, and nothing
/// else is said of it.
fn in_a_release(error: EngineError, changed: impl Fn() -> EngineError) -> EngineError {
    match error {
        EngineError::Value { .. } => changed(),
        error => error,
    }
}

/// For how many rows columns are made before a row is read.
const ROOM: usize = 1 << 26;

/// All rows of an engine that hands over columns, as a table in memory.
pub(super) fn in_memory<R: Record>(opened: Opened) -> Result<TableData<R>, EngineError> {
    let (Opened::Columns(source) | Opened::TasksAndColumns(_, source)) = opened else {
        return Err(EngineError::Unsupported {
            query: "all rows".into(),
        });
    };
    let partitions = 0..source.partitions();
    let rows = partitions.map(|partition| source.rows(&Pass::new(), partition));
    let rows = rows.map(|rows| usize::try_from(rows?).ok());
    let rows: Option<Vec<usize>> = rows.collect();
    // What is not known, or what a damaged file says, is found out row by row.
    let room = rows.and_then(|rows| {
        let add = |sum: usize, rows: &usize| sum.checked_add(*rows);
        // A damaged file may say any number, and not all columns are zeros that are not written yet.
        let all = rows.iter().try_fold(0, add).filter(|all| *all <= ROOM)?;
        let all = all.checked_next_multiple_of(CHUNK)?;
        Some((<ColumnsOf<R>>::with_room(all)?, rows))
    });
    match room {
        Some((columns, rows)) => into_room(&*source, columns, &rows),
        None => appended(&*source),
    }
}

/// What a source that miscounts its rows is told.
fn miscounts(source: &dyn ColumnSource) -> EngineError {
    EngineError::Failed {
        data: source.name(),
        reason: "it does not have as many rows as it says",
    }
}

/// The error of a batch that does not fit a record.
fn misfit<R: Record>(source: &dyn ColumnSource) -> impl Fn((usize, Misfit)) -> EngineError {
    let data = source.name();
    move |(place, misfit)| EngineError::Value {
        data: data.clone(),
        column: R::NAMES.get(place).copied().unwrap_or_default().into(),
        misfit,
    }
}

/// Loads one partition after the other.
fn appended<R: Record>(source: &dyn ColumnSource) -> Result<TableData<R>, EngineError> {
    let all: Vec<usize> = (0..R::NAMES.len()).collect();
    let misfit = misfit::<R>(source);
    let mut building = Building::<R>::new();
    let partitions = source.partitions();
    for partition in 0..partitions {
        if partition == 1 {
            // Most partitions are as long as the first. A guess that is wrong costs some copying.
            let rest = building.rows.saturating_mul(partitions - 1);
            let rows = building.rows.saturating_add(rest.min(1 << 26));
            building
                .columns
                .reserve(rows.next_multiple_of(CHUNK) - building.rows);
        }
        let before = building.rows;
        source.read(&Pass::new(), partition, &all, &mut |batch| {
            building.append(batch).map_err(&misfit)
        })?;
        let read = (building.rows - before) as u64;
        let said = source.rows(&Pass::new(), partition);
        if said.is_some_and(|said| said != read) {
            return Err(miscounts(source));
        }
    }
    Ok(building.finish())
}

/// Loads each partition into its own part of the columns, on several threads where there are some. Each has texts of its
/// own, which then get the codes that they would have one partition after the other.
fn into_room<R: Record>(
    source: &dyn ColumnSource,
    mut columns: ColumnsOf<R>,
    rows: &[usize],
) -> Result<TableData<R>, EngineError> {
    let all: Vec<usize> = (0..R::NAMES.len()).collect();
    let misfit = misfit::<R>(source);
    let other = || miscounts(source);
    let load = |(partition, mut room): (usize, <ColumnsOf<R> as Columns>::Rooms<'_>)| {
        let mut dictionary = Dictionary::default();
        let mut free = rows[partition];
        source.read(&Pass::new(), partition, &all, &mut |batch| {
            free = free.checked_sub(batch.rows).ok_or_else(other)?;
            // PRIVACY: raw values move into our columns; an error says which column, not what is in it.
            <ColumnsOf<R>>::fill(
                &mut room,
                0,
                batch.columns,
                &(0..batch.rows),
                &mut dictionary,
            )
            .map_err(&misfit)
        })?;
        match free {
            0 => Ok(dictionary),
            _ => Err(other()),
        }
    };
    let rooms = columns.rooms(rows).into_iter().enumerate().collect();
    let dictionaries = on_threads(rooms, load)?;

    let mut dictionary = Dictionary::default();
    let codes = dictionaries.into_iter().map(|texts| {
        let texts = texts.texts();
        texts.map(|(text, _)| dictionary.code(&text)).collect()
    });
    let codes: Vec<Vec<u32>> = codes.collect();
    let rooms = columns.rooms(rows).into_iter().zip(codes);
    // PRIVACY: codes of texts; those of the first partition are the same in both.
    let others = rooms.filter(|(_, codes)| !codes.iter().copied().eq(0..codes.len() as u32));
    on_threads(others.collect(), |(mut room, codes)| {
        <ColumnsOf<R>>::recode(&mut room, &codes);
        Ok(())
    })?;
    Ok(Building::<R> {
        columns,
        dictionary,
        rows: rows.iter().sum(),
    }
    .finish())
}

/// Runs on all of these, on several threads where there are some; their results in order, or the first error.
fn on_threads<I: Send, T: Send>(
    items: Vec<I>,
    run: impl Fn(I) -> Result<T, EngineError> + Sync,
) -> Result<Vec<T>, EngineError> {
    #[cfg(feature = "parallel")]
    if items.len() > 1 && POOL.is_current() {
        use rayon::prelude::*;
        let all = items.into_par_iter().with_max_len(1).map(&run);
        return all.collect::<Vec<_>>().into_iter().collect();
    }
    items.into_iter().map(run).collect()
}

/// Runs on all partitions, on several threads where there are some.
fn each_partition<T: Send>(
    partitions: usize,
    run: impl Fn(usize) -> Result<T, EngineError> + Sync,
    merge: impl Fn(T, T) -> T + Sync,
) -> Result<Option<T>, EngineError> {
    #[cfg(feature = "parallel")]
    if partitions > 1 && POOL.is_current() {
        use rayon::prelude::*;
        let all = (0..partitions).into_par_iter().with_max_len(1).map(&run);
        return all.try_reduce_with(|a, b| Ok(merge(a, b))).transpose();
    }
    let mut total = None;
    for partition in 0..partitions {
        let part = run(partition)?;
        total = Some(match total {
            None => part,
            Some(total) => merge(total, part),
        });
    }
    Ok(total)
}
