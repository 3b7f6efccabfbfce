//! How far a long audit is, on standard error.

use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Audits of fewer draws end before anybody would look.
const LONG: u64 = 100_000_000;

/// Shows the progress of a long audit: a bar on a terminal, a line for each tenth elsewhere.
pub(super) struct Bar {
    name: String,
    bar: ProgressBar,
    total: u64,
    done: AtomicU64,
}

impl Bar {
    pub(super) fn new(name: &str, total: u64) -> Self {
        Self::on(name, total, ProgressDrawTarget::stderr())
    }

    fn on(name: &str, total: u64, target: ProgressDrawTarget) -> Self {
        let target = match total < LONG {
            true => ProgressDrawTarget::hidden(),
            false => target,
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = "{msg:32} [{bar:30}] {percent:>3} %, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("##-"));
        }
        bar.set_message(name.to_owned());
        Bar {
            name: name.to_owned(),
            bar,
            total,
            done: AtomicU64::new(0),
        }
    }

    pub(super) fn advance(&self, draws: u64) {
        self.bar.inc(draws);
        let done = self.done.fetch_add(draws, Ordering::Relaxed);
        if let (true, Some(line)) = (self.bar.is_hidden(), self.tenth(done, draws)) {
            eprintln!("{line}");
        }
    }

    /// The line of a log, where this step ends a tenth of a long audit.
    fn tenth(&self, done: u64, draws: u64) -> Option<String> {
        let tenths = |done: u64| u128::from(done) * 10 / u128::from(self.total.max(1));
        let now = tenths(done + draws);
        let passed = self.total >= LONG && now > tenths(done);
        passed.then(|| format!("{}: {} %", self.name, 10 * now))
    }
}

/// The last line stays on the terminal, even that of an audit that failed.
impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.abandon();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;

    /// What is on a terminal after `steps` of an audit of `total` draws.
    fn shown(total: u64, steps: &[u64]) -> String {
        let screen = InMemoryTerm::new(5, 90);
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let bar = Bar::on("laplace", total, target);
        for &step in steps {
            bar.advance(step);
        }
        drop(bar);
        screen.contents()
    }

    /// What is in a log after them.
    fn logged(total: u64, steps: &[u64]) -> Vec<String> {
        let bar = Bar::on("laplace", total, ProgressDrawTarget::hidden());
        let mut done = 0;
        let mut lines = Vec::new();
        for &step in steps {
            lines.extend(bar.tenth(done, step));
            done += step;
        }
        lines
    }

    #[test]
    fn short_audits_show_nothing() {
        let steps = [LONG / 2, LONG / 2 - 1];
        assert_eq!(shown(LONG - 1, &steps), "");
        assert!(logged(LONG - 1, &steps).is_empty());
    }

    #[test]
    fn a_terminal_ends_on_the_last_line() {
        let text = shown(LONG, &[LONG / 2, LONG / 2]);
        assert!(text.starts_with("laplace   "), "{text}");
        let full = format!("[{}] 100 %, 0s left", "#".repeat(30));
        assert!(text.ends_with(&full), "{text}");
        // An audit that failed in the middle leaves what it reached.
        let text = shown(LONG, &[LONG / 2]);
        assert!(text.contains("]  50 %, "), "{text}");
    }

    #[test]
    fn a_log_has_a_line_for_each_tenth() {
        let lines = logged(LONG, &[LONG / 100; 100]);
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[0], "laplace: 10 %");
        assert_eq!(lines[9], "laplace: 100 %");
    }
}
