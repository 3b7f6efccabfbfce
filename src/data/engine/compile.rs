//! From terms to a register program.

use std::borrow::Cow;
use std::collections::HashMap;

use super::bounds::{Bounds, Size};
use crate::data::Dictionary;
use crate::data::plan::{Constant, Operation, Term, ValueKind};

/// The deepest expression that is compiled: each level takes some stack.
const MAX_DEPTH: usize = 128;

/// The most steps of a program: a register takes 8 KiB for each worker.
const MAX_STEPS: usize = 1 << 12;

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
    /// A part of a date, or of a time if so.
    Part(Operation, bool),
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
    /// From here on: what is added to the cells. The first argument says which rows, if not all.
    Count,
    Sum,
    Rows,
    Histogram(Pool, i64),
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) op: Op,
    pub(super) args: [At; 3],
    pub(super) pool: Pool,
    /// A register, or the place of the cells.
    pub(super) out: usize,
}

/// A public constant by code.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// How many registers of each type, in the order of [`Pool`].
    pub(super) registers: [usize; 4],
    /// For each place of cells, how many.
    pub(crate) cells: Vec<usize>,
    /// For each query, its places of cells.
    queries: Vec<core::ops::Range<usize>>,
    /// The fields that are read, by their place in the record.
    pub(crate) columns: Vec<usize>,
    /// How many blocks every query is asked of.
    pub(super) blocks: Option<usize>,
}

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

    /// The cells of each compiled query, from those of all places.
    pub(crate) fn answers(&self, cells: Vec<Vec<i128>>) -> impl Iterator<Item = Vec<i128>> {
        let ranges = self.queries.clone().into_iter();
        ranges.map(move |places| cells[places].concat())
    }
}

/// A compiled expression.
#[derive(Clone, Copy)]
struct Value {
    at: At,
    kind: ValueKind,
    valid: Option<At>,
    bounds: Bounds,
}

#[derive(Default)]
struct Compiler<'a> {
    fields: &'a [Field],
    masked: bool,
    blocks: Option<usize>,
    depth: usize,
    /// Registers are numbered by the step that fills them, until the end.
    steps: Vec<Step>,
    known: HashMap<(Op, [At; 3]), At>,
    codes: Vec<Code>,
    cells: Vec<usize>,
    queries: Vec<core::ops::Range<usize>>,
    columns: Vec<usize>,
}

/// Constants beside values that are whole numbers: integers, days or moments.
fn integers(items: &[Term], kind: ValueKind) -> Option<Vec<i64>> {
    let integer = |item: &Term| match (item, kind) {
        (Term::Constant(Constant::Integer(value)), ValueKind::Integer) => Some(*value),
        (Term::Constant(Constant::Day(days)), ValueKind::Calendar) => Some((*days).into()),
        (Term::Constant(Constant::Moment(micros)), ValueKind::Clock) => Some(*micros),
        _ => None,
    };
    items.iter().map(integer).collect()
}

fn reals(items: &[Term]) -> Option<Vec<u64>> {
    let real = |item: &Term| match item {
        Term::Constant(Constant::Integer(value)) => Some((*value as f64).to_bits()),
        Term::Constant(Constant::Float(value)) => Some(value.to_bits()),
        _ => None,
    };
    items.iter().map(real).collect()
}

fn pool(kind: ValueKind) -> Option<Pool> {
    match kind {
        ValueKind::Integer
        | ValueKind::Stepped
        | ValueKind::Decimals(_)
        | ValueKind::Calendar
        | ValueKind::Clock => Some(Pool::Int),
        ValueKind::Float => Some(Pool::Real),
        ValueKind::Boolean => Some(Pool::Bool),
        ValueKind::Textual | ValueKind::Key(_) => Some(Pool::Code),
        ValueKind::Floats(_) | ValueKind::SteppedVector(_) | ValueKind::Tuple => None,
    }
}

