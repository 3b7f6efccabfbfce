//! Whether `unsafe` is forbidden: by a manifest, or at the top of a crate.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use super::tokens::words;

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
pub fn source_forbids(root: &TokenStream) -> bool {
    let mut tokens = root.clone().into_iter();
    // What a crate's attributes are before: its items.
    while let (Some(TokenTree::Punct(hash)), Some(TokenTree::Punct(sign)), Some(attribute)) =
        (tokens.next(), tokens.next(), tokens.next())
    {
        let TokenTree::Group(attribute) = attribute else {
            return false;
        };
        if hash.as_char() != '#' || sign.as_char() != '!' {
            return false;
        }
        let inside: Vec<TokenTree> = attribute.stream().into_iter().collect();
        if let [TokenTree::Ident(level), TokenTree::Group(lints)] = &inside[..]
            && level == "forbid"
            && words(lints.stream())
                .split(|word| word == ",")
                // Not one of a tool: `clippy::unsafe_code`.
                .any(|lint| lint == ["unsafe_code"])
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_forbid_forbids() {
        let source_forbids = |text: &str| super::source_forbids(&text.parse().expect("tokens"));
        assert!(source_forbids("#![forbid(missing_docs, unsafe_code)]"));
        assert!(source_forbids(
            "//! Text.\n#![no_std] #![doc = \"x\"]\n#![forbid(unsafe_code)] use a::b;"
        ));
        for not in [
            "#![deny(unsafe_code)]",
            "#![forbid(clippy::unsafe_code)]",
            "#![cfg_attr(x, forbid(unsafe_code))]",
            "// #![forbid(unsafe_code)]",
            "mod a { #![forbid(unsafe_code)] }",
            "#[forbid(unsafe_code)] mod a {}",
            "fn f() {} #![forbid(unsafe_code)]",
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
