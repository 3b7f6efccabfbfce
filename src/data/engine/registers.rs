//! Registers, and the steps that read and write them over one chunk of rows.

use super::counts::Counts;
use super::divisor::Divisor;
use super::lane::Lane;
use super::loops::{
    bins, choose, compare, count, map, one_of, part, places, product, saturate, tally, within, zip,
};
use super::program::{At, Clip, Op, Pool, Step};
use crate::data::CHUNK;
use crate::data::plan::Operation;
use crate::data::{exponential, vector};

/// A column's chunk, and which values are there.
pub(super) type Column<'a> = (Lane<'a>, Option<&'a [bool; CHUNK]>);

/// What a step can read: the columns of a chunk, and registers.
pub(super) struct Inputs<'a> {
    pub(super) columns: &'a [Column<'a>],
    pub(super) mask: Option<&'a [bool; CHUNK]>,
    /// The block of each row, where all blocks are asked at once.
    pub(super) places: Option<&'a [u32; CHUNK]>,
    /// How many rows of the same person come before each row, in that person's order.
    pub(super) ranks: Option<&'a [u32; CHUNK]>,
}

/// A register; it is taken out while a step writes it.
type Register<T> = Option<Box<[T; CHUNK]>>;

pub(super) struct Registers {
    integers: Vec<Register<i64>>,
    reals: Vec<Register<f64>>,
    bools: Vec<Register<bool>>,
    codes: Vec<Register<u32>>,
    /// Each of a width of its own, row after row.
    vectors: Vec<Vec<f64>>,
}

fn registers<T: Copy + Default>(count: usize) -> Vec<Register<T>> {
    (0..count)
        .map(|_| Some(Box::new([T::default(); CHUNK])))
        .collect()
}

// What a step reads if the compiler were wrong about types: the same for every row, no panic.
static NO_INTEGERS: [i64; CHUNK] = [0; CHUNK];
static NO_REALS: [f64; CHUNK] = [0.0; CHUNK];
pub(super) static NO_BOOLS: [bool; CHUNK] = [false; CHUNK];
static NO_CODES: [u32; CHUNK] = [u32::MAX; CHUNK];

macro_rules! reads {
    ($($name:ident, $t:ty, $lane:ident, $none:ident;)*) => {$(
        fn $name<'a>(&'a self, inputs: &Inputs<'a>, at: At) -> &'a [$t; CHUNK] {
            match at {
                At::Column(column) => match inputs.columns.get(column) {
                    Some((Lane::$lane(values), _)) => values,
                    _ => &$none,
                },
                At::Register(register) => match self.$name.get(register) {
                    Some(Some(values)) => values,
                    _ => &$none,
                },
                _ => &$none,
            }
        }
    )*};
}

impl Registers {
    /// So many of each type, in the order of [`Pool`], and those of vectors by their widths.
    pub(super) fn new([integers, reals, bools, codes]: [usize; 4], vectors: &[usize]) -> Self {
        let vectors = vectors.iter().map(|width| vec![0.0; width * CHUNK]);
        Registers {
            integers: registers(integers),
            reals: registers(reals),
            bools: registers(bools),
            codes: registers(codes),
            vectors: vectors.collect(),
        }
    }

    reads! {
        integers, i64, Int, NO_INTEGERS;
        reals, f64, Real, NO_REALS;
        codes, u32, Code, NO_CODES;
    }

    /// Vectors of this width; none if they have another.
    fn vectors<'a>(&'a self, inputs: &Inputs<'a>, at: At, width: usize) -> &'a [f64] {
        let found = match at {
            At::Column(column) => match inputs.columns.get(column) {
                Some((Lane::Vectors(values, of), _)) if *of == width => Some(*values),
                _ => None,
            },
            At::Register(register) => self.vectors.get(register).map(|values| &values[..]),
            _ => None,
        };
        found.unwrap_or(&[])
    }

    fn bools<'a>(&'a self, inputs: &Inputs<'a>, at: At) -> &'a [bool; CHUNK] {
        let found = match at {
            At::Column(column) => match inputs.columns.get(column) {
                Some((Lane::Bool(values), _)) => Some(*values),
                _ => None,
            },
            At::Valid(column) => inputs.columns.get(column).and_then(|column| column.1),
            At::Mask => inputs.mask,
            At::Register(register) => self.bools.get(register).and_then(|r| r.as_deref()),
            At::None => None,
        };
        found.unwrap_or(&NO_BOOLS)
    }
}

