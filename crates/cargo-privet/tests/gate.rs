//! The tool as a gate: what must fail fails, and says why.

mod project;

use std::fs::FileTimes;
use std::time::{Duration, SystemTime};

use project::{Project, repository};
use serde_json::Value;

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
    let mut list: Vec<String> = list.iter().map(shown).collect();
    list.dedup();
    list
}

fn audit(project: &Project, more: &[&str], status: i32) -> Value {
    let arguments = [&["audit", "--quiet", "--format", "json"], more].concat();
    json(&project.privet(&arguments).exits(status).out)
}

fn commit(project: &Project, message: &str) {
    let git = |arguments: &[&str]| {
        let author = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        let output = project.run("git", &[&author[..], arguments].concat());
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    if !project.root.join(".git").exists() {
        git(&["init", "--quiet"]);
    }
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", message]);
}

/// Each member of this workspace tries to spend unseen, in a way of its own.
#[test]
fn attempts_to_fool_it_end_in_violations() {
    let report = audit(&Project::copy("fooled"), &[], 1);
    assert_eq!(
        broken(&report),
        [
            // Mechanisms and vaults under the names that a sibling gives them.
            "aliased/src/lib.rs:6 audit-public",
            "aliased/src/lib.rs:7 audit-public",
            "aliased/src/lib.rs:8 opens",
            "aliased/src/lib.rs:9 opens",
            // An instance whose price has the name of another price.
            "aliases/src/lib.rs:10 seen",
            // Types that a build script chooses.
            "built/src/lib.rs:5 as-shipped",
            "built/src/lib.rs:7 as-shipped",
            "built/src/lib.rs:11 as-shipped",
            // A member with the name of the tool.
            "cargo-privet/src/main.rs:6 opens",
            // A price that is printed by hand, beside an attribute of a tool.
            "forged/src/lib.rs:6 opens",
            "forged/src/lib.rs:10 seen",
            // A generic helper, and mechanisms that open a vault in their bodies.
            "helper/src/lib.rs:5 opens",
            "helper/src/lib.rs:10 opens",
            "helper/src/lib.rs:16 opened-once",
            // Openers in a closure, by a caller that is called again, in a loop, in a closure, in a
            // thread, at two places, in an iterator, under another name.
            "loops/src/main.rs:21 opens",
            "loops/src/main.rs:25 opened-once",
            "loops/src/main.rs:28 opened-once",
            "loops/src/main.rs:30 opened-once",
            "loops/src/main.rs:32 opened-once",
            "loops/src/main.rs:33 opened-once",
            "loops/src/main.rs:35 opened-once",
            "loops/src/main.rs:37 opened-once",
            // Types that depend on the machine.
            "platform/src/lib.rs:5 as-shipped",
            "platform/src/lib.rs:7 as-shipped",
            // A member with the name of one of our crates.
            "privet-derive/src/lib.rs:5 audit-public",
            // People of whom the policy says nothing.
            "privet.toml:1 no-ceiling",
            // The same people under two relations.
            "privet.toml:2 data-ceiling",
            // For each request, and in a trait's function.
            "requests/src/lib.rs:8 opened-once",
            "requests/src/lib.rs:15 opened-once",
            // Vaults that go in unseen: without the attribute, in an async function, in a
            // structure, deeper, in an object, by a method.
            "takes/src/lib.rs:5 audit-public",
            "takes/src/lib.rs:6 audit-public",
            "takes/src/lib.rs:10 seen",
            "takes/src/lib.rs:15 seen",
            "takes/src/lib.rs:17 seen",
            "takes/src/lib.rs:21 audit-public",
            // Features that only tests switch on.
            "tricks/Cargo.toml:1 as-shipped",
            // A pointer to an opener that comes by a `*`, and `main` called from another file.
            "tricks/src/again.rs:3 opened-once",
            "tricks/src/again.rs:4 opened-once",
            // A macro for a type, another `test`, functions that hide the name of an opener, another
            // `println`, a name in other letters, a file that is two modules.
            "tricks/src/main.rs:11 opens",
            "tricks/src/main.rs:19 opens",
            "tricks/src/main.rs:22 opened-once",
            "tricks/src/main.rs:24 opened-once",
            "tricks/src/main.rs:38 opened-once",
            "tricks/src/main.rs:41 opened-once",
            "tricks/src/main.rs:44 opened-once",
            "tricks/src/main.rs:45 opened-once",
            "tricks/src/main.rs:46 opened-once",
            // Macros whose code nobody reads.
            "writer/Cargo.toml:1 unscanned",
        ]
    );
    let functions = report["functions"].as_array().expect("functions");
    let price = |id: &str| {
        let function = functions.iter().find(|f| f["id"] == id).expect(id);
        function["price"]["text"]
            .as_str()
            .expect("a price")
            .to_string()
    };
    // Async functions are priced by what they yield; a macro's functions by their names.
    assert_eq!(price("takes::awaited"), "ε = 1/100");
    assert_eq!(price("takes::planned"), "ε = 1/50");
    assert_eq!(price("wired::counted"), "ε = 1/1000");
    // A part under another name is counted once.
    let data = report["data"].as_array().expect("data");
    let visits = data
        .iter()
        .find(|d| d["name"] == "Table<people::Visit>")
        .expect("visits");
    let roots = visits["roots"].as_array().expect("roots");
    assert!(roots.contains(&"wired::whole".into()) && !roots.contains(&"wired::original".into()));
    // Each call of an opener is listed.
    let calls = report["trust"]["opener_calls"].as_array().expect("calls");
    assert!(
        calls
            .iter()
            .any(|c| c["file"] == "loops/src/main.rs" && c["line"] == 39)
    );
}

/// More of them: statics, traits, generics, files, machines, programs.
#[test]
fn further_attempts_end_in_violations_or_are_named_as_not_seen() {
    let project = Project::copy("deceived");
    let report = audit(&project, &[], 1);
    assert_eq!(
        broken(&report),
        [
            // An opener that calls itself, one in an async closure, a method, one in a macro that others call, a
            // hidden function, one that is handed on, two functions that call each other.
            "again/src/lib.rs:7 opened-once",
            "again/src/lib.rs:11 opened-once",
            "again/src/lib.rs:19 opened-once",
            "again/src/lib.rs:24 opened-once",
            "again/src/lib.rs:27 audit-public",
            "again/src/lib.rs:32 opened-once",
            "again/src/lib.rs:36 opened-once",
            "again/src/lib.rs:42 opened-once",
            // Files with other names, and an attribute behind a condition that always holds.
            "files/src/../parts/part.in:1 opens",
            "files/src/lib.rs:14 opens",
            "files/src/open.txt:3 opens",
            "files/src/other.txt:3 opens",
            // Instances that are not listed: by a constant, by inference, by a path.
            "generics/src/lib.rs:7 seen",
            "generics/src/lib.rs:9 seen",
            "generics/src/lib.rs:11 seen",
            "generics/src/lib.rs:13 opened-once",
            "generics/src/lib.rs:14 opened-once",
            "generics/src/lib.rs:15 opened-once",
            // Prices that depend on the machine, on a variable, on a flag, on the profile.
            "machines/src/lib.rs:7 as-shipped",
            "machines/src/lib.rs:9 as-shipped",
            "machines/src/lib.rs:10 as-shipped",
            "machines/src/lib.rs:13 as-shipped",
            "machines/src/lib.rs:16 as-shipped",
            "machines/src/lib.rs:18 as-shipped",
            "machines/src/lib.rs:22 as-shipped",
            "machines/src/lib.rs:24 as-shipped",
            "machines/src/lib.rs:28 as-shipped",
            "machines/src/lib.rs:31 as-shipped",
            "machines/src/lib.rs:34 as-shipped",
            // By an `impl` in a function, in a block and alone, by a letter and a text with other names, by a
            // trait of a module, by types of the machine.
            "machines/src/lib.rs:40 as-shipped",
            "machines/src/lib.rs:42 as-shipped",
            "machines/src/lib.rs:46 as-shipped",
            "machines/src/lib.rs:48 as-shipped",
            "machines/src/lib.rs:52 as-shipped",
            "machines/src/lib.rs:53 as-shipped",
            "machines/src/lib.rs:56 as-shipped",
            "machines/src/lib.rs:60 as-shipped",
            "machines/src/lib.rs:64 as-shipped",
            "machines/src/lib.rs:65 as-shipped",
            // A workspace of its own, and a package in the place of one of the registry.
            "nested/src/lib.rs:5 opens",
            "patched/src/lib.rs:5 opens",
            // A build script, an example, and two programs that call one opener.
            "programs/build.rs:4 opens",
            "programs/examples/c.rs:5 opens",
            "programs/src/bin/b.rs:3 opened-once",
            // privet under another name.
            "renamed/src/lib.rs:3 opens",
            // A closure in a static, a lazy value, one for each thread, a constant pointer.
            "statics/src/lib.rs:8 opens",
            "statics/src/lib.rs:10 opens",
            "statics/src/lib.rs:10 seen",
            "statics/src/lib.rs:14 opened-once",
            "statics/src/lib.rs:14 seen",
            "statics/src/lib.rs:18 opened-once",
            // A trait's function, a default, a type that a trait names, a parameter with a default, a drop, an
            // iterator, a trait that hides the mechanism.
            "traits/src/lib.rs:7 opens",
            "traits/src/lib.rs:10 opens",
            "traits/src/lib.rs:14 opens",
            "traits/src/lib.rs:17 opens",
            "traits/src/lib.rs:22 opened-once",
            "traits/src/lib.rs:27 opened-once",
            "traits/src/lib.rs:30 audit-public",
            "traits/src/lib.rs:31 audit-public",
        ]
    );
    // What no rule is about is named where nobody overlooks it.
    let unseen = report["unseen"].as_array().expect("unseen");
    let told = |text: &str| {
        let mut lines = unseen.iter().filter_map(Value::as_str);
        lines.any(|line| line.contains(text))
    };
    for text in [
        "Types depend on features, and the audit is of `default`: unified/src/lib.rs:5",
        "Numbers that types may have are computed, and can be others on another machine: machines/src/lib.rs:7",
        "count nowhere here: programs/benches/b.rs:5, programs/tests/t.rs:6.",
    ] {
        assert!(told(text), "{text}: {unseen:?}");
    }
    // With that feature, the price is another, and the report says of what it is.
    let featured = audit(&project, &["-p", "unified", "-F", "dear"], 0);
    assert_eq!(featured["made"]["features"], "dear");
    assert_eq!(featured["functions"][0]["price"]["text"], "ε = 9");
    // A library that has no tests is priced like the others.
    let functions = report["functions"].as_array().expect("functions");
    let dear = functions.iter().find(|f| f["id"] == "untested::dear");
    assert_eq!(dear.expect("a price")["price"]["text"], "ε = 99");
}

/// Still more: types that hide what others can spend, openers that spend, and names that mean another.
#[test]
fn cunning_attempts_end_in_violations_or_are_named_as_not_seen() {
    let project = Project::copy("cunning");
    // A name that clears a terminal's line and turns what follows; no repository should have such a file.
    let name = "generated/src/all\u{1b}[2Kis well\u{202e}.rs";
    std::fs::write(
        project.root.join(name),
        "use privet::prelude::*;\npub fn go() { drop(Vault::<Table<patients::Visit>, Eps<99, 1>>::open([])) }\n",
    )
    .expect("written");
    let report = audit(&project, &[], 1);
    assert_eq!(
        broken(&report),
        [
            // A file with an odd name, and one that a build script writes.
            "generated/src/all [2Kis well .rs:2 opens",
            "generated/src/lib.rs:3 as-shipped",
            "generated/src/lib.rs:3 no-unsafe",
            // What hands out a mechanism, or takes a vault, and does not say so: a structure, a trait that
            // one has, one that everything has, an object of any type, a pointer, a static, a closure, a
            // channel, a function that a trait has already, a field.
            "hiding/src/lib.rs:13 audit-public",
            "hiding/src/lib.rs:16 audit-public",
            "hiding/src/lib.rs:17 audit-public",
            "hiding/src/lib.rs:19 audit-public",
            "hiding/src/lib.rs:20 audit-public",
            "hiding/src/lib.rs:21 audit-public",
            "hiding/src/lib.rs:23 audit-public",
            "hiding/src/lib.rs:24 audit-public",
            "hiding/src/lib.rs:26 audit-public",
            "hiding/src/lib.rs:27 audit-public",
            "hiding/src/lib.rs:33 audit-public",
            "hiding/src/lib.rs:38 audit-public",
            // Another package by the name of privet, which prints the prices it likes.
            "impostor/Cargo.toml:1 origin",
            // The same by a name that the package gives itself.
            "itself/src/lib.rs:3 seen",
            // Vaults in statics, and a closure that is looked at.
            "kept/src/lib.rs:13 seen",
            "kept/src/lib.rs:19 seen",
            "kept/src/lib.rs:32 seen",
            // Vaults by types that no alias names.
            "projected/src/lib.rs:10 opens",
            "projected/src/lib.rs:11 opens",
            "projected/src/lib.rs:17 opens",
            "projected/src/lib.rs:22 opens",
            // Openers that return less than they open: by a release, a function, a variable, a closure, a
            // division, an arm.
            "spending/src/main.rs:11 opens",
            "spending/src/main.rs:14 opens",
            "spending/src/main.rs:16 opens",
            "spending/src/main.rs:18 opens",
            "spending/src/main.rs:20 opens",
            "spending/src/main.rs:22 opens",
        ]
    );
    let unseen = report["unseen"].as_array().expect("unseen");
    for text in [
        "with other features, and types may have them: numbers/src/lib.rs:3, numbers/src/lib.rs:5, numbers/src/lib.rs:7, numbers/src/lib.rs:9, numbers/src/lib.rs:11 and 1 more",
        "Statics hold objects of any type, and a vault among them could be spent beside the prices: kept/src/lib.rs:25",
        "Programs may start themselves again, and each run opens its vaults anew: spending/src/main.rs:34",
        "The people of `Table<patients::Copied>` and of `Table<patients::Visit>` are taken for different ones",
        "Dependencies that this build leaves out were not read: `elsewhere` of `absent`, `fnv` of `absent`",
        "Settings of cargo change how code is compiled, here and perhaps not elsewhere: `target.cfg(all())` in .cargo/config.toml",
        "which was not compared with a release of privet",
    ] {
        let told = |line: &Value| line.as_str().is_some_and(|line| line.contains(text));
        assert!(unseen.iter().any(told), "{text}: {unseen:#?}");
    }
    // All of it is in every format, where one looks first.
    for format in ["table", "markdown", "html"] {
        let page = project
            .privet(&["audit", "-q", "--format", format])
            .exits(1)
            .out;
        let words = page.replace("<code>", "`").replace("</code>", "`");
        let words: Vec<&str> = words.split_whitespace().collect();
        let words = words.join(" ");
        assert!(
            words.contains("Programs may start themselves again"),
            "{words}"
        );
        assert!(
            !page.contains('\u{1b}') && !page.contains('\u{202e}'),
            "{page}"
        );
    }
}

/// What is careless, and not cunning: it runs without a price, or the report would sound better than it is.
#[test]
fn careless_programs_are_told_of() {
    let project = Project::copy("careless");
    let report = audit(&project, &[], 1);
    assert_eq!(
        broken(&report),
        [
            // By names that seem to be other functions': one that is left out, one of a macro that is not called,
            // one of another module, of a `use` that is left out or ends, of a crate and modules with odd names;
            // by a reference, and in a macro's arguments.
            "generic/src/decoys.rs:5 opened-once",
            "generic/src/decoys.rs:7 opened-once",
            "generic/src/decoys.rs:9 opened-once",
            "generic/src/decoys.rs:11 opened-once",
            "generic/src/decoys.rs:13 opened-once",
            "generic/src/decoys.rs:15 opened-once",
            "generic/src/decoys.rs:17 opened-once",
            "generic/src/decoys.rs:19 opened-once",
            "generic/src/decoys.rs:21 opened-once",
            "generic/src/decoys.rs:22 opened-once",
            "generic/src/decoys.rs:23 opened-once",
            "generic/src/decoys.rs:24 opened-once",
            "generic/src/decoys.rs:25 opened-once",
            // A parameter with one value, one beside the price, one that is fixed, an opener in a body, a vault
            // that goes in.
            "generic/src/lib.rs:7 audit-public",
            "generic/src/lib.rs:8 audit-public",
            "generic/src/lib.rs:9 audit-public",
            "generic/src/lib.rs:11 opened-once",
            "generic/src/lib.rs:14 audit-public",
            // By a module that hands it on.
            "generic/src/lib.rs:22 opened-once",
            // Two mechanisms, one beside a vault, one that an argument is given.
            "study/src/main.rs:28 audit-public",
            "study/src/main.rs:30 audit-public",
            "study/src/main.rs:32 audit-public",
            // Handed on as a value.
            "ward/src/lib.rs:21 opened-once",
            // A default, a conversion, what a wrapper is used as.
            "wrapper/src/lib.rs:7 audit-public",
            "wrapper/src/lib.rs:8 audit-public",
            "wrapper/src/lib.rs:9 audit-public",
        ]
    );
    // A macro that opens a vault is told where it stands, and no function of the name is blamed.
    let warnings = report["warnings"].as_array().expect("warnings");
    let lines: Vec<String> = warnings
        .iter()
        .map(|w| format!("{}:{}", w["file"].as_str().unwrap_or_default(), w["line"]))
        .collect();
    assert_eq!(lines, ["ward/src/lib.rs:13", "ward/src/lib.rs:18"]);
    let unseen: Vec<&str> = report["unseen"]
        .as_array()
        .expect("unseen")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    for text in [
        "Rows before they enter a vault are not covered",
        "Code declares its data public (`Simulation::of_public`): whatever runs on it is not paid. study/src/main.rs:9.",
        "whose answers are exact and not paid: study/src/main.rs:11, study/src/main.rs:21.",
        "known when it runs, bounded by its cap: study/src/main.rs:23.",
        "each run opens its vaults anew: study/src/main.rs:24.",
        "Public functions are given a meter, and may charge it at prices that are known when they run: study/src/main.rs:14.",
        "priced by their callers, whose types say at what price and on whose data: `opens` at `E` generic/src/lib.rs:10, `fine` at `E` generic/src/lib.rs:18.",
    ] {
        let told = unseen.iter().any(|line| line.contains(text));
        assert!(told, "{text}: {unseen:#?}");
    }
    assert_eq!(report["trust"]["simulated"][0]["line"], 9);
    // One run, one row; where an account pays, its cap is the bound.
    let words = |format: &str| {
        let asked = ["audit", "-q", "--format", format];
        let page = project.privet(&asked).exits(1).out;
        let page = page.replace("<code>", "`").replace("</code>", "`");
        let page = page.replace("&lt;", "<").replace("&gt;", ">");
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for format in ["table", "markdown", "html"] {
        let page = words(format);
        for text in [
            "Rows before they enter a vault are not covered",
            "whatever runs on it is not paid",
            "programs can spend in one run",
            "what they conclude with and without one row differs by a factor",
            "Each run opens them anew, with as much again",
            "whose cap is the most that all runs can spend",
        ] {
            assert!(page.contains(text), "{format}: {text}: {page}");
        }
    }
    assert!(words("sarif").contains("whatever runs on it is not paid"));
    // Without the caller, the opener is as public as before.
    std::fs::write(project.root.join("generic/src/decoys.rs"), "").expect("written");
    project.edit("generic/src/lib.rs", "drop(ward::open());", "");
    project.edit("generic/src/lib.rs", "drop(doors::open())", "");
    let report = audit(&project, &[], 1);
    let unseen = report["unseen"].to_string();
    let text = "Public openers are called by nothing here: whoever calls one opens its vaults each time: ward/src/lib.rs:11.";
    assert!(unseen.contains(text), "{unseen}");
}

/// What was once refused, and is everyday code.
#[test]
fn honest_programs_pass() {
    let project = Project::copy("honest");
    let report = audit(&project, &[], 0);
    let calls = report["trust"]["opener_calls"].as_array().expect("calls");
    let lines: Vec<&Value> = calls.iter().map(|call| &call["line"]).collect();
    assert_eq!(lines, [38, 41]);
    let priced = report["trust"]["by_callers"].as_array().expect("functions");
    let priced: Vec<&str> = priced.iter().filter_map(|f| f["what"].as_str()).collect();
    assert_eq!(priced, ["`count_where` at `E`", "`mean` at `E`"]);
    // A library that leaves every price to its callers is no empty audit.
    std::fs::write(project.root.join("none.toml"), "").expect("written");
    let alone = ["-p", "honest-summaries", "--policy", "none.toml"];
    let alone = audit(&project, &alone, 0);
    assert_eq!(alone["functions"], serde_json::json!([]));
    // The same items, where a type depends on one.
    project.edit(
        "program/src/main.rs",
        "#[privet::audited]",
        "pub const N: u64 = SEP as u64;\n#[privet::audited]",
    );
    // A second call that is in no other arm.
    project.edit(
        "program/src/main.rs",
        "    println!(\"{n}\");",
        "    drop(open());",
    );
    let told = broken(&audit(&project, &[], 1));
    assert_eq!(
        told,
        [
            "program/src/main.rs:9 as-shipped",
            "program/src/main.rs:11 as-shipped",
            "program/src/main.rs:42 opened-once",
            "program/src/main.rs:50 opened-once",
        ]
    );
}

/// Two packages named privet, of which one is anything.
#[test]
fn a_second_package_of_the_name_is_told() {
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"doubled\"");
    let other = project.root.parent().expect("a directory").join("other");
    std::fs::create_dir_all(other.join("src")).expect("a directory");
    let manifest = format!(
        "[package]\nname = \"privet\"\nversion = \"0.1.9\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nreal = {{ package = \"privet\", path = {:?}, default-features = false }}\n",
        repository().display().to_string()
    );
    std::fs::write(other.join("Cargo.toml"), manifest).expect("written");
    std::fs::write(
        other.join("src/lib.rs"),
        "pub use real::*;\npub fn fresh<R: Record, B: real::Budget>() -> Vault<Table<R>, B> { Vault::open([]) }\n",
    )
    .expect("written");
    project.edit(
        "Cargo.toml",
        "[dependencies]",
        "[dependencies]\nsecond = { package = \"privet\", path = \"../other\" }",
    );
    let report = audit(&project, &[], 1);
    let told = report["violations"].as_array().expect("violations").iter();
    let told: Vec<&str> = told.filter_map(|v| v["message"].as_str()).collect();
    let text = "there are 2 packages named `privet`, and one of them may be anything: `privet@0.1.0` from path";
    assert!(
        told.iter().any(|message| message.contains(text)),
        "{told:#?}"
    );
}

#[test]
fn no_policy_is_a_state_of_its_own() {
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"lawless\"");
    std::fs::remove_file(project.root.join("privet.toml")).expect("removed");
    let report = audit(&project, &[], 3);
    assert_eq!(report["verdict"], "no-policy");
    assert!(report["policy"].is_null());
    audit(&project, &["--without-policy"], 0);
    for (format, words) in [
        ("table", "no-policy: there is no `privet.toml`"),
        ("markdown", "There is no policy"),
        ("html", "There is no policy"),
        ("sarif", "\"ruleId\": \"no-policy\""),
    ] {
        let text = project
            .privet(&["audit", "-q", "--format", format])
            .exits(3)
            .out;
        assert!(text.contains(words), "{text}");
        assert!(
            !text.contains("All rules are kept") && !text.contains("no violations"),
            "{text}"
        );
    }
    // All rules but ceilings hold: a public mechanism without the attribute is told.
    project.edit(
        "src/lib.rs",
        "#[privet::audited]\npub fn twice",
        "pub fn twice",
    );
    assert_eq!(
        broken(&audit(&project, &["--without-policy"], 1)),
        ["src/lib.rs:16 audit-public"]
    );
    // `init` writes a policy that is kept.
    project.edit(
        "src/lib.rs",
        "\npub fn twice",
        "\n#[privet::audited]\npub fn twice",
    );
    let privet = repository().display().to_string();
    let ran = project
        .privet(&["init", "-q", "--ci", "--path", &privet])
        .exits(0);
    assert!(ran.out.contains("wrote privet.toml"), "{}", ran.out);
    assert!(project.root.join(".github/workflows/privacy.yml").exists());
    assert_eq!(audit(&project, &[], 0)["verdict"], "kept");
    project.privet(&["init"]).exits(2);
}

