//! The command line: help, completions and the manual page are made from this.

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};

use crate::collect::Project;
use crate::ledger::Form;
use crate::style::When;

/// What a code base can spend of its privacy budgets, read from its types
#[derive(Debug, Parser)]
#[command(
    name = "cargo-privet",
    bin_name = "cargo privet",
    version,
    max_term_width = 100
)]
#[command(help_template = "{about}\n\nusage: {usage}\n\n{all-args}{after-help}\n", after_help = EXIT)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Ask,
}

const EXIT: &str =
    "Exit status: 0 all rules kept, 1 a rule is not kept, 2 no answer, 3 there is no policy";

/// What was asked for.
#[derive(Debug, Subcommand)]
pub enum Ask {
    /// Every audited function, its price, and whether the policy is kept
    Audit(Audit),
    /// Prices at a git revision against those of the working tree
    Diff(Diff),
    /// Prices per data set over the last commits or tags
    Trend(Trend),
    /// A page on a rule, a compile error or a notion; without a topic, the list
    Explain {
        /// Some words of the topic
        topic: Vec<String>,
    },
    /// What a ledger of budgets says
    Ledger(LedgerArgs),
    /// A starter project
    New(New),
    /// A policy and a workflow for the project at hand
    Init(Init),
    /// A script that completes commands and options in a shell
    Completions { shell: clap_complete::Shell },
    /// The manual page, in roff: `cargo privet man | man -l -`
    Man,
}

/// Options of `audit`.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub struct Audit {
    #[command(flatten)]
    pub build: Build,
    #[command(flatten)]
    pub show: Show,
    /// How the report is written
    #[arg(long, value_name = "F", default_value = "table")]
    pub format: AuditFormat,
    /// A policy other than the project's privet.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub policy: Option<PathBuf>,
    /// List prices where there is no policy, with exit status 0 if no rule is broken
    #[arg(long)]
    pub without_policy: bool,
    /// Show the history that `trend --format json` wrote on the page
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub history: Option<PathBuf>,
    /// Show on the page what was spent so far, by this ledger; may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub ledger: Vec<PathBuf>,
}

/// Options of `diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// A git revision; without one, the last tag
    #[arg(value_name = "BASE")]
    pub base: Option<String>,
    /// The same as BASE
    #[arg(long, value_name = "BASE", conflicts_with = "base")]
    pub baseline_rev: Option<String>,
    #[command(flatten)]
    pub build: Build,
    #[command(flatten)]
    pub show: Show,
    /// How the difference is written
    #[arg(long, value_name = "F", default_value = "table")]
    pub format: DiffFormat,
    /// Exit with 1 if a function is new or dearer, or the policy lets more pass
    #[arg(long)]
    pub fail_on_dearer: bool,
    /// Exit with 1 if the version of a package is too low for what changed
    #[arg(long)]
    pub check_version: bool,
}

/// Options of `trend`.
#[derive(Debug, Args)]
pub struct Trend {
    /// How many commits to look at, the newest ones
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "tags")]
    pub last: usize,
    /// Look at the tags instead
    #[arg(long)]
    pub tags: bool,
    #[command(flatten)]
    pub build: Build,
    #[command(flatten)]
    pub show: Show,
    /// How the history is written
    #[arg(long, value_name = "F", default_value = "table")]
    pub format: TrendFormat,
}

