//! Whether `unsafe` is forbidden: by a manifest, or at the top of a crate.

use std::path::Path;

/// Whether the manifest forbids `unsafe` for the whole package.
pub fn manifest_forbids(home: &Path, root: &Path) -> bool {
    let read = |dir: &Path| {
        let text = std::fs::read_to_string(dir.join("Cargo.toml")).ok()?;
        text.parse::<toml::Table>().ok()
    };
    let forbids = |lints: Option<&toml::Value>| {
        let level = lints.and_then(|l| l.get("rust")?.get("unsafe_code"));
        let word = level.and_then(|l| l.as_str().or_else(|| l.get("level")?.as_str()));
        word == Some("forbid")
    };
    let Some(manifest) = read(home) else {
        return false;
    };
    let lints = manifest.get("lints");
    let inherited = lints.and_then(|l| l.get("workspace")?.as_bool()) == Some(true);
    if inherited {
        let workspace = read(root);
        forbids(
            workspace
                .as_ref()
                .and_then(|m| m.get("workspace")?.get("lints")),
        )
    } else {
        forbids(lints)
    }
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
}
