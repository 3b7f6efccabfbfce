//! Expressions and queries as plain data, for people and for other engines.

use core::fmt;

/// An expression or a query as plain data. It holds public constants and names only.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Term {
    /// A column, by its field's name.
    Column(&'static str),
    /// A public constant, as it reads.
    Constant(String),
    /// An operation, written between its arguments or before its only one.
    Infix(&'static str, Vec<Term>),
    /// A named operation with its arguments.
    Call(&'static str, Vec<Term>),
    /// A public list.
    List(Vec<Term>),
}

impl Term {
    pub(crate) fn constant(value: impl fmt::Debug) -> Term {
        Term::Constant(format!("{value:?}"))
    }

    pub(crate) fn list(values: impl IntoIterator<Item = impl fmt::Debug>) -> Term {
        Term::List(values.into_iter().map(Term::constant).collect())
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
            Term::Column(name) => f.write_str(name),
            Term::Constant(value) => f.write_str(value),
            Term::Infix(op, args) => {
                let inner = |f: &mut fmt::Formatter<'_>, term: &Term| match term {
                    Term::Infix(_, args) if args.len() > 1 => write!(f, "({term})"),
                    _ => write!(f, "{term}"),
                };
                for (i, arg) in args.iter().enumerate() {
                    if i > 0 {
                        write!(f, " {op} ")?;
                    } else if args.len() == 1 {
                        f.write_str(op)?;
                    }
                    inner(f, arg)?;
                }
                Ok(())
            }
            Term::Call(name, args) => {
                write!(f, "{name}(")?;
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