/// 1.5 · 2^52: see the clamp of reals in `expr`.
const MIDDLE: f64 = 6_755_399_441_055_744.0;

impl Registers {
    /// Runs a step on every row of the chunk.
    pub(super) fn run(&mut self, step: &Step, inputs: &Inputs<'_>, codes: &[u32]) {
        match step.pool {
            Pool::Vector => {
                let taken = self.vectors.get_mut(step.out).map(core::mem::take);
                if let Some(mut out) = taken {
                    self.vector(step, inputs, &mut out);
                    self.vectors[step.out] = out;
                }
            }
            Pool::Int => {
                if let Some(mut out) = self.integers.get_mut(step.out).and_then(Option::take) {
                    self.integer(step, inputs, codes, &mut out);
                    self.integers[step.out] = Some(out);
                }
            }
            Pool::Real => {
                if let Some(mut out) = self.reals.get_mut(step.out).and_then(Option::take) {
                    self.real(step, inputs, &mut out);
                    self.reals[step.out] = Some(out);
                }
            }
            Pool::Bool => {
                if let Some(mut out) = self.bools.get_mut(step.out).and_then(Option::take) {
                    self.condition(step, inputs, codes, &mut out);
                    self.bools[step.out] = Some(out);
                }
            }
            Pool::Code => {
                if let Some(mut out) = self.codes.get_mut(step.out).and_then(Option::take) {
                    match &step.op {
                        Op::FillCode(place) => out.fill(codes[*place]),
                        _ => {
                            let [x, valid, y] = step.args;
                            let (x, y) = (self.codes(inputs, x), self.codes(inputs, y));
                            choose(&mut out, x, self.bools(inputs, valid), y);
                        }
                    }
                    self.codes[step.out] = Some(out);
                }
            }
        }
    }

    fn integer(&self, step: &Step, inputs: &Inputs<'_>, codes: &[u32], out: &mut [i64; CHUNK]) {
        let [a, b, c] = step.args;
        let (x, y) = (self.integers(inputs, a), self.integers(inputs, b));
        match &step.op {
            Op::FillInt(value) => out.fill(*value),
            Op::ClampInt(low, high) => map(out, x, |x| within(x, *low, *high)),
            Op::ClampReal(low, high, grid) => {
                let grid = *grid as f64;
                // PRIVACY: the sensitivity rests on this clamp alone, as in `expr`: it compares whole
                // numbers, and NaN fails the first comparison.
                let (low, high) = (*low as f64 + MIDDLE, *high as f64 + MIDDLE);
                map(out, self.reals(inputs, a), |x| {
                    let rounded = x * grid + MIDDLE;
                    let above = if rounded > low { rounded } else { low };
                    let within = if above < high { above } else { high };
                    within.to_bits().wrapping_sub(MIDDLE.to_bits()) as i64
                });
            }
            Op::Linear(1, 1, true) => zip(out, x, y, i64::wrapping_add),
            Op::Linear(1, -1, true) => zip(out, x, y, i64::wrapping_sub),
            Op::Linear(a, b, true) => zip(out, x, y, |x, y| {
                a.wrapping_mul(x).wrapping_add(b.wrapping_mul(y))
            }),
            Op::Linear(a, b, false) => zip(out, x, y, |x, y| {
                saturate(i128::from(*a) * i128::from(x) + i128::from(*b) * i128::from(y))
            }),
            Op::Multiply(size) => product(out, x, y, *size),
            Op::Plus(steps) => map(out, x, |x| x.saturating_add(*steps)),
            Op::Times(by, size) => product(out, x, &[*by; CHUNK], *size),
            Op::Part(op, clock) => part(out, x, *op, *clock),
            Op::Divide(by) => {
                let by = Divisor::new(*by);
                map(out, x, |x| by.divide(x).0);
            }
            Op::Remainder(by) => {
                let by = Divisor::new(*by);
                map(out, x, |x| by.divide(x).1);
            }
            Op::Ordinal => map(out, self.codes(inputs, a), i64::from),
            Op::Number => map(out, self.bools(inputs, a), i64::from),
            Op::BinsInt(edges) => bins(out, x, edges.iter().copied()),
            Op::BinsReal(edges) => {
                let edges = edges.iter().map(|edge| f64::from_bits(*edge));
                bins(out, self.reals(inputs, a), edges);
            }
            Op::KeysInt(keys) => places(out, x, keys),
            Op::KeysReal(keys) => {
                let keys: Vec<f64> = keys.iter().map(|key| f64::from_bits(*key)).collect();
                places(out, self.reals(inputs, a), &keys);
            }
            Op::KeysCode(keys) => {
                let keys: Vec<u32> = keys.iter().map(|place| codes[*place]).collect();
                places(out, self.codes(inputs, a), &keys);
            }
            Op::Nearest(width, centres) => {
                let centres: Vec<f64> = centres.iter().map(|c| f64::from_bits(*c)).collect();
                let vectors = self.vectors(inputs, a, *width).chunks_exact(*width);
                for (out, vector) in out.iter_mut().zip(vectors) {
                    *out = vector::nearest(vector, centres.chunks_exact(*width));
                }
            }
            Op::Choose(key) => {
                let chosen = self.bools(inputs, a);
                zip(out, chosen, y, |chosen, y| if chosen { *key } else { y });
            }
            _ => choose(out, x, self.bools(inputs, b), self.integers(inputs, c)),
        }
    }

