//! What an audit found, as data: every format is made from this, and JSON is this.

use std::collections::{BTreeMap, BTreeSet};

use privet::Price;
use serde::{Deserialize, Serialize};

use crate::collect::Line;
use crate::error::{Error, Result};
use crate::price::{self, Stated};

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
    pub data: Vec<DataSet>,
    pub functions: Vec<Function>,
    pub violations: Vec<Violation>,
    pub trust: Trust,
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
    /// One of [`RULES`](crate::policy::RULES).
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
    /// Packages that the policy trusts with `unsafe`.
    pub trusted: Vec<String>,
    /// Each `unsafe` that was found.
    pub unsafe_code: Vec<Spot>,
    /// Each place where a vault is opened.
    pub opened: Vec<Spot>,
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
        let mut functions = lines
            .iter()
            .map(function)
            .collect::<Result<Vec<Function>>>()?;
        functions.sort_by(|a, b| (&a.file, a.line, &a.id).cmp(&(&b.file, b.line, &b.id)));
        // A library and a program of one name may each have a function of one name.
        let ids: Vec<String> = functions.iter().map(|f| f.id.clone()).collect();
        for function in &mut functions {
            if ids.iter().filter(|id| **id == function.id).count() > 1 {
                function.id = format!("{} ({})", function.id, function.file);
            }
        }
        let parts: Vec<Vec<Part>> = functions
            .iter()
            .map(|f| parts(&Caller::of(f), mentions(lines, f), &functions, defined))
            .collect();
        for (function, parts) in functions.iter_mut().zip(parts) {
            function.parts = parts;
        }
        let called = called(&functions, calls);
        let violations = unlisted(&functions, &called);
        let elsewhere: Vec<String> = called.into_iter().filter_map(|part| part.id).collect();
        Ok(Report {
            schema: SCHEMA,
            tool: env!("CARGO_PKG_VERSION").to_string(),
            privet,
            project,
            data: data_sets(&functions, &elsewhere),
            functions,
            violations,
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
    })
}

fn mentions<'a>(lines: &'a [Line], function: &Function) -> &'a [String] {
    // A macro may write several functions on one line.
    lines
        .iter()
        .find(|line| {
            (&line.file, line.line, &line.module)
                == (&function.file, function.line, &function.module)
                && base(&line.name) == base(&function.name)
        })
        .map_or(&[], |line| &line.mentions)
}

/// Where a call stands.
struct Caller<'a> {
    id: &'a str,
    module: &'a str,
    package: &'a str,
    file: &'a str,
}

impl<'a> Caller<'a> {
    fn of(function: &'a Function) -> Self {
        Caller {
            id: &function.id,
            module: &function.module,
            package: &function.package,
            file: &function.file,
        }
    }
}

/// What functions call that are not audited themselves.
fn called(functions: &[Function], calls: &[(String, Vec<String>)]) -> Vec<Part> {
    let by_package = calls.iter().flat_map(|(package, calls)| {
        let caller = Caller {
            id: "",
            module: "",
            package,
            file: "",
        };
        parts(&caller, calls, functions, &Defined::new())
    });
    by_package.collect()
}

/// Calls from code without the attribute of instances that have no price.
fn unlisted(functions: &[Function], calls: &[Part]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for part in calls.iter().filter(|part| part.id.is_none()) {
        let path = part.call.split("::<").next().unwrap_or_default();
        let generic = |f: &&Function| f.name.contains("::<") && base(&f.name) == base(path);
        // A bare name is no function of an `impl` block.
        let reached = |f: &&Function| path.contains("::") || f.name.starts_with(path);
        if let Some(f) = functions.iter().filter(generic).find(reached) {
            violations.push(Violation {
                file: f.file.clone(),
                line: f.line,
                rule: "seen".into(),
                message: format!(
                    "`{}` is called by code without the attribute, and no such instance is listed: name the instance there and list it here, or audit the caller",
                    part.call
                ),
            });
        }
    }
    violations
}