/// Options of `ledger`.
#[derive(Debug, Args)]
pub struct LedgerArgs {
    #[command(subcommand)]
    pub verb: LedgerVerb,
    #[command(flatten)]
    pub show: Show,
    /// Print nothing but the answer and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// What is asked of a ledger.
#[derive(Debug, Subcommand)]
pub enum LedgerVerb {
    /// A new account, in a new file if there is none
    Create {
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// The account's name
        account: String,
        /// What it may ever spend, such as `1/2` or `eps = 1, delta = 1e-6`
        cap: String,
    },
    /// Accounts as bars: spent, set aside, left
    Show {
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Every charge: when, program, release, price, answered or not
    Log {
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// The chain, the sums, an unfinished record; exit status 1 if not sound
    Verify {
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// The ledger must contain this head
        #[arg(long, value_name = "HEAD")]
        expect: Option<String>,
    },
    /// All of it, for other programs and for the browser
    Export {
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        #[arg(long, value_name = "F", default_value = "json")]
        format: Form,
    },
}

/// Options of `new`.
#[derive(Debug, Args)]
pub struct New {
    /// The directory, whose last part is the crate's name
    #[arg(value_hint = ValueHint::DirPath)]
    pub name: PathBuf,
    #[command(flatten)]
    pub privet: Source,
}

/// Options of `init`.
#[derive(Debug, Args)]
pub struct Init {
    #[command(flatten)]
    pub build: Build,
    #[command(flatten)]
    pub privet: Source,
    /// Also write a GitHub workflow, which installs the tool from where the project has privet, and a
    /// pre-commit hook
    #[arg(long)]
    pub ci: bool,
}

/// Where privet comes from.
#[derive(Debug, Default, Args)]
#[group(multiple = false)]
pub struct Source {
    /// A checkout of privet
    #[arg(long, value_name = "PRIVET", value_hint = ValueHint::DirPath)]
    pub path: Option<PathBuf>,
    /// A git repository of privet
    #[arg(long, value_name = "URL")]
    pub git: Option<String>,
}

/// What is built, as in cargo.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "What is audited, as in cargo")]
pub struct Build {
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub manifest_path: Option<PathBuf>,
    /// Only this package; may be repeated
    #[arg(short, long, value_name = "SPEC")]
    pub package: Vec<String>,
    /// All packages of the workspace (the default)
    #[arg(long, conflicts_with = "package")]
    pub workspace: bool,
    /// Features to audit with, separated by commas
    #[arg(short = 'F', long, value_name = "LIST")]
    pub features: Vec<String>,
    #[arg(long)]
    pub all_features: bool,
    #[arg(long)]
    pub no_default_features: bool,
    /// The machine to audit for; its programs must run here
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// The profile to audit in, instead of `test`
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub target_dir: Option<PathBuf>,
    #[arg(long)]
    pub offline: bool,
    #[arg(long)]
    pub locked: bool,
    /// Print nothing but the report and errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print the commands that are run
    #[arg(short, long)]
    pub verbose: bool,
}

/// Where and how a report is shown.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Show {
    /// Write there instead of to standard output
    #[arg(short, long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,
}

/// How an audit is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    Table,
    Json,
    Sarif,
    Html,
    Markdown,
}

/// How a difference is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    Table,
    Json,
    Markdown,
}

/// How a history is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TrendFormat {
    Table,
    Json,
    Html,
    Markdown,
}

impl Cli {
    /// Reads the command line, with or without cargo's `privet` in front.
    pub fn read(
        arguments: impl IntoIterator<Item = std::ffi::OsString>,
    ) -> Result<Self, clap::Error> {
        let mut arguments: Vec<_> = arguments.into_iter().collect();
        if arguments.get(1).is_some_and(|first| first == "privet") {
            arguments.remove(1);
        }
        Cli::try_parse_from(arguments)
    }
}

impl Build {
    /// The project that is meant.
    pub fn project(&self) -> Project {
        let mut cargo = Vec::new();
        let mut flag = |set: bool, name: &str| {
            if set {
                cargo.push(name.to_string());
            }
        };
        flag(self.offline, "--offline");
        flag(self.locked, "--locked");
        flag(self.all_features, "--all-features");
        flag(self.no_default_features, "--no-default-features");
        for list in &self.features {
            cargo.extend(["--features".to_string(), list.clone()]);
        }
        let mut features = self.features.join(",");
        if self.no_default_features {
            features = format!("no default features {features}").trim().to_string();
        }
        if self.all_features {
            features = "all features".into();
        }
        Project {
            manifest: self.manifest_path.clone(),
            target_dir: self.target_dir.clone(),
            cargo,
            features,
            target: self.target.clone(),
            profile: self.profile.clone(),
            packages: self.package.clone(),
            quiet: self.quiet,
            verbose: self.verbose,
            color: false,
        }
    }
}

/// The script that completes commands in a shell, under the name that users type.
pub fn completions(shell: clap_complete::Shell) -> String {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "cargo-privet", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The manual page: the command, then each of its commands.
pub fn manual() -> std::io::Result<String> {
    let mut out = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut out)?;
    for inner in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let man = clap_mangen::Man::new(inner.clone());
        man.render_name_section(&mut out)?;
        man.render_synopsis_section(&mut out)?;
        man.render_options_section(&mut out)?;
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_are_where_they_belong() {
        let read = |text: &str| {
            let words = ["cargo-privet"].into_iter().chain(text.split(' '));
            Cli::read(words.map(Into::into)).map(|_| ())
        };
        for good in [
            "privet audit",
            "audit --workspace -F a,b --target x --profile release -v",
            "audit --format html --ledger a --ledger b",
            "audit --format markdown -p a -p b --without-policy",
            "diff v1 --check-version",
            "diff --baseline-rev v1",
            "trend --tags --format html",
            "explain budget exceeded",
            "new a --git https://example.org/privet",
            "completions bash",
        ] {
            assert!(read(good).is_ok(), "{good}");
        }
        for bad in [
            "audti",
            "audit x",
            "audit --fail-on-dearer",
            "audit --path x",
            "diff a b",
            "diff a --baseline-rev b",
            "diff a --format sarif",
            "audit --format pdf",
            "audit -q -v",
            "audit --workspace -p a",
            "explain --features x",
            "new a --path b --git c",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