impl Compiler<'_> {
    /// Adds a step, unless its value is known already.
    fn step(&mut self, op: Op, args: [At; 3], pool: Pool) -> At {
        if let Some(&at) = self.known.get(&(op.clone(), args)) {
            return at;
        }
        let out = self.steps.len();
        self.known.insert((op.clone(), args), At::Register(out));
        self.steps.push(Step {
            op,
            args,
            pool,
            out,
        });
        At::Register(out)
    }

    fn condition(&mut self, op: Op, a: At, b: At) -> Value {
        Value {
            at: self.step(op, [a, b, At::None], Pool::Bool),
            kind: ValueKind::Boolean,
            valid: None,
            bounds: Bounds::FREE,
        }
    }

    fn integer(&mut self, op: Op, args: [At; 3], kind: ValueKind, bounds: Bounds) -> Value {
        Value {
            at: self.step(op, args, Pool::Int),
            kind,
            valid: None,
            bounds,
        }
    }

    fn real(&mut self, op: Op, a: At, b: At, grid: i128) -> Value {
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

    fn both(&mut self, a: Option<At>, b: Option<At>) -> Option<At> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.condition(Op::And, a, b).at),
            (a, b) => a.or(b),
        }
    }

    fn code(&mut self, code: Code) -> usize {
        match self.codes.iter().position(|known| *known == code) {
            Some(place) => place,
            None => {
                self.codes.push(code);
                self.codes.len() - 1
            }
        }
    }

    /// The code of a constant beside a column of texts or of a category.
    fn code_of(&mut self, item: &Term, kind: ValueKind) -> Option<usize> {
        match (item, kind) {
            (Term::Constant(Constant::Textual(text)), ValueKind::Textual) => {
                Some(self.code(Code::Text(text.clone())))
            }
            (Term::Constant(Constant::Key(place, _)), ValueKind::Key(keys)) if *place < keys => {
                Some(self.code(Code::Ordinal(*place)))
            }
            _ => None,
        }
    }

    fn codes_of(&mut self, items: &[Term], kind: ValueKind) -> Option<Vec<usize>> {
        items.iter().map(|item| self.code_of(item, kind)).collect()
    }

    fn column(&mut self, column: &crate::data::plan::Column) -> Option<Value> {
        let place = self.fields.iter().position(|field| {
            field.name == column.name
                && field.kind == column.kind
                && field.nullable == column.nullable
        })?;
        pool(column.kind)?;
        let index = match self.columns.iter().position(|known| *known == place) {
            Some(index) => index,
            None => {
                self.columns.push(place);
                self.columns.len() - 1
            }
        };
        let (kind, grid) = match column.kind {
            ValueKind::Decimals(places) => (ValueKind::Stepped, 10_i128.checked_pow(places)?),
            kind => (kind, 1),
        };
        Some(Value {
            at: At::Column(index),
            kind,
            valid: column.nullable.then_some(At::Valid(index)),
            bounds: Bounds {
                grid,
                ..Bounds::FREE
            },
        })
    }

    fn constant(&mut self, constant: &Constant) -> Option<Value> {
        let none = [At::None; 3];
        let (at, kind) = match constant {
            Constant::Integer(value) => (
                self.step(Op::FillInt(*value), none, Pool::Int),
                ValueKind::Integer,
            ),
            Constant::Float(value) => (
                self.step(Op::FillReal(value.to_bits()), none, Pool::Real),
                ValueKind::Float,
            ),
            Constant::Textual(text) => {
                let code = self.code(Code::Text(text.clone()));
                let at = self.step(Op::FillCode(code), none, Pool::Code);
                (at, ValueKind::Textual)
            }
            Constant::Key(place, _) => {
                let code = self.code(Code::Ordinal(*place));
                let at = self.step(Op::FillCode(code), none, Pool::Code);
                // The column beside it says how many keys there are.
                (at, ValueKind::Key(u32::MAX))
            }
            Constant::Day(days) => (
                self.step(Op::FillInt((*days).into()), none, Pool::Int),
                ValueKind::Calendar,
            ),
            Constant::Moment(micros) => (
                self.step(Op::FillInt(*micros), none, Pool::Int),
                ValueKind::Clock,
            ),
            Constant::Boolean(_) => return None,
        };
        Some(Value {
            at,
            kind,
            valid: None,
            bounds: Bounds::FREE,
        })
    }

    fn expression(&mut self, term: &Term) -> Option<Value> {
        if self.depth == MAX_DEPTH || self.steps.len() > MAX_STEPS {
            return None;
        }
        self.depth += 1;
        let value = match term {
            Term::Column(column) => self.column(column),
            Term::Constant(constant) => self.constant(constant),
            Term::List(_) => None,
            Term::Apply(op, args) => self.operation(*op, args),
        };
        self.depth -= 1;
        value
    }

    fn real_of(&mut self, value: Value) -> Option<At> {
        match value.kind {
            ValueKind::Float => Some(value.at),
            ValueKind::Integer => Some(self.real(Op::RealOf, value.at, At::None, 1).at),
            _ => None,
        }
    }

    /// A comparison; `Equal` with missing values is false, and `NotEqual` is its opposite.
    fn compare(&mut self, sign: Operation, x: Value, right: &Term) -> Option<Value> {
        let base = match sign {
            Operation::NotEqual => Operation::Equal,
            sign => sign,
        };
        let equality = base == Operation::Equal;
        let (integer, real, code) = (
            integers(core::slice::from_ref(right), x.kind).map(|v| v[0]),
            reals(core::slice::from_ref(right)).map(|v| v[0]),
            self.code_of(right, x.kind),
        );
        let mut valid = x.valid;
        let mut value = match (x.kind, integer, real, code) {
            (ValueKind::Integer | ValueKind::Calendar | ValueKind::Clock, Some(k), _, _) => {
                self.condition(Op::CompareInt(base, Some(k)), x.at, At::None)
            }
            (ValueKind::Float | ValueKind::Integer, _, Some(k), _) => {
                let x = self.real_of(x)?;
                self.condition(Op::CompareReal(base, Some(k)), x, At::None)
            }
            (ValueKind::Textual | ValueKind::Key(_), _, _, Some(k)) if equality => {
                self.condition(Op::EqualCode(Some(k)), x.at, At::None)
            }
            _ => {
                let y = self.expression(right)?;
                valid = self.both(x.valid, y.valid);
                match (x.kind, y.kind) {
                    (ValueKind::Integer, ValueKind::Integer)
                    | (ValueKind::Calendar, ValueKind::Calendar)
                    | (ValueKind::Clock, ValueKind::Clock) => {
                        self.condition(Op::CompareInt(base, None), x.at, y.at)
                    }
                    (
                        ValueKind::Integer | ValueKind::Float,
                        ValueKind::Integer | ValueKind::Float,
                    ) => {
                        let (x, y) = (self.real_of(x)?, self.real_of(y)?);
                        self.condition(Op::CompareReal(base, None), x, y)
                    }
                    (ValueKind::Boolean, ValueKind::Boolean) if equality => {
                        self.condition(Op::EqualBool, x.at, y.at)
                    }
                    (ValueKind::Textual, ValueKind::Textual) if equality => {
                        self.condition(Op::EqualCode(None), x.at, y.at)
                    }
                    (ValueKind::Key(m), ValueKind::Key(n)) if equality && m == n => {
                        self.condition(Op::EqualCode(None), x.at, y.at)
                    }
                    _ => return None,
                }
            }
        };
        if let Some(valid) = valid {
            value = self.condition(Op::And, value.at, valid);
        }
        if sign == Operation::NotEqual {
            value = self.condition(Op::Not, value.at, At::None);
        }
        Some(value)
    }

    fn one_of(&mut self, x: Value, items: &[Term]) -> Option<Value> {
        let found = match x.kind {
            kind if integers(items, kind).is_some() => {
                self.condition(Op::OneOfInt(integers(items, kind)?), x.at, At::None)
            }
            ValueKind::Float | ValueKind::Integer if reals(items).is_some() => {
                let real = self.real_of(x)?;
                self.condition(Op::OneOfReal(reals(items)?), real, At::None)
            }
            ValueKind::Textual | ValueKind::Key(_) => {
                let codes = self.codes_of(items, x.kind)?;
                self.condition(Op::OneOfCode(codes), x.at, At::None)
            }
            _ => return None,
        };
        Some(match x.valid {
            Some(valid) => self.condition(Op::And, found.at, valid),
            None => found,
        })
    }

    fn keys(&mut self, x: Value, items: &[Term]) -> Option<Value> {
        let (op, at) = match x.kind {
            kind if integers(items, kind).is_some() => (Op::KeysInt(integers(items, kind)?), x.at),
            ValueKind::Float | ValueKind::Integer if reals(items).is_some() => {
                (Op::KeysReal(reals(items)?), self.real_of(x)?)
            }
            ValueKind::Textual | ValueKind::Key(_) => {
                (Op::KeysCode(self.codes_of(items, x.kind)?), x.at)
            }
            _ => return None,
        };
        let bounds = Bounds::within(0, items.len() as i128);
        let args = [at, At::None, At::None];
        let mut found = self.integer(op, args, ValueKind::Integer, bounds);
        if let Some(valid) = x.valid {
            let missing = self.condition(Op::Not, valid, At::None).at;
            let args = [missing, found.at, At::None];
            let op = Op::Choose(items.len() as i64);
            found = self.integer(op, args, ValueKind::Integer, bounds);
        }
        Some(found)
    }

    fn operation(&mut self, op: Operation, args: &[Term]) -> Option<Value> {
        use Operation as O;
        let x = self.expression(args.first()?)?;
        let whole = matches!(x.kind, ValueKind::Integer | ValueKind::Stepped);
        let one = [x.at, At::None, At::None];
        match (op, args) {
            (
                O::Greater | O::AtLeast | O::Less | O::AtMost | O::Equal | O::NotEqual,
                [_, right],
            ) => self.compare(op, x, right),
            (O::OneOf, [_, Term::List(items)]) => self.one_of(x, items),
            (O::Keys, [_, Term::List(items)]) => self.keys(x, items),
            (O::And | O::Or, [_, right]) => {
                let y = self.expression(right)?;
                if (x.kind, y.kind) != (ValueKind::Boolean, ValueKind::Boolean)
                    || x.valid.or(y.valid).is_some()
                {
                    return None;
                }
                let op = if op == O::And { Op::And } else { Op::Or };
                Some(self.condition(op, x.at, y.at))
            }
            (O::Not, [_]) if x.kind == ValueKind::Boolean && x.valid.is_none() => {
                Some(self.condition(Op::Not, x.at, At::None))
            }
            (O::IsTrue, [_]) if x.kind == ValueKind::Boolean => {
                Some(self.condition(Op::And, x.at, x.valid?))
            }
            (O::IsNull, [_]) => Some(self.condition(Op::Not, x.valid?, At::None)),
            (O::Number, [_]) if x.kind == ValueKind::Boolean && x.valid.is_none() => {
                Some(self.integer(Op::Number, one, ValueKind::Integer, Bounds::within(0, 1)))
            }
            (O::Real, [_]) if whole => {
                let op = match x.kind {
                    ValueKind::Integer => Op::RealOf,
                    _ => Op::UnitsOf(i64::try_from(x.bounds.grid).ok()?),
                };
                let real = self.real(op, x.at, At::None, 1);
                Some(Value {
                    valid: x.valid,
                    ..real
                })
            }
            (O::Year | O::Month | O::Day | O::Weekday | O::Hour | O::Minute | O::DateOf, [_]) => {
                self.part(op, x)
            }
            (O::DaysSince, [_, right]) if x.kind == ValueKind::Calendar => {
                let y = self.expression(right)?;
                if y.kind != ValueKind::Calendar {
                    return None;
                }
                // Dates are 32 bits, so the difference fits.
                let (op, args) = (Op::Linear(1, -1, true), [x.at, y.at, At::None]);
                let days = self.integer(op, args, ValueKind::Integer, Bounds::FREE);
                Some(Value {
                    valid: self.both(x.valid, y.valid),
                    ..days
                })
            }
            (O::Grid, [_, Term::Constant(Constant::Integer(steps))])
                if x.kind == ValueKind::Float && *steps > 0 =>
            {
                let grid = i128::from(*steps);
                Some(Value {
                    bounds: Bounds {
                        grid,
                        ..Bounds::FREE
                    },
                    ..x
                })
            }
            (
                O::Clamp,
                [
                    _,
                    Term::Constant(Constant::Integer(low)),
                    Term::Constant(Constant::Integer(high)),
                ],
            ) => {
                let bounds = x.bounds.clamp(*low, *high)?;
                let (low, high) = (bounds.low as i64, bounds.high as i64);
                let (op, kind) = match x.kind {
                    ValueKind::Integer | ValueKind::Stepped => (Op::ClampInt(low, high), x.kind),
                    ValueKind::Float => (
                        Op::ClampReal(low, high, bounds.grid as i64),
                        ValueKind::Stepped,
                    ),
                    _ => return None,
                };
                let clamped = self.integer(op, one, kind, bounds);
                Some(Value {
                    valid: x.valid,
                    ..clamped
                })
            }
            (O::Square, [_]) if whole => {
                let (size, bounds) = x.bounds.square()?;
                let args = [x.at, x.at, At::None];
                let square = self.integer(Op::Multiply(size), args, x.kind, bounds);
                Some(Value {
                    valid: x.valid,
                    ..square
                })
            }
            (O::Plus, [_, Term::Constant(Constant::Integer(by))]) if whole => {
                let (steps, bounds) = x.bounds.plus(*by)?;
                let plus = self.integer(Op::Plus(steps), one, x.kind, bounds);
                Some(Value {
                    valid: x.valid,
                    ..plus
                })
            }
            (O::Times, [_, Term::Constant(Constant::Integer(by))]) if whole => {
                let (size, bounds) = x.bounds.times(*by);
                let times = self.integer(Op::Times(*by, size), one, x.kind, bounds);
                Some(Value {
                    valid: x.valid,
                    ..times
                })
            }
            (O::Bins, [_, Term::List(edges)]) if x.valid.is_none() => {
                let bounds = Bounds::within(0, edges.len() as i128);
                let op = match x.kind {
                    ValueKind::Integer | ValueKind::Calendar | ValueKind::Clock => {
                        Op::BinsInt(integers(edges, x.kind)?)
                    }
                    ValueKind::Float => Op::BinsReal(reals(edges)?),
                    _ => return None,
                };
                Some(self.integer(op, one, ValueKind::Integer, bounds))
            }
            (O::OrElse, [_, right]) => {
                let valid = x.valid?;
                let y = self.expression(right)?;
                let same = pool(y.kind) == pool(x.kind) && x.kind != ValueKind::Stepped;
                if y.valid.is_some() || !same {
                    return None;
                }
                let at = self.step(Op::OrElse, [x.at, valid, y.at], pool(x.kind)?);
                Some(Value {
                    at,
                    kind: x.kind,
                    valid: None,
                    bounds: Bounds::FREE,
                })
            }
            (O::Add | O::Subtract | O::Multiply, [_, right]) => {
                let y = self.expression(right)?;
                if x.valid.or(y.valid).is_some() {
                    return None;
                }
                self.arithmetic(op, x, y)
            }
            _ => None,
        }
    }

    /// A part of a date or a time.
    fn part(&mut self, op: Operation, x: Value) -> Option<Value> {
        let clock = x.kind == ValueKind::Clock;
        let (kind, bounds) = match op {
            Operation::Year => (ValueKind::Integer, Bounds::FREE),
            Operation::Month => (ValueKind::Integer, Bounds::within(1, 12)),
            Operation::Day => (ValueKind::Integer, Bounds::within(1, 31)),
            Operation::Weekday => (ValueKind::Integer, Bounds::within(1, 7)),
            Operation::Hour if clock => (ValueKind::Integer, Bounds::within(0, 23)),
            Operation::Minute if clock => (ValueKind::Integer, Bounds::within(0, 59)),
            Operation::DateOf if clock => (ValueKind::Calendar, Bounds::FREE),
            _ => return None,
        };
        if !clock && x.kind != ValueKind::Calendar {
            return None;
        }
        let args = [x.at, At::None, At::None];
        let part = self.integer(Op::Part(op, clock), args, kind, bounds);
        Some(Value {
            valid: x.valid,
            ..part
        })
    }

    fn arithmetic(&mut self, op: Operation, x: Value, y: Value) -> Option<Value> {
        let args = [x.at, y.at, At::None];
        let kind = match (x.kind, y.kind) {
            (ValueKind::Integer, ValueKind::Integer) => ValueKind::Integer,
            (ValueKind::Integer | ValueKind::Stepped, ValueKind::Integer | ValueKind::Stepped) => {
                ValueKind::Stepped
            }
            (ValueKind::Float, ValueKind::Float) => ValueKind::Float,
            _ => return None,
        };
        let real = kind == ValueKind::Float;
        if op == Operation::Multiply {
            let (size, bounds) = x.bounds.product(y.bounds)?;
            return Some(if real {
                self.real(Op::MultiplyReal, x.at, y.at, bounds.grid)
            } else {
                self.integer(Op::Multiply(size), args, kind, bounds)
            });
        }
        let minus = op == Operation::Subtract;
        let (a, b, fits, bounds) = x.bounds.linear(y.bounds, minus)?;
        Some(if real {
            self.real(Op::LinearReal(minus), x.at, y.at, bounds.grid)
        } else {
            self.integer(Op::Linear(a, b, fits), args, kind, bounds)
        })
    }

    fn sink(&mut self, op: Op, keep: Option<At>, value: At, cells: usize) {
        self.steps.push(Step {
            op,
            args: [keep.unwrap_or(At::None), value, At::None],
            pool: Pool::Int,
            out: self.cells.len(),
        });
        self.cells
            .push(cells.saturating_mul(self.blocks.unwrap_or(1)));
    }

    /// Compiles a query, or leaves everything as it was.
    fn whole_query(&mut self, query: &Term) -> bool {
        let (steps, cells, columns) = (self.steps.len(), self.cells.len(), self.columns.len());
        let done = self.query(query).is_some();
        if done {
            self.queries.push(cells..self.cells.len());
        } else {
            self.steps.truncate(steps);
            self.cells.truncate(cells);
            self.columns.truncate(columns);
            self.known
                .retain(|_, at| !matches!(at, At::Register(step) if *step >= steps));
        }
        done
    }

    fn query(&mut self, query: &Term) -> Option<()> {
        let Term::Apply(op, args) = query else {
            return None;
        };
        let (args, condition) = match args.split_last() {
            Some((Term::Apply(Operation::Where, condition), rest)) => (rest, condition.first()),
            _ => (&args[..], None),
        };
        let keep = match condition {
            None => None,
            Some(condition) => {
                let value = self.expression(condition)?;
                if value.kind != ValueKind::Boolean || value.valid.is_some() {
                    return None;
                }
                Some(value.at)
            }
        };
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
            (Operation::Histogram, [key]) => {
                let key = self.expression(key)?;
                let (low, cells) = match key.kind {
                    ValueKind::Boolean => (0, 2),
                    ValueKind::Key(keys) => (0, keys as usize),
                    ValueKind::Integer | ValueKind::Stepped => {
                        let cells = key.bounds.high - key.bounds.low + 1;
                        let cells = usize::try_from(cells).ok().filter(|n| *n <= 1 << 20)?;
                        (key.bounds.low as i64, cells)
                    }
                    _ => return None,
                };
                let keep = self.both(keep, key.valid);
                let op = Op::Histogram(pool(key.kind)?, low);
                self.sink(op, keep, key.at, cells);
            }
            _ => return None,
        }
        Some(())
    }

    fn summand(&mut self, value: &Term) -> Option<Value> {
        let value = self.expression(value)?;
        let whole = matches!(value.kind, ValueKind::Integer | ValueKind::Stepped);
        (whole && value.bounds.summable()).then_some(value)
    }

    /// Numbers the registers, each free again after its last use, so that few stay in the cache.
    fn finish(self) -> Program {
        let mut last: HashMap<usize, usize> = HashMap::new();
        for (index, step) in self.steps.iter().enumerate() {
            for at in step.args {
                if let At::Register(register) = at {
                    last.insert(register, index);
                }
            }
        }
        let mut free: [Vec<usize>; 4] = Default::default();
        let mut registers = [0; 4];
        let mut named: HashMap<usize, (Pool, usize)> = HashMap::new();
        let (mut fills, mut steps) = (Vec::new(), Vec::new());
        for (index, mut step) in self.steps.into_iter().enumerate() {
            let fill = matches!(step.op, Op::FillInt(_) | Op::FillReal(_) | Op::FillCode(_));
            let sink = matches!(
                step.op,
                Op::Count | Op::Sum | Op::Rows | Op::Histogram(_, _)
            );
            if !fill && !sink && !last.contains_key(&index) {
                continue;
            }
            let used = step.args;
            for at in &mut step.args {
                if let At::Register(register) = at {
                    *register = named[register].1;
                }
            }
            if !sink {
                let pool = step.pool as usize;
                // A constant keeps its register: it is filled once.
                let register = if fill { None } else { free[pool].pop() };
                step.out = register.unwrap_or_else(|| {
                    registers[pool] += 1;
                    registers[pool] - 1
                });
                named.insert(index, (step.pool, step.out));
            }
            // After the output has its register, so that no step writes what it reads.
            for (place, at) in used.iter().enumerate() {
                if let At::Register(register) = at
                    && last.get(register) == Some(&index)
                    && !used[..place].contains(at)
                {
                    let (pool, freed) = named[register];
                    if !fills
                        .iter()
                        .any(|fill: &Step| (fill.pool, fill.out) == (pool, freed))
                    {
                        free[pool as usize].push(freed);
                    }
                }
            }
            if fill {
                fills.push(step);
            } else {
                steps.push(step);
            }
        }
        Program {
            fills,
            steps,
            codes: self.codes,
            registers,
            cells: self.cells,
            queries: self.queries,
            columns: self.columns,
            blocks: self.blocks,
        }
    }
}
