//! A progress bar for long audits, on a terminal only.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Audits of fewer draws end before anybody looks.
const LONG: u64 = 100_000_000;

/// Shows how far an audit is; nothing where standard error is no terminal.
pub(super) struct Bar {
    name: String,
    total: u64,
    state: Option<Mutex<State>>,
}

struct State {
    done: u64,
    start: Instant,
    shown: Instant,
}

impl Bar {
    pub(super) fn new(name: &str, total: u64) -> Self {
        let visible = total >= LONG && std::io::stderr().is_terminal();
        let now = Instant::now();
        let state = State {
            done: 0,
            start: now,
            shown: now,
        };
        Bar {
            name: name.into(),
            total,
            state: visible.then(|| Mutex::new(state)),
        }
    }

    pub(super) fn advance(&self, draws: u64) {
        let Some(state) = &self.state else { return };
        let Ok(mut state) = state.lock() else { return };
        state.done += draws;
        if state.shown.elapsed() > Duration::from_millis(200) {
            state.shown = Instant::now();
            let line = line(&self.name, state.done, self.total, state.start.elapsed());
            // A bar that cannot be written is no reason to stop.
            let _ = write!(std::io::stderr(), "\r{line}\x1b[K");
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.state.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(name: &str, done: u64, total: u64, elapsed: Duration) -> String {
    let part = (done as f64 / total.max(1) as f64).min(1.0);
    let full = (part * 30.0) as usize;
    let left = elapsed.as_secs_f64() * (1.0 - part) / part.max(1e-9);
    format!(
        "{name:<32.32} [{}{}] {:3.0} %, {left:.0} s left",
        "#".repeat(full),
        "-".repeat(30 - full),
        100.0 * part
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_fixed_shape() {
        let half = line("laplace", 50, 100, Duration::from_secs(10));
        assert!(half.contains("[###############---------------]"), "{half}");
        assert!(half.ends_with("50 %, 10 s left"), "{half}");
        assert!(line("x", 200, 100, Duration::ZERO).contains("100 %"));
        assert!(!line("x", 0, 0, Duration::ZERO).is_empty());
    }
}