    fn real(&self, step: &Step, inputs: &Inputs<'_>, out: &mut [f64; CHUNK]) {
        let [a, b, c] = step.args;
        let (x, y) = (self.reals(inputs, a), self.reals(inputs, b));
        match &step.op {
            Op::FillReal(bits) => out.fill(f64::from_bits(*bits)),
            Op::RealOf => map(out, self.integers(inputs, a), |x| x as f64),
            Op::UnitsOf(grid) => map(out, self.integers(inputs, a), |x| x as f64 / *grid as f64),
            Op::Share(bounds) => {
                let [low, high, unit] = bounds.map(f64::from_bits);
                map(out, x, |x| {
                    let above = if x > low { x } else { low };
                    let within = if above < high { above } else { high };
                    within / unit
                });
            }
            Op::Dot(weights) => {
                let weights: Vec<f64> = weights.iter().map(|w| f64::from_bits(*w)).collect();
                let vectors = self.vectors(inputs, a, weights.len());
                for (out, vector) in out.iter_mut().zip(vectors.chunks_exact(weights.len())) {
                    *out = vector::dot(vector, &weights);
                }
            }
            Op::Logistic => map(out, x, exponential::logistic),
            Op::LinearReal(false) => zip(out, x, y, |x, y| x + y),
            Op::LinearReal(true) => zip(out, x, y, |x, y| x - y),
            Op::MultiplyReal => zip(out, x, y, |x, y| x * y),
            _ => choose(out, x, self.bools(inputs, b), self.reals(inputs, c)),
        }
    }

    fn vector(&self, step: &Step, inputs: &Inputs<'_>, out: &mut [f64]) {
        let [a, b, _] = step.args;
        match step.op {
            Op::Scale(width) => {
                let by = self.reals(inputs, b);
                let vectors = self.vectors(inputs, a, width).chunks_exact(width);
                let rows = out.chunks_exact_mut(width).zip(vectors).zip(by);
                for ((out, vector), by) in rows {
                    for (out, x) in out.iter_mut().zip(vector) {
                        *out = x * by;
                    }
                }
            }
            _ => {
                let width = step.list.len().max(1);
                for (place, at) in step.list.iter().enumerate() {
                    let coordinates = self.reals(inputs, *at);
                    let out = out.chunks_exact_mut(width);
                    for (out, x) in out.zip(coordinates) {
                        out[place] = *x;
                    }
                }
            }
        }
    }

    fn condition(&self, step: &Step, inputs: &Inputs<'_>, codes: &[u32], out: &mut [bool; CHUNK]) {
        let [a, b, c] = step.args;
        let (x, y) = (self.bools(inputs, a), self.bools(inputs, b));
        match &step.op {
            Op::CompareInt(sign, k) => {
                let y = k.ok_or_else(|| self.integers(inputs, b));
                compare(*sign, out, self.integers(inputs, a), y);
            }
            Op::CompareReal(sign, k) => {
                let k = k.map(f64::from_bits);
                let y = k.ok_or_else(|| self.reals(inputs, b));
                compare(*sign, out, self.reals(inputs, a), y);
            }
            Op::EqualCode(k) => {
                let k = k.map(|place| codes[place]);
                let y = k.ok_or_else(|| self.codes(inputs, b));
                compare(Operation::Equal, out, self.codes(inputs, a), y);
            }
            Op::First(most) => map(out, inputs.ranks.unwrap_or(&NO_CODES), |rank| rank < *most),
            Op::EqualBool => zip(out, x, y, |x, y| x == y),
            Op::And => zip(out, x, y, |x, y| x & y),
            Op::Or => zip(out, x, y, |x, y| x | y),
            Op::Not => map(out, x, |x: bool| !x),
            Op::OneOfInt(keys) => one_of(out, self.integers(inputs, a), keys.iter().copied()),
            Op::OneOfReal(keys) => {
                let keys = keys.iter().map(|key| f64::from_bits(*key));
                one_of(out, self.reals(inputs, a), keys);
            }
            Op::OneOfCode(keys) => {
                let keys = keys.iter().map(|place| codes[*place]);
                one_of(out, self.codes(inputs, a), keys);
            }
            _ => choose(out, x, y, self.bools(inputs, c)),
        }
    }

