//! `cargo privet new`: a project that builds, passes its tests and keeps its policy as made.

use std::path::Path;

use crate::error::{Error, Result};

/// The files, with `NAME` for the crate's name.
const FILES: [(&str, &str); 6] = [
    ("src/lib.rs", include_str!("../starter/lib.rs")),
    ("src/main.rs", include_str!("../starter/main.rs")),
    ("tests/budget.rs", include_str!("../starter/budget.rs")),
    ("privet.toml", include_str!("../starter/privet.toml")),
    (
        ".github/workflows/ci.yml",
        include_str!("../starter/ci.yml"),
    ),
    (".gitignore", "/target\n"),
];

/// Writes the project; returns what to do next.
pub fn create(directory: &Path, privet: Option<&Path>) -> Result<String> {
    let name = directory
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    check(name)?;
    if directory.exists() {
        let shown = directory.display();
        return Err(Error::Starter(format!(
            "`{shown}` exists already; choose another name"
        )));
    }
    let dependency = match privet {
        None => {
            let series: Vec<&str> = env!("CARGO_PKG_VERSION").split('.').take(2).collect();
            format!("\"{}\"", series.join("."))
        }
        Some(path) => {
            let path = path.canonicalize().map_err(Error::file(path))?;
            format!("{{ path = {:?} }}", path.display().to_string())
        }
    };
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         rust-version = \"1.89\"\n\n[dependencies]\nprivet = {dependency}\n"
    );
    let write = |file: &str, text: &str| {
        let path = directory.join(file);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(Error::file(parent))?;
        }
        std::fs::write(&path, text).map_err(Error::file(&path))
    };
    write("Cargo.toml", &manifest)?;
    for (file, text) in FILES {
        write(file, &text.replace("NAME", &name.replace('-', "_")))?;
    }
    Ok(format!(
        "created {}: a record, two mechanisms, a vault, tests and a policy\n\n  cd {}\n  cargo test\n  cargo privet audit\n",
        directory.display(),
        directory.display()
    ))
}

/// The names that both cargo and the language take.
fn check(name: &str) -> Result<()> {
    let keyword = syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_err();
    let plain = name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    let taken = ["test", "core", "std", "alloc", "proc_macro", "privet"].contains(&name);
    if keyword || !plain || taken {
        return Err(Error::Starter(format!(
            "`{name}` cannot be the name of a crate; use letters, digits, `-` and `_`, and begin with a letter"
        )));
    }
    Ok(())
}