/// Which of the calls in a body are audited functions.
fn parts(
    caller: &Caller<'_>,
    mentions: &[String],
    functions: &[Function],
    defined: &Defined,
) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for call in mentions {
        if let Some(part) = parts.iter_mut().find(|part| part.call == *call) {
            part.times += 1;
            continue;
        }
        let (path, instance) = match call.split_once("::<") {
            Some((path, rest)) => (path, Some(format!("::<{rest}"))),
            None => (call.as_str(), None),
        };
        let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
        let module = module
            .trim_start_matches("crate")
            .trim_start_matches("self");
        let named = |f: &&Function| base(&f.name) == name && f.id != caller.id;
        let near = |f: &Function| match module.rsplit("::").next().unwrap_or_default() {
            "" | "super" => f.module == caller.module || f.package == caller.package,
            last => {
                f.module.rsplit("::").next() == Some(last)
                    || f.name.starts_with(&format!("{last}::"))
                    || last == "Self" && f.module == caller.module
            }
        };
        let mut found: Vec<&Function> = functions.iter().filter(named).collect();
        if found.iter().any(|f| near(f)) {
            found.retain(|f| near(f));
        }
        if found.iter().any(|f| f.module == caller.module) && module.is_empty() {
            found.retain(|f| f.module == caller.module);
        }
        // A function of the caller's own file is meant before one of that name elsewhere.
        if module.is_empty() && defined.contains(&(caller.file.to_string(), name.to_string())) {
            found.retain(|f| f.file == caller.file);
        }
        if found.is_empty() {
            continue;
        }
        let wanted = format!("{name}{}", instance.unwrap_or_default());
        found.retain(|f| f.name == wanted || f.name.ends_with(&format!("::{wanted}")));
        // Which of several functions of one name is called is not known. Of a function, then, none
        // is a part, and code without the attribute calls all of them: no total is too low.
        let ids: Vec<Option<String>> = match &found[..] {
            [one] => vec![Some(one.id.clone())],
            many if caller.id.is_empty() && !many.is_empty() => {
                many.iter().map(|f| Some(f.id.clone())).collect()
            }
            _ => vec![None],
        };
        parts.extend(ids.into_iter().map(|id| Part {
            call: call.clone(),
            times: 1,
            id,
        }));
    }
    parts
}

/// A function's name without its type and its instance: `mean` of `Patient::mean::<Eps<1, 2>>`.
pub fn base(name: &str) -> &str {
    let path = name.split_once("::<").map_or(name, |(path, _)| path);
    path.rsplit("::").next().unwrap_or(path)
}

fn data_sets(functions: &[Function], called: &[String]) -> Vec<DataSet> {
    let mut by_data: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in functions {
        by_data.entry(&function.data).or_default().push(function);
    }
    by_data
        .into_iter()
        .map(|(name, functions)| {
            let (opens, spends): (Vec<_>, Vec<_>) =
                functions.into_iter().partition(|f| f.kind == Kind::Opens);
            let roots = roots(&spends, called);
            let sum = |functions: &[&Function]| {
                functions
                    .iter()
                    .filter_map(|f| f.price.price())
                    .reduce(price::plus)
                    .map(price::state)
            };
            let total = sum(&roots)
                .unwrap_or_else(|| price::state(Price::pure(privet::Ratio::from_integer(0))));
            DataSet {
                name: name.to_string(),
                total,
                budget: sum(&opens),
                ceiling: None,
                roots: roots.iter().map(|f| f.id.clone()).collect(),
            }
        })
        .collect()
}

/// The functions that are no part of another, or are called elsewhere, too; of a ring, the first.
fn roots<'a>(functions: &[&'a Function], elsewhere: &[String]) -> Vec<&'a Function> {
    // What costs more than a function, or cannot be compared with it, is no part of its price.
    let covers = |whole: &Function, part: &str| {
        let part = functions.iter().find(|f| f.id == part);
        part.is_none_or(|part| match (part.price.price(), whole.price.price()) {
            (Some(part), Some(whole)) => price::at_most(part, whole) == Some(true),
            _ => false,
        })
    };
    let ids = |f: &'a Function| {
        let ids = f.parts.iter().filter_map(|part| part.id.as_deref());
        ids.filter(move |id| covers(f, id))
    };
    let called: Vec<&str> = functions.iter().flat_map(|f| ids(f)).collect();
    let mut roots = Vec::new();
    let mut reached: Vec<&str> = Vec::new();
    let free = functions
        .iter()
        .filter(|f| !called.contains(&f.id.as_str()));
    for function in free.chain(functions) {
        let known = roots.iter().any(|root: &&Function| root.id == function.id);
        if known || reached.contains(&function.id.as_str()) && !elsewhere.contains(&function.id) {
            continue;
        }
        roots.push(*function);
        let mut next = vec![*function];
        while let Some(function) = next.pop() {
            if reached.contains(&function.id.as_str()) {
                continue;
            }
            reached.push(&function.id);
            next.extend(ids(function).filter_map(|id| functions.iter().find(|f| f.id == id)));
        }
    }
    roots.sort_by(|a, b| (&a.file, a.line, &a.id).cmp(&(&b.file, b.line, &b.id)));
    roots
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
mod tests {
    use super::*;

