//! What an audit found, as data: every format is made from this, and JSON is this.

mod parts;
mod totals;

use std::collections::{BTreeMap, BTreeSet};

use privet::Price;
use serde::{Deserialize, Serialize};

use crate::collect::Line;
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::price::{self, Stated};

pub use parts::base;
use parts::{ByName, Caller, called, parts, unlisted};
use totals::data_sets;

/// The version of the JSON. It changes when a reader of the old one would be misled.
pub const SCHEMA: u32 = 1;

/// All functions of the sources, audited or not: the file and the name.
pub type Defined = BTreeSet<(String, String)>;

/// An audit. The JSON format, documented in `docs/json.md`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub schema: u32,
    /// The version of cargo-privet.
    pub tool: String,
    /// The version of privet that the project uses.
    pub privet: String,
    /// The project.
    pub project: String,
    /// What was audited, when and how.
    pub made: Made,
    /// The policy that was judged by; none if the project has none.
    pub policy: Option<Identity>,
    /// Whether the rules are kept.
    pub verdict: Verdict,
    pub data: Vec<DataSet>,
    pub functions: Vec<Function>,
    pub violations: Vec<Violation>,
    /// The same for rules that the policy only warns of.
    pub warnings: Vec<Violation>,
    /// What the policy lets pass for a while.
    pub excepted: Vec<Excepted>,
    /// The rules that are broken and that the policy switched off, one for each place.
    pub allowed: Vec<String>,
    /// What this audit cannot see, in words.
    pub unseen: Vec<String>,
    pub trust: Trust,
}

/// Whether the rules are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Kept,
    Broken,
    /// Nothing is broken, and there is no policy that anything could break.
    #[default]
    NoPolicy,
}

/// A policy's file and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub file: String,
    pub sha256: String,
}

/// What was audited, when and how.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Made {
    /// The day, in UTC.
    pub date: String,
    /// The commit, if the project is in a git repository.
    pub commit: Option<String>,
    /// Whether files differ from that commit.
    pub changed: Option<bool>,
    /// The features that were asked for.
    pub features: String,
    pub target: String,
    pub profile: String,
    pub compiler: String,
    /// The packages that were asked for; all, if none.
    pub packages: Vec<String>,
    /// Where privet comes from.
    pub privet: Vec<Origin>,
    /// From the repository's root to the project's.
    #[serde(skip)]
    pub inside: String,
    /// Where the sources can be read, with `{file}` and `{line}`.
    #[serde(skip)]
    pub link: Option<String>,
}

/// A violation that the policy lets pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excepted {
    #[serde(flatten)]
    pub violation: Violation,
    pub reason: String,
    /// The last day on which it does.
    pub expires: String,
}

/// The data that prices are about: an `In` of mechanisms and vaults.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DataSet {
    /// As people write it: `Table<hospital::Patient>`.
    pub name: String,
    /// What the audited functions spend, if each of the roots runs once.
    pub total: Stated,
    /// What its vaults are opened with, where that is audited.
    pub budget: Option<Stated>,
    /// Its ceiling in the policy.
    pub ceiling: Option<Stated>,
    /// The functions that are no part of another, or are called elsewhere, too.
    pub roots: Vec<String>,
    /// Its record names a person, and its neighbours differ in one row of theirs.
    #[serde(default)]
    pub one_row: bool,
}

/// An audited function, or an instance of one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Its path, with the instance: unique in a report.
    pub id: String,
    pub package: String,
    pub module: String,
    /// Its name, with the instance.
    pub name: String,
    pub kind: Kind,
    pub data: String,
    pub price: Stated,
    /// For a vault: what goes in and what comes out.
    pub vault: Option<InOut>,
    /// The ceiling in its attribute.
    pub declared: Option<Stated>,
    /// Its ceiling in the policy.
    pub ceiling: Option<Stated>,
    /// Its file, from the project's root.
    pub file: String,
    pub line: u32,
    /// The audited functions that it calls.
    pub parts: Vec<Part>,
    /// Vaults that it takes, or vaults and meters that it opens, beside the one that is priced.
    pub other_vaults: u32,
    /// Whether others can call it.
    pub public: bool,
    /// An opener whose vaults are all opened on accounts of a ledger.
    #[serde(default)]
    pub on_account: bool,
    /// The types of its arguments.
    #[serde(skip)]
    pub takes: String,
    /// A hash of its arguments and its body, as far as the sources have them.
    #[serde(skip)]
    pub body: String,
}

