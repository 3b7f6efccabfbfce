//! Whether `unsafe` is forbidden: by a manifest, or at the top of a crate.

use std::path::Path;

/// Whether the manifest forbids `unsafe` for the whole package that lies in `home`.
pub fn manifest_forbids(home: &Path) -> bool {
    let Some(manifest) = manifest(home) else {
        return false;
    };
    let Some(lints) = manifest.get("lints") else {
        return false;
    };
    if lints.get("workspace").and_then(toml::Value::as_bool) != Some(true) {
        return forbids(lints);
    }
    // Those of its own workspace: a dependency by path may be of another one than the project.
    let workspace = home.ancestors().find_map(manifest_of_workspace);
    workspace.is_some_and(|workspace| workspace.get("lints").is_some_and(forbids))
}

fn manifest(dir: &Path) -> Option<toml::Table> {
    let text = std::fs::read_to_string(dir.join("Cargo.toml")).ok()?;
    text.parse().ok()
}

fn manifest_of_workspace(dir: &Path) -> Option<toml::Value> {
    manifest(dir)?.remove("workspace")
}

fn forbids(lints: &toml::Value) -> bool {
    let level = lints.get("rust").and_then(|rust| rust.get("unsafe_code"));
    let word = level.and_then(|l| l.as_str().or_else(|| l.get("level")?.as_str()));
    word == Some("forbid")
}

/// Whether a crate's root says `#![forbid(unsafe_code)]`.
pub fn source_forbids(text: &str) -> bool {
    let names_it = |attribute: &syn::Attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("forbid")
            && list.is_ok_and(|list| {
                let mut tokens = list.tokens.clone().into_iter();
                tokens.any(|token| token.to_string() == "unsafe_code")
            })
    };
    syn::parse_file(text).is_ok_and(|file| file.attrs.iter().any(names_it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_forbid_forbids() {
        assert!(source_forbids("#![forbid(missing_docs, unsafe_code)]"));
        for not in [
            "#![deny(unsafe_code)]",
            "#![cfg_attr(x, forbid(unsafe_code))]",
            "// #![forbid(unsafe_code)]",
            "mod a { #![forbid(unsafe_code)] }",
        ] {
            assert!(!source_forbids(not), "{not}");
        }
    }

    #[test]
    fn lints_are_inherited_from_the_packages_own_workspace() {
        let root = std::env::temp_dir().join(format!("privet-lints-{}", std::process::id()));
        let write = |dir: &str, text: &str| {
            let dir = root.join(dir);
            std::fs::create_dir_all(&dir).expect("a directory");
            std::fs::write(dir.join("Cargo.toml"), text).expect("written");
        };
        write("", "[workspace.lints.rust]\nunsafe_code = \"forbid\"");
        write("member", "[lints]\nworkspace = true");
        write("own", "[lints.rust]\nunsafe_code = { level = \"forbid\" }");
        write("none", "[package]");
        write("other", "[workspace]");
        write("other/member", "[lints]\nworkspace = true");
        let forbids = ["member", "own", "none", "other/member", "absent"]
            .map(|dir| manifest_forbids(&root.join(dir)));
        assert_eq!(forbids, [true, true, false, false, false]);
        std::fs::remove_dir_all(root).expect("removed");
    }
}
