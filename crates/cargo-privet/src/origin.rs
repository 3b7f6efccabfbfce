//! Which packages are privet itself, and where they come from.
//!
//! A name alone proves nothing: a member of the workspace may be called `privet`, too.

use std::collections::BTreeSet;

use cargo_metadata::{Metadata, Package, PackageId};
use serde::{Deserialize, Serialize};

use crate::place::Places;

/// A package that prices are computed by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// `privet@0.1.0`.
    pub package: String,
    /// `registry+…`, `git+…`, or a path.
    pub source: String,
    /// A member of the audited workspace: what it promises was reviewed by nobody else.
    pub member: bool,
}

/// What packages need each other for.
pub struct Library<'a> {
    metadata: &'a Metadata,
    ids: BTreeSet<&'a PackageId>,
}

impl<'a> Library<'a> {
    /// The packages named `privet` that others depend on, and their derives.
    pub fn of(metadata: &'a Metadata) -> Self {
        let nodes = metadata.resolve.as_ref().map_or(&[][..], |r| &r.nodes);
        let named = |id: &PackageId, name: &str| {
            let package = metadata.packages.iter().find(|p| p.id == *id);
            package.is_some_and(|p| *p.name == name)
        };
        let mut ids = BTreeSet::new();
        for node in nodes {
            let derives = || node.deps.iter().filter(|d| named(&d.pkg, "privet-derive"));
            if named(&node.id, "privet") {
                let needed = nodes
                    .iter()
                    .any(|n| n.id != node.id && n.deps.iter().any(|d| d.pkg == node.id));
                if needed || derives().next().is_some() {
                    ids.insert(&node.id);
                    ids.extend(derives().map(|d| &d.pkg));
                }
            }
        }
        Library { metadata, ids }
    }

    /// Whether a package is part of privet itself.
    pub fn contains(&self, package: &Package) -> bool {
        self.ids.contains(&package.id)
    }

    /// The library itself, without its derives.
    pub fn libraries(&self) -> impl Iterator<Item = &'a Package> {
        let own = |p: &&Package| self.contains(p) && *p.name == "privet";
        self.metadata.packages.iter().filter(own)
    }

    /// What a package calls privet: not always by its name.
    pub fn names_in(&self, package: &Package) -> BTreeSet<String> {
        let (own, _) = self.called(package).into_iter().partition(|(_, own)| *own);
        let own: Vec<(String, bool)> = own;
        own.into_iter().map(|(name, _)| name).collect()
    }

    /// The names of a package's dependencies, and whether each is privet itself.
    fn called(&self, package: &Package) -> Vec<(String, bool)> {
        let nodes = self.metadata.resolve.iter().flat_map(|r| &r.nodes);
        let mut own = nodes.filter(|node| node.id == package.id);
        let library: Vec<&PackageId> = self.libraries().map(|p| &p.id).collect();
        let deps = own.next().into_iter().flat_map(|node| &node.deps);
        deps.map(|d| (d.name.clone(), library.contains(&&d.pkg)))
            .collect()
    }

    /// The names that something else takes in a package: of privet, by which the attribute finds what
    /// prints prices, or of the compiler's own packages, by which it finds what a test is.
    pub fn false_names(&self, package: &Package) -> Vec<String> {
        if self.contains(package) {
            return Vec::new();
        }
        let mut names: Vec<String> = self
            .called(package)
            .into_iter()
            .filter(|(name, own)| match name.as_str() {
                "privet" => !own,
                "alloc" | "core" | "std" => true,
                _ => false,
            })
            .map(|(name, _)| name)
            .collect();
        // To its own programs, a library is called so.
        let libraries = package
            .targets
            .iter()
            .filter(|t| t.is_lib() || t.is_proc_macro());
        let taken = ["alloc", "core", "privet", "std"];
        names.extend(
            libraries
                .map(|t| t.name.replace('-', "_"))
                .filter(|n| taken.contains(&n.as_str())),
        );
        names
    }

    /// Where these packages come from.
    pub fn origins(&self, places: &Places) -> Vec<Origin> {
        let packages = self.metadata.packages.iter();
        let own = packages.filter(|p| self.contains(p));
        own.map(|package| Origin {
            package: format!("{}@{}", package.name, package.version),
            source: match &package.source {
                Some(source) => source.repr.clone(),
                None => match package.manifest_path.parent() {
                    Some(home) => format!("path {}", places.show(home.as_std_path())),
                    None => "path".into(),
                },
            },
            member: self.metadata.workspace_members.contains(&package.id),
        })
        .collect()
    }

    /// privet and every package that depends on it, also by way of another that hands it on with
    /// `pub use privet`.
    pub fn users(&self) -> BTreeSet<&'a PackageId> {
        let resolve = self.metadata.resolve.as_ref();
        let nodes = resolve.map_or(&[][..], |r| &r.nodes);
        let mut users: BTreeSet<&PackageId> = self.libraries().map(|p| &p.id).collect();
        loop {
            let more: Vec<&PackageId> = nodes
                .iter()
                .filter(|node| !users.contains(&node.id))
                .filter(|node| node.deps.iter().any(|d| users.contains(&d.pkg)))
                .map(|node| &node.id)
                .collect();
            if more.is_empty() {
                return users;
            }
            users.extend(more);
        }
    }
}
