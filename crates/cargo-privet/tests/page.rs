//! The page in a real browser: Debian's chromium, without a window.

mod project;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use privet::ledger::Ledger;
use privet::prelude::*;
use project::Project;

#[derive(Record, Clone)]
struct Patient {
    age: i64,
}

/// The browser, or none.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|dir| [dir.join("chromium"), dir.join("chromium-browser")])
        .find(|file| file.is_file())
}

/// Loads a page and returns what it became; with a `--screenshot`, also a picture.
fn browse(browser: &Path, profile: &Path, url: &str, more: &[&str]) -> String {
    let (out, log) = (profile.join("dom.html"), profile.join("log.txt"));
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
        .args(["--enable-logging=stderr", "--v=0"])
        .stderr(std::fs::File::create(&log).expect("a file"))
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
    // Nothing is wrong in its console.
    let log = std::fs::read(log).expect("a log");
    let log = String::from_utf8_lossy(&log);
    let console: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect();
    assert!(console.is_empty(), "{console:?}");
    std::fs::read_to_string(out).expect("text")
}

/// A ledger with one account, one charge and an open lease.
fn ledger(path: &Path) {
    let ledger = Ledger::create(path)
        .expect("a ledger")
        .as_program("nightly");
    let cap = "eps = 2".parse().expect("a price");
    let account = ledger.create_account("patients", cap).expect("an account");
    let vault: Vault<Table<Patient>, Eps<1, 1>> =
        Vault::open_on(&account, vec![Patient { age: 71 }; 9]).expect("a vault");
    let count = rows::<Patient>().filter(|p| p.age.gt(40)).count();
    let count = count.laplace::<Eps<1, 4>>().named("<older> & wiser");
    // As a program that dies: the lease stays open.
    std::mem::forget(vault.release(count).expect("released"));
}

/// All that stands on a page under which someone writes their name.
#[test]
fn the_page_has_what_one_signs() {
    let project = Project::copy("good");
    let git = |arguments: &[&str]| {
        let author = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        let output = project.run("git", &[&author[..], arguments].concat());
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout)
            .expect("text")
            .trim()
            .to_string()
    };
    // Cargo writes its lock file here.
    project.privet(&["audit", "-q"]).exits(0);
    git(&["init", "--quiet"]);
    git(&[
        "remote",
        "add",
        "origin",
        "https://github.com/clinic/numbers.git",
    ]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "first"]);
    let commit = git(&["rev-parse", "HEAD"]);

    // A history as an older version wrote it: prices in words only.
    let trend = project.privet(&["trend", "-q", "--last", "1", "--format", "json"]);
    let mut trend: serde_json::Value = serde_json::from_str(&trend.exits(0).out).expect("JSON");
    for amount in trend["points"][0]["data"].as_array_mut().expect("data") {
        for price in ["total", "budget"] {
            for number in ["epsilon", "delta", "rho"] {
                if let Some(price) = amount[price].as_object_mut() {
                    price.remove(number);
                }
            }
        }
    }
    // Beside the repository, whose files are then those of the commit.
    let history = project
        .root
        .parent()
        .expect("a directory")
        .join("trend.json");
    std::fs::write(&history, trend.to_string()).expect("written");
    let history = history.to_str().expect("text");
    let asked = ["audit", "-q", "--format", "html", "--history", history];
    let page = project.privet(&asked).exits(0).out;

    let policy = std::fs::read(project.root.join("privet.toml")).expect("a policy");
    let hash: String = sha2::Digest::finalize(sha2::Digest::chain_update(
        <sha2::Sha256 as sha2::Digest>::new(),
        policy,
    ))
    .iter()
    .map(|byte| format!("{byte:02x}"))
    .collect();
    let fact = |name: &str, text: &str| format!("<dt>{name}</dt><dd>{text}");
    for text in [
        fact("Commit", &format!("{commit}</dd>")),
        fact("Date", "20"),
        fact("Policy", &format!("privet.toml sha256 {hash}</dd>")),
        fact("Features", "default</dd>"),
        fact("Built", "profile test for "),
        fact("privet", "privet@0.1.0 from path "),
        // One bar with three marks, what they are in words, and what they mean, which leads with (ε, δ).
        "aria-label=\"audited functions spend ε = 11/8, 100 %; vaults are opened with ε = 1, 73 %; ceiling ε = 11/8\"".into(),
        "<p class=\"lead\">ε = 1, δ = 0 is the most that programs can spend in one run".into(),
        // Openers apart from spenders, which are sorted by buttons and have a small bar each.
        "<h3>Opened by</h3><table class=\"openers\">".into(),
        "<h3>Spent by</h3><table class=\"sortable\">".into(),
        "<button type=\"button\" data-key=\"price\">".into(),
        "<span class=\"small\" aria-hidden=\"true\"><span style=\"width:72.73%\">".into(),
        format!("href=\"https://github.com/clinic/numbers/blob/{commit}/analysis/src/lib.rs#L31\""),
        // An old history is drawn all the same.
        "<circle".into(),
        // Users of privet first, the rest folded.
        "<li><code>analysis@0.1.0</code>, scanned</li>".into(),
        "<summary>Other dependencies, not scanned: ".into(),
        format!("Read and agreed to: good, commit {commit}, under the policy of sha256 {hash}, audited on 20"),
        "<div>Name</div><div>Date</div><div>Signature</div>".into(),
    ] {
        assert!(page.contains(&text), "{text}: {page}");
    }
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(at("Packages that use privet") < at("Other dependencies"));
    let bar = page
        .split("<div class=\"bar\"")
        .nth(1)
        .and_then(|rest| rest.split("</div>").next());
    assert_eq!(bar.map(|bar| bar.matches("class=\"mark ").count()), Some(3));
    assert!(
        !page.contains("class=\"bar over\""),
        "nothing is over its limit"
    );

    // Over 100 % looks different, and so does a report without a policy.
    project.edit("privet.toml", "11/8", "1/2");
    let over = project.privet(&asked).exits(1).out;
    for text in [
        "class=\"bar over\"",
        "class=\"excess\"",
        "over the limit",
        ", 200 %",
        "with changes",
    ] {
        assert!(over.contains(text), "{text}: {over}");
    }
    std::fs::remove_file(project.root.join("privet.toml")).expect("removed");
    let lawless = project.privet(&asked).exits(3).out;
    for text in [
        "class=\"verdict none\"",
        "<dt>Policy</dt><dd>none",
        "without a policy",
    ] {
        assert!(lawless.contains(text), "{text}: {lawless}");
    }
}

