//! What a mechanism says of itself: a tree of names, prices and parts.

use core::fmt;
use std::sync::Arc;

use crate::accuracy::Spread;
use crate::{Cost, Price};

/// One mechanism in the tree.
#[derive(Clone, Default)]
pub(crate) struct Node {
    given: Option<String>,
    does: String,
    pub(crate) price: Option<Price>,
    parts: Vec<Part>,
    /// Whether it is a chain of `and` that another part can join.
    pub(crate) chain: bool,
    /// How far the noise reaches, where the answer is noisy cells and nothing was done to them.
    pub(crate) spread: Option<Spread>,
}

/// A part, and how many times it runs.
#[derive(Clone)]
struct Part {
    times: usize,
    node: Arc<Node>,
}

/// Parts of parts end in a loop, so that a deep tree needs no deep stack.
impl Drop for Node {
    fn drop(&mut self) {
        let mut ending = std::mem::take(&mut self.parts);
        while let Some(part) = ending.pop() {
            if let Some(mut node) = Arc::into_inner(part.node) {
                ending.append(&mut node.parts);
            }
        }
    }
}

impl Node {
    /// A mechanism that costs `C`, described by what it does.
    pub(crate) fn new<C: Cost>(does: impl Into<String>) -> Self {
        Node::priced(does, Some(C::price()))
    }

    /// A mechanism whose price is known at run time only, or not at all.
    pub(crate) fn priced(does: impl Into<String>, price: Option<Price>) -> Self {
        Node {
            given: None,
            does: does.into(),
            price,
            parts: Vec::new(),
            chain: false,
            spread: None,
        }
    }

    /// The same, with noise that reaches so far.
    pub(crate) fn with_spread(mut self, spread: Option<Spread>) -> Self {
        self.spread = spread;
        self
    }

    pub(crate) fn part(self, node: &Arc<Node>) -> Self {
        self.repeated(1, node)
    }

    pub(crate) fn repeated(mut self, times: usize, node: &Arc<Node>) -> Self {
        self.parts.push(Part {
            times,
            node: Arc::clone(node),
        });
        self
    }

    /// A part that is chosen from earlier answers: only its description is known beforehand.
    pub(crate) fn later(mut self, times: usize, node: Node) -> Self {
        self.parts.push(Part {
            times,
            node: Arc::new(node),
        });
        self
    }

    pub(crate) fn named(mut self, name: String) -> Self {
        self.given = Some(name);
        self.chain = false;
        self
    }

    pub(crate) fn name(&self) -> &str {
        self.given.as_deref().unwrap_or(&self.does)
    }
}

/// A mechanism as a tree, made by [`Mechanism::explain`](crate::Mechanism::explain). Prints itself.
#[derive(Clone)]
pub struct Explanation {
    root: Part,
}

impl Explanation {
    pub(crate) fn new(node: &Arc<Node>) -> Self {
        Explanation {
            root: Part {
                times: 1,
                node: Arc::clone(node),
            },
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        self.root.node.name()
    }

    /// What one run of it costs; none where the price depends on earlier answers.
    pub fn price(&self) -> Option<Price> {
        self.root.node.price
    }

    /// How many times its parent runs it.
    pub fn times(&self) -> usize {
        self.root.times
    }

    /// The mechanisms it is made of.
    pub fn parts(&self) -> impl Iterator<Item = Explanation> + '_ {
        self.root
            .node
            .parts
            .iter()
            .map(|part| Explanation { root: part.clone() })
    }

    /// Line by line, with the parts that are still to come in a list: however deep, no stack.
    fn lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lead = String::new();
        let mut next = vec![Line {
            part: &self.root,
            lead: 0,
            branch: "",
            rest: "",
        }];
        while let Some(line) = next.pop() {
            let Part { times, node } = line.part;
            lead.truncate(line.lead);
            write!(f, "{lead}{}", line.branch)?;
            if *times != 1 {
                write!(f, "{times} × ")?;
            }
            f.write_str(node.name())?;
            if let Some(price) = node.price {
                write!(f, " [{price}]")?;
            }
            if node.given.is_some() {
                write!(f, ": {}", node.does)?;
            }
            writeln!(f)?;
            lead.push_str(line.rest);
            for (place, part) in node.parts.iter().rev().enumerate() {
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
    part: &'a Part,
    /// How much of the current indentation is this line's own.
    lead: usize,
    branch: &'static str,
    rest: &'static str,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines(f)
    }
}

impl fmt::Debug for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
