//! A program as data: steps on registers, and what they are made of.

use std::borrow::Cow;

use super::bounds::Size;
use crate::data::Dictionary;
use crate::data::plan::{Operation, ValueKind};
use crate::data::vector::Norm;

/// A field of the record that a program reads.
pub(crate) struct Field {
    pub(crate) name: Cow<'static, str>,
    pub(crate) kind: ValueKind,
    pub(crate) nullable: bool,
}

/// Where a step finds a value for each row of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum At {
    None,
    /// A column, by its place in [`Program::columns`].
    Column(usize),
    /// Which values of that column are there.
    Valid(usize),
    /// Which rows are in the block.
    Mask,
    /// What an earlier step computed.
    Register(usize),
}

/// The type of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pool {
    Int,
    Real,
    Bool,
    Code,
    /// Vectors, one row after the other.
    Vector,
}

/// Vectors clipped to a norm: of so many coordinates, to `limit` steps of which `grid` are a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Clip {
    pub(super) norm: Norm,
    pub(super) width: usize,
    pub(super) grid: i64,
    pub(super) limit: i64,
}

/// Reals are kept by their bits, codes of texts and categories by their place in [`Program::codes`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    FillInt(i64),
    FillReal(u64),
    FillCode(usize),
    /// With a constant, or with the second argument.
    CompareInt(Operation, Option<i64>),
    CompareReal(Operation, Option<u64>),
    EqualCode(Option<usize>),
    EqualBool,
    And,
    Or,
    Not,
    OneOfInt(Vec<i64>),
    OneOfReal(Vec<u64>),
    OneOfCode(Vec<usize>),
    ClampInt(i64, i64),
    /// Bounds in steps, and steps per unit.
    ClampReal(i64, i64, i64),
    /// Two factors, and whether the result fits.
    Linear(i64, i64, bool),
    LinearReal(bool),
    Multiply(Size),
    MultiplyReal,
    Plus(i64),
    Times(i64, Size),
    RealOf,
    /// A number on a grid of so many steps per unit, as a real.
    UnitsOf(i64),
    /// A real between two bounds, over the last.
    Share([u64; 3]),
    /// A part of a date, or of a time if so.
    Part(Operation, bool),
    /// By a positive constant.
    Divide(i64),
    Remainder(i64),
    /// The place of a key of a category.
    Ordinal,
    Number,
    BinsInt(Vec<i64>),
    BinsReal(Vec<u64>),
    KeysInt(Vec<i64>),
    KeysReal(Vec<u64>),
    KeysCode(Vec<usize>),
    /// The constant where the first argument holds, else the second.
    Choose(i64),
    /// The first argument where the second holds, else the third.
    OrElse,
    /// Whether the row's rank among those of its person is below this.
    First(u32),
    /// The vector of so many reals, which are the step's list.
    Join(usize),
    /// A vector of so many coordinates times a real.
    Scale(usize),
    /// The scalar product of a vector with constants.
    Dot(Vec<u64>),
    /// The place of the nearest centre; centres have so many coordinates, one after the other.
    Nearest(usize, Vec<u64>),
    Logistic,
    /// From here on: what is added to the cells. The first argument says which rows, if not all.
    Count,
    Sum,
    /// The same of a whole number that is clamped here, since nothing else needs it.
    SumWithin(i64, i64),
    Rows,
    /// Keys, and which of them has the first cell.
    Histogram(Pool, i64),
    /// The same of a whole number that is clamped here.
    HistogramWithin(i64, i64, i64),
    /// Clipped vectors, in the cells of the third argument's key, if there is one.
    Vectors(Clip),
    /// Each text of a batch has a cell.
    Texts,
    /// The block of each row, which the steps after it add to.
    Place,
}

impl Op {
    /// Whether it is a step of the cells, and fills no register.
    pub(super) fn adds(&self) -> bool {
        matches!(
            self,
            Op::Count
                | Op::Sum
                | Op::SumWithin(..)
                | Op::Rows
                | Op::Histogram(..)
                | Op::HistogramWithin(..)
                | Op::Vectors(_)
                | Op::Texts
                | Op::Place
        )
    }

    /// How many coordinates its register has, if it fills one of vectors.
    pub(super) fn width(&self) -> Option<usize> {
        match self {
            Op::Join(width) | Op::Scale(width) => Some(*width),
            _ => None,
        }
    }
}

/// What is done to every row of a chunk.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) op: Op,
    pub(super) args: [At; 3],
    /// The coordinates of a vector.
    pub(super) list: Vec<At>,
    pub(super) pool: Pool,
    /// A register, or the place of the cells.
    pub(super) out: usize,
}

/// A public constant by code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Code {
    Ordinal(u32),
    Text(String),
}

/// Queries as steps on registers.
#[derive(Debug)]
pub(crate) struct Program {
    /// Run once, when a machine is made.
    pub(super) fills: Vec<Step>,
    /// Run for each chunk.
    pub(super) steps: Vec<Step>,
    pub(super) codes: Vec<Code>,
    /// How many registers of each type, in the order of [`Pool`], and the width of each of vectors.
    pub(super) registers: [usize; 4],
    pub(super) vectors: Vec<usize>,
    /// For each place of cells, how many.
    pub(crate) cells: Vec<usize>,
    /// For each query, its places of cells.
    pub(super) queries: Vec<core::ops::Range<usize>>,
    /// The fields that are read, by their place in the record.
    pub(crate) columns: Vec<usize>,
    /// The field that names persons, by its place in the record, if some rows of each are looked at.
    pub(crate) person: Option<usize>,
    /// The places of cells that are those of texts.
    pub(crate) by_text: Vec<usize>,
    /// How many blocks every query is asked of.
    pub(crate) blocks: Option<usize>,
}

impl Program {
    /// The public texts of the queries, with their codes.
    pub(crate) fn texts(&self) -> Dictionary {
        Dictionary::public(self.codes.iter().filter_map(|code| match code {
            Code::Text(text) => Some(&**text),
            Code::Ordinal(_) => None,
        }))
    }

    /// How many cells all queries have.
    pub(crate) fn all_cells(&self) -> usize {
        self.cells
            .iter()
            .fold(0, |sum, cells| sum.saturating_add(*cells))
    }

    /// The cells of each compiled query, from those of all places: block after block, if there are blocks.
    pub(crate) fn answers(&self, mut cells: Vec<Vec<i128>>) -> impl Iterator<Item = Vec<i128>> {
        let ranges = self.queries.clone().into_iter();
        let blocks = self.blocks.unwrap_or(1).max(1);
        ranges.map(move |places| match places.len() {
            // There may be a million of them.
            1 => core::mem::take(&mut cells[places.start]),
            _ => {
                let places = &cells[places];
                // PRIVACY: each cell is in its own block, where the noise is for what it may move by.
                let of_block = |block: usize| {
                    places.iter().flat_map(move |cells| {
                        let each = cells.len() / blocks;
                        &cells[block * each..(block + 1) * each]
                    })
                };
                (0..blocks).flat_map(of_block).copied().collect()
            }
        })
    }
}
