//! A mechanism explained: its label as a tree that prints itself.

use core::fmt;
use std::sync::Arc;

use crate::cost::{InRho, Price, in_rho};
use crate::data::Domain;
use crate::mechanism::{Label, LabelPart, Mechanism};

/// A mechanism as a tree, made by [`Mechanism::explain`](crate::Mechanism::explain). It implements
/// `Display`.
#[derive(Clone)]
pub struct Explanation {
    root: LabelPart,
}

impl Explanation {
    pub(crate) fn new(label: &Arc<Label>) -> Self {
        Explanation {
            root: LabelPart {
                times: 1,
                label: Arc::clone(label),
            },
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        self.root.label.name()
    }

    /// What one run of it costs. None where the price depends on earlier answers.
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

    /// What the Gaussian releases in it that are each stated as (ε, δ) would cost if ρ were added up. None for fewer than
    /// three, or if it would not be cheaper. It is also printed, as a last line.
    ///
    /// Parts whose prices do not simply add up are left out: blocks, groups, samples, and what is chosen from answers. For
    /// releases from a vault one after the other, see [`Receipts::in_rho`](crate::vault::Receipts::in_rho).
    ///
    /// ```
    /// # use privet::prelude::*;
    /// # #[derive(Record)] struct Patient { age: i64 }
    /// let count = rows::<Patient>().count().gaussian_approx::<Approx<Eps<1, 2>, Delta<1, 6>>>();
    /// let four = count.repeat::<4>().explain();
    /// let saved = four.in_rho().unwrap();
    /// assert_eq!(saved.one_by_one.to_string(), "ε = 2, δ = 4e-6");
    /// assert_eq!(saved.in_all.to_string(), "ε = 489/500, δ = 4e-6");
    /// assert!(four.to_string().ends_with(&format!("note: {saved}\n")));
    /// ```
    #[must_use]
    pub fn in_rho(&self) -> Option<InRho> {
        in_rho(&self.root.label.stated())
    }

    /// Writes line by line and keeps the remaining parts in a list, so that a deep tree needs no deep
    /// stack.
    fn lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lead = String::new();
        let mut next = vec![Line {
            part: &self.root,
            lead: 0,
            branch: "",
            rest: "",
        }];
        while let Some(line) = next.pop() {
            let LabelPart { times, label } = line.part;
            lead.truncate(line.lead);
            write!(f, "{lead}{}", line.branch)?;
            if *times != 1 {
                write!(f, "{times} × ")?;
            }
            f.write_str(label.name())?;
            if let Some(price) = label.price() {
                write!(f, " [{price}]")?;
            }
            if let Some(description) = label.description() {
                write!(f, ": {description}")?;
            }
            writeln!(f)?;
            lead.push_str(line.rest);
            for (place, part) in label.parts().iter().rev().enumerate() {
                let (branch, rest) = match place {
                    0 => ("└─ ", "   "),
                    _ => ("├─ ", "│  "),
                };
                next.push(Line {
                    part,
                    lead: lead.len(),
                    branch,
                    rest,
                });
            }
        }
        Ok(())
    }
}

/// A line that is still to be written.
struct Line<'a> {
    part: &'a LabelPart,
    /// How much of the current indentation is this line's own.
    lead: usize,
    branch: &'static str,
    rest: &'static str,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines(f)?;
        match self.in_rho() {
            Some(saved) => writeln!(f, "note: {saved}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<In: Domain, Out: 'static, C> Mechanism<In, Out, C> {
    /// The mechanism as a tree: its name, its cost and its parts.
    ///
    /// Scales and deviations are in units of the answer, unless the text says "in steps of 1/100": then 5000
    /// is 50 units.
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
