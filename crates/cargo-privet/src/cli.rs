//! The command line.

use std::path::PathBuf;

use lexopt::prelude::*;

use crate::collect::Project;
use crate::error::{Error, Result};
use crate::ledger::{Command, Form};
use crate::style::When;

/// What `--help` prints.
pub const HELP: &str = "\
What a code base can spend of its privacy budgets, read from its types.

usage: cargo privet COMMAND [OPTIONS]

commands:
  audit           every audited function, its price, and whether the policy is kept
  diff BASE       prices at a git revision against those of the working tree
  explain TOPIC   a short page on a compile error or a notion; without a topic, the list
  new NAME        a starter project
  ledger VERB FILE  what a ledger of budgets says:
    create FILE ACCOUNT CAP   a new account, in a new file if there is none
    show FILE                 accounts as bars: spent, set aside, left
    log FILE                  every charge: when, program, release, price, answered or not
    verify FILE               the chain, the sums, an unfinished record; exit status 1 if not sound
    export FILE               all of it, as --format json (default), csv or html

options of audit and diff:
  --format F      audit: table (default), json, sarif, html; diff: table, markdown, json
  --output FILE   write there instead of to standard output
  --policy FILE   a policy other than the project's privet.toml
  --manifest-path PATH, -p PACKAGE, --target-dir DIR,
  --features LIST, --all-features, --no-default-features,
  --offline, --locked, -q                as in cargo
  --color WHEN    auto (default), always, never

options of diff:
  --fail-on-dearer  exit with 1 if a function is new or dearer

options of ledger:
  --expect HEAD   verify: the ledger must contain this head
  --format F, --output FILE, --color WHEN, -q   as above

options of new:
  --path PRIVET   depend on a checkout of privet instead of the registry's

exit status: 0 all rules kept, 1 a rule is not kept or a ledger is not sound, 2 no answer
";

/// What was asked for.
#[derive(Debug)]
pub enum Ask {
    Help,
    Version,
    Audit(Options),
    Diff {
        base: String,
        fail_on_dearer: bool,
        options: Options,
    },
    Explain(Option<String>),
    Ledger {
        command: Command,
        path: PathBuf,
        options: Options,
    },
    New {
        name: PathBuf,
        privet: Option<PathBuf>,
    },
}

/// How a report is made.
#[derive(Debug, Default)]
pub struct Options {
    pub project: Project,
    pub policy: Option<PathBuf>,
    pub format: Format,
    pub output: Option<PathBuf>,
    pub color: When,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    #[default]
    Table,
    Json,
    Sarif,
    Html,
    Markdown,
    Csv,
}

