//! How often vaults are opened: who calls the openers, from where, and whether that runs once.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::{Spot, Violation};
use crate::scan::Scan;
use crate::scan::graph::{Defined, Mention};
use crate::scan::walk::{Arm, Function};

/// All that is known of functions and their calls, over all packages.
pub struct Calls<'a> {
    scans: &'a [Scan],
    functions: Vec<&'a Defined>,
    /// By new name: files, and what is called so there.
    renamed: BTreeMap<&'a str, Vec<(&'a str, &'a str)>>,
    /// Files and the names that they import.
    imported: BTreeSet<(&'a str, &'a str)>,
    /// Functions that are priced by their callers: files and lines.
    by_callers: BTreeSet<(&'a str, u32)>,
}

/// Types that need no `use`, or come by that of privet's prelude.
const TYPES: [&str; 7] = ["Box", "Option", "Result", "Self", "String", "Vault", "Vec"];

/// What was found about openers.
#[derive(Default)]
pub struct Found {
    /// Each place that names an opener.
    pub calls: Vec<Spot>,
    /// Public openers that no place names.
    pub uncalled: Vec<Spot>,
    pub violations: Vec<Violation>,
}

impl<'a> Calls<'a> {
    pub fn new(scans: &'a [Scan]) -> Self {
        let functions = scans.iter().flat_map(|scan| &scan.graph);
        let mut renamed: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        for (file, new, old) in scans.iter().flat_map(|scan| &scan.renamed) {
            renamed.entry(new).or_default().push((file, old));
        }
        let imported = scans.iter().flat_map(|scan| &scan.imported);
        let by_callers = scans.iter().flat_map(|scan| &scan.by_callers);
        Calls {
            by_callers: by_callers.map(|s| (s.file.as_str(), s.line)).collect(),
            scans,
            functions: functions.collect(),
            renamed,
            imported: imported
                .map(|(file, name)| (file.as_str(), name.as_str()))
                .collect(),
        }
    }

    /// Judges openings and calls of openers.
    pub fn judge(&self) -> Found {
        let mut found = Found::default();
        for scan in self.scans {
            let mut seen: BTreeSet<(&str, &str, usize)> = BTreeSet::new();
            for opening in &scan.openings {
                let spot = &opening.spot;
                let mut add = |rule: &str, message: String| {
                    found
                        .violations
                        .push(violation(rule, &spot.file, spot.line, message));
                };
                match opening.inside.as_deref() {
                    Some(function) if function.opens && !function.by_macro => {
                        if let Some(why) = opening.again {
                            add(
                                "opens",
                                format!(
                                    "`{}` opens a vault {why}: nobody sees how often, and each starts a new budget",
                                    function.name
                                ),
                            );
                        }
                        if !seen.insert((&spot.file, &function.name, function.line)) {
                            add(
                                "opens",
                                format!(
                                    "`{}` opens a second vault: each starts a new budget",
                                    function.name
                                ),
                            );
                        }
                    }
                    Some(function) => add(
                        "opens",
                        format!(
                            "`{}` opens a vault and is not marked as an opener: put `#[privet::audited(opens)]` on it, so that its budget is on the list",
                            function.name
                        ),
                    ),
                    None => add(
                        "opens",
                        format!(
                            "a vault is opened outside of a function that is marked as an opener: {}",
                            spot.what
                        ),
                    ),
                }
            }
        }
        let openers: Vec<&Defined> = self
            .functions
            .iter()
            .copied()
            .filter(|d| d.function.opens)
            .collect();
        for opener in openers {
            self.judge_opener(opener, &mut found);
        }
        found
    }

    fn judge_opener(&self, opener: &Defined, found: &mut Found) {
        let name = &opener.function.name;
        let mentions = self.mentions_of(opener);
        // No violation: it is on the list with its budget, and says itself that it opens. That its package is
        // not published keeps nobody from calling it by a path or by git.
        if mentions.is_empty() && opener.function.public {
            found.uncalled.push(Spot {
                package: opener.package.clone(),
                file: opener.file.clone(),
                line: line(opener.function.line),
                what: format!("`{name}`"),
            });
        }
        for mention in &mentions {
            let caller = mention
                .inside
                .as_ref()
                .map_or("no function", |f| f.name.as_str());
            found.calls.push(Spot {
                package: mention.package.clone(),
                file: mention.file.clone(),
                line: line(mention.line),
                what: format!("`{name}` in `{caller}`"),
            });
        }
        // Instances of a generic opener have a budget each.
        let instances: BTreeSet<&str> = mentions.iter().map(|m| m.instance.as_str()).collect();
        let distinct = instances.len() == mentions.len() && !instances.contains("");
        if mentions.len() > 1 && !distinct && !is_one_call(&mentions) {
            for mention in &mentions[1..] {
                let message = format!(
                    "`{name}` opens a vault, and is called at {} places: each call starts a new budget",
                    mentions.len()
                );
                found.violations.push(violation(
                    "opened-once",
                    &mention.file,
                    line(mention.line),
                    message,
                ));
            }
        }
        for mention in &mentions {
            if let Some(why) = self.why_not_once(mention, &mut Vec::new()) {
                let message =
                    format!("`{name}` opens a vault, and may be called more than once: {why}");
                found.violations.push(violation(
                    "opened-once",
                    &mention.file,
                    line(mention.line),
                    message,
                ));
            }
        }
    }

