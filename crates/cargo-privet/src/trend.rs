//! Prices over time: the same audit at the last commits or tags.

use core::fmt::Write;
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::base::Base;
use crate::collect::Project;
use crate::diff::row;
use crate::error::{Error, Result};
use crate::fresh::Turn;
use crate::git;
use crate::price::{Fraction, Stated};
use crate::render::markdown::{code, text};
use crate::render::{Table, cell, sparkline};
use crate::report::SCHEMA;
use crate::style::Style;

/// A history, oldest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct Trend {
    pub schema: u32,
    pub points: Vec<Point>,
}

/// One revision.
#[derive(Debug, Serialize, Deserialize)]
pub struct Point {
    /// A tag, or the beginning of the commit.
    pub name: String,
    pub commit: String,
    /// The commit's day.
    pub date: String,
    pub subject: String,
    /// Why there are no prices, if there are none.
    pub error: Option<String>,
    pub data: Vec<Amount>,
}

/// What a data set costs at a revision.
#[derive(Debug, Serialize, Deserialize)]
pub struct Amount {
    pub name: String,
    pub total: Stated,
    pub budget: Option<Stated>,
}

/// One data set over time.
pub struct Line<'a> {
    pub name: &'a str,
    pub values: Vec<Option<f64>>,
    pub texts: Vec<Option<&'a str>>,
    /// What the values are.
    pub what: &'static str,
}

impl<'a> Line<'a> {
    /// The newest price.
    pub fn last(&self) -> Option<&'a str> {
        self.texts.iter().rev().find_map(|text| *text)
    }

    /// The highest price.
    pub fn highest(&self) -> Option<&'a str> {
        let pairs = self.values.iter().zip(&self.texts);
        let known = pairs.filter_map(|(value, text)| Some(((*value)?, (*text)?)));
        known
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, text)| text)
    }
}

