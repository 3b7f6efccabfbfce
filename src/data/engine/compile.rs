//! From queries to a register program.

use std::collections::HashMap;

use super::allocate::numbered;
use super::bounds::Bounds;
use super::expression::pool;
use super::program::{At, Clip, Code, Field, Op, Pool, Program, Step};
use crate::data::plan::{Constant, Operation, Term, ValueKind};
use crate::data::vector::{MOST_STEPS, Norm};

/// The deepest expression that is compiled: each level takes some stack.
pub(super) const MAX_DEPTH: usize = 128;

/// The most steps of a program: a register takes 8 KiB for each worker.
pub(super) const MAX_STEPS: usize = 1 << 12;

impl Program {
    /// Compiles those queries that have a program; says which. Rows are those of a block if
    /// `masked`. With `blocks`, every query is asked of each of so many blocks, and has its cells for
    /// the first, then for the second, and so on.
    pub(crate) fn compile(
        queries: impl IntoIterator<Item = Term>,
        fields: &[Field],
        masked: bool,
        blocks: Option<usize>,
    ) -> (Program, Vec<bool>) {
        let mut compiler = Compiler {
            fields,
            masked,
            blocks,
            ..Compiler::default()
        };
        let planned = queries
            .into_iter()
            .map(|query| compiler.whole_query(&query))
            .collect();
        (compiler.finish(), planned)
    }

    /// Compiles what is run elsewhere: all queries, or all of each block of one division. `Err` is the first
    /// query that has no program there.
    pub(crate) fn of_task<'q>(queries: &'q [Term], fields: &[Field]) -> Result<Program, &'q Term> {
        let mut compiler = Compiler {
            fields,
            elsewhere: true,
            ..Compiler::default()
        };
        let each = |query: &'q Term| match query {
            Term::Apply(Operation::Each, parts) => parts.first().zip(parts.get(1)),
            _ => None,
        };
        let division = queries.first().and_then(each).map(|(division, _)| division);
        for (place, query) in queries.iter().enumerate() {
            let asked = match (each(query), division) {
                (None, None) => Some(query),
                (Some((of, asked)), Some(division)) if of == division => Some(asked),
                _ => None,
            };
            let divided = match division {
                Some(division) if place == 0 => compiler.divide(division),
                _ => Some(()),
            };
            let done = divided
                .and(asked)
                .is_some_and(|asked| compiler.whole_query(asked));
            if !done {
                return Err(query);
            }
        }
        Ok(compiler.finish())
    }
}

/// The most coordinates of all vectors that steps make: each takes 8 KiB for each worker.
const MAX_COORDINATES: usize = 1 << 15;

/// The arguments of a query, and the condition on its rows.
fn parts(args: &[Term]) -> (&[Term], Option<&Term>) {
    match args.split_last() {
        Some((Term::Apply(Operation::Where, condition), rest)) => (rest, condition.first()),
        _ => (args, None),
    }
}

/// The most cells of a histogram, and the most blocks.
const MOST_KEYS: usize = 1 << 20;

/// The first key's number, and how many keys there are.
fn keys(key: &Value) -> Option<(i64, usize)> {
    let (low, cells) = match key.kind {
        ValueKind::Boolean => (0, 2),
        ValueKind::Key(keys) => (0, keys as usize),
        ValueKind::Integer | ValueKind::Stepped => {
            let cells = key.bounds.high - key.bounds.low + 1;
            (key.bounds.low as i64, usize::try_from(cells).ok()?)
        }
        _ => return None,
    };
    (cells <= MOST_KEYS).then_some((low, cells))
}

/// A compiled expression.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) at: At,
    pub(super) kind: ValueKind,
    pub(super) valid: Option<At>,
    pub(super) bounds: Bounds,
}

#[derive(Default)]
pub(super) struct Compiler<'a> {
    pub(super) fields: &'a [Field],
    masked: bool,
    blocks: Option<usize>,
    /// Whether the rows are somewhere else, so that there are no loops.
    elsewhere: bool,
    pub(super) depth: usize,
    /// Registers are numbered by the step that fills them, until the end.
    pub(super) steps: Vec<Step>,
    known: HashMap<(Op, [At; 3], Vec<At>), At>,
    /// How many coordinates the vectors of the steps have.
    coordinates: usize,
    /// The field that names persons.
    person: Option<usize>,
    pub(super) codes: Vec<Code>,
    pub(super) places: HashMap<Code, usize>,
    cells: Vec<usize>,
    by_text: Vec<usize>,
    queries: Vec<core::ops::Range<usize>>,
    pub(super) columns: Vec<usize>,
}

