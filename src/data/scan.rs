//! One pass over a table: a program for the queries that have one, a loop for each of the others.

use std::sync::Arc;

use super::engine::{Field, Machine, Program};
use super::keep::Masks;
use super::plan::Term;
use super::{Columns, Fields, Places, Record, TableData, TableQuery};

#[cfg(feature = "parallel")]
use {super::engine::merge, super::table::TASK, crate::process::FirstProcess};

/// The process that has Rayon's threads. They stay with the process that started them, and a forked
/// child would wait for them forever, so it scans its own tables and public ones on one thread.
#[cfg(feature = "parallel")]
static POOL: FirstProcess = FirstProcess::new();

/// A worker with more cells than these has one share of the chunks, so that few are made and merged.
#[cfg(feature = "parallel")]
const MANY_CELLS: usize = 1 << 14;

/// The most cells of all blocks together that one pass counts.
const MOST_CELLS: usize = 1 << 22;

/// The queries of one pass.
pub(crate) struct Scan<'a, R: Record> {
    table: &'a TableData<R>,
    program: Program,
    /// For each query, whether the program answers it.
    planned: Vec<bool>,
    loops: Vec<&'a dyn TableQuery<R>>,
    /// The block of each row, where all blocks are asked at once.
    places: Option<&'a Places>,
    /// Which rows are kept, by the selections that ask.
    masks: Masks,
}

/// The cells of the program, and of each loop.
type Cells = (Vec<Vec<i128>>, Vec<Vec<i128>>);

/// The columns of a record, as a program knows them.
pub(crate) fn fields<R: Record>() -> Vec<Field> {
    let mut kinds = Vec::new();
    <<R::Fields as Fields>::Columns as Columns>::kinds(&mut kinds);
    let fields = R::NAMES.iter().zip(kinds);
    fields
        .map(|(name, (kind, nullable))| Field {
            name,
            kind,
            nullable,
        })
        .collect()
}

impl<'a, R: Record> Scan<'a, R> {
    pub(crate) fn new(
        table: &'a TableData<R>,
        queries: &'a [Arc<dyn TableQuery<R>>],
        by_program: bool,
    ) -> Self {
        let terms: Vec<Term> = match by_program {
            true => queries.iter().map(|query| query.term()).collect(),
            false => Vec::new(),
        };
        let mut scan = Scan::of_terms(table, terms);
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
        let (program, planned) = Program::compile(terms, &fields::<R>(), table.masked(), None);
        Scan {
            table,
            program,
            planned,
            loops: Vec::new(),
            places: None,
            masks: Masks::default(),
        }
    }

    /// One pass that asks all queries of every block: their answers by block, if all of them have a
    /// program and the cells are not too many.
    pub(crate) fn of_blocks(
        table: &'a TableData<R>,
        terms: impl IntoIterator<Item = Term>,
        places: &'a Places,
        blocks: usize,
    ) -> Option<Vec<Vec<Vec<i128>>>> {
        let (program, planned) = Program::compile(terms, &fields::<R>(), false, Some(blocks));
        let few = program.all_cells() <= MOST_CELLS;
        if blocks == 0 || !few || planned.contains(&false) {
            return None;
        }
        let scan = Scan {
            table,
            program,
            planned,
            loops: Vec::new(),
            places: Some(places),
            masks: Masks::default(),
        };
        let answers = scan.run();
        let part = |cells: &Vec<i128>, block: usize| {
            let each = cells.len() / blocks.max(1);
            cells[block * each..(block + 1) * each].to_vec()
        };
        let of_block = |block| answers.iter().map(|cells| part(cells, block)).collect();
        Some((0..blocks).map(of_block).collect())
    }

    /// Which queries the program answers.
    pub(crate) fn planned(&self) -> &[bool] {
        &self.planned
    }

    /// PRIVACY: exact answers, each by its cells, in the order asked. Addition is on integers, so
    /// threads and order change nothing.
    pub(crate) fn run(&self) -> Vec<Vec<i128>> {
        let (planned, loops) = self.all();
        let (mut planned, mut loops) = (self.program.answers(planned), loops.into_iter());
        // Of terms alone, those that are not planned have no loop, and no answer.
        let answer = |by_program: &bool| match by_program {
            true => planned.next(),
            false => loops.next(),
        };
        self.planned.iter().filter_map(answer).collect()
    }

    fn all(&self) -> Cells {
        let chunks = self.table.chunks();
        #[cfg(feature = "parallel")]
        if chunks > TASK && POOL.is_current() {
            use rayon::prelude::*;
            let (planned, loops) = self.part(0..0);
            let cells: usize = planned.iter().chain(&loops).map(Vec::len).sum();
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
                .unwrap_or((planned, loops));
        }
        self.part(0..chunks)
    }

    /// Exact cells of some chunks, for all queries.
    fn part(&self, chunks: core::ops::Range<usize>) -> Cells {
        let texts = self.table.dictionary();
        let mut machine = Machine::new(&self.program, |text| texts.find(text));
        let mut cells: Vec<Vec<i128>> = self
            .loops
            .iter()
            .map(|query| vec![0; query.cells_for(texts)])
            .collect();
        // PRIVACY: looks at raw rows, all of them in the same way.
        for index in chunks {
            let chunk = self.table.chunk(index, &self.masks);
            machine.read(
                chunk.len(),
                |place, buffer| self.table.columns().lane(place, index, buffer),
                |rows| chunk.mask().inspect(|mask| mask.copy(rows)).is_some(),
                self.places.map(|places| places.chunk(index)),
            );
            for (query, cells) in self.loops.iter().zip(&mut cells) {
                query.chunk(&chunk, cells);
            }
        }
        (machine.finish(), cells)
    }
}
