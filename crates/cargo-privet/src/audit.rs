//! One audit: prices from the compiler, rules from the sources.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{Dependency, DependencyKind, Metadata, Package, PackageId};

use crate::collect::{Line, Project, compiler, host};
use crate::date::Date;
use crate::error::{Error, Result};
use crate::fresh::Turn;
use crate::git;
use crate::openers;
use crate::origin::Library;
use crate::place::Places;
use crate::policy::{Policy, judge_always, people, rows_of};
use crate::render::of_one_row;
use crate::report::{Kind, Made, Report, Spot, Trust, Verdict, Violation};
use crate::scan::{self, Scan};

/// Audits a project. `policy` is a file that was asked for; otherwise the project's own is used.
pub fn audit(project: &Project, policy: Option<&PathBuf>) -> Result<Report> {
    let metadata = project.metadata()?;
    let dir = project.audit_dir(&metadata);
    let _turn = Turn::take(&dir, project.quiet)?;
    if !project.quiet && !dir.join("build").exists() {
        eprintln!(
            "the first audit here builds the project and its dependencies anew, apart from other builds; later ones build what changed"
        );
    }
    let report = judged(project, &metadata, policy)?;
    // A library may leave every price to its callers.
    if report.functions.is_empty() && report.trust.by_callers.is_empty() {
        return Err(Error::NothingAudited {
            root: metadata.workspace_root.into(),
            asked: project.packages.clone(),
        });
    }
    Ok(report)
}

/// The policy of a project.
pub fn policy(metadata: &Metadata, asked: Option<&PathBuf>) -> Result<Option<Policy>> {
    let root = metadata.workspace_root.as_std_path();
    let own = root.join("privet.toml");
    let path = asked.unwrap_or(&own);
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
    Policy::read(path, &Places::of(metadata).show(&absolute), asked.is_some())
}

/// Prices and rules. The caller has its turn in the audit's directory.
pub fn judged(project: &Project, metadata: &Metadata, asked: Option<&PathBuf>) -> Result<Report> {
    let policy = policy(metadata, asked)?;
    let (survey, mut report) = surveyed(project, metadata, policy.as_ref())?;
    report.made = made(project, metadata, &survey.places);
    let files = Files::new(metadata.workspace_root.as_std_path());
    let line = |file: &str, line: u32| files.line(file, line);
    let mut violations = core::mem::take(&mut report.violations);
    violations.extend(judge_always(&report, &survey.scans, &line));
    violations.extend(survey.unscanned(policy.as_ref()));
    violations.extend(survey.origin(metadata, &report.made));
    let judge = policy.as_ref();
    let default = Policy::default();
    // Without a policy there are no ceilings, and all other rules.
    let rules = judge.unwrap_or(&default);
    violations.extend(rules.judge(&mut report, &survey.scans));
    rules.settle(&mut report, violations);
    report.policy = judge.map(Policy::identity);
    report.unseen = survey.unseen(metadata, &report);
    let long = judge.map(|policy| policy.long_exceptions(Date::today()));
    if let Some(long) = long.filter(|long| !long.is_empty()) {
        report.unseen.push(format!(
            "Exceptions of the policy hold for more than a year: {}.",
            long.join(", ")
        ));
    }
    report.verdict = match (&report.violations[..], judge) {
        ([], Some(_)) => Verdict::Kept,
        ([], None) => Verdict::NoPolicy,
        _ => Verdict::Broken,
    };
    Ok(report)
}

/// Files that are read once.
struct Files<'a> {
    root: &'a Path,
    read: RefCell<BTreeMap<String, Vec<String>>>,
}

impl<'a> Files<'a> {
    fn new(root: &'a Path) -> Self {
        Files {
            root,
            read: RefCell::default(),
        }
    }

    /// A line of a file; empty where there is none.
    fn line(&self, file: &str, line: u32) -> String {
        let mut read = self.read.borrow_mut();
        if !read.contains_key(file) {
            let text = std::fs::read_to_string(self.root.join(file)).unwrap_or_default();
            read.insert(file.into(), text.lines().map(str::to_string).collect());
        }
        let at = line.saturating_sub(1) as usize;
        read[file].get(at).cloned().unwrap_or_default()
    }
}

