//! What git knows of a project.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, Result};

/// Runs git in a directory; what it prints, without the blanks around it.
pub fn git(dir: &Path, arguments: &[&str]) -> Result<String> {
    run(Command::new("git").arg("-C").arg(dir).args(arguments))
}

/// Runs a git command that was put together elsewhere.
pub fn run(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .map_err(|error| Error::Git(error.to_string()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
    } else {
        let text = String::from_utf8_lossy(&output.stderr);
        Err(Error::Git(text.trim().to_string()))
    }
}

/// The root of the repository around a directory.
pub fn top(dir: &Path) -> Result<PathBuf> {
    git(dir, &["rev-parse", "--show-toplevel"]).map(PathBuf::from)
}

/// The commit that a name stands for.
pub fn commit(dir: &Path, name: &str) -> Result<String> {
    let revision = format!("{name}^{{commit}}");
    let arguments = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &revision,
    ];
    git(dir, &arguments).map_err(|_| {
        let shallow = git(dir, &["rev-parse", "--is-shallow-repository"]);
        let hint = if shallow.is_ok_and(|text| text == "true") {
            "; this is a shallow clone, which has only the newest commits: run `git fetch --unshallow \
             --tags`, or check out with `fetch-depth: 0`"
        } else {
            ""
        };
        Error::Git(format!("`{name}` is not a revision of this repository{hint}"))
    })
}

/// From the repository's root to a directory in it, with `/` at the end; empty at the root and
/// where there is no repository.
pub fn inside(dir: &Path) -> String {
    git(dir, &["rev-parse", "--show-prefix"]).unwrap_or_default()
}

/// Where the sources of a commit can be read, for the well-known hosts.
pub fn link(dir: &Path, commit: &str) -> Option<String> {
    let remote = git(dir, &["remote", "get-url", "origin"]).ok()?;
    let remote = remote.trim_end_matches(".git");
    let page = match remote
        .strip_prefix("git@")
        .and_then(|rest| rest.split_once(':'))
    {
        Some((host, path)) => format!("https://{host}/{path}"),
        None => remote.to_string(),
    };
    let host = page.strip_prefix("https://")?.split('/').next()?;
    // A name or a token before the host is not for a report.
    let host = host.rsplit('@').next()?;
    let path = page.strip_prefix("https://")?.split_once('/')?.1;
    let inside = inside(dir);
    let blob = match host {
        "github.com" | "codeberg.org" => "blob",
        "gitlab.com" => "-/blob",
        _ => return None,
    };
    Some(format!(
        "https://{host}/{path}/{blob}/{commit}/{inside}{{file}}#L{{line}}"
    ))
}