/// One record under two relations has one ceiling, and the tool comes from where privet does.
#[test]
fn init_writes_a_policy_that_is_kept() {
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"initial\"");
    std::fs::remove_file(project.root.join("privet.toml")).expect("removed");
    project.edit(
        "src/lib.rs",
        "pub fn twice() -> Mechanism<Table<Row>, i64, Eps<3, 4>> {\n    rows::<Row>()",
        "pub fn twice() -> Mechanism<Table<Row, privet::domain::Replace>, i64, Eps<3, 4>> {\n    rows::<Table<Row, privet::domain::Replace>>().filter(|r| r.age.gt(1))",
    );
    let ran = project.privet(&["init", "-q", "--ci"]).exits(0);
    assert!(ran.out.contains("It is kept as of now"), "{}", ran.out);
    let read = |file: &str| std::fs::read_to_string(project.root.join(file)).expect("a file");
    // Adding and removing counts twice beside replacing: 2 × 1/2 + 3/4.
    let policy = read("privet.toml");
    assert_eq!(
        policy.matches("at_most = \"eps = 7/4\"").count(),
        2,
        "{policy}"
    );
    let report = audit(&project, &[], 0);
    assert_eq!(report["verdict"], "kept");
    assert_eq!(report["data"].as_array().expect("data").len(), 2);
    let workflow = read(".github/workflows/privacy.yml");
    let install = "run: cargo install --locked --path \"../";
    assert!(workflow.contains(install), "{workflow}");
    assert!(ran.out.contains("which lies outside of it"), "{}", ran.out);
}