/// In which way a function has a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Returns a mechanism.
    Mechanism,
    /// Takes a vault and returns what is left of it.
    Vault,
    /// Opens a vault: the price is its budget.
    Opens,
}

/// The two ends of a vault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InOut {
    pub goes_in: Stated,
    pub comes_out: Stated,
}

/// A part of a function: another audited function that its body calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// As the body writes it.
    pub call: String,
    /// How many times the body writes it.
    pub times: u32,
    /// The function; none for an instance that is not listed.
    pub id: Option<String>,
}

/// A rule that is not kept, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Violation {
    pub file: String,
    pub line: u32,
    /// One of [`RULES`](crate::rules::RULES).
    pub rule: String,
    pub message: String,
}

/// What the prices rest on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Trust {
    /// Packages whose sources were read.
    pub scanned: Vec<String>,
    /// Dependencies whose sources were not.
    pub not_scanned: Vec<String>,
    /// Among all of these, the ones that use privet.
    pub users: Vec<String>,
    /// Packages that the policy trusts with `unsafe`.
    pub trusted: Vec<String>,
    /// Each `unsafe` that was found.
    pub unsafe_code: Vec<Spot>,
    /// Each place where a vault is opened.
    pub opened: Vec<Spot>,
    /// Each place that calls a function which opens one.
    pub opener_calls: Vec<Spot>,
    /// Each public function whose price, or data, is a type parameter of its own.
    #[serde(default)]
    pub by_callers: Vec<Spot>,
    /// Each place that declares its data public: whatever runs on it is not paid.
    #[serde(default)]
    pub simulated: Vec<Spot>,
    /// In words.
    pub assumptions: Vec<String>,
}

/// A place in the sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Spot {
    pub package: String,
    pub file: String,
    pub line: u32,
    pub what: String,
}

impl Report {
    /// Prices, parts and totals. Rules are judged later.
    ///
    /// `calls` are those of functions that are not audited, by package: what they call is spent
    /// there, too, and not only as a part.
    pub fn new(
        project: String,
        privet: String,
        lines: &[Line],
        calls: &[(String, Vec<String>)],
        defined: &Defined,
    ) -> Result<Self> {
        let mut read = lines
            .iter()
            .map(|line| Ok((function(line)?, &line.mentions)))
            .collect::<Result<Vec<_>>>()?;
        read.sort_by(|(a, _), (b, _)| (&a.file, a.line, &a.id).cmp(&(&b.file, b.line, &b.id)));
        let (mut functions, mentions): (Vec<Function>, Vec<_>) = read.into_iter().unzip();
        // A library and a program of one name may each have a function of one name.
        let mut ids: BTreeMap<String, usize> = BTreeMap::new();
        for function in &functions {
            *ids.entry(function.id.clone()).or_default() += 1;
        }
        for function in &mut functions {
            if ids[&function.id] > 1 {
                function.id = format!("{} ({})", function.id, function.file);
            }
        }
        let by_name = ByName::of(&functions);
        let parts: Vec<Vec<Part>> = functions
            .iter()
            .zip(mentions)
            .map(|(f, mentions)| parts(&Caller::of(f), mentions, &by_name, defined))
            .collect();
        let called = called(&by_name, calls);
        for (function, parts) in functions.iter_mut().zip(parts) {
            function.parts = parts;
        }
        let violations = unlisted(&functions, &called);
        let elsewhere: Vec<String> = called.into_iter().filter_map(|part| part.id).collect();
        Ok(Report {
            schema: SCHEMA,
            tool: env!("CARGO_PKG_VERSION").to_string(),
            privet,
            project,
            made: Made::default(),
            policy: None,
            verdict: Verdict::default(),
            data: data_sets(&functions, &elsewhere),
            functions,
            violations,
            warnings: Vec::new(),
            excepted: Vec::new(),
            allowed: Vec::new(),
            unseen: Vec::new(),
            trust: Trust::default(),
        })
    }

