//! What a mechanism is called, for people: a tree of names, prices and parts.
//!
//! A label is only a label. What a release costs is the mechanism's type, or its quote.

use std::sync::Arc;

use crate::cost::{Cost, Price, Ratio, Stated};
use crate::data::Data;

/// One mechanism in the tree.
#[derive(Clone, Default)]
pub(crate) struct Label {
    given: Option<String>,
    does: String,
    price: Option<Price>,
    parts: Vec<LabelPart>,
    /// Whether it is a chain of `and` that another part can join.
    chain: bool,
    /// Whether its price is the sum of its parts' prices.
    adds: bool,
    /// The ρ of its own noise, where that is Gaussian and stated as (ε, δ).
    rho: Option<Ratio<u128>>,
    /// What its parts ask of a part of the data, which is not a query of the whole.
    #[cfg(feature = "ledger")]
    asks: Option<Spelling>,
}

/// Writes what tells one mechanism from another. Only a named release calls it, so it may take its time.
#[cfg(feature = "ledger")]
type Spelling = Arc<dyn Fn(&mut String) + Send + Sync>;

/// A part, and how many times it runs.
#[derive(Clone)]
pub(crate) struct LabelPart {
    pub(crate) times: usize,
    pub(crate) label: Arc<Label>,
}

/// Drops parts of parts in a loop, so that a deep tree needs no deep stack.
impl Drop for Label {
    fn drop(&mut self) {
        let mut ending = std::mem::take(&mut self.parts);
        while let Some(part) = ending.pop() {
            if let Some(mut label) = Arc::into_inner(part.label) {
                ending.append(&mut label.parts);
            }
        }
    }
}

impl Label {
    /// A mechanism that costs `C`, described by what it does.
    pub(super) fn new<C: Cost>(does: impl Into<String>) -> Self {
        Label::priced(does, Some(C::price()))
    }

    /// A mechanism whose price is known only at run time, or not at all.
    pub(super) fn priced(does: impl Into<String>, price: Option<Price>) -> Self {
        Label {
            given: None,
            does: does.into(),
            price,
            parts: Vec::new(),
            chain: false,
            adds: false,
            rho: None,
            #[cfg(feature = "ledger")]
            asks: None,
        }
    }

    /// Adds what `spell` writes to what tells this mechanism from another. It is never shown.
    #[cfg_attr(not(feature = "ledger"), allow(unused_mut, unused_variables))]
    pub(super) fn asking(mut self, spell: impl Fn(&mut String) + Send + Sync + 'static) -> Self {
        #[cfg(feature = "ledger")]
        {
            self.asks = Some(Arc::new(spell));
        }
        self
    }

    /// A mechanism that runs all of its parts, each as often as it says: their prices add up.
    pub(super) fn sum<C: Cost>(does: impl Into<String>) -> Self {
        let mut label = Label::new::<C>(does);
        label.adds = true;
        label
    }

    /// Gaussian noise that costs this ρ, if it is known.
    pub(super) fn with_rho(mut self, rho: Option<Ratio<u128>>) -> Self {
        self.rho = rho;
        self
    }

    /// Writes these queries, for [`asking`](Label::asking).
    pub(super) fn spelling<D: Data>(
        queries: &[Arc<D::Query>],
    ) -> impl Fn(&mut String) + Send + Sync + 'static {
        let queries = queries.to_vec();
        move |out| {
            for query in &queries {
                out.push(' ');
                out.push_str(&D::describe(query));
            }
        }
    }

    pub(super) fn part(self, label: &Arc<Label>) -> Self {
        self.repeated(1, label)
    }

    pub(super) fn repeated(mut self, times: usize, label: &Arc<Label>) -> Self {
        self.parts.push(LabelPart {
            times,
            label: Arc::clone(label),
        });
        self
    }

    /// A part that is chosen from earlier answers: only its description is known beforehand.
    pub(super) fn later(mut self, times: usize, label: Label) -> Self {
        self.parts.push(LabelPart {
            times,
            label: Arc::new(label),
        });
        self
    }

    pub(super) fn named(mut self, name: String) -> Self {
        self.given = Some(name);
        self.chain = false;
        self
    }

    /// A chain of `and` is one list of parts, unless a name was given on the way.
    pub(super) fn and<C: Cost>(left: Arc<Label>, right: &Arc<Label>) -> Label {
        if left.chain {
            let mut chain = Arc::unwrap_or_clone(left);
            chain.price = Some(C::price());
            chain.part(right)
        } else {
            let mut chain = Label::sum::<C>("all of").part(&left).part(right);
            chain.chain = true;
            chain
        }
    }

    /// The name it was given, or what it does.
    pub(crate) fn name(&self) -> &str {
        self.given.as_deref().unwrap_or(&self.does)
    }

    /// What it does and asks, and what its parts do and ask, without the names that were given: what tells this
    /// mechanism from another.
    #[cfg(feature = "ledger")]
    pub(super) fn spell(&self, out: &mut String) {
        use core::fmt::Write as _;
        // In a loop, so that a deep tree needs no deep stack. Writing to a string cannot fail.
        let (mut left, mut next) = (Vec::new(), Some(self));
        loop {
            if let Some(label) = next.take() {
                // Quoted, so that no text can look like two parts.
                let _ = write!(out, "{:?}", label.does);
                if let Some(price) = label.price {
                    let _ = write!(out, " [{price}]");
                }
                if let Some(asks) = &label.asks {
                    out.push_str(" asks ");
                    asks(out);
                }
                left.push(label.parts.iter());
            }
            let Some(parts) = left.last_mut() else { break };
            if let Some(part) = parts.next() {
                let _ = write!(out, " {} × (", part.times);
                next = Some(&part.label);
            } else {
                left.pop();
                out.push_str(if left.is_empty() { "" } else { ")" });
            }
        }
    }

    /// What it does, where that is not its name.
    pub(crate) fn description(&self) -> Option<&str> {
        self.given.as_ref().map(|_| self.does.as_str())
    }

    pub(crate) fn price(&self) -> Option<Price> {
        self.price
    }

    /// The Gaussian releases in it that are each stated as (ε, δ), with the ρ of their noise, where they all add up. Parts
    /// whose prices do not simply add up (blocks, groups, a sample, what is chosen later) are left out.
    pub(crate) fn stated(&self) -> Vec<Stated> {
        let (mut found, mut next) = (Vec::new(), vec![(1_u64, self)]);
        while let Some((times, label)) = next.pop() {
            let Some(price) = label.price.filter(|p| p.rho().is_none() && !p.is_pure()) else {
                continue;
            };
            let only = match label.parts.as_slice() {
                [LabelPart { times: 1, label }] => Some(label),
                _ => None,
            };
            // What has a ρ inside and an (ε, δ) outside was converted there.
            let inside = only.and_then(|part| part.price?.rho());
            if let Some(rho) = label.rho.or(inside) {
                found.push(Stated { times, price, rho });
            } else if label.adds || only.is_some_and(|part| part.price == label.price) {
                next.extend(label.parts.iter().rev().map(|part| {
                    let more = u64::try_from(part.times).unwrap_or(u64::MAX);
                    (times.saturating_mul(more), &*part.label)
                }));
            }
        }
        found
    }

    pub(crate) fn parts(&self) -> &[LabelPart] {
        &self.parts
    }
}