#[test]
fn prices_are_of_the_sources_as_they_are() {
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"stale\"");
    let price = |report: &Value| report["functions"][0]["price"]["text"].clone();
    assert_eq!(price(&audit(&project, &[], 1)), "ε = 1/2");
    // An edit that keeps an old time.
    let file = project.root.join("src/lib.rs");
    project.edit("src/lib.rs", "Eps<1, 2>", "Eps<9, 1>");
    let old = SystemTime::now() - Duration::from_secs(86_400);
    let times = FileTimes::new().set_modified(old);
    let opened = std::fs::File::options()
        .append(true)
        .open(&file)
        .expect("a file");
    opened.set_times(times).expect("set");
    assert_eq!(price(&audit(&project, &[], 1)), "ε = 9");
    // Another checkout of the same package in the same target directory, which does not compile.
    let other = Project::empty("stale");
    let copied = project.run("cp", &["-a", ".", &other.root.display().to_string()]);
    assert!(copied.status.success());
    other.edit("src/lib.rs", "rows::<Row>()", "rows::<Nothing>()");
    let ran = other.privet(&["audit", "-q"]).exits(2);
    assert!(ran.err.contains("does not build"), "{}", ran.err);
    // A package that does not exist.
    let ran = project.privet(&["audit", "-p", "typo"]).exits(2);
    assert!(
        ran.err.contains("no package `typo`; it has `stale`"),
        "{}",
        ran.err
    );
}

