//! Expressions and queries as plain data, for people and for other engines.

use core::fmt;

use super::operation::{Form, Operation};
use super::value::{Column, Constant};

/// An expression or a query as plain data. It holds public constants and names only.
///
/// ```
/// use privet::plan::{Operation, Term};
/// use privet::prelude::*;
///
/// #[derive(Record)]
/// struct Patient { age: i64, smoker: bool }
///
/// let query = rows::<Patient>().filter(|p| p.smoker).sum(|p| p.age.clamp::<0, 120>());
/// let mut columns = Vec::new();
/// query.term().visit(&mut |term| match term {
///     Term::Column(column) => columns.push(column.name.to_string()),
///     _ => {}
/// });
/// assert_eq!(columns, ["age", "smoker"]);
/// assert!(matches!(query.term(), Term::Apply(Operation::Sum, _)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Term {
    /// A column.
    Column(Column),
    /// A public constant.
    Constant(Constant),
    /// An operation and its arguments.
    Apply(Operation, Vec<Term>),
    /// A public list.
    List(Vec<Term>),
}

impl Term {
    pub(crate) fn constant(value: impl Into<Constant>) -> Term {
        Term::Constant(value.into())
    }

    pub(crate) fn list(values: impl IntoIterator<Item = impl Into<Constant>>) -> Term {
        Term::List(values.into_iter().map(Term::constant).collect())
    }

    /// The arguments of an operation, or the items of a list.
    #[must_use]
    pub fn children(&self) -> &[Term] {
        match self {
            Term::Column(_) | Term::Constant(_) => &[],
            Term::Apply(_, terms) | Term::List(terms) => terms,
        }
    }

    /// Calls `see` with this term and every term below it: each before its children, and children
    /// from the first to the last.
    pub fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Term)) {
        let mut open = vec![self];
        while let Some(term) = open.pop() {
            see(term);
            open.extend(term.children().iter().rev());
        }
    }
}

fn separated(f: &mut fmt::Formatter<'_>, terms: &[Term]) -> fmt::Result {
    for (i, term) in terms.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{term}")?;
    }
    Ok(())
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Column(column) => f.write_str(&column.name),
            Term::Constant(value) => write!(f, "{value}"),
            Term::Apply(op, args) if op.form() == Form::Sign => {
                let inner = |f: &mut fmt::Formatter<'_>, term: &Term| match term {
                    Term::Apply(op, args) if op.form() == Form::Sign && args.len() > 1 => {
                        write!(f, "({term})")
                    }
                    _ => write!(f, "{term}"),
                };
                for (i, arg) in args.iter().enumerate() {
                    if i > 0 {
                        write!(f, " {} ", op.name())?;
                    } else if args.len() == 1 {
                        f.write_str(op.name())?;
                    }
                    inner(f, arg)?;
                }
                Ok(())
            }
            Term::Apply(op, args) => {
                write!(f, "{}(", op.name())?;
                separated(f, args)?;
                f.write_str(")")
            }
            Term::List(items) => {
                f.write_str("[")?;
                separated(f, items)?;
                f.write_str("]")
            }
        }
    }
}
