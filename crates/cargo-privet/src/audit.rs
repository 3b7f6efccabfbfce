//! One audit: prices from the compiler, rules from the sources.

use std::collections::BTreeSet;
use std::path::PathBuf;

use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};

use crate::collect::Project;
use crate::error::{Error, Result};
use crate::policy::{Policy, judge_always};
use crate::report::{Report, Trust};
use crate::scan::{self, Scan};

/// Audits a project. `policy` is a file that was asked for; otherwise the project's own is used.
pub fn audit(project: &Project, policy: Option<&PathBuf>) -> Result<Report> {
    let metadata = project.metadata()?;
    let root = metadata.workspace_root.as_std_path();
    let own = root.join("privet.toml");
    let path = policy.unwrap_or(&own);
    let policy = Policy::read(path, policy.is_some())?;
    let survey = Survey::new(project, &metadata, policy.as_ref());
    let mut report = prices(project, &metadata, &survey)?;
    if report.functions.is_empty() {
        return Err(Error::NothingAudited { root: root.into() });
    }
    judge_always(&mut report, &survey.scans);
    if let Some(policy) = &policy {
        policy.judge(&mut report, &survey.scans, &scan::relative(path, root));
    }
    report.violations.sort();
    report.violations.dedup();
    Ok(report)
}

/// The prices alone, for a comparison: no functions are no error.
pub fn prices(project: &Project, metadata: &Metadata, survey: &Survey) -> Result<Report> {
    let lines = project.lines(metadata)?;
    let name = metadata.workspace_root.file_name().unwrap_or("project");
    let privet = metadata.packages.iter().find(|p| *p.name == "privet");
    let version = privet.map(|p| p.version.to_string()).unwrap_or_default();
    let calls: Vec<(String, Vec<String>)> = survey
        .scans
        .iter()
        .map(|scan| (scan.package.clone(), scan.calls.iter().cloned().collect()))
        .collect();
    let defined = survey.scans.iter().flat_map(|scan| scan.functions.clone());
    let mut report = Report::new(
        name.to_string(),
        version,
        &lines,
        &calls,
        &defined.collect(),
    )?;
    report.trust = survey.trust.clone();
    Ok(report)
}

/// What the sources say, and which sources were read.
pub struct Survey {
    scans: Vec<Scan>,
    trust: Trust,
}

impl Survey {
    /// Whether a package has a function of this name, audited or not.
    pub fn defines(&self, package: &str, name: &str) -> bool {
        let scans = self.scans.iter().filter(|scan| scan.package == package);
        scans
            .flat_map(|scan| &scan.functions)
            .any(|(_, function)| function == name)
    }

    pub fn new(project: &Project, metadata: &Metadata, policy: Option<&Policy>) -> Self {
        let extra = policy.map_or(&[][..], |policy| &policy.rules().scan);
        let (read, unread): (Vec<&Package>, Vec<&Package>) = linked(project, metadata)
            .into_iter()
            .partition(|package| package.source.is_none() || extra.contains(&package.name));
        // privet and its derives are what the prices are computed by: they are named as trusted.
        let (own, read): (Vec<_>, Vec<_>) = read
            .into_iter()
            .partition(|package| matches!(package.name.as_str(), "privet" | "privet-derive"));
        let users = project.users(metadata);
        let examples = own
            .iter()
            .filter(|p| *p.name == "privet" && users.iter().any(|u| u.id == p.id));
        let scans: Vec<Scan> = read
            .iter()
            .chain(examples.clone())
            .map(|package| scan::package(package, metadata))
            .collect();
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
        let trust = Trust {
            scanned: scanned.collect(),
            not_scanned: unread.iter().map(label).collect(),
            trusted,
            unsafe_code: scans.iter().flat_map(|s| s.unsafe_code.clone()).collect(),
            opened: scans.iter().flat_map(|s| s.opened.clone()).collect(),
            assumptions: assumptions(unread.len()),
        };
        Survey { scans, trust }
    }
}

/// What the compiler does not check: the short form of the guide's page `verified`.
fn assumptions(unscanned: usize) -> Vec<String> {
    let mut list = vec![
        "A price is what one call may spend; how often a function is called is bounded by the \
         budget of the vault that pays for it."
            .to_string(),
        "A budget is per opened vault: the data owner opens it once.".to_string(),
        "rustc is sound, and privet's mechanisms and derives keep what they promise.".to_string(),
        "The operating system's random generator and ChaCha12 cannot be predicted.".to_string(),
        "Nobody with access to the program's files or memory is malicious; running time, memory use \
         and network traffic are not hidden."
            .to_string(),
    ];
    if unscanned > 0 {
        list.push(format!(
            "{unscanned} dependencies were not scanned for `unsafe`, nor were macros that they define."
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
