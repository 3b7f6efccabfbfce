//! One pass over a table: a program for the queries that have one, a loop for each of the others.

use std::sync::Arc;

use super::engine::{Field, Machine, Program, merge};
use super::keep::Masks;
use super::plan::Term;
use super::stream::{Division, Outside, Reading, schema};
use super::{Columns, Dictionary, Places, Record, TableData, TableQuery};
use crate::error::EngineError;

#[cfg(feature = "parallel")]
use {super::table::TASK, crate::process::FirstProcess};

/// The process that has Rayon's threads. They stay with the process that started them, and a forked
/// child would wait for them forever, so it scans its own tables and public ones on one thread.
#[cfg(feature = "parallel")]
pub(super) static POOL: FirstProcess = FirstProcess::new();

/// A worker with more cells than these has one share of the chunks, so that few are made and merged.
#[cfg(feature = "parallel")]
const MANY_CELLS: usize = 1 << 14;

/// The most cells of all blocks together that one pass counts.
const MOST_CELLS: usize = 1 << 22;

/// The queries of one pass.
pub(crate) struct Scan<'a, R: Record> {
    table: &'a TableData<R>,
    program: Program,
    /// What is asked, where an engine has the rows.
    terms: Vec<Term>,
    /// For each query, whether the program answers it.
    planned: Vec<bool>,
    loops: Vec<&'a dyn TableQuery<R>>,
    /// The blocks, where all of them are asked at once.
    division: Option<&'a Division<R>>,
    /// Which rows are kept, by the selections that ask.
    masks: Masks,
}

/// The cells of the program, and of each loop.
type Cells = (Vec<Vec<i128>>, Vec<Vec<i128>>);

/// The answers of each block, from those of all blocks.
fn by_block(answers: &[Vec<i128>], blocks: usize) -> Vec<Vec<Vec<i128>>> {
    let part = |cells: &Vec<i128>, block: usize| {
        let each = cells.len() / blocks.max(1);
        cells[block * each..(block + 1) * each].to_vec()
    };
    let of_block = |block| answers.iter().map(|cells| part(cells, block)).collect();
    (0..blocks).map(of_block).collect()
}

/// The columns of a record, as a program knows them.
pub(crate) fn fields<R: Record>() -> Vec<Field> {
    let columns = schema::<R>().columns.into_iter();
    columns
        .map(|column| Field {
            name: column.name,
            kind: column.kind,
            nullable: column.nullable,
        })
        .collect()
}

impl<'a, R: Record> Scan<'a, R> {
    pub(crate) fn new(
        table: &'a TableData<R>,
        queries: &'a [Arc<dyn TableQuery<R>>],
        by_program: bool,
    ) -> Self {
        let mut terms: Vec<Term> = match by_program || table.outside().is_some() {
            true => queries.iter().map(|query| query.term()).collect(),
            false => Vec::new(),
        };
        let all = terms.clone();
        if !by_program {
            terms.clear();
        }
        let mut scan = Scan::of_terms(table, terms);
        scan.terms = all;
        scan.planned.resize(queries.len(), false);
        let others = queries.iter().zip(&scan.planned);
        scan.loops = others
            .filter(|(_, planned)| !**planned)
            .map(|(query, _)| &**query)
            .collect();
        scan
    }

    /// A pass for queries as data; those without a program are left out.
    pub(crate) fn of_terms(table: &'a TableData<R>, terms: impl IntoIterator<Item = Term>) -> Self {
        let terms: Vec<Term> = terms.into_iter().collect();
        let (program, planned) =
            Program::compile(terms.iter().cloned(), &fields::<R>(), table.masked(), None);
        Scan {
            table,
            program,
            terms,
            planned,
            loops: Vec::new(),
            division: None,
            masks: Masks::default(),
        }
    }

    /// One pass that asks all queries of every block: their answers by block, if all of them have a
    /// program and the cells are not too many.
    pub(crate) fn of_blocks(
        table: &'a TableData<R>,
        terms: impl IntoIterator<Item = Term>,
        division: &'a Division<R>,
        blocks: usize,
    ) -> Result<Option<Vec<Vec<Vec<i128>>>>, EngineError> {
        let terms: Vec<Term> = terms.into_iter().collect();
        let (program, planned) =
            Program::compile(terms.iter().cloned(), &fields::<R>(), false, Some(blocks));
        let few = program.all_cells() <= MOST_CELLS;
        if blocks == 0 || !few || planned.contains(&false) {
            return Ok(None);
        }
        if let (Some(outside), Division::Later(later)) = (table.outside(), division) {
            if let Some(answers) = outside.run_blocks(later, &terms, blocks)? {
                return Ok(Some(by_block(&answers, blocks)));
            }
            if !outside.has_columns() {
                return Ok(None);
            }
        }
        let scan = Scan {
            table,
            program,
            terms,
            planned,
            loops: Vec::new(),
            division: Some(division),
            masks: Masks::default(),
        };
        Ok(Some(by_block(&scan.run()?, blocks)))
    }

