//! Expressions as steps on registers.

use super::bounds::{Bounds, fine};
use super::compile::{Compiler, MAX_DEPTH, MAX_STEPS, Value};
use super::program::{At, Code, Op, Pool};
use crate::data::plan::{Column, Constant, Operation, Term, ValueKind};
use crate::data::vector::MOST_COORDINATES;

/// The most keys of a list that is known at run time: each is compared with every row.
const MOST_ITEMS: usize = 1024;

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

pub(super) fn pool(kind: ValueKind) -> Option<Pool> {
    match kind {
        ValueKind::Integer
        | ValueKind::Stepped
        | ValueKind::Decimals(_)
        | ValueKind::Calendar
        | ValueKind::Clock => Some(Pool::Int),
        ValueKind::Float => Some(Pool::Real),
        ValueKind::Boolean => Some(Pool::Bool),
        ValueKind::Textual | ValueKind::Key(_) => Some(Pool::Code),
        ValueKind::Floats(width) => {
            let few = (1..=MOST_COORDINATES).contains(&(width as usize));
            few.then_some(Pool::Vector)
        }
        ValueKind::SteppedVector(_) | ValueKind::Tuple => None,
    }
}

impl Compiler<'_> {
    fn code(&mut self, code: Code) -> usize {
        match self.places.get(&code) {
            Some(place) => *place,
            None => {
                self.places.insert(code.clone(), self.codes.len());
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

    /// Which field a column is.
    pub(super) fn place_of(&self, column: &Column) -> Option<usize> {
        self.fields.iter().position(|field| {
            field.name == column.name
                && field.kind == column.kind
                && field.nullable == column.nullable
        })
    }

    fn column(&mut self, column: &Column) -> Option<Value> {
        let place = self.place_of(column)?;
        pool(column.kind)?;
        let index = match self.columns.iter().position(|known| *known == place) {
            Some(index) => index,
            None => {
                self.columns.push(place);
                self.columns.len() - 1
            }
        };
        let (kind, grid) = match column.kind {
            ValueKind::Decimals(places) => {
                (ValueKind::Stepped, fine(10_i128.checked_pow(places)?)?)
            }
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

    /// Goes a level down, if there is one; who does so comes back up.
    pub(super) fn deeper(&mut self) -> Option<()> {
        if self.depth == MAX_DEPTH || self.steps.len() > MAX_STEPS {
            return None;
        }
        self.depth += 1;
        Some(())
    }

    /// Whether the row is in a block.
    fn in_block(&mut self, args: &[Term]) -> Option<Value> {
        let [division, Term::Constant(Constant::Integer(block))] = args else {
            return None;
        };
        let (place, _, keep) = self.division(division)?;
        let op = Op::CompareInt(Operation::Equal, Some(*block));
        let inside = self.condition(op, place, At::None);
        Some(match keep {
            Some(keep) => self.condition(Op::And, inside.at, keep),
            None => inside,
        })
    }

    pub(super) fn expression(&mut self, term: &Term) -> Option<Value> {
        self.deeper()?;
        let value = match term {
            Term::Column(column) => self.column(column),
            Term::Constant(constant) => self.constant(constant),
            Term::List(_) => None,
            Term::Apply(Operation::InBlock, args) => self.in_block(args),
            Term::Apply(Operation::First, args) => self.first(args),
            Term::Apply(Operation::Vector, args) => self.joined(args),
            Term::Apply(op, args) => self.operation(*op, args),
        };
        self.depth -= 1;
        value
    }

    /// The vector of some reals that every row has.
    fn joined(&mut self, args: &[Term]) -> Option<Value> {
        let [Term::List(coordinates)] = args else {
            return None;
        };
        if !(1..=MOST_COORDINATES).contains(&coordinates.len()) {
            return None;
        }
        let mut list = Vec::new();
        for coordinate in coordinates {
            let real = self.expression(coordinate)?;
            let there = real.kind == ValueKind::Float && real.valid.is_none();
            list.push(Some(real.at).filter(|_| there)?);
        }
        self.vector(Op::Join(list.len()), [At::None; 3], list)
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
            (O::Between, [_, Term::Constant(low), Term::Constant(high)]) => {
                self.share(x, low, high)
            }
            (O::Divide | O::Remainder, [_, Term::Constant(Constant::Integer(by))])
                if x.kind == ValueKind::Integer && *by > 0 =>
            {
                let divisor = i128::from(*by);
                let (op, bounds) = match op {
                    O::Divide => (
                        Op::Divide(*by),
                        Bounds::within(
                            x.bounds.low.div_euclid(divisor),
                            x.bounds.high.div_euclid(divisor),
                        ),
                    ),
                    _ => (Op::Remainder(*by), Bounds::within(0, divisor - 1)),
                };
                let whole = self.integer(op, one, ValueKind::Integer, bounds);
                Some(Value {
                    valid: x.valid,
                    ..whole
                })
            }
            (
                O::KeysUpTo,
                [
                    _,
                    Term::List(items),
                    Term::Constant(Constant::Integer(absent)),
                ],
            ) => self.keys_up_to(x, items, *absent),
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
                if matches!(x.kind, ValueKind::Float | ValueKind::Floats(_)) && *steps > 0 =>
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
            (O::Scaled, [_, right]) if x.valid.is_none() => {
                let ValueKind::Floats(width) = x.kind else {
                    return None;
                };
                let by = self.expression(right)?;
                if by.kind != ValueKind::Float || by.valid.is_some() {
                    return None;
                }
                let op = Op::Scale(width as usize);
                self.vector(op, [x.at, by.at, At::None], Vec::new())
            }
            (O::Dot, [_, Term::List(weights)]) if x.valid.is_none() => {
                let weights = reals(weights)?;
                let of = u32::try_from(weights.len()).ok().map(ValueKind::Floats);
                (of == Some(x.kind)).then(|| self.real(Op::Dot(weights), x.at, At::None, 1))
            }
            (O::Nearest, [_, Term::List(centres)]) if x.valid.is_none() => self.nearest(x, centres),
            (O::Logistic, [_]) if x.kind == ValueKind::Float && x.valid.is_none() => {
                Some(self.real(Op::Logistic, x.at, At::None, 1))
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

    /// The place of the nearest centre.
    fn nearest(&mut self, x: Value, centres: &[Term]) -> Option<Value> {
        let ValueKind::Floats(width) = x.kind else {
            return None;
        };
        if !(1..=MOST_ITEMS).contains(&centres.len()) {
            return None;
        }
        let mut all = Vec::new();
        for centre in centres {
            let Term::List(centre) = centre else {
                return None;
            };
            let centre = reals(centre)?;
            all.extend(Some(centre).filter(|centre| centre.len() == width as usize)?);
        }
        let bounds = Bounds::within(0, centres.len() as i128 - 1);
        let args = [x.at, At::None, At::None];
        let op = Op::Nearest(width as usize, all);
        Some(self.integer(op, args, ValueKind::Integer, bounds))
    }

    /// The place among so many keys; another number than their own where there is none.
    fn keys_up_to(&mut self, x: Value, items: &[Term], absent: i64) -> Option<Value> {
        // Each key is a comparison for every row.
        if items.len() > MOST_ITEMS || (absent as i128) < items.len() as i128 {
            return None;
        }
        let found = self.keys(x, items)?;
        let missing = Op::CompareInt(Operation::Equal, Some(items.len() as i64));
        let missing = self.condition(missing, found.at, At::None).at;
        let args = [missing, found.at, At::None];
        let bounds = Bounds::within(0, absent.into());
        Some(self.integer(Op::Choose(absent), args, ValueKind::Integer, bounds))
    }

    /// A number between bounds, over the larger of them in absolute value.
    fn share(&mut self, x: Value, low: &Constant, high: &Constant) -> Option<Value> {
        let (Constant::Float(low), Constant::Float(high)) = (low, high) else {
            return None;
        };
        let unit = low.abs().max(high.abs());
        let bounds = [*low, *high, unit];
        // A NaN is not less than anything.
        if !(low <= high && bounds.iter().all(|bound| bound.is_finite()) && unit > 0.0) {
            return None;
        }
        let real = match x.kind {
            ValueKind::Float => x.at,
            ValueKind::Integer if x.bounds.grid == 1 => self.real(Op::RealOf, x.at, At::None, 1).at,
            ValueKind::Integer | ValueKind::Stepped => {
                let grid = i64::try_from(x.bounds.grid).ok()?;
                self.real(Op::UnitsOf(grid), x.at, At::None, 1).at
            }
            _ => return None,
        };
        let share = Op::Share(bounds.map(f64::to_bits));
        Some(Value {
            valid: x.valid,
            ..self.real(share, real, At::None, 1)
        })
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
}