fn made(project: &Project, metadata: &Metadata, places: &Places) -> Made {
    let root = metadata.workspace_root.as_std_path();
    let commit = git::commit(root, "HEAD").ok();
    let status = ["status", "--porcelain", "--", "."];
    Made {
        date: Date::today().to_string(),
        changed: commit
            .as_ref()
            .and_then(|_| git::git(root, &status).ok())
            .map(|text| !text.is_empty()),
        link: commit.as_ref().and_then(|commit| git::link(root, commit)),
        commit,
        features: match project.features.as_str() {
            "" => "default".into(),
            asked => asked.to_string(),
        },
        target: project.target.clone().or_else(host).unwrap_or_default(),
        profile: project.profile.clone().unwrap_or_else(|| "test".into()),
        compiler: compiler().unwrap_or_default(),
        packages: project.packages.clone(),
        privet: Library::of(metadata).origins(places),
        inside: git::inside(root),
    }
}

/// What the sources say, and the prices alone: an empty audit is not an error here.
pub fn surveyed<'a>(
    project: &Project,
    metadata: &'a Metadata,
    policy: Option<&Policy>,
) -> Result<(Survey<'a>, Report)> {
    let library = Library::of(metadata);
    let outside = |package: &&Package| {
        package.source.is_none()
            && !metadata.workspace_members.contains(&package.id)
            && !library.contains(package)
    };
    let (survey, lines) = if linked(project, metadata).iter().any(outside) {
        // Which of them are built is known when they are read.
        let survey = Survey::new(project, metadata, policy);
        let lines = project.lines(metadata, &survey.beyond(), &survey.places)?;
        (survey, lines)
    } else {
        let places = Places::of(metadata);
        std::thread::scope(|scope| {
            let lines = scope.spawn(|| project.lines(metadata, &[], &places));
            let survey = Survey::new(project, metadata, policy);
            let lines = lines
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok((survey, lines))
        })?
    };
    let report = prices(metadata, &survey, lines)?;
    Ok((survey, report))
}

fn prices(metadata: &Metadata, survey: &Survey, mut lines: Vec<Line>) -> Result<Report> {
    let name = metadata.workspace_root.file_name().unwrap_or("project");
    let privet = Library::of(metadata).libraries().next();
    let version = privet.map(|p| p.version.to_string()).unwrap_or_default();
    let mut renamed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (_, new, old) in survey.scans.iter().flat_map(|scan| &scan.renamed) {
        renamed.entry(new).or_default().insert(old);
    }
    for line in &mut lines {
        // What its own file calls so comes first.
        let mut near = renamed.clone();
        for (file, new, old) in survey.scans.iter().flat_map(|scan| &scan.renamed) {
            if *file == line.file {
                near.insert(new, BTreeSet::from([old.as_str()]));
            }
        }
        for mention in &mut line.mentions {
            // One that can mean one function only.
            if let [_, one] = &by_all_names(mention, &near)[..] {
                *mention = one.clone();
            }
        }
    }
    let types = survey.types();
    let calls: Vec<(String, Vec<String>)> = survey
        .scans
        .iter()
        .map(|scan| {
            // What the package itself calls so comes first.
            let mut near = renamed.clone();
            for (_, new, _) in &scan.renamed {
                near.remove(new.as_str());
            }
            for (_, new, old) in &scan.renamed {
                near.entry(new).or_default().insert(old);
            }
            let calls = scan.calls.iter();
            let calls = calls.flat_map(|call| by_all_names(call, &near));
            let calls = calls.map(|call| doubted(&call, &types));
            (scan.package.clone(), calls.collect())
        })
        .collect();
    let defined = survey.scans.iter().flat_map(|scan| scan.functions.clone());
    let mut report = Report::new(
        name.to_string(),
        version,
        &lines,
        &calls,
        &defined.collect(),
    )?;
    let public: BTreeSet<&Spot> = survey.scans.iter().flat_map(|scan| &scan.public).collect();
    for function in &mut report.functions {
        let base = crate::report::base(&function.name);
        let is_it = |spot: &&&Spot| {
            (spot.line, &spot.file, spot.what.as_str()) == (function.line, &function.file, base)
        };
        function.public = public.iter().any(|spot| is_it(&spot));
        if function.kind == Kind::Opens {
            let openings = survey.scans.iter().flat_map(|scan| &scan.openings);
            let mut own = openings.filter(|opening| {
                let line = opening.inside.as_ref().map(|inside| inside.line);
                opening.spot.file == function.file && line == usize::try_from(function.line).ok()
            });
            let first = own.next();
            function.on_account = first.is_some_and(|o| o.on_account) && own.all(|o| o.on_account);
        }
    }
    let bodies: BTreeMap<_, _> = survey.scans.iter().flat_map(|s| &s.bodies).collect();
    for function in &mut report.functions {
        let body = bodies.get(&(function.file.clone(), function.line));
        function.body = body.map(|body| body.to_string()).unwrap_or_default();
    }
    let persons: BTreeSet<&String> = survey.scans.iter().flat_map(|s| &s.persons).collect();
    let named = |record: &str| {
        let path = record.split('<').next().unwrap_or(record);
        let name = path.rsplit("::").next().unwrap_or(path);
        persons.contains(&name.to_string())
    };
    for data in &mut report.data {
        data.one_row = rows_of(&data.name).any(named);
        if data.one_row {
            let functions = report.functions.iter_mut();
            let prices = functions.filter(|f| f.data == data.name);
            let prices = prices.map(|f| &mut f.price);
            for stated in prices.chain([&mut data.total]).chain(&mut data.budget) {
                stated.meaning = of_one_row(&stated.meaning);
            }
        }
    }
    report.trust = survey.trust.clone();
    Ok(report)
}

