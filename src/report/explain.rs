//! A mechanism explained: its label as a tree that prints itself.

use core::fmt;
use std::sync::Arc;

use crate::cost::{Cost, Price};
use crate::data::Domain;
use crate::mechanism::{Label, Mechanism, Part};

/// A mechanism as a tree, made by [`Mechanism::explain`](crate::Mechanism::explain). Prints itself.
#[derive(Clone)]
pub struct Explanation {
    root: Part,
}

impl Explanation {
    pub(crate) fn new(label: &Arc<Label>) -> Self {
        Explanation {
            root: Part {
                times: 1,
                label: Arc::clone(label),
            },
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        self.root.label.name()
    }

    /// What one run of it costs; none where the price depends on earlier answers.
    pub fn price(&self) -> Option<Price> {
        self.root.label.price()
    }

    /// How many times its parent runs it.
    pub fn times(&self) -> usize {
        self.root.times
    }

    /// The mechanisms it is made of.
    pub fn parts(&self) -> impl Iterator<Item = Explanation> + '_ {
        self.root
            .label
            .parts()
            .iter()
            .map(|part| Explanation { root: part.clone() })
    }

    fn lines(
        &self,
        f: &mut fmt::Formatter<'_>,
        lead: &str,
        branch: &str,
        rest: &str,
    ) -> fmt::Result {
        write!(f, "{lead}{branch}")?;
        if self.root.times != 1 {
            write!(f, "{} × ", self.root.times)?;
        }
        f.write_str(self.name())?;
        if let Some(price) = self.price() {
            write!(f, " [{price}]")?;
        }
        if let Some(description) = self.root.label.description() {
            write!(f, ": {description}")?;
        }
        writeln!(f)?;
        let lead = format!("{lead}{rest}");
        let last = self.root.label.parts().len().saturating_sub(1);
        for (i, part) in self.parts().enumerate() {
            let (branch, rest) = if i == last {
                ("└─ ", "   ")
            } else {
                ("├─ ", "│  ")
            };
            part.lines(f, &lead, branch, rest)?;
        }
        Ok(())
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines(f, "", "", "")
    }
}

impl fmt::Debug for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<In: Domain, Out: 'static, C: Cost> Mechanism<In, Out, C> {
    /// The mechanism as a tree: its name, its cost and its parts.
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64, smoker: bool }
    /// let count: Mechanism<Table<Patient>, i64, Eps<1, 4>> = rows::<Patient>().count().laplace();
    /// println!("{}", count.clone().and(count).named("twice").explain());
    /// ```
    pub fn explain(&self) -> Explanation {
        Explanation::new(self.label())
    }
}