#[test]
fn the_page_shows_a_ledger_and_works_in_a_browser() {
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"shown\"");
    let path = project.root.join("hospital.ledger");
    ledger(&path);
    let file = path.to_str().expect("text");
    let asked = ["audit", "--format", "html", "--ledger"];
    let page = project.privet(&[&asked[..], &[file]].concat()).exits(1).out;
    // Budgets of one run and caps of all do not contradict each other.
    for text in [
        "The budgets above are of one run. The cap of an account below is for all runs together",
        "<strong>No opener of this project does</strong>",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let shown = page.split("<section class=\"ledger\">").nth(1);
    let shown = shown.and_then(|rest| rest.split("</section>").next());
    let shown = shown.expect("a section");
    for text in [
        "<h3>patients</h3>",
        "3 records, each chained to the one before",
        "aria-label=\"spent ε = 1/4, set aside ε = 3/4, left ε = 1\"",
        "style=\"width:12.50%\"",
        "style=\"left:12.50%;width:37.50%\"",
        "If all of it is spent: whatever an attacker believed",
        "<summary>Charges: 1</summary>",
        "&lt;older&gt; &amp; wiser",
        "nightly",
        "not stored",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    // Nothing is built for a ledger that is not there, or that would not be shown.
    let missing = project.privet(&[&asked[..], &["none.ledger"]].concat());
    assert!(missing.exits(2).err.contains("there is no ledger"));
    let hidden = project.privet(&["audit", "--ledger", file]);
    assert!(hidden.exits(2).err.contains("add `--format html`"));

    let Some(browser) = chromium() else {
        // Not `eprintln!`, which a passing test hides.
        let words = b"\nSKIPPED: no chromium in PATH, so the page was not tested in a browser\n";
        let _ = std::io::stderr().write_all(words);
        return;
    };
    let file = project.root.join("page.html");
    std::fs::write(&file, &page).expect("written");
    let url = format!("file://{}", file.display());
    let profile = project.root.join("profile");

    // Everything is shown at first; a search hides what does not match.
    let entries = |dom: &str| {
        let tags = dom.split("class=\"entry\"").skip(1);
        let tags: Vec<&str> = tags.filter_map(|rest| rest.split('>').next()).collect();
        let hidden = tags.iter().filter(|tag| tag.contains("hidden")).count();
        (tags.len(), hidden)
    };
    let (all, hidden) = entries(&browse(&browser, &profile, &url, &[]));
    assert!(all >= 5 && hidden == 0, "{hidden} of {all} are hidden");
    let dom = browse(&browser, &profile, &format!("{url}#once"), &[]);
    let (_, hidden) = entries(&dom);
    assert_eq!(hidden, all - 1, "only `once` is left: {dom}");
    let dom = browse(&browser, &profile, &format!("{url}#no%20such%20thing"), &[]);
    assert!(
        dom.contains("<p id=\"none\" role=\"status\">"),
        "it is said that nothing matches"
    );

    // What is no encoded address is looked for as it is.
    let dom = browse(&browser, &profile, &format!("{url}#%"), &[]);
    assert!(dom.contains("</html>"));

    // By keyboard alone: the head of a column has the focus and sorts; again, the other way round.
    let sorting = page.replace(
        "</body>",
        "<script>{ const b = document.querySelector('[data-key=price]'); b.focus(); \
         const names = () => [...document.querySelectorAll('.sortable .name')].map((n) => n.textContent).join(); \
         b.click(); const up = names(); b.click(); const down = names(); b.click(); \
         document.title = [document.activeElement === b, up, down, names()].join(' '); }</script></body>",
    );
    let file = project.root.join("sorting.html");
    std::fs::write(&file, sorting).expect("written");
    let dom = browse(
        &browser,
        &profile,
        &format!("file://{}", file.display()),
        &[],
    );
    let title = "<title>true once,twice twice,once once,twice</title>";
    assert!(dom.contains(title), "{dom}");

    // On a phone nothing is wider than the screen.
    let inner = page.replace('&', "&amp;").replace('"', "&quot;");
    let phone = format!(
        "<!doctype html><title>wait</title><iframe id=f width=390 height=844 style='border:0' srcdoc=\"{inner}\"></iframe>\
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
    assert!(width <= 390, "{width} pixels on a screen of 390");

    let picture = project.root.join("page.png");
    let shot = format!("--screenshot={}", picture.display());
    browse(&browser, &profile, &url, &[&shot, "--window-size=900,1200"]);
    assert!(
        std::fs::metadata(&picture).is_ok_and(|file| file.len() > 10_000),
        "a picture"
    );
}