/// A call, and the same under the names that a `use … as` stands for.
fn by_all_names(call: &str, renamed: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let (path, instance) = call.split_at(call.find("::<").unwrap_or(call.len()));
    let mut names = vec![path.rsplit("::").next().unwrap_or(path)];
    let mut at = 0;
    while let Some(name) = names.get(at).copied() {
        let old = renamed.get(name).into_iter().flatten().copied();
        let old: Vec<&str> = old.filter(|old| !names.contains(old)).collect();
        names.extend(old);
        at += 1;
    }
    // The path before the new name is not that of the old one.
    let others = names[1..].iter().map(|name| format!("{name}{instance}"));
    core::iter::once(call.to_string()).chain(others).collect()
}

/// A call whose instance names a type that there is more than once, so that it is not taken for the
/// one that is listed.
fn doubted(call: &str, types: &BTreeMap<&String, usize>) -> String {
    let Some((path, instance)) = call.split_once("::<") else {
        return call.to_string();
    };
    let own = ["Eps", "Rho", "Approx", "Delta"];
    let mut words = instance.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let doubtful = words.any(|word| {
        let made = types.get(&word.to_string()).copied().unwrap_or(0);
        made > usize::from(!own.contains(&word))
    });
    if doubtful {
        let instance = instance.strip_suffix('>').unwrap_or(instance);
        return format!("{path}::<{instance} /* one of several types of this name */>");
    }
    call.to_string()
}

/// What the sources say, and which sources were read.
pub struct Survey<'a> {
    scans: Vec<Scan>,
    trust: Trust,
    places: Places,
    /// Packages that were read, with whether they are members of the workspace.
    read: Vec<(&'a Package, bool)>,
    /// Packages that use privet and were not read.
    unread_users: Vec<&'a Package>,
    extra: Vec<String>,
}

impl<'a> Survey<'a> {
    /// Whether a package has a function of this name, audited or not.
    pub fn defines(&self, package: &str, name: &str) -> bool {
        let scans = self.scans.iter().filter(|scan| scan.package == package);
        scans
            .flat_map(|scan| &scan.functions)
            .any(|(_, function)| function == name)
    }