    /// Adds the rows of the chunk to the cells.
    pub(super) fn collect(
        &self,
        step: &Step,
        inputs: &Inputs<'_>,
        rows: usize,
        cells: &mut [i128],
        counts: Option<&mut Counts>,
    ) {
        let [at, value, _] = step.args;
        let all = at == At::None;
        let keep = self.bools(inputs, at);
        let kept = (!all).then_some(keep);
        match (&step.op, counts) {
            (Op::Count, _) if !all => cells[0] += i128::from(count(&keep[..rows])),
            (Op::Sum, _) => cells[0] += total(self.integers(inputs, value), kept, rows, |x| x),
            (Op::SumWithin(low, high), _) => {
                let values = self.integers(inputs, value);
                cells[0] += total(values, kept, rows, |x| within(x, *low, *high));
            }
            (Op::HistogramWithin(low, high, first), Some(counts)) => {
                let values = self.integers(inputs, value);
                let key = |row: usize| within(values[row], *low, *high).wrapping_sub(*first) as u32;
                counts.add(rows, key, kept);
            }
            (Op::Histogram(Pool::Code, _), Some(counts)) => {
                let keys = self.codes(inputs, value);
                counts.add(rows, |row| keys[row], kept);
            }
            (Op::Histogram(Pool::Int, first), Some(counts)) => {
                let keys = self.integers(inputs, value);
                counts.add(rows, |row| keys[row].wrapping_sub(*first) as u32, kept);
            }
            (Op::Histogram(..) | Op::HistogramWithin(..), _) => {
                let left_out = cells.len() as u32;
                let mut keys = self.keys(inputs, value, &step.op);
                // PRIVACY: each row adds 1 to one cell. Rows left out have a key past the last cell: the
                // same work for every row.
                if !all {
                    for (key, keep) in keys.iter_mut().zip(keep) {
                        *key = if *keep { *key } else { left_out };
                    }
                }
                tally(&keys[..rows], cells);
            }
            (Op::Vectors(clip), _) => {
                self.sums(step, *clip, inputs, (&[0; CHUNK][..rows], 1), cells);
            }
            (Op::Texts, _) => {
                let codes = self.codes(inputs, value)[..rows].iter();
                // PRIVACY: each row adds 1 to the cell of its text; a row left out adds 0.
                for (code, keep) in codes.zip(keep) {
                    if let Some(cell) = cells.get_mut(*code as usize) {
                        *cell += i128::from(*keep | all);
                    }
                }
            }
            _ => cells[0] += rows as i128,
        }
    }
}

/// The sum of the first rows, `to` being what each adds. At most 2^10 values of at most 2^51 each: no overflow.
#[inline(always)]
fn total(
    values: &[i64; CHUNK],
    keep: Option<&[bool; CHUNK]>,
    rows: usize,
    to: impl Fn(i64) -> i64,
) -> i128 {
    let values = &values[..rows];
    let mut total = 0_i64;
    // PRIVACY: each row adds at most its bounds; a row left out adds 0.
    match keep {
        None => {
            for value in values {
                total = total.wrapping_add(to(*value));
            }
        }
        Some(keep) => {
            for (value, keep) in values.iter().zip(keep) {
                total = total.wrapping_add(-i64::from(*keep) & to(*value));
            }
        }
    }
    total.into()
}