#[test]
fn levels_and_exceptions_have_reasons_and_dates() {
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"excepted\"");
    let policy = std::fs::read_to_string(project.root.join("privet.toml")).expect("a policy");
    let with = |more: &str| {
        std::fs::write(
            project.root.join("privet.toml"),
            format!("{policy}\n{more}"),
        )
        .expect("written");
    };
    let exception = |expires: &str| {
        format!(
            "[[exceptions]]\nrule = \"function-ceiling\"\nabout = \"twice\"\nreason = \"agreed with the board\"\nexpires = {expires}\n"
        )
    };
    with(&format!(
        "[levels]\nseen = \"warn\"\ndata-ceiling = \"allow\"\n{}",
        exception("2999-12-31")
    ));
    let report = audit(&project, &[], 0);
    assert!(
        report["unseen"]
            .to_string()
            .contains("hold for more than a year: from function-ceiling `twice` until 2999-12-31")
    );
    assert_eq!(report["warnings"][0]["rule"], "seen");
    assert_eq!(report["excepted"][0]["reason"], "agreed with the board");
    assert_eq!(report["excepted"][0]["expires"], "2999-12-31");
    assert_eq!(report["allowed"].to_string(), "[\"data-ceiling\"]");
    let table = project.privet(&["audit", "-q"]).exits(0).out;
    assert!(
        table.contains("let pass until 2999-12-31: agreed with the board"),
        "{table}"
    );
    assert!(table.contains("switched off rules"), "{table}");
    // Past its day, it is no excuse, and a debt.
    with(&exception("2020-01-01"));
    let rules = |report: &Value| -> Vec<String> {
        broken(report)
            .iter()
            .map(|v| v.split(' ').nth(1).unwrap_or_default().to_string())
            .collect()
    };
    let late = rules(&audit(&project, &[], 1));
    assert!(
        late.contains(&"function-ceiling".into()) && late.contains(&"exceptions".into()),
        "{late:?}"
    );
    // One that fits nothing may be a typo.
    with(&exception("2999-12-31").replace("twice", "thrice"));
    assert!(rules(&audit(&project, &[], 1)).contains(&"exceptions".into()));
    for bad in [
        "[levels]\nno-such = \"allow\"",
        "[levels]\nseen = \"ignore\"",
        "[[exceptions]]\nrule = \"seen\"\nfile = \"a\"\nreason = \" \"\nexpires = 2999-12-31",
        "[[exceptions]]\nrule = \"seen\"\nreason = \"b\"\nexpires = 2999-12-31",
        "[[exceptions]]\nrule = \"seen\"\nfile = \"a\"\nreason = \"b\"",
        "[[exceptions]]\nrule = \"seen\"\nfile = \"a\"\nreason = \"b\"\nexpires = \"soon\"",
    ] {
        with(bad);
        project.privet(&["audit", "-q"]).exits(2);
    }
}