    pub fn new(project: &Project, metadata: &'a Metadata, policy: Option<&Policy>) -> Self {
        let places = Places::of(metadata);
        let library = Library::of(metadata);
        let all_users = library.users();
        let extra = policy.map_or(&[][..], |policy| &policy.rules().scan);
        // privet and its derives are what the prices are computed by: they are named as trusted.
        let (own, others): (Vec<_>, Vec<_>) = linked(project, metadata)
            .into_iter()
            .partition(|package| library.contains(package));
        let (read, unread): (Vec<&Package>, Vec<&Package>) = others
            .into_iter()
            .partition(|package| package.source.is_none() || extra.contains(&package.name));
        let users = project.users(metadata);
        let examples = own.iter().filter(|p| users.iter().any(|u| u.id == p.id));
        let packages: Vec<&Package> = read.iter().chain(examples.clone()).copied().collect();
        let member = |p: &Package| metadata.workspace_members.contains(&p.id);
        let mut scans = scan::packages(&packages, metadata, &places);
        for (scan, package) in scans.iter_mut().zip(&packages) {
            scan.unbuilt = !member(package) && !can_be_built(package);
        }
        let label = |p: &&Package| format!("{}@{}", p.name, p.version);
        let of_privet = examples.map(|p| format!("{} (examples)", label(p)));
        let scanned = read.iter().map(label).chain(of_privet);
        let mut trusted: Vec<String> = own.iter().map(label).collect();
        trusted.extend(
            policy
                .map_or(&[][..], |p| &p.rules().trusted)
                .iter()
                .cloned(),
        );
        let uses = |p: &&&Package| all_users.contains(&p.id);
        let trust = Trust {
            scanned: scanned.collect(),
            not_scanned: unread.iter().map(label).collect(),
            users: read.iter().chain(&unread).filter(uses).map(label).collect(),
            trusted,
            unsafe_code: scans.iter().flat_map(|s| s.unsafe_code.clone()).collect(),
            opened: scans.iter().flat_map(|s| s.opened.clone()).collect(),
            opener_calls: openers::Calls::new(&scans).judge().calls,
            by_callers: self::users(&scans)
                .flat_map(|s| s.by_callers.clone())
                .collect(),
            simulated: scans.iter().flat_map(|s| s.simulated.clone()).collect(),
            assumptions: assumptions(unread.len()),
        };
        let unread_users = unread.iter().filter(uses).copied().collect();
        Survey {
            scans,
            trust,
            places,
            read: read.iter().map(|p| (*p, member(p))).collect(),
            unread_users,
            extra: extra.to_vec(),
        }
    }

    /// How many times each name is made that of a type.
    fn types(&self) -> BTreeMap<&String, usize> {
        let mut types = BTreeMap::new();
        for (name, count) in self.scans.iter().flat_map(|scan| &scan.types) {
            *types.entry(name).or_default() += count;
        }
        types
    }