/// Audits the last commits, or all tags.
pub fn trend(project: &Project, last: Option<usize>) -> Result<Trend> {
    let metadata = project.metadata()?;
    let root = metadata.workspace_root.as_std_path();
    let names: Vec<String> = match last {
        Some(last) => {
            let count = format!("--max-count={last}");
            let list = git::git(
                root,
                &["rev-list", "--first-parent", &count, "HEAD", "--", "."],
            )?;
            list.lines().rev().map(str::to_string).collect()
        }
        None => {
            let list = git::git(root, &["tag", "--sort=creatordate", "--merged", "HEAD"])?;
            list.lines().map(str::to_string).collect()
        }
    };
    if names.is_empty() {
        return Err(Error::Git("there are no tags or commits to look at".into()));
    }
    let dir = project.audit_dir(&metadata);
    let _turn = Turn::take(&dir, project.quiet)?;
    let bar = if project.quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(names.len() as u64)
    };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    // Its own progress is enough.
    let silent = Project {
        quiet: true,
        ..project.clone()
    };
    let mut points = Vec::new();
    for name in names {
        let commit = git::commit(root, &name)?;
        let shown = if last.is_some() {
            commit[..10].to_string()
        } else {
            name
        };
        bar.set_message(shown.clone());
        let about = git::git(root, &["show", "--no-patch", "--format=%cs%n%s", &commit])?;
        let (date, subject) = about.split_once('\n').unwrap_or((&about, ""));
        let base = Base::audit(&silent, &metadata, &commit, &dir.join("base"));
        let (data, error) = match base {
            Ok(base) => {
                let data = base.report.data.into_iter();
                let amounts = data.map(|data| Amount {
                    name: data.name,
                    total: data.total,
                    budget: data.budget,
                });
                (amounts.collect(), None)
            }
            // A revision without an answer is a gap, not the end.
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        points.push(Point {
            name: shown,
            commit,
            date: date.to_string(),
            subject: subject.to_string(),
            error,
            data,
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Trend {
        schema: SCHEMA,
        points,
    })
}

/// Reads what `--format json` wrote.
pub fn read(path: &Path) -> Result<Trend> {
    let text = std::fs::read_to_string(path).map_err(Error::file(path))?;
    serde_json::from_str(&text).map_err(|error| Error::File {
        path: path.to_path_buf(),
        error: error.into(),
    })
}

impl Trend {
    /// The data sets, each over all points.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let amounts = || self.points.iter().flat_map(|point| &point.data);
        let mut names: Vec<&str> = amounts().map(|a| a.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let line = |name, what, amount: fn(&Amount) -> Option<&Stated>| {
            let stated = self.points.iter().map(|point| {
                let of = point.data.iter().find(|a| a.name == name)?;
                amount(of)
            });
            let stated: Vec<Option<&Stated>> = stated.collect();
            Line {
                name,
                values: stated.iter().map(|s| s.and_then(height)).collect(),
                texts: stated.iter().map(|s| s.map(|s| s.text.as_str())).collect(),
                what,
            }
        };
        let lines = names.into_iter().flat_map(|name| {
            let opened = amounts().any(|a| a.name == name && a.budget.is_some());
            // A function that is added or gets dearer shows in the total only.
            let budget = opened.then(|| line(name, "opened with", |a| a.budget.as_ref()));
            let total = line(name, "total of functions", |a| Some(&a.total));
            budget.into_iter().chain([total])
        });
        lines.collect()
    }

    /// For the terminal.
    pub fn table(&self, style: Style) -> String {
        let mut out = String::new();
        for line in self.lines() {
            let _ = writeln!(out, "{}   {}", style.bold(line.name), line.what);
            let _ = writeln!(out, "  {}", sparkline(&line.values));
            let mut table = Table::new(4);
            for (point, text) in self.points.iter().zip(&line.texts) {
                let price = text.unwrap_or("–").to_string();
                table.row(vec![
                    cell(&point.name, style.dim(&point.name)),
                    cell(&point.date, style.dim(&point.date)),
                    cell(&price, style.bold(&price)),
                    point.subject.clone().into(),
                ]);
            }
            out += &table.render("  ");
            out.push('\n');
        }
        for point in self.points.iter() {
            if let Some(error) = &point.error {
                let first = error.lines().next().unwrap_or_default();
                let _ = writeln!(out, "{} {}: {first}", style.bad("no prices at"), point.name);
            }
        }
        out
    }

    /// For a step summary.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        for line in self.lines() {
            let _ = writeln!(
                out,
                "### {}, {}: {}\n",
                code(line.name),
                line.what,
                sparkline(&line.values)
            );
            out += "| | date | price | |\n|---|---|---|---|\n";
            for (point, price) in self.points.iter().zip(&line.texts) {
                let price = price.unwrap_or("–").to_string();
                out += &row(&[
                    code(&point.name),
                    point.date.clone(),
                    price,
                    text(&point.subject),
                ]);
            }
            out.push('\n');
        }
        out
    }
}

/// How high a price is drawn: its ε or its ρ. Reports of older versions have it in their words only.
fn height(stated: &Stated) -> Option<f64> {
    let told = || {
        let price = stated.price()?;
        price.epsilon().or(price.rho()).map(Fraction::from)
    };
    let stated = stated.epsilon.clone().or_else(|| stated.rho.clone());
    let number = stated.or_else(told)?;
    let numerator: f64 = number.numerator.parse().ok()?;
    let denominator: f64 = number.denominator.parse().ok()?;
    Some(numerator / denominator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::price::state;

    #[test]
    fn a_rise_of_the_functions_shows_beside_what_vaults_are_opened_with() {
        let price = |text: &str| state(text.parse().expect("a price"));
        let point = |total: &str, budget: Option<&str>| Point {
            name: "a".into(),
            commit: "a".into(),
            date: "2026-11-19".into(),
            subject: String::new(),
            error: None,
            data: vec![Amount {
                name: "Table<p::Row>".into(),
                total: price(total),
                budget: budget.map(price),
            }],
        };
        let points = |points: Vec<Point>| Trend {
            schema: SCHEMA,
            points,
        };
        let trend = points(vec![point("1/2", Some("1")), point("3/4", Some("1"))]);
        let found: Vec<_> = trend
            .lines()
            .iter()
            .map(|line| (line.what, line.texts.clone()))
            .collect();
        assert_eq!(
            found,
            [
                ("opened with", vec![Some("ε = 1"), Some("ε = 1")]),
                ("total of functions", vec![Some("ε = 1/2"), Some("ε = 3/4")]),
            ]
        );
        assert_eq!(points(vec![point("1/2", None)]).lines().len(), 1);
    }
}
