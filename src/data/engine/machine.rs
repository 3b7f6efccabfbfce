//! One worker: a program, its registers and its cells, chunk after chunk.

use super::counts::Counts;
use super::lane::{Buffer, Lane};
use super::loops::FEW;
use super::program::{Code, Op, Program};
use super::registers::{Column, Inputs, NO_BOOLS, Registers};
use crate::data::CHUNK;

/// One worker's registers and cells.
pub(crate) struct Machine<P> {
    program: P,
    codes: Vec<u32>,
    registers: Registers,
    /// For each column, what its chunks are copied to.
    buffers: Vec<Buffer>,
    cells: Vec<Vec<i128>>,
    /// Counts that are not in `cells` yet, where there are more than a few cells.
    counts: Vec<Option<Counts>>,
    mask: Box<[bool; CHUNK]>,
    /// The block of each row, if the program divides them.
    places: Box<[u32; CHUNK]>,
    /// Rows in `counts`.
    counted: u32,
}

impl<P: core::ops::Deref<Target = Program>> Machine<P> {
    /// A worker for a table in which `find` knows the codes of texts.
    pub(crate) fn new(compiled: P, find: impl Fn(&str) -> u32) -> Self {
        let program = &*compiled;
        let code = |code: &Code| match code {
            Code::Ordinal(ordinal) => *ordinal,
            Code::Text(text) => find(text),
        };
        let mut counts: Vec<Option<Counts>> = program.cells.iter().map(|_| None).collect();
        for step in &program.steps {
            let cells = program.cells.get(step.out).copied().unwrap_or(0);
            let counted = match step.op {
                Op::Histogram(..) | Op::HistogramWithin(..) => {
                    program.blocks.is_some() || cells > FEW
                }
                Op::Count | Op::Rows => program.blocks.is_some(),
                _ => false,
            };
            if counted {
                counts[step.out] = Some(Counts::new(cells));
            }
        }
        let mut registers = Registers::new(program.registers, &program.vectors);
        let codes: Vec<u32> = program.codes.iter().map(code).collect();
        let nothing = Inputs {
            columns: &[],
            mask: None,
            places: None,
            ranks: None,
        };
        for step in &program.fills {
            registers.run(step, &nothing, &codes);
        }
        Machine {
            buffers: program.columns.iter().map(|_| Buffer::new()).collect(),
            cells: program.cells.iter().map(|cells| vec![0; *cells]).collect(),
            program: compiled,
            codes,
            registers,
            counts,
            mask: Box::new([false; CHUNK]),
            places: Box::new([u32::MAX; CHUNK]),
            counted: 0,
        }
    }

    /// Adds a chunk of `rows` rows. `column` reads one of [`Program::columns`], with a buffer if it
    /// needs one; `mask` writes which rows are in the block, if this is one.
    /// `places` has the block of each row, and `ranks` its place among the rows of its person, where they are
    /// needed; without ranks no row comes first.
    pub(crate) fn read<'a>(
        &'a mut self,
        rows: usize,
        column: impl Fn(usize, &'a mut Buffer) -> Option<Column<'a>>,
        mask: impl FnOnce(&mut [bool; CHUNK]) -> bool,
        places: Option<&'a [u32; CHUNK]>,
        ranks: Option<&'a [u32; CHUNK]>,
    ) {
        if self.program.steps.is_empty() {
            return;
        }
        if self.counted > u32::MAX - CHUNK as u32 {
            self.carry();
        }
        let rows = rows.min(CHUNK);
        self.counted += rows as u32;
        let read = self.program.columns.iter().zip(&mut self.buffers);
        let missing = (Lane::Bool(&NO_BOOLS), Some(&NO_BOOLS));
        let columns: Vec<Column<'a>> = read
            .map(|(place, buffer)| column(*place, buffer).unwrap_or(missing))
            .collect();
        let inputs = Inputs {
            columns: &columns,
            mask: mask(&mut self.mask).then_some(&*self.mask),
            places,
            ranks,
        };
        for step in &self.program.steps {
            if matches!(step.op, Op::Place) {
                self.registers.place(step, &inputs, &mut self.places);
                continue;
            }
            if !step.op.adds() {
                self.registers.run(step, &inputs, &self.codes);
                continue;
            }
            let (cells, counts) = (&mut self.cells[step.out], self.counts[step.out].as_mut());
            match self.program.blocks {
                Some(blocks) => {
                    // Without a division of its own, the program is given the blocks.
                    let places = inputs.places.unwrap_or(&self.places);
                    let places = (&places[..rows], blocks);
                    self.registers.divide(step, &inputs, places, cells, counts);
                }
                _ => self.registers.collect(step, &inputs, rows, cells, counts),
            }
        }
    }

    /// Makes room for so many texts where texts are counted, and forgets what was counted.
    pub(crate) fn make_room(&mut self, texts: usize) {
        for place in &self.program.by_text {
            self.cells[*place].clear();
            self.cells[*place].resize(texts, 0);
        }
    }

    /// How many rows have each text, for each query that counts them.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &[i128]> {
        let places = self.program.by_text.iter();
        places.map(|place| &*self.cells[*place])
    }

    /// Moves the counts into their cells.
    fn carry(&mut self) {
        for (cells, counts) in self.cells.iter_mut().zip(&mut self.counts) {
            if let Some(counts) = counts {
                counts.carry(cells);
            }
        }
        self.counted = 0;
    }

    /// The cells of all rows that were added.
    pub(crate) fn finish(mut self) -> Vec<Vec<i128>> {
        self.carry();
        self.cells
    }
}

/// Adds the cells of two workers. None of them is near 2^127: a cell is at most 2^51 for each row.
pub(crate) fn merge(mut total: Vec<Vec<i128>>, part: &[Vec<i128>]) -> Vec<Vec<i128>> {
    for (total, part) in total.iter_mut().zip(part) {
        for (total, part) in total.iter_mut().zip(part) {
            *total = total.saturating_add(*part);
        }
    }
    total
}