    /// Which queries the program answers.
    pub(crate) fn planned(&self) -> &[bool] {
        &self.planned
    }

    /// PRIVACY: exact answers, each by its cells, in the order asked. Addition is on integers, so
    /// threads and order change nothing.
    ///
    /// # Errors
    ///
    /// If an engine has the rows, and does not answer.
    pub(crate) fn run(&self) -> Result<Vec<Vec<i128>>, EngineError> {
        let (planned, loops) = match self.table.outside() {
            None => self.all(),
            // All blocks at once are no task here: `of_blocks` has tried.
            Some(outside) if self.division.is_some() || outside.streams(&self.terms) => {
                self.stream(outside)?
            }
            Some(outside) => return outside.run(&self.terms),
        };
        let (mut planned, mut loops) = (self.program.answers(planned), loops.into_iter());
        // Of terms alone, those that are not planned have no loop, and no answer.
        let answer = |by_program: &bool| match by_program {
            true => planned.next(),
            false => loops.next(),
        };
        Ok(self.planned.iter().filter_map(answer).collect())
    }

    fn all(&self) -> Cells {
        let chunks = self.table.chunks();
        #[cfg(feature = "parallel")]
        if chunks > TASK && POOL.is_current() {
            use rayon::prelude::*;
            let texts = self.table.dictionary();
            let loops = self.loops.iter().map(|query| query.cells_for(texts));
            let cells = loops.fold(self.program.all_cells(), usize::saturating_add);
            let threads = rayon::current_num_threads();
            let shares = match cells {
                MANY_CELLS.. => threads,
                _ => 8 * threads,
            };
            let size = chunks.div_ceil(shares).max(TASK);
            return (0..chunks.div_ceil(size))
                .into_par_iter()
                .map(|share| self.part(share * size..((share + 1) * size).min(chunks)))
                .reduce_with(|a, b| (merge(a.0, &b.0), merge(a.1, &b.1)))
                .unwrap_or_else(|| self.part(0..0));
        }
        self.part(0..chunks)
    }

    /// Exact cells of some chunks, for all queries.
    fn part(&self, chunks: core::ops::Range<usize>) -> Cells {
        let texts = self.table.dictionary();
        let places = match self.division {
            Some(Division::Now(places)) => Some(&**places),
            _ => None,
        };
        let mut adding = self.start(texts);
        self.add(&mut adding, self.table, chunks, places);
        (adding.0.finish(), adding.1)
    }

    /// No cells yet, for a table with these texts.
    fn start(&self, texts: &Dictionary) -> Adding<'_> {
        let machine = Machine::new(&self.program, |text| texts.find(text));
        let cells = self
            .loops
            .iter()
            .map(|query| vec![0; query.cells_for(texts)]);
        (machine, cells.collect())
    }

    /// Adds some chunks of a table, which is all of it or a batch.
    fn add(
        &self,
        (machine, cells): &mut Adding<'_>,
        table: &TableData<R>,
        chunks: core::ops::Range<usize>,
        places: Option<&Places>,
    ) {
        let person = self.program.person;
        // PRIVACY: looks at raw rows, all of them in the same way.
        for index in chunks {
            let chunk = table.chunk(index, &self.masks);
            machine.read(
                chunk.len(),
                |place, buffer| table.columns().lane(place, index, buffer),
                |rows| chunk.mask().inspect(|mask| mask.copy(rows)).is_some(),
                places.map(|places| places.chunk(index)),
                person.map(|person| table.ranks(person, index)),
            );
            for (query, cells) in self.loops.iter().zip(cells.iter_mut()) {
                query.chunk(&chunk, cells);
            }
        }
    }

    /// One pass over rows that an engine hands over.
    fn stream(&self, outside: &Outside<R>) -> Result<Cells, EngineError> {
        let texts = || self.program.texts();
        let mut reading = Reading::new(self.terms.iter(), &texts);
        if let Some(Division::Later(later)) = self.division {
            reading.places = Some(later);
        }
        // Texts that are not public are counted in a pass of their own: here they have no cells.
        let none = Dictionary::default();
        let start = || {
            let (_, cells) = self.start(&none);
            let texts = texts();
            let machine = Machine::new(&self.program, |text| texts.find(text));
            (machine, cells)
        };
        let total = outside.pass(
            reading,
            start,
            |adding, batch, places| self.add(adding, batch, 0..batch.chunks(), places),
            |(machine, cells)| (machine.finish(), cells),
            |a: Cells, b| (merge(a.0, &b.0), merge(a.1, &b.1)),
        )?;
        Ok(total.unwrap_or_else(|| {
            let (machine, cells) = start();
            (machine.finish(), cells)
        }))
    }
}

/// A program's machine, and the cells of each loop.
type Adding<'a> = (Machine<&'a Program>, Vec<Vec<i128>>);
