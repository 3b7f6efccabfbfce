//! The page in a real browser: Debian's chromium, without a window.

mod project;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use project::Project;

/// The browser, or none.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|dir| [dir.join("chromium"), dir.join("chromium-browser")])
        .find(|file| file.is_file())
}

/// Loads a page and returns what it became; with a `--screenshot`, also a picture.
fn browse(browser: &Path, profile: &Path, url: &str, more: &[&str]) -> String {
    let out = profile.join("dom.html");
    std::fs::create_dir_all(profile).expect("a directory");
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .args(["--hide-scrollbars", "--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(more)
        .args(["--dump-dom", url])
        .stdout(std::fs::File::create(&out).expect("a file"))
        .stderr(Stdio::null())
        .spawn()
        .expect("a browser");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(90) {
            let _ = child.kill();
            panic!("the browser did not end within 90 seconds");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::fs::read_to_string(out).expect("text")
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = chromium() else {
        eprintln!("SKIPPED: no chromium in PATH, so the page was not tested in a browser");
        return;
    };
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"shown\"");
    let page = project.privet(&["audit", "--format", "html"]).exits(1).out;
    let file = project.root.join("page.html");
    std::fs::write(&file, &page).expect("written");
    let url = format!("file://{}", file.display());
    let profile = project.root.join("profile");

    // Everything is shown at first; a search hides what does not match.
    let entries = |dom: &str| {
        let all = dom.matches("class=\"entry\"").count();
        (all, dom.matches("class=\"entry\" hidden").count())
    };
    let (all, hidden) = entries(&browse(&browser, &profile, &url, &[]));
    assert!(all >= 5 && hidden == 0, "{hidden} of {all} are hidden");
    let dom = browse(&browser, &profile, &format!("{url}#once"), &[]);
    let (_, hidden) = entries(&dom);
    assert_eq!(hidden, all - 1, "only `once` is left: {dom}");
    let dom = browse(&browser, &profile, &format!("{url}#no%20such%20thing"), &[]);
    assert!(
        dom.contains("<p id=\"none\">"),
        "it is said that nothing matches"
    );

    // On a phone nothing is wider than the screen.
    let inner = page.replace('&', "&amp;").replace('"', "&quot;");
    let phone = format!(
        "<!doctype html><title>wait</title><iframe id=f width=360 height=640 style='border:0' srcdoc=\"{inner}\"></iframe>\
         <script>onload = () => {{ const d = document.getElementById('f').contentDocument.documentElement; \
         document.title = 'width ' + d.scrollWidth; }}</script>"
    );
    let file = project.root.join("phone.html");
    std::fs::write(&file, phone).expect("written");
    let dom = browse(
        &browser,
        &profile,
        &format!("file://{}", file.display()),
        &[],
    );
    let width = dom
        .split("<title>width ")
        .nth(1)
        .and_then(|rest| rest.split('<').next());
    let width: u32 = width
        .and_then(|w| w.parse().ok())
        .unwrap_or_else(|| panic!("{dom}"));
    assert!(width <= 360, "{width} pixels on a screen of 360");

    let picture = project.root.join("page.png");
    let shot = format!("--screenshot={}", picture.display());
    browse(&browser, &profile, &url, &[&shot, "--window-size=900,1200"]);
    assert!(
        std::fs::metadata(&picture).is_ok_and(|file| file.len() > 10_000),
        "a picture"
    );
}
