//! From queries to a register program.

use std::collections::HashMap;

use super::allocate::numbered;
use super::bounds::Bounds;
use super::expression::pool;
use super::program::{At, Code, Field, Op, Pool, Program, Step};
use crate::data::plan::{Operation, Term, ValueKind};

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
    pub(super) depth: usize,
    /// Registers are numbered by the step that fills them, until the end.
    pub(super) steps: Vec<Step>,
    known: HashMap<(Op, [At; 3]), At>,
    pub(super) codes: Vec<Code>,
    cells: Vec<usize>,
    queries: Vec<core::ops::Range<usize>>,
    pub(super) columns: Vec<usize>,
}

impl Compiler<'_> {
    /// Adds a step, unless its value is known already.
    pub(super) fn step(&mut self, op: Op, args: [At; 3], pool: Pool) -> At {
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

    fn finish(self) -> Program {
        let numbered = numbered(self.steps);
        Program {
            fills: numbered.fills,
            steps: numbered.steps,
            codes: self.codes,
            registers: numbered.registers,
            cells: self.cells,
            queries: self.queries,
            columns: self.columns,
            blocks: self.blocks,
        }
    }
}