impl Compiler<'_> {
    /// Adds a step, unless its value is known already.
    pub(super) fn step(&mut self, op: Op, args: [At; 3], pool: Pool) -> At {
        self.step_of(op, args, Vec::new(), pool)
    }

    fn step_of(&mut self, op: Op, args: [At; 3], list: Vec<At>, pool: Pool) -> At {
        let key = (op.clone(), args, list.clone());
        if let Some(&at) = self.known.get(&key) {
            return at;
        }
        let out = self.steps.len();
        self.known.insert(key, At::Register(out));
        self.steps.push(Step {
            op,
            args,
            list,
            pool,
            out,
        });
        At::Register(out)
    }

    /// A vector, unless there are too many.
    pub(super) fn vector(&mut self, op: Op, args: [At; 3], list: Vec<At>) -> Option<Value> {
        let width = op.width()?;
        self.coordinates += width;
        if self.coordinates > MAX_COORDINATES {
            return None;
        }
        Some(Value {
            at: self.step_of(op, args, list, Pool::Vector),
            kind: ValueKind::Floats(u32::try_from(width).ok()?),
            valid: None,
            bounds: Bounds::FREE,
        })
    }

    /// Whether the row is among so many of its person's, whom a column names.
    pub(super) fn first(&mut self, args: &[Term]) -> Option<Value> {
        let [
            Term::Constant(Constant::Integer(most)),
            Term::Column(column),
        ] = args
        else {
            return None;
        };
        let most = u32::try_from(*most).ok().filter(|most| *most > 0)?;
        let names = matches!(column.kind, ValueKind::Integer | ValueKind::Textual);
        let place = self
            .place_of(column)
            .filter(|_| names && !column.nullable)?;
        // One order of rows for all queries.
        if *self.person.get_or_insert(place) != place {
            return None;
        }
        Some(self.condition(Op::First(most), At::None, At::None))
    }

    pub(super) fn condition(&mut self, op: Op, a: At, b: At) -> Value {
        Value {
            at: self.step(op, [a, b, At::None], Pool::Bool),
            kind: ValueKind::Boolean,
            valid: None,
            bounds: Bounds::FREE,
        }
    }

    pub(super) fn integer(
        &mut self,
        op: Op,
        args: [At; 3],
        kind: ValueKind,
        bounds: Bounds,
    ) -> Value {
        Value {
            at: self.step(op, args, Pool::Int),
            kind,
            valid: None,
            bounds,
        }
    }

    pub(super) fn real(&mut self, op: Op, a: At, b: At, grid: i128) -> Value {
        Value {
            at: self.step(op, [a, b, At::None], Pool::Real),
            kind: ValueKind::Float,
            valid: None,
            bounds: Bounds {
                grid,
                ..Bounds::FREE
            },
        }
    }

    pub(super) fn both(&mut self, a: Option<At>, b: Option<At>) -> Option<At> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.condition(Op::And, a, b).at),
            (a, b) => a.or(b),
        }
    }

    fn sink(&mut self, op: Op, keep: Option<At>, value: At, cells: usize) {
        self.keyed_sink(op, keep, [value, At::None], cells);
    }

    fn keyed_sink(&mut self, op: Op, keep: Option<At>, [value, key]: [At; 2], cells: usize) {
        self.steps.push(Step {
            op,
            args: [keep.unwrap_or(At::None), value, key],
            list: Vec::new(),
            pool: Pool::Int,
            out: self.cells.len(),
        });
        self.cells
            .push(cells.saturating_mul(self.blocks.unwrap_or(1)));
    }

    /// Compiles a query, or leaves everything as it was.
    fn whole_query(&mut self, query: &Term) -> bool {
        let (steps, cells, columns) = (self.steps.len(), self.cells.len(), self.columns.len());
        let (by_text, person) = (self.by_text.len(), self.person);
        let coordinates = self.coordinates;
        self.depth = 0;
        let done = self.query(query).is_some();
        if done {
            self.queries.push(cells..self.cells.len());
        } else {
            self.steps.truncate(steps);
            self.cells.truncate(cells);
            self.columns.truncate(columns);
            self.by_text.truncate(by_text);
            (self.person, self.coordinates) = (person, coordinates);
            self.known
                .retain(|_, at| !matches!(at, At::Register(step) if *step >= steps));
        }
        done
    }

    fn query(&mut self, query: &Term) -> Option<()> {
        let Term::Apply(op, args) = query else {
            return None;
        };
        let (args, condition) = parts(args);
        let keep = self.keep(condition)?;
        let keep = self.both(keep, self.masked.then_some(At::Mask));
        match (*op, args) {
            (Operation::Count, []) => self.sink(Op::Count, keep, At::None, 1),
            (Operation::Sum, [value]) => {
                let value = self.summand(value)?;
                let keep = self.both(keep, value.valid);
                self.sink(Op::Sum, keep, value.at, 1);
            }
            (Operation::Mean, [value]) if self.blocks.is_none() => {
                let value = self.summand(value)?;
                self.sink(Op::Sum, value.valid, value.at, 1);
                self.sink(Op::Rows, None, At::None, 1);
            }
            (Operation::Variance, [value]) if self.blocks.is_none() => {
                let value = self.summand(value)?;
                let (size, bounds) = value.bounds.square()?;
                let args = [value.at, value.at, At::None];
                let square = self.integer(Op::Multiply(size), args, value.kind, bounds);
                if value.valid.is_some() || !bounds.summable() {
                    return None;
                }
                self.sink(Op::Sum, None, value.at, 1);
                self.sink(Op::Sum, None, square.at, 1);
                self.sink(Op::Rows, None, At::None, 1);
            }
            (Operation::Moments, [Term::List(values), Term::List(products)]) => {
                self.moments(values, products, keep)?;
            }
            (Operation::FrequentKeys, [Term::Column(column)])
                if self.elsewhere && self.blocks.is_none() =>
            {
                let text = self.expression(&Term::Column(column.clone()))?;
                if text.kind != ValueKind::Textual {
                    return None;
                }
                let keep = self.both(keep, text.valid);
                self.by_text.push(self.cells.len());
                self.sink(Op::Texts, keep, text.at, 0);
            }
            (Operation::VectorSum, [vector]) => self.clipped(vector, None, keep)?,
            (Operation::VectorSums, [key, vector]) => self.clipped(vector, Some(key), keep)?,
            (Operation::Histogram, [key @ Term::List(_)]) => {
                let (place, cells) = self.place(key)?;
                let keep = self.both(keep, place.valid);
                self.sink(Op::Histogram(Pool::Int, 0), keep, place.at, cells);
            }
            (Operation::Histogram, [key]) => {
                let key = self.expression(key)?;
                let (low, cells) = keys(&key)?;
                let keep = self.both(keep, key.valid);
                let op = Op::Histogram(pool(key.kind)?, low);
                self.sink(op, keep, key.at, cells);
            }
            _ => return None,
        }
        Some(())
    }

    /// Sums of clipped vectors: one, or one for each key.
    fn clipped(&mut self, vector: &Term, key: Option<&Term>, keep: Option<At>) -> Option<()> {
        let Term::Apply(op, of) = vector else {
            return None;
        };
        let norm = match *op {
            Operation::ClipL1 => Norm::L1,
            Operation::ClipL2 => Norm::L2,
            _ => return None,
        };
        let [of, Term::Constant(Constant::Integer(most))] = of.as_slice() else {
            return None;
        };
        let value = self.expression(of)?;
        let width = match value.kind {
            ValueKind::Floats(width) if value.valid.is_none() => width as usize,
            _ => return None,
        };
        let limit = i128::from(*most).checked_mul(value.bounds.grid)?;
        if !(1..=MOST_STEPS).contains(&limit) {
            return None;
        }
        let (place, keys, valid) = match key {
            Some(key) => {
                let (place, keys) = self.place(key)?;
                (place.at, keys, place.valid)
            }
            None => (At::None, 1, None),
        };
        let cells = keys.checked_mul(width).filter(|n| *n <= MOST_KEYS)?;
        let clip = Op::Vectors(Clip {
            norm,
            width,
            grid: i64::try_from(value.bounds.grid).ok()?,
            limit: limit as i64,
        });
        let keep = self.both(keep, valid);
        self.keyed_sink(clip, keep, [value.at, place], cells);
        Some(())
    }

    /// A condition on rows, if there is one; `None` if it has no steps.
    #[allow(clippy::option_option)] // inside: whether all rows are kept
    fn keep(&mut self, condition: Option<&Term>) -> Option<Option<At>> {
        let Some(condition) = condition else {
            return Some(None);
        };
        let value = self.expression(condition)?;
        let condition = value.kind == ValueKind::Boolean && value.valid.is_none();
        condition.then_some(Some(value.at))
    }

    /// The place of each row's key among all, from 0, and how many there are.
    fn place(&mut self, key: &Term) -> Option<(Value, usize)> {
        if let Term::List(keys) = key {
            let (first, rest) = keys.split_first()?;
            self.deeper()?;
            let (mut whole, mut cells) = self.place(first)?;
            for key in rest {
                let (next, more) = self.place(key)?;
                cells = cells.checked_mul(more).filter(|n| *n <= MOST_KEYS)?;
                let args = [whole.at, next.at, At::None];
                let op = Op::Linear(more as i64, 1, true);
                let valid = self.both(whole.valid, next.valid);
                let bounds = Bounds::within(0, cells as i128 - 1);
                whole = Value {
                    valid,
                    ..self.integer(op, args, ValueKind::Integer, bounds)
                };
            }
            self.depth -= 1;
            return Some((whole, cells));
        }
        let key = self.expression(key)?;
        let (low, cells) = keys(&key)?;
        let args = [key.at, At::None, At::None];
        let op = match pool(key.kind)? {
            Pool::Bool => Op::Number,
            Pool::Code => Op::Ordinal,
            _ => Op::Plus(low.checked_neg()?),
        };
        let bounds = Bounds::within(0, cells as i128 - 1);
        let place = self.integer(op, args, ValueKind::Integer, bounds);
        Some((
            Value {
                valid: key.valid,
                ..place
            },
            cells,
        ))
    }

    /// The block of each row, how many there are, and which rows are in one.
    pub(super) fn division(&mut self, division: &Term) -> Option<(At, usize, Option<At>)> {
        let Term::Apply(Operation::GroupBy, args) = division else {
            return None;
        };
        let (args, condition) = parts(args);
        let [key] = args else {
            return None;
        };
        let keep = self.keep(condition)?;
        let (place, blocks) = self.place(key)?;
        Some((place.at, blocks, self.both(keep, place.valid)))
    }

    /// From here on, every query is asked of each block.
    fn divide(&mut self, division: &Term) -> Option<()> {
        let (place, blocks, keep) = self.division(division)?;
        self.steps.push(Step {
            op: Op::Place,
            args: [keep.unwrap_or(At::None), place, At::None],
            list: Vec::new(),
            pool: Pool::Int,
            out: 0,
        });
        self.blocks = Some(blocks).filter(|blocks| *blocks > 0);
        self.blocks.map(drop)
    }

    /// How many rows have all numbers, their sums, and sums of products of two. Each is taken as twice the
    /// number less both of its bounds.
    fn moments(&mut self, values: &[Term], products: &[Term], keep: Option<At>) -> Option<()> {
        let (mut numbers, mut keep) = (Vec::new(), keep);
        for value in values {
            let value = self.summand(value)?;
            keep = self.both(keep, value.valid);
            let units = Bounds {
                grid: 1,
                ..value.bounds
            };
            let args = [value.at, At::None, At::None];
            let (size, bounds) = units.times(2);
            let twice = self.integer(Op::Times(2, size), args, ValueKind::Integer, bounds);
            let middle = i64::try_from(-(units.low + units.high)).ok()?;
            let (steps, bounds) = bounds.plus(middle)?;
            let args = [twice.at, At::None, At::None];
            let number = self.integer(Op::Plus(steps), args, ValueKind::Integer, bounds);
            numbers.push(Some(number).filter(|_| bounds.summable())?);
        }
        self.sink(Op::Count, keep, At::None, 1);
        for number in &numbers {
            self.sink(Op::Sum, keep, number.at, 1);
        }
        for product in products {
            let Term::List(places) = product else {
                return None;
            };
            let place = |at: usize| match places.get(at) {
                Some(Term::Constant(Constant::Integer(place))) => {
                    numbers.get(usize::try_from(*place).ok()?)
                }
                _ => None,
            };
            let (x, y) = (place(0)?, place(1)?);
            let (size, bounds) = x.bounds.product(y.bounds)?;
            if places.len() != 2 || !bounds.summable() {
                return None;
            }
            let args = [x.at, y.at, At::None];
            let product = self.integer(Op::Multiply(size), args, ValueKind::Integer, bounds);
            self.sink(Op::Sum, keep, product.at, 1);
        }
        Some(())
    }

    fn summand(&mut self, value: &Term) -> Option<Value> {
        let value = self.expression(value)?;
        let whole = matches!(value.kind, ValueKind::Integer | ValueKind::Stepped);
        (whole && value.bounds.summable()).then_some(value)
    }

    fn finish(self) -> Program {
        let numbered = numbered(self.steps);
        Program {
            fills: numbered.fills,
            steps: numbered.steps,
            codes: self.codes,
            registers: numbered.registers,
            vectors: numbered.vectors,
            cells: self.cells,
            by_text: self.by_text,
            queries: self.queries,
            columns: self.columns,
            person: self.person,
            blocks: self.blocks,
        }
    }
}