    fn line(name: &str, price: &str, mentions: &[&str]) -> Line {
        Line {
            format: 1,
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
            data: "privet::domain::Table<p::Row, privet::domain::AddRemove>".into(),
            price: price.into(),
            left: None,
            other_vaults: 0,
            mentions: mentions.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn a_part_is_counted_in_its_whole() {
        let lines = [
            line("a", "1/4", &["rows::<Row>"]),
            line("b::<Eps<1, 2>>", "1/2", &[]),
            line("b::<Eps<1, 4>>", "1/4", &[]),
            line("c", "3/4", &["a", "b::<Eps<1, 2>>", "a"]),
        ];
        let report =
            Report::new("p".into(), "0".into(), &lines, &[], &Defined::new()).expect("readable");
        let elsewhere = [("p".to_string(), vec!["a".to_string()])];
        let more = Report::new("p".into(), "0".into(), &lines, &elsewhere, &Defined::new())
            .expect("readable");
        assert_eq!(more.data[0].total.text, "ε = 5/4");
        let [data] = &report.data[..] else {
            panic!("one data set")
        };
        assert_eq!(data.name, "Table<p::Row>");
        assert_eq!(data.total.text, "ε = 1");
        assert_eq!(data.roots, ["p::b::<Eps<1, 4>>", "p::c"]);
        let whole = report.function("p::c").expect("c");
        assert_eq!(whole.parts.len(), 2);
        assert_eq!(whole.parts[0].times, 2);
    }

    #[test]
    fn what_costs_more_than_its_caller_is_no_part_of_it() {
        let lines = [line("a", "100", &[]), line("c", "1/100", &["a"])];
        let report =
            Report::new("p".into(), "0".into(), &lines, &[], &Defined::new()).expect("readable");
        assert_eq!(report.data[0].total.text, "ε = 10001/100");
    }

    #[test]
    fn of_functions_of_one_name_none_is_hidden() {
        let mut lines = [
            line("a", "1/2", &[]),
            line("a", "1/8", &[]),
            line("c", "1/2", &["a"]),
        ];
        lines[0].module = "p::x".into();
        lines[1].module = "p::y".into();
        let total = |calls: &[(String, Vec<String>)]| {
            let report = Report::new("p".into(), "0".into(), &lines, calls, &Defined::new())
                .expect("readable");
            report.data[0].total.text.clone()
        };
        assert_eq!(total(&[]), "ε = 9/8");
        assert_eq!(total(&[("p".into(), vec!["a".into()])]), "ε = 9/8");
    }

    #[test]
    fn a_private_function_of_the_same_name_hides_nothing() {
        let mut lines = [line("a", "1/2", &[]), line("c", "1/2", &["a"])];
        lines[1].file = "src/other.rs".into();
        let total = |defined: &Defined| {
            let report = Report::new("p".into(), "0".into(), &lines, &[], defined);
            report.expect("readable").data[0].total.text.clone()
        };
        assert_eq!(total(&Defined::new()), "ε = 1/2");
        let own = Defined::from([("src/other.rs".to_string(), "a".to_string())]);
        assert_eq!(total(&own), "ε = 1");
    }

    #[test]
    fn an_instance_that_is_not_listed_and_called_outside_is_told() {
        let lines = [line("b::<Eps<1, 2>>", "1/2", &[]), line("c", "1", &["b"])];
        let told = |call: &str| {
            let calls = [("p".to_string(), vec![call.to_string()])];
            let report = Report::new("p".into(), "0".into(), &lines, &calls, &Defined::new())
                .expect("readable");
            report.violations.len()
        };
        assert_eq!(told("b::<Eps<1, 2>>"), 0);
        assert_eq!(told("b::<Eps<9, 1>>"), 1);
        assert_eq!(told("b"), 1);
        assert_eq!(told("other"), 0);
    }

    #[test]
    fn two_functions_of_one_path_are_told_apart() {
        let mut lines = [line("a", "1/4", &[]), line("a", "1/2", &[])];
        lines[1].file = "src/main.rs".into();
        let report =
            Report::new("p".into(), "0".into(), &lines, &[], &Defined::new()).expect("readable");
        assert_eq!(report.data[0].total.text, "ε = 3/4");
        let second = report
            .function("p::a (src/main.rs)")
            .expect("the program's");
        assert_eq!(second.price.text, "ε = 1/2");
    }

    #[test]
    fn a_ring_of_calls_is_still_counted() {
        let lines = [line("a", "1/4", &["b"]), line("b", "1/4", &["a"])];
        let report =
            Report::new("p".into(), "0".into(), &lines, &[], &Defined::new()).expect("readable");
        assert_eq!(report.data[0].total.text, "ε = 1/4");
    }
}