    /// The function of an id.
    pub fn function(&self, id: &str) -> Option<&Function> {
        self.functions.iter().find(|f| f.id == id)
    }
}

fn function(line: &Line) -> Result<Function> {
    let unreadable = || Error::Unreadable {
        line: format!("{line:?}"),
    };
    let read = |text: &str| text.parse::<Price>().map_err(|_| unreadable());
    let name = match line.instance.as_str() {
        "" => line.name.clone(),
        instance => instance.to_string(),
    };
    let first = read(&line.price)?;
    let left = line.left.as_deref().map(read).transpose()?;
    let price = match left {
        Some(left) => price::minus(first, left).ok_or_else(unreadable)?,
        None => first,
    };
    let declared = match line.at_most.as_str() {
        "" => None,
        text => Some(price::state(read(text)?)),
    };
    Ok(Function {
        id: format!("{}::{name}", line.module),
        package: line.package.clone(),
        module: line.module.clone(),
        name,
        kind: match line.kind.as_str() {
            "mechanism" => Kind::Mechanism,
            "vault" => Kind::Vault,
            "opens" => Kind::Opens,
            _ => return Err(unreadable()),
        },
        data: readable(&line.data),
        price: price::state(price),
        vault: left.map(|left| InOut {
            goes_in: price::state(first),
            comes_out: price::state(left),
        }),
        declared,
        ceiling: None,
        file: line.file.clone(),
        line: line.line,
        parts: Vec::new(),
        other_vaults: line.other_vaults,
        public: false,
        on_account: false,
        takes: line.takes.clone(),
        body: String::new(),
    })
}

/// A type's name as people write it: our own types without their path, defaults left out.
fn readable(name: &str) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for c in name.chars().chain(core::iter::once('\0')) {
        if c.is_alphanumeric() || matches!(c, '_' | ':') {
            word.push(c);
            continue;
        }
        if word.starts_with("privet::") {
            text += word.rsplit("::").next().unwrap_or_default();
        } else {
            text += &word;
        }
        word.clear();
        if c != '\0' {
            text.push(c);
        }
    }
    text.replace(", AddRemove>", ">")
        .replace(", MayShare>", ">")
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn line(name: &str, price: &str, mentions: &[&str]) -> Line {
        Line {
            format: 2,
            package: "p".into(),
            module: "p".into(),
            name: base(name).into(),
            instance: if name.contains('<') {
                name.into()
            } else {
                String::new()
            },
            file: "src/lib.rs".into(),
            line: 1 + u32::from(name.as_bytes()[0]),
            at_most: String::new(),
            kind: "mechanism".into(),
            takes: "()".into(),
            data: "privet::domain::Table<p::Row, privet::domain::AddRemove>".into(),
            price: price.into(),
            left: None,
            other_vaults: 0,
            mentions: mentions.iter().map(ToString::to_string).collect(),
        }
    }

    /// A report on these functions, and on calls from the package's other code.
    pub fn report(lines: &[Line], calls: &[&str], defined: &Defined) -> Report {
        let calls = [(
            "p".to_string(),
            calls.iter().map(ToString::to_string).collect(),
        )];
        Report::new("p".into(), "0".into(), lines, &calls, defined).expect("readable")
    }

    #[test]
    fn two_functions_of_one_path_are_told_apart() {
        let mut lines = [line("a", "1/4", &[]), line("a", "1/2", &[])];
        lines[1].file = "src/main.rs".into();
        let report = report(&lines, &[], &Defined::new());
        assert_eq!(report.data[0].total.text, "ε = 3/4");
        let second = report
            .function("p::a (src/main.rs)")
            .expect("the program's");
        assert_eq!(second.price.text, "ε = 1/2");
    }
}