    /// Packages outside of the workspace with audited functions, as far as cargo builds them.
    fn beyond(&self) -> Vec<&'a Package> {
        let outside = self.read.iter().filter(|(_, member)| !member);
        let audited = |package: &Package| {
            let mut scans = self.scans.iter().filter(|s| s.package == *package.name);
            scans.any(|s| s.uses && !s.audited.is_empty())
        };
        let packages = outside.map(|(package, _)| *package);
        packages.filter(|p| can_be_built(p) && audited(p)).collect()
    }

    /// Dependencies that use privet and were not read.
    fn unscanned(&self, policy: Option<&Policy>) -> Vec<Violation> {
        let trusted = policy.map_or(&[][..], |policy| &policy.rules().trusted);
        let told = self
            .unread_users
            .iter()
            .filter(|p| !trusted.contains(&p.name));
        let mut violations: Vec<Violation> = told
            .map(|package| Violation {
                file: "Cargo.toml".into(),
                line: 1,
                rule: "unscanned".into(),
                message: format!(
                    "`{}@{}` uses privet, and its sources were not read: list it under `rules.scan` or `rules.trusted`",
                    package.name, package.version
                ),
            })
            .collect();
        // Macros that users of privet have from packages on this machine.
        let writers = self.read.iter().map(|(package, _)| *package);
        let writers = writers.filter(|p| p.targets.iter().any(|t| t.is_proc_macro()));
        for package in writers.filter(|p| !trusted.contains(&p.name)) {
            violations.push(Violation {
                file: self.places.show(package.manifest_path.as_std_path()),
                line: 1,
                rule: "unscanned".into(),
                message: format!(
                    "the macros of `{}` write code that the scan does not read, and may open vaults: list it under `rules.trusted` after a review",
                    package.name
                ),
            });
        }
        for (package, dependency) in self.switched_on() {
            violations.push(Violation {
                file: self.places.show(package.manifest_path.as_std_path()),
                line: 1,
                rule: "as-shipped".into(),
                message: format!(
                    "the tests of `{}` switch on features of `{dependency}`, which what ships may not have: the audit is a test build",
                    package.name
                ),
            });
        }
        for name in &self.extra {
            if !self.read.iter().any(|(package, _)| *package.name == *name) {
                violations.push(Violation {
                    file: "Cargo.toml".into(),
                    line: 1,
                    rule: "seen".into(),
                    message: format!("the policy has `{name}` scanned, which is no dependency"),
                });
            }
        }
        violations
    }

    /// Members of the workspace whose dev-dependencies switch on features of a scanned package that
    /// its other dependencies do not.
    fn switched_on(&self) -> Vec<(&'a Package, &'a str)> {
        let members = self.read.iter().filter(|(_, member)| *member);
        let mut found = Vec::new();
        for (package, _) in members {
            let (tests, others): (Vec<_>, Vec<_>) = package
                .dependencies
                .iter()
                .partition(|d| d.kind == DependencyKind::Development);
            let scanned = |name: &str| self.read.iter().any(|(p, _)| *p.name == *name);
            for test in tests.into_iter().filter(|d| scanned(&d.name)) {
                let same = |d: &&&Dependency| d.name == test.name;
                let defaults = others.iter().filter(same).any(|d| d.uses_default_features);
                let asked = |feature: &String| {
                    let mut others = others.iter().filter(same);
                    others.any(|d| d.features.contains(feature))
                };
                // Of one that only tests have, nothing ships.
                let shared = others.iter().any(|d| same(&d));
                let more =
                    test.uses_default_features && !defaults || !test.features.iter().all(asked);
                if more && (shared || self.ships(&test.name)) {
                    found.push((*package, test.name.as_str()));
                }
            }
        }
        found
    }

    /// Dependencies of what was read that are for another machine, or for features that are off.
    fn left_out(&self, metadata: &Metadata) -> Vec<String> {
        let nodes = metadata.resolve.as_ref().map_or(&[][..], |r| &r.nodes);
        let mut found = BTreeSet::new();
        for (package, _) in self.read.iter().filter(|(p, _)| p.source.is_none()) {
            let node = nodes.iter().find(|node| node.id == package.id);
            let built = |name: &str| {
                let mut deps = node.into_iter().flat_map(|node| &node.deps);
                deps.any(|dep| metadata[&dep.pkg].name.as_str() == name)
            };
            for dependency in &package.dependencies {
                if dependency.kind == DependencyKind::Normal && !built(&dependency.name) {
                    found.insert(format!("`{}` of `{}`", dependency.name, package.name));
                }
            }
        }
        found.into_iter().collect()
    }

    /// Whether a package is a dependency of what ships.
    fn ships(&self, name: &str) -> bool {
        let mut all = self.read.iter().flat_map(|(p, _)| &p.dependencies);
        all.any(|d| d.name == *name && d.kind != DependencyKind::Development)
    }

    /// What prices are computed by that is not privet, or may not be: members of the workspace, a second
    /// package of its name, and packages that others know by its name.
    fn origin(&self, metadata: &Metadata, made: &Made) -> Vec<Violation> {
        let members = made.privet.iter().filter(|origin| origin.member);
        let told = members.map(|origin| Violation {
            file: "Cargo.toml".into(),
            line: 1,
            rule: "origin".into(),
            message: format!(
                "`{}`, which prices are computed by, is a member of this workspace ({}): anyone who changes it changes the prices",
                origin.package, origin.source
            ),
        });
        let mut told: Vec<Violation> = told.collect();
        let mut add = |file: String, message: String| {
            told.push(Violation {
                file,
                line: 1,
                rule: "origin".into(),
                message,
            });
        };
        let library = Library::of(metadata);
        let named: Vec<String> = made
            .privet
            .iter()
            .filter(|origin| origin.package.starts_with("privet@"))
            .map(|origin| format!("`{}` from {}", origin.package, origin.source))
            .collect();
        if named.len() > 1 {
            add(
                "Cargo.toml".into(),
                format!(
                    "there are {} packages named `privet`, and one of them may be anything: {}",
                    named.len(),
                    named.join(", ")
                ),
            );
        }
        for (package, _) in &self.read {
            for name in library.false_names(package) {
                add(
                    self.places.show(package.manifest_path.as_std_path()),
                    format!(
                        "in `{}`, the name `{name}` is that of another package: `#[privet::audited]` finds what prints prices by it",
                        package.name
                    ),
                );
            }
        }
        told
    }

    /// What this audit cannot see, for a place that nobody overlooks.
    fn unseen(&self, metadata: &Metadata, report: &Report) -> Vec<String> {
        let mut list = vec![BEFORE.to_string()];
        // Each of these: a row on the list may be a patient.
        let simulated = report.trust.simulated.iter();
        let simulated: BTreeSet<String> = simulated
            .map(|s| format!("{}:{}", s.file, s.line))
            .collect();
        if !simulated.is_empty() {
            let places: Vec<String> = simulated.into_iter().collect();
            list.push(format!(
                "Code declares its data public (`Simulation::of_public`): whatever runs on it is not paid. {}.",
                places.join(", ")
            ));
        }
        let priced = report.trust.by_callers.iter();
        let priced: Vec<String> = priced
            .map(|s| format!("{} {}:{}", s.what, s.file, s.line))
            .collect();
        if !priced.is_empty() {
            list.push(format!(
                "Public functions are priced by their callers, whose types say at what price and on whose data: {}.",
                few(priced)
            ));
        }
        let mut add = |spots: Vec<&Spot>, text: &str| {
            if spots.is_empty() {
                return;
            }
            let places = spots.iter().map(|s| format!("{}:{}", s.file, s.line));
            list.push(format!("{text}: {}.", few(places.collect())));
        };
        let users = || users(&self.scans);
        add(
            users().flat_map(|s| &s.metered).collect(),
            "Releases from a meter have prices that are known when it runs, bounded by its cap",
        );
        add(
            users().flat_map(|s| &s.meters).collect(),
            "Public functions are given a meter, and may charge it at prices that are known when they run",
        );
        add(
            users().flat_map(|s| &s.exact).collect(),
            "Code outside of tests names `privet::testing`, whose answers are exact and not paid",
        );
        let openers = openers::Calls::new(&self.scans).judge().uncalled;
        add(
            openers.iter().collect(),
            "Public openers are called by nothing here: whoever calls one opens its vaults each time",
        );
        add(
            users().flat_map(|s| &s.of_traits).collect(),
            "Functions of traits return mechanisms, and calls of them are not followed",
        );
        add(
            users().flat_map(|s| &s.features).collect(),
            &format!(
                "Types depend on features, and the audit is of `{}`",
                report.made.features
            ),
        );
        add(
            users().flat_map(|s| &s.computed).collect(),
            "Numbers that types may have are computed, and can be others on another machine",
        );
        add(
            self.scans.iter().flat_map(|s| &s.numbers).collect(),
            "Packages that do not use privet have constants that can be others on another machine or with other features, and types may have them",
        );
        add(
            users().flat_map(|s| &s.objects).collect(),
            "Statics hold objects of any type, and a vault among them could be spent beside the prices",
        );
        add(
            users().flat_map(|s| &s.restarts).collect(),
            "Programs may start themselves again, and each run opens its vaults anew",
        );
        add(
            users().flat_map(|s| &s.in_tests).collect(),
            "Tests and benches open vaults, which are not part of what ships and count nowhere here",
        );
        let macros: Vec<&str> = self
            .scans
            .iter()
            .filter(|s| s.macros)
            .map(|s| s.package.as_str())
            .collect();
        if !macros.is_empty() {
            list.push(format!(
                "The macros of `{}` write code that the scan does not read.",
                macros.join("`, `")
            ));
        }
        for data in report.data.iter().filter(|data| data.budget.is_none()) {
            list.push(format!(
                "No audited function opens a vault on `{}`: nothing here bounds what a program spends of it.",
                data.name
            ));
        }
        let apart = different_people(report);
        if apart.len() > 1 {
            list.push(format!(
                "The people of {} are taken for different ones: each has a budget of their own.",
                apart.join(" and of ")
            ));
        }
        let absent = self.left_out(metadata);
        if !absent.is_empty() {
            list.push(format!(
                "Dependencies that this build leaves out were not read: {}.",
                few(absent)
            ));
        }
        let settings = settings(metadata);
        if !settings.is_empty() {
            list.push(format!(
                "Settings of cargo change how code is compiled, here and perhaps not elsewhere: {}.",
                few(settings)
            ));
        }
        let unchecked = report.made.privet.iter();
        let unchecked: Vec<String> = unchecked
            .filter(|o| o.package.starts_with("privet@") && !o.member)
            .filter(|o| !o.source.starts_with("registry+"))
            .map(|o| format!("`{}` from {}", o.package, o.source))
            .collect();
        if !unchecked.is_empty() {
            list.push(format!(
                "Prices are computed by {}, which was not compared with a release of privet.",
                unchecked.join(" and ")
            ));
        }
        if !report.made.packages.is_empty() {
            list.push(format!(
                "Only these packages were asked for: {}.",
                report.made.packages.join(", ")
            ));
        }
        if report.made.changed == Some(true) {
            list.push("Files differ from the commit.".into());
        }
        if !report.allowed.is_empty() {
            list.push(format!(
                "The policy switched off rules that are broken at {} places.",
                report.allowed.len()
            ));
        }
        list
    }
}