#[test]
fn a_difference_shows_policies_moves_and_versions() {
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"history\"");
    // A dependency that leaves the repository.
    let beside = project.root.parent().expect("a directory").join("beside");
    std::fs::create_dir_all(beside.join("src")).expect("a directory");
    std::fs::write(
        beside.join("Cargo.toml"),
        format!(
            "[package]\nname = \"beside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nprivet = {{ path = {:?}, default-features = false }}\n",
            repository().display().to_string()
        ),
    )
    .expect("written");
    std::fs::write(
        beside.join("src/lib.rs"),
        "#![forbid(unsafe_code)]\nuse privet::prelude::*;\n#[derive(Record)]\npub struct Guest { pub age: i64 }\n\
         #[privet::audited]\npub fn guests() -> Mechanism<Table<Guest>, i64, Eps<1, 3>> { rows::<Guest>().count().laplace() }\n",
    )
    .expect("written");
    project.edit(
        "Cargo.toml",
        "[dependencies]",
        "[dependencies]\nbeside = { path = \"../beside\" }",
    );
    commit(&project, "before");
    project.run("git", &["tag", "v1"]);

    // It is priced, and no path of this machine is in the report.
    let report = audit(&project, &[], 1);
    let guests = &report["functions"].as_array().expect("functions")[0];
    assert_eq!(guests["id"], "beside::guests");
    assert_eq!(guests["file"], "../beside/src/lib.rs");
    let temporary = std::env::temp_dir().display().to_string();
    assert!(
        !report.to_string().contains(&format!("\"{temporary}")),
        "{report}"
    );

    project.edit("privet.toml", "at_most = \"1\"", "at_most = \"2\"");
    project.edit(
        "privet.toml",
        "[functions.nobody]\nat_most = \"1/2\"\n",
        "[rules]\ntrusted = [\"x\"]\n",
    );
    project.edit(
        "src/lib.rs",
        "#[privet::audited]\npub fn once",
        "pub mod moved {\nuse super::*;\n#[privet::audited]\npub fn once",
    );
    project.edit(
        "src/lib.rs",
        "laplace()\n}\n\n#[privet::audited]\npub fn twice",
        "laplace()\n}\n}\n\n#[privet::audited]\npub fn twice",
    );
    project.edit("src/lib.rs", "Eps<3, 4>", "Eps<1, 1>");
    let diff = json(
        &project
            .privet(&["diff", "-q", "--format", "json"])
            .exits(0)
            .out,
    );
    assert_eq!(diff["schema"], 1);
    assert_eq!(diff["base"], "v1");
    let changes = diff["changes"].as_array().expect("changes");
    let what = |function: &str| {
        let change = changes
            .iter()
            .find(|c| c["function"] == function)
            .expect(function);
        (change["what"].clone(), change["was"].clone())
    };
    assert_eq!(
        what("history::moved::once"),
        ("moved".into(), "history::once".into())
    );
    assert_eq!(what("history::twice").0, "dearer");
    let policy = diff["policy"].as_array().expect("policy");
    let lines: Vec<String> = policy
        .iter()
        .map(|p| format!("{} {}", p["what"].as_str().unwrap_or_default(), p["looser"]))
        .collect();
    assert_eq!(
        lines,
        ["data Row true", "function nobody true", "trusted x true"]
    );
    // Dearer prices need a new version, which is 0.2.0 after 0.1.0.
    assert_eq!(diff["versions"][0]["needs"], "major");
    assert_eq!(diff["versions"][0]["least"], "0.2.0");
    let ran = project.privet(&["diff", "-q", "--check-version"]).exits(1);
    assert!(
        ran.out.contains("history needs a major version: 0.2.0"),
        "{}",
        ran.out
    );
    project.edit("Cargo.toml", "version = \"0.1.0\"", "version = \"0.2.0\"");
    project.privet(&["diff", "-q", "--check-version"]).exits(0);

    // The policy alone makes a difference.
    commit(&project, "after");
    project
        .privet(&["diff", "-q", "HEAD", "--fail-on-dearer"])
        .exits(0);
    std::fs::remove_file(project.root.join("privet.toml")).expect("removed");
    let ran = project
        .privet(&["diff", "-q", "HEAD", "--fail-on-dearer"])
        .exits(1);
    assert!(ran.out.contains("policy"), "{}", ran.out);

    // Over time.
    let trend = project.privet(&["trend", "-q", "--last", "2"]).exits(0).out;
    assert!(
        trend.contains("ε = 5/4") && trend.contains("ε = 3/2") && trend.contains('█'),
        "{trend}"
    );
    let page = project
        .privet(&["trend", "-q", "--tags", "--format", "html"])
        .exits(0)
        .out;
    assert!(page.contains("<svg") && page.contains("v1"), "{page}");

    // A base that does not build is named as the base.
    project.edit("src/lib.rs", "rows::<Row>()", "rows::<Nothing>()");
    commit(&project, "broken");
    project.edit("src/lib.rs", "rows::<Nothing>()", "rows::<Row>()");
    let ran = project
        .privet(&["diff", "-q", "--baseline-rev", "HEAD"])
        .exits(2);
    assert!(
        ran.err.contains("the base, `HEAD`, cannot be audited"),
        "{}",
        ran.err
    );

    // A shallow clone does not have the tag.
    let clone = Project::empty("shallow");
    let url = format!("file://{}", project.root.display());
    let cloned = clone.run(
        "git",
        &[
            "clone",
            "--quiet",
            "--depth",
            "1",
            "--no-tags",
            &url,
            "history",
        ],
    );
    assert!(
        cloned.status.success(),
        "{}",
        String::from_utf8_lossy(&cloned.stderr)
    );
    let inner = Project {
        root: clone.root.join("history"),
    };
    inner.edit("Cargo.toml", "../beside", &beside.display().to_string());
    let ran = inner.privet(&["diff", "-q", "v1"]).exits(2);
    assert!(ran.err.contains("shallow clone"), "{}", ran.err);
}