    /// Why code may run more than once, if it may.
    fn why_not_once(&self, mention: &Mention, above: &mut Vec<Function>) -> Option<String> {
        if let Some(why) = mention.again {
            return Some(format!("it is named {why}"));
        }
        if !mention.called {
            return Some("it is handed on as a value".into());
        }
        let Some(inside) = mention.inside.as_deref() else {
            return Some("it is named outside of a function".into());
        };
        let priced = (mention.file.as_str(), line(inside.line));
        if inside.audited && !inside.opens || self.by_callers.contains(&priced) {
            return Some(format!(
                "`{}` is priced by what its type says, and a budget is opened in its body",
                inside.name
            ));
        }
        if inside.of_trait {
            return Some(format!("`{}` is a function of a trait", inside.name));
        }
        if inside.by_macro {
            return Some(format!("`{}` is written by a macro", inside.name));
        }
        if above.contains(inside) {
            return Some(format!("`{}` calls itself", inside.name));
        }
        let definition = self.functions.iter().find(|d| {
            d.function == *inside && d.file == mention.file && d.package == mention.package
        });
        let definition = definition?;
        let callers = self.mentions_of(definition);
        if inside.name == "main" && inside.owner.is_none() && inside.modules.is_empty() {
            // `main` is called by nobody, or by a program.
            let own = ["", "self", "super", "crate"];
            let called = callers.iter().any(|m| {
                let brings = |what: &str| self.imported.contains(&(m.file.as_str(), what));
                let brought = brings("main") || brings("*") || brings("*inside");
                m.package == definition.package
                    || !own.contains(&m.qualifier.as_str())
                    || m.qualifier.is_empty() && brought
            });
            return called.then(|| "`main` is called again".to_string());
        }
        if let Some(attribute) = &inside.registered {
            return Some(format!(
                "`{}` has the attribute `{attribute}`, which may call it",
                inside.name
            ));
        }
        match &callers[..] {
            // An opener of its own: its calls are judged as such.
            [] if inside.opens => None,
            [] if inside.public => Some(format!(
                "`{}` is public, and others may call it",
                inside.name
            )),
            [] => None,
            callers if is_one_call(callers) => {
                above.push(inside.clone());
                let mut why = callers
                    .iter()
                    .filter_map(|one| self.why_not_once(one, above));
                why.next()
                    .map(|why| format!("`{}` opens it, and {why}", inside.name))
            }
            many => Some(format!(
                "`{}` is called at {} places",
                inside.name,
                many.len()
            )),
        }
    }