/// What no audit of types can be about, in every report.
const BEFORE: &str = "Rows before they enter a vault are not covered: code that loads them can print them, compute with them, make keys of them, or hand them to a closure of a mechanism, and no price says so.";

/// The packages that use privet.
fn users(scans: &[Scan]) -> impl Iterator<Item = &Scan> {
    scans.iter().filter(|scan| scan.uses)
}

/// The first of some places.
fn few(mut places: Vec<String>) -> String {
    places.dedup();
    let more = places.len().saturating_sub(5);
    places.truncate(5);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    places.join(", ") + &more
}

/// Settings of cargo in the project that change what the compiler is, is given, or makes.
///
/// Cargo reads them from the directory that it is called in and from those above it. Those outside of
/// the project are of the machine that the audit runs on.
fn settings(metadata: &Metadata) -> Vec<String> {
    let root = metadata.workspace_root.as_std_path();
    let top = git::top(root).unwrap_or_else(|_| root.to_path_buf());
    let here = std::env::current_dir().unwrap_or_else(|_| root.to_path_buf());
    let above = root.ancestors().chain(here.ancestors());
    let inside: BTreeSet<&Path> = above.filter(|dir| dir.starts_with(&top)).collect();
    let mut found = Vec::new();
    let mut read = |file: PathBuf, changes: &dyn Fn(&str, &toml::Value) -> Vec<String>| {
        let text = std::fs::read_to_string(&file);
        let table = text.ok().and_then(|text| text.parse::<toml::Table>().ok());
        let name = Places::of(metadata).show(&file);
        for (key, value) in table.iter().flatten() {
            let keys = changes(key, value).into_iter();
            found.extend(keys.map(|key| format!("`{key}` in {name}")));
        }
    };
    for dir in inside {
        for name in ["config.toml", "config"] {
            read(dir.join(".cargo").join(name), &changed_by_config);
        }
        read(dir.join("rust-toolchain.toml"), &|key, value| {
            let path = key == "toolchain" && value.get("path").is_some();
            Vec::from_iter(path.then(|| "toolchain.path".to_string()))
        });
    }
    found
}