#[test]
fn a_dependency_that_uses_privet_is_scanned_or_told() {
    let project = Project::copy("over");
    project.edit("Cargo.toml", "\"over\"", "\"leaning\"");
    // A package from git, which lies elsewhere on this machine.
    let hidden = Project::empty("hidden");
    std::fs::create_dir_all(hidden.root.join("src")).expect("a directory");
    let manifest = format!(
        "[package]\nname = \"hidden\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nprivet = {{ path = {:?}, default-features = false }}\n",
        repository().display().to_string()
    );
    std::fs::write(hidden.root.join("Cargo.toml"), manifest).expect("written");
    std::fs::write(hidden.root.join("src/lib.rs"), "pub fn f() {}\n").expect("written");
    commit(&hidden, "hidden");
    let url = format!("file://{}", hidden.root.display());
    project.edit(
        "Cargo.toml",
        "[dependencies]",
        &format!("[dependencies]\nhidden = {{ git = {url:?} }}"),
    );
    let fetched = std::process::Command::new("cargo")
        .args(["fetch"])
        .current_dir(&project.root)
        .output()
        .expect("cargo");
    assert!(
        fetched.status.success(),
        "{}",
        String::from_utf8_lossy(&fetched.stderr)
    );
    let report = audit(&project, &[], 1);
    assert!(
        broken(&report).contains(&"Cargo.toml:1 unscanned".to_string()),
        "{:?}",
        broken(&report)
    );
    assert!(
        report["trust"]["users"]
            .to_string()
            .contains("hidden@0.1.0")
    );
    let policy = std::fs::read_to_string(project.root.join("privet.toml")).expect("a policy");
    std::fs::write(
        project.root.join("privet.toml"),
        format!("{policy}\n[rules]\nscan = [\"hidden\"]\n"),
    )
    .expect("written");
    let found = broken(&audit(&project, &[], 1));
    assert!(
        found.contains(&"hidden-0.1.0/src/lib.rs:1 forbid-unsafe".to_string()),
        "{found:?}"
    );
}

