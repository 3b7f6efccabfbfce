//! Expressions without their types, so that a program can choose one at run time.

use core::fmt;
use std::sync::Arc;

use super::{
    Bool, Categorical, Eval, Expr, Int, Kind, MAX_DEPTH, MAX_NODES, Nullable, Real, RowOf, Term,
    Text, ValOf, node,
};
use crate::data::{Category, Chunk, Record};

mod sealed {
    pub trait Boxable {}
}

/// Kinds whose expressions can be boxed: numbers, conditions, texts and categories, missing or not. Sealed.
#[diagnostic::on_unimplemented(
    message = "an expression of kind `{Self}` cannot be boxed",
    label = "cannot be boxed",
    note = "box the column first and clamp it afterwards: `p.bill.boxed().clamp::<LOW, HIGH>()`"
)]
pub trait Boxable: Kind + sealed::Boxable {
    /// `T`, where the kind fits: see `methods.rs`.
    #[doc(hidden)]
    type Then<T>: From<T>;
}

macro_rules! boxable {
    ($([$($g:tt)*] $kind:ty;)*) => {$(
        impl<$($g)*> sealed::Boxable for $kind {}
        impl<$($g)*> Boxable for $kind {
            type Then<T> = T;
        }
    )*};
}
boxable! {
    [] Int;
    [] Real;
    [] Bool;
    [] Text;
    [C: Category] Categorical<C>;
    [K: Boxable] Nullable<K>;
}

/// An expression whose type is forgotten.
trait Erased<R: Record, V>: Send + Sync {
    fn at(&self, chunk: &Chunk<'_, R>, row: usize) -> V;
    fn term(&self) -> Term;
}

impl<E: Expr> Erased<RowOf<E>, ValOf<E>> for E {
    fn at(&self, chunk: &Chunk<'_, RowOf<E>>, row: usize) -> ValOf<E> {
        self.bind(chunk).at(row)
    }
    fn term(&self) -> Term {
        Expr::term(self)
    }
}

/// An expression over the rows of `R` of kind `K`, whatever it is made of: what `.boxed()` returns.
///
/// Only the kind is left in its type, so give bounds and a grid after you box it. The sensitivity of a
/// query is a constant of its type, and what a box holds is known only when the program runs.
///
/// ```
/// use privet::expr::BoxedCondition;
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64, smoker: bool }
///
/// fn smokers(from: Option<i64>) -> Mechanism<Table<Patient>, i64, Eps<1, 2>> {
///     rows::<Patient>()
///         .filter(|p| {
///             let old_enough: BoxedCondition<Patient> = match from {
///                 Some(from) => p.age.ge(from).boxed(),
///                 None => true.into(),
///             };
///             p.smoker & old_enough
///         })
///         .count()
///         .laplace()
/// }
/// # let _ = (smokers(None), smokers(Some(65)));
/// ```
pub struct Boxed<R: Record, K: Kind> {
    inner: Arc<dyn Erased<R, K::Value>>,
}

/// A condition on the rows of `R`, whatever it is made of. A `bool` becomes one by `.into()`.
pub type BoxedCondition<R> = Boxed<R, Bool>;
/// A real of every row of `R`, whatever it is made of.
pub type BoxedNumber<R> = Boxed<R, Real>;
/// A real that rows of `R` may lack, whatever it is made of.
pub type BoxedNullable<R> = Boxed<R, Nullable<Real>>;

impl<R: Record, K: Kind> Boxed<R, K> {
    /// PRIVACY: `E` has values of kind `K`, by its type or, for a condition, by `IsCondition`. Bounds are not
    /// carried over, so no sensitivity rests on what is in the box.
    pub(super) fn new<E>(expression: E) -> Self
    where
        E: Expr<Row = R, Kind: Kind<Value = K::Value>>,
    {
        const {
            assert!(
                E::GRID == 1 && !E::GRID_IS_GIVEN,
                "a box has no grid: box the column first, then call `.grid::<STEPS>()`"
            );
        }
        check(&Expr::term(&expression));
        Boxed {
            inner: Arc::new(expression),
        }
    }
}

/// Stops a program that boxes boxes without end: a plan is public, so this depends on no row.
fn check(term: &Term) {
    let (mut nodes, mut depth) = (0, 0);
    let mut open = vec![(term, 1)];
    while let Some((term, level)) = open.pop() {
        nodes += 1;
        depth = depth.max(level);
        open.extend(term.children().iter().map(|child| (child, level + 1)));
    }
    assert!(
        nodes <= MAX_NODES,
        "a boxed expression has {nodes} nodes, and at most {MAX_NODES} are allowed"
    );
    assert!(
        depth <= MAX_DEPTH,
        "a boxed expression is {depth} deep, and at most {MAX_DEPTH} is allowed"
    );
}

impl<R: Record, K: Kind> Clone for Boxed<R, K> {
    fn clone(&self) -> Self {
        Boxed {
            inner: Arc::clone(&self.inner),
        }
    }
}

impl<R: Record, K: Kind> fmt::Debug for Boxed<R, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Boxed({})", self.inner.term())
    }
}

impl<R: Record> From<bool> for Boxed<R, Bool> {
    fn from(value: bool) -> Self {
        Boxed::new(super::Operand::<R>::expr(value))
    }
}

/// One chunk of it.
#[doc(hidden)]
pub struct BoundBoxed<'a, R: Record, V>(&'a dyn Erased<R, V>, Chunk<'a, R>);
impl<R: Record, V> Clone for BoundBoxed<'_, R, V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: Record, V> Copy for BoundBoxed<'_, R, V> {}
impl<R: Record, V: Copy> Eval for BoundBoxed<'_, R, V> {
    type Value = V;
    // The expression looks at the chunk again for each row: a box has no place to keep what it found.
    fn at(&self, row: usize) -> V {
        self.0.at(&self.1, row)
    }
}

node! {
    [R: Record, K: Boxable] Boxed<R, K> where [];
    row R; kind K; children [];
    bound<'a> BoundBoxed<'a, R, K::Value>;
    bind |this, chunk| BoundBoxed(&*this.inner, *chunk);
    term |this| this.inner.term();
}
