//! `cargo privet`: what a code base can spend of its privacy budgets, read from its types.
#![forbid(unsafe_code)]

mod audit;
mod base;
mod bounds;
mod cli;
mod collect;
mod date;
mod diff;
mod error;
mod explain;
mod fresh;
mod git;
mod ledger;
mod openers;
mod origin;
mod place;
mod policy;
mod price;
mod render;
mod report;
mod rules;
mod scan;
mod starter;
mod style;
mod trend;

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use cli::{Ask, AuditFormat, Cli, DiffFormat, Show, TrendFormat};
use error::{Error, Result};
use report::Verdict;
use style::{Style, When};

fn main() -> ExitCode {
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            // Otherwise, help was asked for.
            if error.use_stderr() {
                eprintln!("\nsee `cargo privet --help`");
                return ExitCode::from(2);
            }
            return ExitCode::SUCCESS;
        }
    };
    let color = Style::new(When::Auto, &std::io::stderr());
    match run(cli.command) {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("{} {error}", color.bad("error:"));
            ExitCode::from(2)
        }
    }
}

/// Does what was asked; returns the exit status.
fn run(ask: Ask) -> Result<u8> {
    match ask {
        Ask::Audit(asked) => {
            let mut project = asked.build.project();
            project.color = Style::new(asked.show.color, &std::io::stderr()).is_colored();
            let history = asked.history.as_deref().map(trend::read).transpose()?;
            if !asked.ledger.is_empty() && asked.format != AuditFormat::Html {
                let text = "a ledger is shown on the page only: add `--format html`";
                return Err(Error::Argument(text.into()));
            }
            // Before the build: a ledger that cannot be read is heard of at once.
            let ledgers = asked.ledger.iter();
            let ledgers = ledgers.map(|path| ledger::history(path, project.quiet));
            let ledgers = ledgers.collect::<Result<Vec<_>>>()?;
            let report = audit::audit(&project, asked.policy.as_ref())?;
            let text = match asked.format {
                AuditFormat::Json => json(&report),
                AuditFormat::Sarif => render::sarif::render(&report),
                AuditFormat::Html => render::html::render(&report, history.as_ref(), &ledgers),
                AuditFormat::Markdown => render::markdown::render(&report),
                AuditFormat::Table => render::table::render(&report, on_paper(&asked.show)),
            };
            print(asked.show.output.as_deref(), &text)?;
            Ok(match report.verdict {
                Verdict::Kept => 0,
                Verdict::Broken => 1,
                Verdict::NoPolicy if asked.without_policy => 0,
                Verdict::NoPolicy => 3,
            })
        }
        Ask::Diff(asked) => {
            let mut project = asked.build.project();
            project.color = Style::new(asked.show.color, &std::io::stderr()).is_colored();
            let base = asked.base.or(asked.baseline_rev);
            let diff = diff::diff(&project, base.as_deref())?;
            let text = match asked.format {
                DiffFormat::Json => json(&diff),
                DiffFormat::Markdown => diff.markdown(),
                DiffFormat::Table => diff.table(on_paper(&asked.show)),
            };
            print(asked.show.output.as_deref(), &text)?;
            let dearer = asked.fail_on_dearer && diff.is_dearer();
            let version = asked.check_version && diff.needs_version();
            Ok(u8::from(dearer || version))
        }
        Ask::Trend(asked) => {
            let project = asked.build.project();
            let trend = trend::trend(&project, (!asked.tags).then_some(asked.last))?;
            let text = match asked.format {
                TrendFormat::Json => json(&trend),
                TrendFormat::Html => render::html::trend(&trend),
                TrendFormat::Markdown => trend.markdown(),
                TrendFormat::Table => trend.table(on_paper(&asked.show)),
            };
            print(asked.show.output.as_deref(), &text).map(|()| 0)
        }
        Ask::Ledger(asked) => {
            let style = on_paper(&asked.show);
            let (text, sound) = ledger::run(&asked.verb, style, asked.quiet)?;
            print(asked.show.output.as_deref(), &text)?;
            Ok(u8::from(!sound))
        }
        Ask::Explain { topic } => {
            let topic = Some(topic.join(" ")).filter(|topic| !topic.is_empty());
            print(None, &explain::explain(topic.as_deref())?).map(|()| 0)
        }
        Ask::New(asked) => print(None, &starter::create(&asked.name, &asked.privet)?).map(|()| 0),
        Ask::Init(asked) => {
            let text = starter::init(&asked.build.project(), &asked.privet, asked.ci)?;
            print(None, &text).map(|()| 0)
        }
        Ask::Completions { shell } => print(None, &cli::completions(shell)).map(|()| 0),
        Ask::Man => {
            let manual = cli::manual().map_err(Error::file(Path::new("the manual page")))?;
            print(None, &manual).map(|()| 0)
        }
    }
}

/// No colour in files.
fn on_paper(show: &Show) -> Style {
    let when = match (&show.output, show.color) {
        (Some(_), When::Auto) => When::Never,
        (_, when) => when,
    };
    Style::new(when, &std::io::stdout())
}

fn json(value: &impl serde::Serialize) -> String {
    // Strings, numbers and lists: there is nothing that could not be written.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn print(path: Option<&Path>, text: &str) -> Result<()> {
    let Some(path) = path else {
        return match std::io::stdout().write_all(text.as_bytes()) {
            // The reader has seen enough.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::File {
                path: "standard output".into(),
                error,
            }),
            _ => Ok(()),
        };
    };
    std::fs::write(path, text).map_err(Error::file(path))
}
