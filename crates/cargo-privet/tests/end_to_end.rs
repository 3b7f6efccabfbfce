//! The tool on small projects, good and bad, and on this repository.

mod project;

use std::path::Path;
use std::process::Command;

use project::{Project, repository};
use serde_json::Value;

/// The strings of a list of objects.
fn texts<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    let list = list.as_array().expect("a list");
    list.iter()
        .map(|item| item[key].as_str().expect("a string"))
        .collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The violations of a report, as `file:line rule`.
fn broken(report: &Value) -> Vec<String> {
    let list = report["violations"].as_array().expect("violations");
    let shown = |v: &Value| {
        let text = |key: &str| v[key].as_str().unwrap_or_default();
        format!("{}:{} {}", text("file"), v["line"], text("rule"))
    };
    list.iter().map(shown).collect()
}

/// What Markdown shows.
fn unescaped(markdown: &str) -> String {
    let plain = markdown.replace('\\', "").replace("&lt;", "<");
    plain.replace("&amp;", "&")
}

/// Runs an audit in all formats and checks that they say the same; returns the JSON.
fn all_formats(project: &Project, status: i32) -> Value {
    let report = json(
        &project
            .privet(&["audit", "--format", "json"])
            .exits(status)
            .out,
    );
    let table = project.privet(&["audit"]).exits(status).out;
    let sarif = json(
        &project
            .privet(&["audit", "--format", "sarif"])
            .exits(status)
            .out,
    );
    let html = project
        .privet(&["audit", "--format", "html"])
        .exits(status)
        .out;
    let markdown = project
        .privet(&["audit", "--format", "markdown"])
        .exits(status)
        .out;
    let escaped = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    };

    assert!(
        !table.contains('\x1b'),
        "no colour where it is piped: {table}"
    );
    assert_eq!(report["schema"], 1);
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let rules = texts(&sarif["runs"][0]["tool"]["driver"]["rules"], "id");
    for function in report["functions"].as_array().expect("functions") {
        let name = function["name"].as_str().expect("a name");
        let price = function["price"]["text"].as_str().expect("a price");
        let place = format!(
            "{}:{}",
            function["file"].as_str().expect("a file"),
            function["line"]
        );
        let line = table
            .lines()
            .find(|l| l.contains(name) && l.contains(&place));
        assert!(line.is_some_and(|l| l.contains(price)), "{name} in {table}");
        let row = html
            .split("<tr")
            .find(|row| row.contains(&format!("{}</code>", escaped(name))) && row.contains(&place));
        assert!(
            row.is_some_and(|row| row.contains(&format!("<b class=\"price\">{price}</b>"))),
            "{name}"
        );
        assert!(html.contains(&place), "{place}");
        // Prices are not results: code scanning would open an alert for each.
        let prices = sarif["runs"][0]["properties"]["prices"]
            .as_array()
            .expect("prices");
        assert!(
            prices
                .iter()
                .any(|p| p["function"] == function["id"] && p["price"] == price)
        );
        assert!(
            markdown.contains(price) && markdown.contains(&place),
            "{name}"
        );
    }
    let violations = report["violations"].as_array().expect("violations");
    for violation in violations {
        let message = violation["message"].as_str().expect("a message");
        let rule = violation["rule"].as_str().expect("a rule");
        assert!(
            table.contains(&format!("{rule}: {message}")),
            "{message} in {table}"
        );
        assert!(rules.contains(&rule), "{rule}");
        let found = results
            .iter()
            .find(|r| r["message"]["text"] == message)
            .expect("in SARIF");
        assert_eq!(found["level"], "error");
        let place = &found["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], violation["file"]);
        assert_eq!(place["region"]["startLine"], violation["line"]);
        assert!(
            unescaped(&markdown).contains(&message.replace('\\', "")),
            "{message} in {markdown}"
        );
        assert!(found["partialFingerprints"]["privet/v1"].is_string());
        let plain: String = escaped(message).split('`').collect();
        assert!(
            html.replace("<code>", "")
                .replace("</code>", "")
                .contains(&plain),
            "{plain}"
        );
    }
    let errors = results.iter().filter(|r| r["level"] == "error").count();
    assert_eq!(errors, violations.len());
    for rule in sarif["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .expect("rules")
    {
        for text in ["fullDescription", "help", "shortDescription"] {
            assert!(
                rule[text]["text"]
                    .as_str()
                    .is_some_and(|text| text.len() > 10),
                "{rule}"
            );
        }
    }
    for data in report["data"].as_array().expect("data") {
        let total = data["total"]["text"].as_str().expect("a total");
        assert!(table.contains(&format!("total {total}")) && html.contains(total));
    }
    for dependency in report["trust"]["not_scanned"].as_array().expect("names") {
        let name = dependency.as_str().expect("a name");
        assert!(table.contains(name) && html.contains(name), "{name}");
    }
    for tag in [
        "section", "ul", "li", "details", "div", "span", "table", "tr", "td", "dl",
    ] {
        let opened =
            html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
        assert_eq!(
            opened,
            html.matches(&format!("</{tag}>")).count(),
            "<{tag}>"
        );
    }
    report
}

#[test]
fn a_good_workspace_is_priced_from_its_types() {
    let project = Project::copy("good");
    let report = all_formats(&project, 0);
    let prices: Vec<_> = texts(&report["functions"], "id")
        .into_iter()
        .zip(
            report["functions"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|f| f["price"]["text"].clone()),
        )
        .collect();
    // `older_smokers` panics when it is called under an audit: it was not.
    assert_eq!(
        prices
            .iter()
            .map(|(id, price)| format!("{id} {}", price.as_str().unwrap_or_default()))
            .collect::<Vec<_>>(),
        [
            "analysis::older_smokers ε = 1/4",
            "analysis::mean_bill::<Eps<1, 2>> ε = 1/2",
            "analysis::report ε = 3/4",
            "analysis::gaussian::minutes ρ = 1/50",
            "analysis::Older::count::<Eps<1, 4>> ε = 1/4",
            "analysis::Older::retired ε = 1/8",
            "analysis::spend ε = 1",
            "hospital::vault ε = 1",
        ]
    );
    assert_eq!(
        texts(&report["data"], "name"),
        ["Table<hospital::Patient>", "Table<hospital::Visit>"]
    );
    let patients = &report["data"][0];
    assert_eq!(patients["total"]["text"], "ε = 11/8");
    assert_eq!(patients["budget"]["text"], "ε = 1");
    assert_eq!(
        patients["roots"],
        serde_json::json!([
            "analysis::Older::count::<Eps<1, 4>>",
            "analysis::Older::retired",
            "analysis::spend"
        ])
    );
    assert_eq!(
        report["data"][1]["total"]["implies"][0],
        "ε = 0.901, δ = 1e-6"
    );
    // Exact numbers beside the words.
    let number = |n: &str, d: &str| serde_json::json!({"numerator": n, "denominator": d});
    let budget = &patients["budget"];
    assert_eq!(
        (&budget["epsilon"], &budget["delta"]),
        (&number("1", "1"), &number("0", "1"))
    );
    assert_eq!(report["data"][1]["total"]["rho"], number("1", "50"));
    let spend = &report["functions"][6];
    assert_eq!(spend["vault"]["comes_out"]["text"], "ε = 0");
    assert_eq!(texts(&spend["parts"], "call"), ["report", "older_smokers"]);

    let table = project.privet(&["audit", "-q"]).exits(0).out;
    let start = table.split("\nno violations").next().unwrap_or_default();
    assert_eq!(start, include_str!("expected/good.txt"), "{start}");
    let colored = project.privet(&["audit", "--color", "always"]).exits(0).out;
    assert!(colored.contains("\x1b[1m"));
    let file = project.root.join("out.html");
    let ran = project
        .privet(&["audit", "--format", "html", "--output", "out.html"])
        .exits(0);
    assert!(ran.out.is_empty() && file.exists());
}

#[test]
fn what_is_over_its_policy_is_listed_and_fails() {
    let project = Project::copy("over");
    let report = all_formats(&project, 1);
    assert_eq!(
        texts(&report["violations"], "message"),
        [
            "`Table<over::Row>`: its audited functions spend ε = 5/4, more than its ceiling ε = 1",
            "`twice` spends ε = 3/4, more than its ceiling ε = 1/2",
            "the policy names the function `nobody`, which the audit did not find",
        ]
    );
    // Each points at the line of the policy that states the ceiling.
    let violations = report["violations"].as_array().expect("violations");
    let lines: Vec<_> = violations
        .iter()
        .map(|v| (&v["file"], &v["line"]))
        .collect();
    let at = |line: u32| (Value::from("privet.toml"), Value::from(line));
    assert_eq!(
        lines,
        [&at(2), &at(5), &at(8)].map(|(file, line)| (file, line))
    );
    project.edit("privet.toml", "at_most = \"1/2\"", "at_most = \"a bit\"");
    let ran = project.privet(&["audit"]).exits(2);
    assert!(
        ran.err.contains("privet.toml") && ran.err.contains("`a bit` is not a price"),
        "{}",
        ran.err
    );
}

#[test]
fn rules_about_code_reach_into_macros_and_aliases() {
    let project = Project::copy("trusting");
    let report = all_formats(&project, 1);
    assert_eq!(
        broken(&report),
        [
            "privet.toml:1 no-ceiling",
            "src/lib.rs:1 forbid-unsafe",
            "src/lib.rs:13 unsafe-impl",
            "src/lib.rs:22 no-unsafe",
            "src/lib.rs:32 audit-public",
            "src/lib.rs:46 seen",
            "src/other.rs:9 opens",
        ]
    );
    assert!(
        report["trust"]["not_scanned"]
            .as_array()
            .is_some_and(|names| !names.is_empty())
    );
}

/// Everything here spends, and was once missed.
#[test]
fn a_sly_workspace_hides_nothing() {
    let report = json(
        &Project::copy("sly")
            .privet(&["audit", "--format", "json"])
            .exits(1)
            .out,
    );
    assert_eq!(
        broken(&report),
        [
            // Files that are reached in odd ways.
            "analysis/src/a/../../outside/x.rs:1 opens",
            "analysis/src/inner/mod.rs:1 opens",
            // An instance that is not listed.
            "analysis/src/lib.rs:8 seen",
            // Vaults that go in and are not priced.
            "analysis/src/lib.rs:21 seen",
            "analysis/src/lib.rs:28 seen",
            // Mechanisms under another name, or from a macro.
            "analysis/src/lib.rs:35 audit-public",
            "analysis/src/lib.rs:37 audit-public",
            "analysis/src/lib.rs:38 audit-public",
            // Vaults opened by `Self`, beside a field under `cfg(test)` (which can make a type), by a macro, in the local model,
            // under another name.
            "analysis/src/lib.rs:45 opens",
            "analysis/src/lib.rs:46 as-shipped",
            "analysis/src/lib.rs:47 opens",
            "analysis/src/lib.rs:49 opens",
            "analysis/src/lib.rs:50 opens",
            "analysis/src/lib.rs:52 opens",
            // A file that has no name before the build.
            "analysis/src/lib.rs:57 no-unsafe",
            // A second vault and a meter, opened beside the vault that is priced.
            "analysis/src/lib.rs:61 seen",
            "analysis/src/lib.rs:65 seen",
            "analysis/src/lib.rs:69 opens",
            // Twins: by a condition, by a name that hides another, by the profile.
            "analysis/src/lib.rs:72 as-shipped",
            "analysis/src/lib.rs:73 as-shipped",
            "analysis/src/lib.rs:76 as-shipped",
            "analysis/src/lib.rs:81 as-shipped",
            "analysis/src/lib.rs:82 as-shipped",
            // Visits, of which the policy says nothing.
            "privet.toml:1 no-ceiling",
            // A dear part of a cheap whole, called under another name.
            "privet.toml:2 data-ceiling",
            // A package that gets privet by way of another.
            "sneaky/src/main.rs:1 forbid-unsafe",
            "sneaky/src/main.rs:4 audit-public",
            "sneaky/src/main.rs:6 opens",
            "sneaky/src/main.rs:8 no-unsafe",
        ]
    );
    assert_eq!(report["data"][0]["total"]["text"], "ε = 10003/100");
    // The twins themselves, in 3 × 1/1000: a price that does not ship.
    let cheap = report["functions"].as_array().expect("functions").iter();
    let cheap = cheap.filter(|f| f["price"]["text"] == "ε = 1/1000");
    assert_eq!(cheap.count(), 3);
}

#[test]
fn what_does_not_build_shows_the_compilers_errors() {
    let project = Project::copy("broken");
    let ran = project.privet(&["audit"]).exits(2);
    assert!(
        ran.err
            .contains("privacy budget exceeded: this release costs `privet::Eps<1, 2>`"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("src/lib.rs:18:"), "{}", ran.err);
    assert!(
        ran.err.contains("error: the project does not build"),
        "{}",
        ran.err
    );
    assert!(ran.out.is_empty());
    // The attribute does not see that these are vaults of one table.
    let start = "#![forbid(unsafe_code)]\nuse privet::prelude::*;\n#[derive(Record)]\npub struct Row { pub age: i64 }\n";
    let write = |text: &str| {
        std::fs::write(project.root.join("src/lib.rs"), format!("{start}{text}")).expect("written");
    };
    write(
        "type A = Vault<Table<Row>, Eps<1, 1>>;\ntype B = Vault<Table<Row>, Eps<1, 2>>;\n\
         #[privet::audited]\npub fn two(a: A, _: B) -> A { a }\n",
    );
    let ran = project.privet(&["audit"]).exits(2);
    let shown = "write a function for each\n --> src/lib.rs:8:8\n  |\n8 | pub fn two(a: A, _: B) -> A { a }\n  |        ^^^\n";
    assert!(
        ran.err.contains("takes two vaults of the same data") && ran.err.contains(shown),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("E0283"), "{}", ran.err);
    // Functions of a module share a test. The one that the macro writes has the name of one that
    // does, in a module where the others are not.
    let function = |name: &str| {
        format!(
            "#[privet::audited]\npub fn {name}() -> Mechanism<Table<Row>, i64, Eps<1, 2>> {{ rows::<Row>().count().laplace() }}\n"
        )
    };
    write(&format!(
        "pub mod inner {{\nuse super::*;\nmacro_rules! make {{ ($name:ident) => {{ {} }} }}\nmake!(second);\n}}\n{}{}",
        function("$name"),
        function("first"),
        function("second"),
    ));
    let ran = project.privet(&["audit", "--quiet", "--format", "json"]);
    let report = json(&ran.out);
    let mut names = texts(&report["functions"], "id");
    names.sort_unstable();
    let expected = ["broken::first", "broken::inner::second", "broken::second"];
    assert_eq!(names, expected, "{}", ran.err);
}

#[test]
fn a_declared_ceiling_is_kept_by_a_normal_build() {
    let output = Project::copy("ceiling").run("cargo", &["check"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    for message in [
        "this function costs `privet::Eps<1, 2>`, more than its declared ceiling `Approx<privet::Eps<1, 4>, Delta<1, 9>>`",
        "this function takes a vault of `privet::Eps<1, 1>` and leaves `privet::Eps<0, 2>`: it spends more than its declared ceiling `privet::Eps<1, 2>`",
        "this function costs `privet::Eps<1, 1>`, more than its declared ceiling `privet::Eps<1, 2>`",
    ] {
        assert!(text.contains(message), "{message}\n{text}");
    }
}

#[test]
fn a_project_without_the_attribute_is_told_so() {
    let project = Project::copy("empty");
    let ran = project.privet(&["audit"]).exits(2);
    assert!(
        ran.err.contains("no function of") && ran.err.contains("#[privet::audited]"),
        "{}",
        ran.err
    );
    // Another version of privet, and none at all.
    project.edit("Cargo.toml", &repository().display().to_string(), "other");
    std::fs::create_dir_all(project.root.join("other/src")).expect("a directory");
    std::fs::write(project.root.join("other/src/lib.rs"), "").expect("written");
    let manifest = "[package]\nname = \"privet\"\nversion = \"0.9.3\"\n";
    std::fs::write(project.root.join("other/Cargo.toml"), manifest).expect("written");
    project.edit("Cargo.toml", ", default-features = false", "");
    let ran = project.privet(&["audit"]).exits(2);
    assert!(
        ran.err
            .contains("uses privet 0.9.3, and this is cargo-privet"),
        "{}",
        ran.err
    );
    project.edit("Cargo.toml", "privet = { path = \"other\" }", "");
    let ran = project.privet(&["audit"]).exits(2);
    assert!(ran.err.contains("depends on privet"), "{}", ran.err);
}

#[test]
fn a_pull_request_sees_what_changed() {
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"changing\"");
    let git = |arguments: &[&str]| {
        let author = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        let output = project.run("git", &[&author[..], arguments].concat());
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "before"]);
    let same = project
        .privet(&["diff", "HEAD", "--format", "markdown"])
        .exits(0);
    assert!(
        same.out.contains("No price of a function changed") && same.out.contains("2 unchanged"),
        "{}",
        same.out
    );
    // Two at once take turns, and say the same.
    let both = std::thread::scope(|scope| {
        let diff = || project.privet(&["diff", "HEAD", "--quiet", "--format", "markdown"]);
        [scope.spawn(diff), scope.spawn(diff)].map(|run| run.join().expect("a run").exits(0).out)
    });
    assert_eq!(both, [same.out.clone(), same.out]);
    project.edit("src/lib.rs", "Eps<3, 4>", "Eps<1, 8>");
    project.edit(
        "src/lib.rs",
        "fn once() -> Mechanism<Table<Row>, i64, Eps<1, 2>>",
        "fn only() -> Mechanism<Table<Row>, i64, Eps<1, 1>>",
    );
    let table = project.privet(&["diff", "HEAD"]).exits(0).out;
    for (what, name, prices) in [
        ("added", "changing::only", "– → ε = 1"),
        ("cheaper", "changing::twice", "ε = 3/4 → ε = 1/8"),
        ("removed", "changing::once", "ε = 1/2 → –"),
        ("total", "Table<changing::Row>", "ε = 5/4 → ε = 9/8"),
    ] {
        let line = table
            .lines()
            .find(|l| l.starts_with(what))
            .unwrap_or_default();
        assert!(
            line.contains(name) && line.contains(prices),
            "{what}: {table}"
        );
    }
    let markdown = project
        .privet(&["diff", "HEAD", "--format", "markdown", "--fail-on-dearer"])
        .exits(1)
        .out;
    assert!(
        markdown.contains(
            "| **added** | `changing::only` (src/lib.rs:12) | `Table<changing::Row>` | – | ε = 1 |"
        ),
        "{markdown}"
    );
    // Spent without the attribute: nothing that got cheaper.
    git(&["checkout", "--quiet", "."]);
    project.edit(
        "src/lib.rs",
        "#[privet::audited]\npub fn once() -> Mechanism<Table<Row>, i64, Eps<1, 2>>",
        "pub fn again() -> Vault<Table<Row>, Eps<9, 1>> { Vault::open([]) }\n\
         pub fn once() -> Mechanism<Table<Row>, i64, Eps<1, 2>>",
    );
    let table = project
        .privet(&["diff", "HEAD", "--fail-on-dearer"])
        .exits(1)
        .out;
    let starts = |what: &str| table.lines().any(|l| l.starts_with(what));
    assert!(starts("unaudited") && starts("opened"), "{table}");
    let ran = project.privet(&["diff", "no-such"]).exits(2);
    assert!(
        ran.err.contains("`no-such` is not a revision"),
        "{}",
        ran.err
    );
    // The hook that others copy stops a commit of code, and no other.
    let tool = Path::new(env!("CARGO_BIN_EXE_cargo-privet")).parent();
    let tool = tool.expect("a directory").display();
    let hook = Path::new(env!("CARGO_MANIFEST_DIR")).join("ci/pre-commit");
    let line = format!("PATH=\"{tool}:$PATH\" sh {}", hook.display());
    let hook = || project.run("sh", &["-c", &line]);
    std::fs::write(project.root.join("notes.txt"), "no code").expect("written");
    git(&["add", "notes.txt"]);
    assert!(hook().status.success());
    git(&["add", "src/lib.rs"]);
    let stopped = hook();
    let text = String::from_utf8_lossy(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(1), "{text}");
    assert!(text.contains("the privacy policy is not kept"), "{text}");
    // The revision's directory is gone again.
    let list = project.run("git", &["worktree", "list"]);
    assert_eq!(String::from_utf8_lossy(&list.stdout).lines().count(), 1);
}

#[test]
fn a_starter_builds_passes_and_keeps_its_policy() {
    let project = Project::empty("starters");
    let privet = repository().display().to_string();
    project
        .tool(&["new", "clinic-visits", "--path", &privet])
        .exits(0);
    let starter = Project {
        root: project.root.join("clinic-visits"),
    };
    starter.lock();
    starter.warm();
    let output = starter.run("cargo", &["test"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        text.contains("compile fail") && text.contains("a_report_spends_the_budget_exactly ... ok"),
        "{text}"
    );
    let table = starter.privet(&["audit"]).exits(0).out;
    assert!(
        table.contains("total ε = 1/2") && table.contains("no violations"),
        "{table}"
    );
    // What the comment says to write in the place of the example data compiles.
    let text = std::fs::read_to_string(starter.root.join("src/lib.rs")).expect("a file");
    let line = text
        .lines()
        .find(|line| line.contains("//     Vault::load"))
        .expect("a comment");
    let code = line.trim().trim_start_matches("//").trim();
    let start = text.find("    Vault::open").expect("a vault");
    let end = start + text[start..].find("\n}").expect("its end");
    let mut edited = text.clone();
    edited.replace_range(start..end, &format!("    {code}"));
    let edited = edited.replace(
        "fn vault() -> Vault<Table<Visit>, Eps<1, 2>>",
        "fn vault() -> privet::Result<Vault<Table<Visit>, Eps<1, 2>>>",
    );
    std::fs::write(starter.root.join("src/lib.rs"), edited).expect("written");
    let checked = starter.run("cargo", &["check", "--lib"]);
    assert!(
        checked.status.success(),
        "{}",
        String::from_utf8_lossy(&checked.stderr)
    );
    std::fs::write(starter.root.join("src/lib.rs"), text).expect("written");
    let formatted = starter.run("cargo", &["fmt", "--check"]);
    assert!(
        formatted.status.success(),
        "{}",
        String::from_utf8_lossy(&formatted.stdout)
    );
    for bad in ["clinic-visits", "1st", "a b", "fn", "privet"] {
        project.tool(&["new", bad, "--path", &privet]).exits(2);
    }
    // There is no release to depend on.
    let ran = project.tool(&["new", "nowhere"]).exits(2);
    assert!(
        ran.err.contains("--path") && ran.err.contains("--git"),
        "{}",
        ran.err
    );
}

/// From nothing to green with a dependency from git: a repository of this work tree as it is.
#[test]
fn a_starter_from_git_keeps_its_policy() {
    let project = Project::empty("starter-from-git");
    let url = format!("file://{}", snapshot(&project.root.join("privet")));
    project.tool(&["new", "from-git", "--git", &url]).exits(0);
    let starter = Project {
        root: project.root.join("from-git"),
    };
    let read = |file: &str| std::fs::read_to_string(starter.root.join(file)).expect("a file");
    assert!(read("Cargo.toml").contains(&format!("privet = {{ git = {url:?} }}")));
    let workflow = read(".github/workflows/privacy.yml");
    let install = format!("run: cargo install --locked --git {url:?} cargo-privet");
    assert!(workflow.contains(&install), "{workflow}");
    // What the repository locks is here already; only its own packages come from it.
    let commit = project.run("git", &["-C", "privet", "rev-parse", "HEAD"]);
    let commit = String::from_utf8(commit.stdout).expect("a commit");
    starter.lock();
    for package in ["privet", "privet-derive"] {
        let head = format!("name = \"{package}\"\nversion = \"0.1.0\"\n");
        let source = format!("{head}source = \"git+{url}#{}\"\n", commit.trim());
        starter.edit("Cargo.lock", &head, &source);
    }
    let fetched = Command::new("cargo")
        .args(["fetch", "--quiet"])
        .current_dir(&starter.root)
        .output()
        .expect("cargo");
    assert!(
        fetched.status.success(),
        "{}",
        String::from_utf8_lossy(&fetched.stderr)
    );
    let table = starter.privet(&["audit"]).exits(0).out;
    assert!(
        table.contains("total ε = 1/2") && table.contains("no violations"),
        "{table}"
    );
    let words: Vec<&str> = table.split_whitespace().collect();
    assert!(
        words.join(" ").contains("privet@0.1.0 from git+file:"),
        "{table}"
    );
}

/// A git repository with the files of this one as they are now; its path.
fn snapshot(at: &Path) -> String {
    let git = |directory: &Path, arguments: &[&str]| {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b.c"])
            .args(arguments)
            .current_dir(directory)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("git");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let from = repository();
    for file in git(&from, &["ls-files", "-co", "--exclude-standard"]).lines() {
        // A file that is deleted and not committed is still listed.
        if let Some(folder) = at.join(file).parent().filter(|_| from.join(file).is_file()) {
            std::fs::create_dir_all(folder).expect("a directory");
            std::fs::copy(from.join(file), at.join(file)).expect("copied");
        }
    }
    git(at, &["init", "--quiet"]);
    git(at, &["add", "--force", "."]);
    git(at, &["commit", "--quiet", "-m", "as it is"]);
    at.display().to_string()
}

#[test]
fn explanations_and_bad_command_lines() {
    let project = Project::empty("words");
    assert!(
        project
            .tool(&["explain"])
            .exits(0)
            .out
            .contains("privacy budget exceeded")
    );
    assert!(
        project
            .tool(&["explain", "budget", "exceeded"])
            .exits(0)
            .out
            .contains("overspends the budget")
    );
    assert!(
        project
            .tool(&["explain", "soup"])
            .exits(2)
            .err
            .contains("no page on `soup`")
    );
    assert!(
        project
            .tool(&["--help"])
            .exits(0)
            .out
            .contains("usage: cargo privet")
    );
    for bad in [
        &["audti"][..],
        &["audit", "--fromat", "json"],
        &["audit", "--format", "pdf"],
        &["audit", "--format"],
        &["diff", "a", "b"],
        &["audit", "x"],
        &["audit", "--fail-on-dearer"],
    ] {
        let ran = project.tool(bad).exits(2);
        assert!(ran.err.contains("cargo privet --help"), "{}", ran.err);
    }
}