/// Reads the command line, with or without cargo's `privet` in front.
pub fn parse(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Result<Ask> {
    let mut arguments: Vec<_> = arguments.into_iter().collect();
    if arguments.first().is_some_and(|first| first == "privet") {
        arguments.remove(0);
    }
    let bad = |error: lexopt::Error| Error::Usage(error.to_string());
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut words: Vec<String> = Vec::new();
    let mut options = Options::default();
    let mut fail_on_dearer = false;
    let mut privet = None;
    let mut expected = None;
    while let Some(argument) = parser.next().map_err(bad)? {
        // Owned, since reading a value borrows the parser again.
        let flag = match argument {
            Short(letter) => format!("-{letter}"),
            Long(name) => format!("--{name}"),
            Value(word) => {
                words.push(word.string().map_err(bad)?);
                continue;
            }
        };
        let mut text = || {
            let value = parser.value().map_err(bad)?;
            value.string().map_err(bad)
        };
        let project = &mut options.project;
        match flag.as_str() {
            "-h" | "--help" => return Ok(Ask::Help),
            "-V" | "--version" => return Ok(Ask::Version),
            "-q" | "--quiet" => project.quiet = true,
            "--manifest-path" => project.manifest = Some(text()?.into()),
            "-p" | "--package" => project.packages.push(text()?),
            "--target-dir" => project.target_dir = Some(text()?.into()),
            "--features" => project.cargo.extend(["--features".into(), text()?]),
            "--offline" | "--locked" | "--all-features" | "--no-default-features" => {
                project.cargo.push(flag);
            }
            "--policy" => options.policy = Some(text()?.into()),
            "--output" => options.output = Some(text()?.into()),
            "--fail-on-dearer" => fail_on_dearer = true,
            "--expect" => expected = Some(text()?),
            "--path" => privet = Some(text()?.into()),
            "--format" => {
                options.format = match text()?.as_str() {
                    "table" => Format::Table,
                    "json" => Format::Json,
                    "sarif" => Format::Sarif,
                    "html" => Format::Html,
                    "markdown" => Format::Markdown,
                    "csv" => Format::Csv,
                    other => return Err(Error::Usage(format!("there is no format `{other}`"))),
                }
            }
            "--color" => {
                options.color = match text()?.as_str() {
                    "auto" => When::Auto,
                    "always" => When::Always,
                    "never" => When::Never,
                    other => {
                        return Err(Error::Usage(format!(
                            "`{other}` is not auto, always or never"
                        )));
                    }
                }
            }
            other => return Err(Error::Usage(format!("there is no option `{other}`"))),
        }
    }
    let mut words = words.into_iter();
    let command = words.next();
    // A notion may be more than one word.
    let rest: Vec<String> = words.collect();
    let format = options.format;
    let fits = |formats: &[Format]| {
        if formats.contains(&format) {
            Ok(())
        } else {
            Err(Error::Usage("this command has no such format".into()))
        }
    };
    match (command.as_deref(), &rest[..]) {
        (None | Some("help"), _) => Ok(Ask::Help),
        (Some("audit"), []) => {
            fits(&[Format::Table, Format::Json, Format::Sarif, Format::Html])?;
            Ok(Ask::Audit(options))
        }
        (Some("diff"), [base]) => {
            fits(&[Format::Table, Format::Json, Format::Markdown])?;
            Ok(Ask::Diff {
                base: base.clone(),
                fail_on_dearer,
                options,
            })
        }
        (Some("diff"), []) => Err(Error::Usage("`diff` needs a git revision".into())),
        (Some("ledger"), words) => {
            let (command, path) = ledger(words, format, expected)?;
            Ok(Ask::Ledger {
                command,
                path,
                options,
            })
        }
        (Some("explain"), []) => Ok(Ask::Explain(None)),
        (Some("explain"), words) => Ok(Ask::Explain(Some(words.join(" ")))),
        (Some("new"), [name]) => Ok(Ask::New {
            name: name.into(),
            privet,
        }),
        (Some("new"), []) => Err(Error::Usage("`new` needs a name".into())),
        (Some(command @ ("audit" | "diff" | "new")), [.., word]) => {
            Err(Error::Usage(format!("`{command}` does not take `{word}`")))
        }
        (Some(command), _) => Err(Error::Usage(format!("there is no command `{command}`"))),
    }
}

/// The words after `ledger`: a verb, a file, and what the verb takes.
fn ledger(
    words: &[String],
    format: Format,
    expected: Option<String>,
) -> Result<(Command, PathBuf)> {
    let usage = |message: &str| Err(Error::Usage(message.into()));
    let (verb, path, rest) = match words {
        [verb, path, rest @ ..] => (verb.as_str(), path, rest),
        _ => return usage("`ledger` needs a verb and a file"),
    };
    let command = match (verb, rest) {
        ("create", [account, cap]) => Command::Create {
            account: account.clone(),
            cap: cap.clone(),
        },
        ("create", _) => return usage("`ledger create` needs a file, an account and a cap"),
        ("show", []) => Command::Show,
        ("log", []) => Command::Log,
        ("verify", []) => Command::Verify { expected },
        ("export", []) => Command::Export(match format {
            Format::Table | Format::Json => Form::Json,
            Format::Csv => Form::Csv,
            Format::Html => Form::Html,
            _ => return usage("`ledger export` has no such format"),
        }),
        ("show" | "log" | "verify" | "export", _) => {
            return usage("this verb of `ledger` takes one file");
        }
        _ => return Err(Error::Usage(format!("`ledger` has no verb `{verb}`"))),
    };
    Ok((command, path.into()))
}
