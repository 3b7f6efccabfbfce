//! "Write a library": a crate that is generic over everything, and two applications with different records, each a
//! package of its own.

use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &place);
        } else {
            std::fs::copy(path, place).unwrap();
        }
    }
}

#[test]
fn a_library_serves_two_applications() {
    // A copy, so that neither a lock file nor a target directory appears among the sources.
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let dir = temporary.join("library");
    copy(&Path::new(ROOT).join("tests/library"), &dir);
    let manifest = dir.join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    assert!(text.contains("path = \"../..\""), "{text}");
    let text = text.replace("path = \"../..\"", &format!("path = {ROOT:?}"));
    std::fs::write(&manifest, text).unwrap();
    std::fs::copy(Path::new(ROOT).join("Cargo.lock"), dir.join("Cargo.lock")).unwrap();

    let output = Command::new(env!("CARGO"))
        .args(["test", "--workspace", "--quiet"])
        .current_dir(&dir)
        .env("CARGO_TARGET_DIR", temporary.join("library-target"))
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{out}\n{err}");
    assert!(!err.contains("warning:"), "{err}");
    // Two tests of the hospital, one of the airline.
    assert!(
        out.contains("2 passed") && out.contains("1 passed"),
        "{out}"
    );
}
