//! What both benchmarks share: timing, and tables in Markdown.

use std::hint::black_box;
use std::time::Instant;

use cpu_time::ProcessTime;

/// Processor seconds of the best of `runs` runs: what others do on a shared machine counts least.
pub fn best<T>(runs: usize, mut run: impl FnMut() -> T) -> f64 {
    least(runs, || {
        let start = ProcessTime::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    })
}

/// Seconds by the clock and of the processor, for what uses several threads.
pub fn both<T>(run: impl FnOnce() -> T) -> (f64, f64) {
    let (clock, processor) = (Instant::now(), ProcessTime::now());
    black_box(run());
    (
        clock.elapsed().as_secs_f64(),
        processor.elapsed().as_secs_f64(),
    )
}

fn least(runs: usize, run: impl FnMut() -> f64) -> f64 {
    std::iter::repeat_with(run)
        .take(runs)
        .fold(f64::INFINITY, f64::min)
}

/// Prints the head of a table: names to the left, figures to the right.
pub fn head(columns: &[&str]) {
    println!("\n| {} |", columns.join(" | "));
    println!("|---|{}", "---:|".repeat(columns.len() - 1));
}

/// Prints a row of a table.
pub fn row(name: &str, cells: &[String]) {
    println!("| {name} | {} |", cells.join(" | "));
}

/// Three significant digits.
pub fn figure(value: f64) -> String {
    match value {
        v if !v.is_finite() => "–".into(),
        v if v >= 99.5 => format!("{v:.0}"),
        v if v >= 9.95 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// How many times as fast, or as slow.
pub fn times(ratio: f64) -> String {
    match ratio.is_finite() {
        true => format!("{}×", figure(ratio)),
        false => "–".into(),
    }
}

/// A goal: whether it was reached, if that could be measured, and by how much.
pub fn goal(reached: Option<bool>, what: &str, figure: impl std::fmt::Display) {
    let verdict = match reached {
        Some(true) => "reached",
        Some(false) => "missed",
        None => "not measurable, no two free processors",
    };
    println!("- {verdict}: {what} ({figure})");
}
