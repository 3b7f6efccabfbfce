//! `cargo privet`: what a code base can spend of its privacy budgets, read from its types.
#![forbid(unsafe_code)]

mod audit;
mod cli;
mod collect;
mod diff;
mod error;
mod explain;
mod ledger;
mod policy;
mod price;
mod render;
mod report;
mod scan;
mod starter;
mod style;

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use cli::{Ask, Format, Options};
use error::{Error, Result};
use style::{Style, When};

fn main() -> ExitCode {
    let color = Style::new(When::Auto, &std::io::stderr());
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{} {error}", color.bad("error:"));
            ExitCode::from(2)
        }
    }
}

/// Whether all rules are kept.
fn run() -> Result<bool> {
    match cli::parse(std::env::args_os().skip(1))? {
        Ask::Help => print(None, cli::HELP).map(|()| true),
        Ask::Version => print(
            None,
            concat!("cargo-privet ", env!("CARGO_PKG_VERSION"), "\n"),
        )
        .map(|()| true),
        Ask::Audit(mut options) => {
            options.project.color = Style::new(options.color, &std::io::stderr()).is_colored();
            let report = audit::audit(&options.project, options.policy.as_ref())?;
            let text = match options.format {
                Format::Json => json(&report),
                Format::Sarif => render::sarif::render(&report),
                Format::Html => render::html::render(&report),
                Format::Table | Format::Markdown | Format::Csv => {
                    render::table::render(&report, on_paper(&options))
                }
            };
            print(options.output.as_deref(), &text)?;
            Ok(report.violations.is_empty())
        }
        Ask::Diff {
            base,
            fail_on_dearer,
            mut options,
        } => {
            options.project.color = Style::new(options.color, &std::io::stderr()).is_colored();
            let diff = diff::diff(&options.project, &base)?;
            let text = match options.format {
                Format::Json => json(&diff),
                Format::Markdown => diff.markdown(),
                _ => diff.table(on_paper(&options)),
            };
            print(options.output.as_deref(), &text)?;
            Ok(!(fail_on_dearer && diff.is_dearer()))
        }
        Ask::Ledger {
            command,
            path,
            options,
        } => {
            let (text, sound) =
                ledger::run(&command, &path, on_paper(&options), options.project.quiet)?;
            print(options.output.as_deref(), &text)?;
            Ok(sound)
        }
        Ask::Explain(topic) => print(None, &explain::explain(topic.as_deref())?).map(|()| true),
        Ask::New { name, privet } => {
            let text = starter::create(&name, privet.as_deref())?;
            print(None, &text).map(|()| true)
        }
    }
}

/// No colour in files.
fn on_paper(options: &Options) -> Style {
    let when = match (&options.output, options.color) {
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
