//! The registers of a program, and its steps over one chunk of rows.

use super::bounds::Size;
use super::compile::{At, Code, Op, Pool, Program, Step};
use crate::data::CHUNK;
use crate::data::calendar;
use crate::data::plan::Operation;

/// One chunk of a column.
#[derive(Clone, Copy)]
pub enum Lane<'a> {
    Int(&'a [i64; CHUNK]),
    Real(&'a [f64; CHUNK]),
    Bool(&'a [bool; CHUNK]),
    Code(&'a [u32; CHUNK]),
}

/// Where a column that is stored in another form is copied to.
pub struct Buffer {
    integers: Box<[i64; CHUNK]>,
    codes: Box<[u32; CHUNK]>,
}

impl Buffer {
    pub(crate) fn new() -> Self {
        Buffer {
            integers: Box::new([0; CHUNK]),
            codes: Box::new([0; CHUNK]),
        }
    }

    pub(crate) fn integers<T: Copy>(
        &mut self,
        values: &[T; CHUNK],
        seen: fn(T) -> i64,
    ) -> Lane<'_> {
        map(&mut self.integers, values, seen);
        Lane::Int(&self.integers)
    }

    pub(crate) fn codes<T: Copy>(&mut self, values: &[T; CHUNK], seen: fn(T) -> u32) -> Lane<'_> {
        map(&mut self.codes, values, seen);
        Lane::Code(&self.codes)
    }
}

/// A column's chunk, and which values are there.
type Column<'a> = (Lane<'a>, Option<&'a [bool; CHUNK]>);

/// What a step can read: the columns of a chunk, and registers.
struct Inputs<'a> {
    columns: &'a [Column<'a>],
    mask: Option<&'a [bool; CHUNK]>,
    /// The block of each row, where all blocks are asked at once.
    places: Option<&'a [u32; CHUNK]>,
}

/// A register; it is taken out while a step writes it.
type Register<T> = Option<Box<[T; CHUNK]>>;

struct Registers {
    integers: Vec<Register<i64>>,
    reals: Vec<Register<f64>>,
    bools: Vec<Register<bool>>,
    codes: Vec<Register<u32>>,
}

// What a step reads if the compiler were wrong about types: the same for every row, no panic.
static NO_INTEGERS: [i64; CHUNK] = [0; CHUNK];
static NO_REALS: [f64; CHUNK] = [0.0; CHUNK];
static NO_BOOLS: [bool; CHUNK] = [false; CHUNK];
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

/// `out = f(x)`, on every row.
#[inline(always)]
fn map<T: Copy, X: Copy>(out: &mut [T; CHUNK], x: &[X; CHUNK], f: impl Fn(X) -> T) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = f(*x);
    }
}

/// `out = f(x, y)`, on every row.
#[inline(always)]
fn zip<T: Copy, X: Copy, Y: Copy>(
    out: &mut [T; CHUNK],
    x: &[X; CHUNK],
    y: &[Y; CHUNK],
    f: impl Fn(X, Y) -> T,
) {
    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
        *out = f(*x, *y);
    }
}

fn compare<T: PartialOrd + Copy>(
    sign: Operation,
    out: &mut [bool; CHUNK],
    x: &[T; CHUNK],
    y: Result<T, &[T; CHUNK]>,
) {
    macro_rules! sign {
        ($op:tt) => {
            match y {
                Ok(y) => map(out, x, |x| x $op y),
                Err(y) => zip(out, x, y, |x, y| x $op y),
            }
        };
    }
    match sign {
        Operation::Greater => sign!(>),
        Operation::AtLeast => sign!(>=),
        Operation::Less => sign!(<),
        Operation::AtMost => sign!(<=),
        _ => sign!(==),
    }
}

/// Whether each value is among the constants.
fn one_of<T: PartialEq + Copy>(
    out: &mut [bool; CHUNK],
    x: &[T; CHUNK],
    keys: impl Iterator<Item = T>,
) {
    out.fill(false);
    for key in keys {
        for (out, x) in out.iter_mut().zip(x) {
            *out |= *x == key;
        }
    }
}