/// The settings of a part of `.cargo/config.toml` that matter.
fn changed_by_config(key: &str, value: &toml::Value) -> Vec<String> {
    let inner = |wanted: &[&str]| -> Vec<String> {
        let keys = value.as_table().into_iter().flat_map(|t| t.keys());
        let keys = keys.filter(|k| wanted.contains(&k.as_str()));
        keys.map(|k| format!("{key}.{k}")).collect()
    };
    match key {
        "build" => inner(&[
            "rustc",
            "rustc-wrapper",
            "rustc-workspace-wrapper",
            "rustflags",
        ]),
        "target" | "host" => {
            let targets = value.as_table().into_iter().flatten();
            let wanted = ["linker", "rustflags", "rustc"];
            let matters = |of: &toml::Value| wanted.iter().any(|w| of.get(w).is_some());
            let targets = targets.filter(|(_, of)| matters(of));
            targets.map(|(name, _)| format!("{key}.{name}")).collect()
        }
        "env" | "include" | "patch" | "paths" | "profile" | "source" => vec![key.to_string()],
        _ => Vec::new(),
    }
}

/// The data sets of a report, those about the same people together.
fn different_people(report: &Report) -> Vec<String> {
    let mut groups: Vec<(BTreeSet<&str>, Vec<&str>)> = Vec::new();
    for data in &report.data {
        let mut people = people(&data.name);
        let mut names = vec![data.name.as_str()];
        groups.retain(|(others, of)| {
            let apart = others.is_disjoint(&people);
            if !apart {
                people.extend(others);
                names.extend(of);
            }
            apart
        });
        groups.push((people, names));
    }
    let names = groups.into_iter();
    names
        .map(|(_, names)| format!("`{}`", names.join("`, `")))
        .collect()
}