#[test]
fn help_completions_and_the_manual_are_of_one_definition() {
    let project = Project::empty("manuals");
    for command in ["audit", "diff", "trend", "explain", "new", "init"] {
        let help = project.tool(&[command, "--help"]).exits(0).out;
        assert!(help.contains(&format!("cargo privet {command}")), "{help}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = project.tool(&["completions", shell]).exits(0).out;
        assert!(
            script.contains("baseline-rev") && script.contains("without-policy"),
            "{shell}"
        );
    }
    let manual = project.tool(&["man"]).exits(0).out;
    assert!(
        manual.contains(".TH") && manual.contains("baseline\\-rev"),
        "{manual}"
    );
    for rule in ["opened-once", "no-policy", "as-shipped"] {
        assert!(
            project
                .tool(&["explain", rule])
                .exits(0)
                .out
                .contains("What to do")
        );
    }
}

#[test]
fn this_repository_uses_the_workflow_that_others_copy() {
    let read = |file: &str| std::fs::read_to_string(repository().join(file)).expect(file);
    let copied = read("crates/cargo-privet/ci/privacy.yml")
        .replace(
            "run: INSTALL",
            "run: cargo install --locked --path crates/cargo-privet",
        )
        .replace("OPTIONS: \"\"", "OPTIONS: \"-p privet\"");
    assert_eq!(copied, read(".github/workflows/privacy.yml"));
}
