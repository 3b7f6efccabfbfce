//! Registers, and the steps that read and write them over one chunk of rows.

use super::divisor::Divisor;
use super::lane::Lane;
use super::loops::{
    bins, choose, compare, count, map, one_of, part, places, product, saturate, tally, zip,
};
use super::program::{At, Op, Pool, Step};
use crate::data::CHUNK;
use crate::data::plan::Operation;

/// A column's chunk, and which values are there.
pub(super) type Column<'a> = (Lane<'a>, Option<&'a [bool; CHUNK]>);

/// What a step can read: the columns of a chunk, and registers.
pub(super) struct Inputs<'a> {
    pub(super) columns: &'a [Column<'a>],
    pub(super) mask: Option<&'a [bool; CHUNK]>,
    /// The block of each row, where all blocks are asked at once.
    pub(super) places: Option<&'a [u32; CHUNK]>,
}

/// A register; it is taken out while a step writes it.
type Register<T> = Option<Box<[T; CHUNK]>>;

pub(super) struct Registers {
    integers: Vec<Register<i64>>,
    reals: Vec<Register<f64>>,
    bools: Vec<Register<bool>>,
    codes: Vec<Register<u32>>,
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
    /// So many of each type, in the order of [`Pool`].
    pub(super) fn new([integers, reals, bools, codes]: [usize; 4]) -> Self {
        Registers {
            integers: registers(integers),
            reals: registers(reals),
            bools: registers(bools),
            codes: registers(codes),
        }
    }

    reads! {
        integers, i64, Int, NO_INTEGERS;
        reals, f64, Real, NO_REALS;
        codes, u32, Code, NO_CODES;
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
            Op::ClampInt(low, high) => map(out, x, |x| {
                let x = if x > *low { x } else { *low };
                if x < *high { x } else { *high }
            }),
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
            Op::LinearReal(false) => zip(out, x, y, |x, y| x + y),
            Op::LinearReal(true) => zip(out, x, y, |x, y| x - y),
            Op::MultiplyReal => zip(out, x, y, |x, y| x * y),
            _ => choose(out, x, self.bools(inputs, b), self.reals(inputs, c)),
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
        counts: &mut [u32],
    ) {
        let [keep, value, _] = step.args;
        let all = keep == At::None;
        let keep = &self.bools(inputs, keep)[..rows];
        match &step.op {
            Op::Count if !all => cells[0] += i128::from(count(keep)),
            Op::Sum => {
                // At most 2^10 values of at most 2^51 each: no overflow.
                let values = &self.integers(inputs, value)[..rows];
                let mut total = 0_i64;
                // PRIVACY: each row adds at most its bounds; a row left out adds 0.
                if all {
                    for value in values {
                        total = total.wrapping_add(*value);
                    }
                } else {
                    for (value, keep) in values.iter().zip(keep) {
                        total = total.wrapping_add(-i64::from(*keep) & value);
                    }
                }
                cells[0] += i128::from(total);
            }
            Op::Histogram(pool, low) => {
                let left_out = cells.len() as u32;
                let mut places = self.keys(inputs, value, *pool, *low);
                // PRIVACY: each row adds 1 to one cell. Rows left out go to a cell of their own,
                // past the last, which is dropped: the same work for every row.
                if !all {
                    for (place, keep) in places.iter_mut().zip(keep) {
                        *place = if *keep { *place } else { left_out };
                    }
                }
                tally(&places[..rows], cells, counts);
            }
            Op::Texts => {
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

impl Registers {
    /// The key of each row, counted from 0.
    fn keys(&self, inputs: &Inputs<'_>, value: At, pool: Pool, low: i64) -> [u32; CHUNK] {
        let mut keys = [0_u32; CHUNK];
        match pool {
            Pool::Bool => map(&mut keys, self.bools(inputs, value), u32::from),
            Pool::Code => keys = *self.codes(inputs, value),
            _ => map(&mut keys, self.integers(inputs, value), |v| {
                v.wrapping_sub(low) as u32
            }),
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

    /// Adds the rows of the chunk to the cells of their blocks. A row in no block goes to a cell past
    /// the last, which is dropped: the same work for every row.
    pub(super) fn divide(
        &self,
        step: &Step,
        inputs: &Inputs<'_>,
        (places, blocks): (&[u32], usize),
        cells: &mut [i128],
        counts: &mut [u32],
    ) {
        let [keep, value, _] = step.args;
        let all = keep == At::None;
        let keep = self.bools(inputs, keep);
        if let Op::Sum = step.op {
            let values = self.integers(inputs, value);
            // PRIVACY: each row adds at most its bounds to one cell; a row left out adds 0.
            let rows = places.iter().zip(values).zip(keep);
            let last = cells.len().saturating_sub(1);
            for ((place, value), keep) in rows {
                let inside = (*place as usize <= last) & (*keep | all);
                let place = (*place as usize).min(last);
                cells[place] += i128::from(-i64::from(inside) & value);
            }
            return;
        }
        let each = (cells.len() / blocks.max(1)) as u32;
        let keys = match step.op {
            Op::Histogram(pool, low) => self.keys(inputs, value, pool, low),
            _ => [0; CHUNK],
        };
        // PRIVACY: each row adds 1 to one cell.
        let mut cell = [0_u32; CHUNK];
        let rows = cell.iter_mut().zip(places).zip(keep.iter().zip(&keys));
        for ((cell, place), (keep, key)) in rows {
            let inside = ((*place as usize) < blocks) & (*keep | all);
            let place = place.wrapping_mul(each).wrapping_add(*key);
            *cell = if inside { place } else { u32::MAX };
        }
        tally(&cell[..places.len()], cells, counts);
    }
}