/// The place of each value among the constants, the first of equal ones.
fn places<T: PartialEq + Copy>(out: &mut [i64; CHUNK], x: &[T; CHUNK], keys: &[T]) {
    out.fill(keys.len() as i64);
    for (place, key) in keys.iter().enumerate().rev() {
        for (out, x) in out.iter_mut().zip(x) {
            *out = if x == key { place as i64 } else { *out };
        }
    }
}

/// How many constants each value reaches.
fn bins<T: PartialOrd + Copy>(
    out: &mut [i64; CHUNK],
    x: &[T; CHUNK],
    edges: impl Iterator<Item = T>,
) {
    out.fill(0);
    for edge in edges {
        for (out, x) in out.iter_mut().zip(x) {
            *out += i64::from(*x >= edge);
        }
    }
}

fn choose<T: Copy>(out: &mut [T; CHUNK], x: &[T; CHUNK], valid: &[bool; CHUNK], y: &[T; CHUNK]) {
    for (((out, x), valid), y) in out.iter_mut().zip(x).zip(valid).zip(y) {
        *out = if *valid { *x } else { *y };
    }
}

fn saturate(value: i128) -> i64 {
    value.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// A product of which the bounds know the size. Two factors in 0..2^32 take one instruction for two
/// products, where whole words take ten.
#[inline(always)]
fn product(out: &mut [i64; CHUNK], x: &[i64; CHUNK], y: &[i64; CHUNK], size: Size) {
    match size {
        Size::Any => zip(out, x, y, |x, y| saturate(i128::from(x) * i128::from(y))),
        Size::Word => zip(out, x, y, i64::wrapping_mul),
        Size::Half => zip(out, x, y, |x, y| {
            (u64::from(x as u32) * u64::from(y as u32)) as i64
        }),
    }
}

/// A part of each date, or of each time.
fn part(out: &mut [i64; CHUNK], x: &[i64; CHUNK], op: Operation, clock: bool) {
    macro_rules! of_day {
        ($part:path) => {
            if clock {
                map(out, x, |x| $part(calendar::date(x)))
            } else {
                map(out, x, |x| $part(x))
            }
        };
    }
    match op {
        Operation::Year => of_day!(calendar::year),
        Operation::Month => of_day!(calendar::month),
        Operation::Day => of_day!(calendar::day),
        Operation::Weekday => of_day!(calendar::weekday),
        Operation::Hour => map(out, x, calendar::hour),
        Operation::Minute => map(out, x, calendar::minute),
        _ => map(out, x, calendar::date),
    }
}

/// 1.5 · 2^52: see the clamp of reals in `expr`.
const MIDDLE: f64 = 6_755_399_441_055_744.0;

/// Histograms of so few cells are counted cell by cell: 0.07 ns a row and cell, where a counter takes 0.7.
const FEW: usize = 8;

/// Histograms of fewer cells count on the stack.
const SMALL: usize = 128;

/// One worker's registers and cells.
pub(crate) struct Machine<P> {
    program: P,
    codes: Vec<u32>,
    registers: Registers,
    /// For each column, what its chunks are copied to.
    buffers: Vec<Buffer>,
    cells: Vec<Vec<i128>>,
    /// Counts of large histograms that are not in `cells` yet; the last one is of rows left out.
    counts: Vec<Vec<u32>>,
    mask: Box<[bool; CHUNK]>,
    /// Rows in `counts`.
    counted: u32,
}

fn registers<T: Copy + Default>(count: usize) -> Vec<Register<T>> {
    (0..count)
        .map(|_| Some(Box::new([T::default(); CHUNK])))
        .collect()
}

impl<P: core::ops::Deref<Target = Program>> Machine<P> {
    /// A worker for a table in which `find` knows the codes of texts.
    pub(crate) fn new(compiled: P, find: impl Fn(&str) -> u32) -> Self {
        let program = &*compiled;
        let code = |code: &Code| match code {
            Code::Ordinal(ordinal) => *ordinal,
            Code::Text(text) => find(text),
        };
        let mut large = vec![Vec::new(); program.cells.len()];
        for step in &program.steps {
            let counts = match step.op {
                Op::Histogram(..) => program.blocks.is_some() || program.cells[step.out] >= SMALL,
                Op::Count => program.blocks.is_some(),
                _ => false,
            };
            if counts {
                large[step.out] = vec![0; program.cells[step.out] + 1];
            }
        }
        let [integers, reals, bools, codes] = program.registers;
        let mut registers = Registers {
            integers: registers(integers),
            reals: registers(reals),
            bools: registers(bools),
            codes: registers(codes),
        };
        let codes: Vec<u32> = program.codes.iter().map(code).collect();
        let nothing = Inputs {
            columns: &[],
            mask: None,
            places: None,
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
            counts: large,
            mask: Box::new([false; CHUNK]),
            counted: 0,
        }
    }

    /// Adds a chunk of `rows` rows. `column` reads one of [`Program::columns`], with a buffer if it
    /// needs one; `mask` writes which rows are in the block, if this is one.
    pub(crate) fn read<'a>(
        &'a mut self,
        rows: usize,
        column: impl Fn(usize, &'a mut Buffer) -> Option<Column<'a>>,
        mask: impl FnOnce(&mut [bool; CHUNK]) -> bool,
        places: Option<&'a [u32; CHUNK]>,
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
        };
        for step in &self.program.steps {
            match step.op {
                Op::Count | Op::Sum | Op::Rows | Op::Histogram(..) => {
                    let (cells, counts) = (&mut self.cells[step.out], &mut self.counts[step.out]);
                    match (inputs.places, self.program.blocks) {
                        (Some(places), Some(blocks)) => {
                            let places = (&places[..rows], blocks);
                            self.registers.divide(step, &inputs, places, cells, counts);
                        }
                        _ => self.registers.collect(step, &inputs, rows, cells, counts),
                    }
                }
                _ => self.registers.run(step, &inputs, &self.codes),
            }
        }
    }

    /// Moves the counts of large histograms into their cells.
    fn carry(&mut self) {
        for (cells, counts) in self.cells.iter_mut().zip(&mut self.counts) {
            for (cell, count) in cells.iter_mut().zip(counts.iter()) {
                *cell += i128::from(*count);
            }
            counts.fill(0);
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

impl Registers {
    /// Runs a step on every row of the chunk.
    fn run(&mut self, step: &Step, inputs: &Inputs<'_>, codes: &[u32]) {
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
    fn collect(
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

    /// Adds the rows of the chunk to the cells of their blocks. A row in no block goes to a cell past
    /// the last, which is dropped: the same work for every row.
    fn divide(
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

/// How many conditions hold: sixteen counters of a byte each, at most 64 rows in one.
fn count(keep: &[bool]) -> u32 {
    let (blocks, rest) = keep.as_chunks::<16>();
    let mut counts = [0_u8; 16];
    for block in blocks {
        for (count, keep) in counts.iter_mut().zip(block) {
            *count += u8::from(*keep);
        }
    }
    let rest = rest.iter().map(|keep| u32::from(*keep)).sum::<u32>();
    counts.iter().map(|count| u32::from(*count)).sum::<u32>() + rest
}

/// Counts each place once; places past the cells are left out.
fn tally(places: &[u32], cells: &mut [i128], large: &mut [u32]) {
    if large.is_empty() && cells.len() <= FEW {
        for (key, total) in cells.iter_mut().enumerate() {
            let equal = places.iter().map(|place| u32::from(*place == key as u32));
            *total += i128::from(equal.sum::<u32>());
        }
        return;
    }
    let Some(last) = large.len().checked_sub(1) else {
        // Four counters per cell, so that equal keys in a row need not wait for each other.
        let mut counts = [[0_u32; SMALL]; 4];
        for (row, place) in places.iter().enumerate() {
            counts[row % 4][*place as usize % SMALL] += 1;
        }
        for (cell, total) in cells.iter_mut().enumerate() {
            *total += counts
                .iter()
                .map(|counts| i128::from(counts[cell]))
                .sum::<i128>();
        }
        return;
    };
    for place in places {
        large[(*place as usize).min(last)] += 1;
    }
}