impl Registers {
    /// The key of each row, counted from 0.
    fn keys(&self, inputs: &Inputs<'_>, value: At, op: &Op) -> [u32; CHUNK] {
        let mut keys = [0_u32; CHUNK];
        match op {
            Op::Histogram(Pool::Bool, _) => {
                map(&mut keys, self.bools(inputs, value), u32::from);
            }
            Op::Histogram(Pool::Code, _) => keys = *self.codes(inputs, value),
            Op::Histogram(_, first) => {
                map(&mut keys, self.integers(inputs, value), |v| {
                    v.wrapping_sub(*first) as u32
                });
            }
            Op::HistogramWithin(low, high, first) => {
                map(&mut keys, self.integers(inputs, value), |v| {
                    within(v, *low, *high).wrapping_sub(*first) as u32
                });
            }
            _ => {}
        }
        keys
    }

    /// The block of each row: a place past the last for a row in none.
    pub(super) fn place(&self, step: &Step, inputs: &Inputs<'_>, places: &mut [u32; CHUNK]) {
        let [keep, value, _] = step.args;
        let all = keep == At::None;
        let keep = self.bools(inputs, keep);
        // PRIVACY: looks at raw rows; the places stay in the machine.
        zip(places, self.integers(inputs, value), keep, |block, keep| {
            let block = u32::try_from(block).unwrap_or(u32::MAX);
            if keep | all { block } else { u32::MAX }
        });
    }

    /// Adds the clipped vectors of the rows to the cells of their keys and blocks. A row that is left out adds
    /// zeros: the same work for every row.
    fn sums(
        &self,
        step: &Step,
        clip: Clip,
        inputs: &Inputs<'_>,
        (places, blocks): (&[u32], usize),
        cells: &mut [i128],
    ) {
        let [keep, vectors, key] = step.args;
        let all = keep == At::None;
        let (keep, keys) = (self.bools(inputs, keep), self.integers(inputs, key));
        let Clip { width, .. } = clip;
        // A public number: there are cells for each key, if there is a key.
        if cells.len() < width {
            return;
        }
        let each = cells.len() / blocks.max(1);
        let mut steps = vec![0_i64; width];
        let vectors = self.vectors(inputs, vectors, width).chunks_exact(width);
        let rows = places.iter().zip(keys).zip(keep).zip(vectors);
        // PRIVACY: looks at raw rows; each adds a vector within the norm, by integer arithmetic, to the cells of
        // one key.
        for (((place, key), keep), vector) in rows {
            vector::clip(clip.norm, vector, clip.grid, clip.limit, &mut steps);
            let (place, key) = (*place as usize, *key as u64 as usize);
            let inside = (place < blocks) & (key < each / width) & (*keep | all);
            let kept = -i64::from(inside);
            let from = place
                .wrapping_mul(each)
                .wrapping_add(key.wrapping_mul(width));
            let from = from & usize::from(inside).wrapping_neg();
            for (cell, step) in cells[from..][..width].iter_mut().zip(&steps) {
                *cell += i128::from(kept & step);
            }
        }
    }

    /// Adds the rows of the chunk to the cells of their blocks. A row in no block adds 0 to some cell: the
    /// same work for every row.
    pub(super) fn divide(
        &self,
        step: &Step,
        inputs: &Inputs<'_>,
        (places, blocks): (&[u32], usize),
        cells: &mut [i128],
        counts: Option<&mut Counts>,
    ) {
        if let Op::Vectors(clip) = step.op {
            self.sums(step, clip, inputs, (places, blocks), cells);
            return;
        }
        let [keep, value, _] = step.args;
        let all = keep == At::None;
        let keep = self.bools(inputs, keep);
        let Some(counts) = counts else {
            let values = self.integers(inputs, value);
            let (low, high) = match step.op {
                Op::SumWithin(low, high) => (low, high),
                _ => (i64::MIN, i64::MAX),
            };
            // PRIVACY: each row adds at most its bounds to one cell; a row left out adds 0.
            let rows = places.iter().zip(values).zip(keep);
            for ((place, value), keep) in rows {
                let inside = ((*place as usize) < cells.len()) & (*keep | all);
                let place = *place as usize & usize::from(inside).wrapping_neg();
                cells[place] += i128::from(-i64::from(inside) & within(*value, low, high));
            }
            return;
        };
        let each = (cells.len() / blocks.max(1)) as u32;
        let keys = self.keys(inputs, value, &step.op);
        // PRIVACY: each row adds 1 to one cell.
        let mut inside = [false; CHUNK];
        for ((inside, place), keep) in inside.iter_mut().zip(places).zip(keep) {
            *inside = ((*place as usize) < blocks) & (*keep | all);
        }
        let cell = |row: usize| places[row].wrapping_mul(each).wrapping_add(keys[row]);
        counts.add(places.len(), cell, Some(&inside));
    }
}