/// Whether cargo builds the tests of a package outside of the workspace.
fn can_be_built(package: &Package) -> bool {
    let mut dependencies = package.dependencies.iter();
    !dependencies.any(|d| d.kind == DependencyKind::Development)
}

/// What the compiler does not check: the short form of the guide's page `verified`.
fn assumptions(unscanned: usize) -> Vec<String> {
    let mut list = vec![
        "A price is what one call may spend; how often a function is called is bounded by the \
         budget of the vault that pays for it."
            .to_string(),
        "A budget is per opened vault, and each run of a program opens its vaults anew: the data owner runs \
         it once, or has an account of a ledger pay."
            .to_string(),
        "rustc is sound, and privet's mechanisms and derives keep what they promise.".to_string(),
        "The operating system's random generator and ChaCha12 cannot be predicted.".to_string(),
        "Nobody with access to the program's files or memory is malicious; running time, memory use \
         and network traffic are not hidden."
            .to_string(),
    ];
    if unscanned > 0 {
        list.push(format!(
            "{unscanned} dependencies were not scanned for `unsafe`, nor were macros that they define, which \
             may also write code that runs before `main`, nor constants in them that differ between builds."
        ));
    }
    list
}

/// The packages that end in the audited programs, dependencies of tests left out.
fn linked<'a>(project: &Project, metadata: &'a Metadata) -> Vec<&'a Package> {
    let mut reached: BTreeSet<&PackageId> = BTreeSet::new();
    let mut next: Vec<&PackageId> = project.users(metadata).iter().map(|p| &p.id).collect();
    let nodes = metadata
        .resolve
        .as_ref()
        .map_or(&[][..], |resolve| &resolve.nodes);
    while let Some(id) = next.pop() {
        if !reached.insert(id) {
            continue;
        }
        let Some(node) = nodes.iter().find(|node| node.id == *id) else {
            continue;
        };
        for dependency in &node.deps {
            let kinds = &dependency.dep_kinds;
            if kinds
                .iter()
                .any(|kind| kind.kind != DependencyKind::Development)
            {
                next.push(&dependency.pkg);
            }
        }
    }
    let mut packages: Vec<&Package> = metadata
        .packages
        .iter()
        .filter(|package| reached.contains(&package.id))
        .collect();
    packages.sort_by_key(|package| (&package.name, &package.version));
    packages
}
