//! Conditions: `&`, `|`, `!`, and a condition as a number.

use super::{
    Bool, Boxed, BoxedCondition, Eval, Expr, Int, Operand, Operation, Term, check_size, node,
};
use crate::data::Record;

/// The kind of a condition. Sealed.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a value of kind `{Self}` is not a condition",
    label = "not a condition",
    note = "compare it, as in `|p| p.age.gt(40)`"
)]
pub trait IsCondition: super::Kind<Value = bool> {
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
    /// The condition itself.
    type Condition<E: Expr<Kind = Self>>: Expr<Row = E::Row, Kind = Self> + From<E>;
}
impl IsCondition for Bool {
    type Then<T> = T;
    type Condition<E: Expr<Kind = Self>> = E;
}

/// A condition on the rows of `R`: an expression that is true or false. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition on the rows of `{R}`",
    label = "not a condition on `{R}`",
    note = "compare a column of the same record, as in `|p| p.age.gt(40)`; \
            `==` and `>` of Rust's own are no conditions"
)]
pub trait Condition<R: Record>: Over<R> + Expr<Kind: IsCondition> {
    /// The condition without its type: see [`Boxed`].
    ///
    /// # Panics
    ///
    /// If it is larger than a query may be: see [`MAX_NODES`](super::MAX_NODES).
    fn boxed(self) -> BoxedCondition<R> {
        Boxed::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<R: Record, E: Over<R> + Expr<Kind: IsCondition>> Condition<R> for E {}

/// An expression over the rows of `R`, not of another record. Sealed.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an expression over the rows of `{R}`",
    label = "not an expression over `{R}`",
    note = "build it from the columns that the closure receives, as in `|p| p.age.gt(40)`; \
            `==` and `>` of Rust's own are no conditions"
)]
pub trait Over<R: Record>: Expr<Row = R> + Operand<R, Expr = Self> {}

#[diagnostic::do_not_recommend]
impl<R: Record, E: Expr<Row = R> + Operand<R, Expr = E>> Over<R> for E {}

macro_rules! binary {
    ($(#[$doc:meta])* $name:ident, $bound:ident, $op:tt) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<A, B>(pub(super) A, pub(super) B);

        /// One chunk of it.
        #[doc(hidden)]
        #[derive(Clone, Copy)]
        pub struct $bound<A, B>(A, B);
        impl<A: Eval<Value = bool>, B: Eval<Value = bool>> Eval for $bound<A, B> {
            type Value = bool;
            #[inline(always)]
            fn at(&self, row: usize) -> bool {
                self.0.at(row) $op self.1.at(row)
            }
        }

        node! {
            [A: Expr<Kind: IsCondition>, B: Expr<Row = A::Row, Kind: IsCondition>]
            $name<A, B> where [];
            row A::Row; kind Bool; children [A, B];
            bound<'a> $bound<A::Bound<'a>, B::Bound<'a>>;
            bind |this, chunk| $bound(this.0.bind(chunk), this.1.bind(chunk));
            term |this| Term::Apply(Operation::$name, vec![this.0.term(), this.1.term()]);
        }
    };
}

binary!(
    /// Both conditions hold.
    And, BoundAnd, &
);
binary!(
    /// At least one condition holds.
    Or, BoundOr, |
);

/// The condition does not hold.
#[derive(Clone, Copy, Debug)]
pub struct Not<A>(pub(super) A);

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundNot<A>(A);
impl<A: Eval<Value = bool>> Eval for BoundNot<A> {
    type Value = bool;
    #[inline(always)]
    fn at(&self, row: usize) -> bool {
        !self.0.at(row)
    }
}

node! {
    [A: Expr<Kind: IsCondition>] Not<A> where [];
    row A::Row; kind Bool; children [A];
    bound<'a> BoundNot<A::Bound<'a>>;
    bind |this, chunk| BoundNot(this.0.bind(chunk));
    term |this| Term::Apply(Operation::Not, vec![this.0.term()]);
}

/// A condition as a number: 1 where it holds, else 0.
#[derive(Clone, Copy, Debug)]
pub struct Number<A>(pub(super) A);

/// One chunk of it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BoundNumber<A>(A);
impl<A: Eval<Value = bool>> Eval for BoundNumber<A> {
    type Value = i64;
    #[inline(always)]
    fn at(&self, row: usize) -> i64 {
        i64::from(self.0.at(row))
    }
}

node! {
    [A: Expr<Kind: IsCondition>] Number<A> where [];
    row A::Row; kind Int; children [A];
    low 0; high 1;
    bound<'a> BoundNumber<A::Bound<'a>>;
    bind |this, chunk| BoundNumber(this.0.bind(chunk));
    term |this| Term::Apply(Operation::Number, vec![this.0.term()]);
}

impl<A: Expr<Kind: IsCondition>> Number<A> {
    pub(crate) fn of(condition: A) -> Self {
        Number(condition)
    }
}

/// Those rows of `S` on which a condition holds.
#[derive(Clone, Debug)]
pub struct Where<S, E>(pub(crate) S, pub(crate) E);

impl<S, E> Where<S, E> {
    pub(crate) fn new<R: Record>(selection: S, condition: E) -> Self
    where
        E: Expr<Row = R, Kind: IsCondition>,
    {
        const { check_size::<E>() };
        Where(selection, condition)
    }
}