    /// The places that may name a function. Where it is not clear which of several functions is
    /// meant, all are.
    fn mentions_of(&self, wanted: &Defined) -> Vec<&'a Mention> {
        let mentions = self.scans.iter().flat_map(|scan| &scan.mentions);
        let mut found: Vec<&Mention> = mentions
            .filter(|m| self.originals(m).contains(&wanted.function.name.as_str()))
            .filter(|m| self.may_mean(m, wanted))
            .collect();
        found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        found
    }

    /// The names that a mention may stand for: its own, and those that a `use` calls so. A name that
    /// its own file gives is that file's; otherwise anyone's.
    fn originals(&self, mention: &'a Mention) -> Vec<&'a str> {
        let mut names = vec![mention.name.as_str()];
        let mut at = 0;
        while let Some(name) = names.get(at).copied() {
            at += 1;
            let Some(renamed) = self.renamed.get(name) else {
                continue;
            };
            let here = |(file, _): &&(&str, &str)| *file == mention.file;
            let own = renamed.iter().any(|r| here(&r))
                && !self.imported.contains(&(mention.file.as_str(), name));
            let old = renamed
                .iter()
                .filter(|r| !own || here(r))
                .map(|(_, old)| *old);
            let old: Vec<&str> = old.filter(|old| !names.contains(old)).collect();
            names.extend(old);
        }
        names
    }

    /// Whether a file of a module or a package of this name brings in what may have a name: others may
    /// find it there, too.
    fn hands_on(&self, qualifier: &str, name: &str) -> bool {
        let is_it = |file: &str| {
            let stem = file
                .rsplit('/')
                .next()
                .unwrap_or(file)
                .trim_end_matches(".rs");
            let folder = file.rsplit('/').nth(1).unwrap_or_default();
            let packages = || self.scans.iter().filter(|scan| scan.files.contains(file));
            let package = |scan: &Scan| scan.package.replace('-', "_") == qualifier;
            stem == qualifier || folder == qualifier || packages().any(package)
        };
        let modules = [qualifier, "$"].into_iter();
        let in_braces = modules.flat_map(|m| [format!("{m}::{name}"), format!("{m}::*")]);
        let in_braces: Vec<String> = in_braces.collect();
        let mut imported = self.imported.iter();
        let by_use = imported.any(|(file, what)| {
            in_braces.iter().any(|path| path == what)
                || (*what == name || what.starts_with('*')) && is_it(file)
        });
        let mut renamed = self.renamed.get(name).into_iter().flatten();
        by_use || renamed.any(|(file, _)| is_it(file))
    }

    /// Whether some file has this among what it brings in or declares.
    fn has(&self, what: &str) -> bool {
        self.imported.iter().any(|(_, one)| *one == what)
    }

    /// Whether a package includes a file as a part of another.
    fn includes(&self, package: &str) -> bool {
        let mut scans = self.scans.iter().filter(|scan| scan.package == package);
        let includes = |(_, what): &(String, String)| what == "include!";
        scans.any(|scan| scan.imported.iter().any(includes))
    }

    /// Whether what stands before a name in a path is a type: none that we do not know, since a module
    /// or a crate may begin with a capital, too.
    fn is_type(&self, mention: &Mention) -> bool {
        let name = &mention.qualifier;
        let known = || {
            let used = format!("use {name}");
            TYPES.contains(&name.as_str())
                || self.has(&format!("type {name}"))
                || self
                    .imported
                    .contains(&(mention.file.as_str(), used.as_str()))
        };
        let module = self.has(&format!("mod {name}")) || self.renamed.contains_key(name.as_str());
        name.starts_with(char::is_uppercase) && !module && known()
    }

    fn may_mean(&self, mention: &Mention, wanted: &Defined) -> bool {
        let function = &wanted.function;
        // Inside of itself it is named by a call of its own only.
        if mention.method {
            return function.method;
        }
        // Behind a type there is no free function.
        if mention.qualifier == "<>" || mention.qualifier == "Self" {
            return function.owner.is_some() || function.of_trait;
        }
        let same = |d: &&&Defined| d.function.name == mention.name;
        let here = self.functions.iter().filter(same);
        // One that may be left out of the build proves nothing.
        let here = here.filter(|d| !d.function.unsure && !d.function.nested);
        if mention.qualifier.is_empty() {
            let imports = |name: &str| self.imported.contains(&(mention.file.as_str(), name));
            // One in the same module hides what a `*` brings there, and in no other place.
            let local = || {
                here.clone().filter(|d| {
                    d.function.owner.is_none()
                        && d.file == mention.file
                        && d.function.modules == mention.modules
                })
            };
            let imported = imports(&mention.name);
            if local().next().is_some() && !imported && !imports("*inside") {
                return local().any(|d| *d == wanted) && function.owner.is_none();
            }
            // A local variable of that name is no function; a call or a path is.
            let may_come = imported || imports("*") || imports("*inside");
            // A file that is included has the names of another.
            let may_come = may_come || self.includes(&mention.package);
            let known = mention.called || may_come || wanted.file == mention.file;
            return function.owner.is_none() && known;
        }
        let qualifier = &mention.qualifier;
        let owned_by = |d: &Defined| {
            let file = d
                .file
                .rsplit('/')
                .next()
                .unwrap_or(&d.file)
                .trim_end_matches(".rs");
            let folder = d.file.rsplit('/').nth(1).unwrap_or_default();
            d.function.owner.as_ref() == Some(qualifier)
                || d.function.modules.last() == Some(qualifier)
                || d.function.owner.is_none() && (file == qualifier || folder == qualifier)
                || d.package.replace('-', "_") == *qualifier
        };
        // A module or a crate may have the name of another here: `use crate::opener as hospital`.
        let renamed = ["", qualifier]
            .iter()
            .any(|new| self.renamed.contains_key(new));
        if here.clone().any(|d| owned_by(d)) && !renamed && !self.hands_on(qualifier, &mention.name)
        {
            return owned_by(wanted);
        }
        // `super`, a module or a crate under another name: any of them. But not a type that
        // has no function of this name here, as `File::open` or `Vec::new`.
        let known = ["self", "super", "crate"].contains(&qualifier.as_str());
        known || !self.is_type(mention) || function.owner.is_some()
    }
}

/// Whether at most one of some mentions runs: each is called in another arm of one `match`.
fn is_one_call(mentions: &[&Mention]) -> bool {
    let excludes = |a: &Mention, b: &Mention| {
        let mut arms = a.arms.iter();
        let apart = |arm: &Arm| {
            b.arms
                .iter()
                .any(|other| other.0 == arm.0 && other.1 != arm.1)
        };
        a.file == b.file && a.inside == b.inside && arms.any(apart)
    };
    let mut pairs = mentions.iter().enumerate();
    pairs.all(|(at, a)| mentions[at + 1..].iter().all(|b| excludes(a, b)))
}

fn violation(rule: &str, file: &str, line: u32, message: String) -> Violation {
    Violation {
        file: file.to_string(),
        line,
        rule: rule.to_string(),
        message,
    }
}

fn line(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}
