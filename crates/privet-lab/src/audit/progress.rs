//! A progress bar for long audits, on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Audits of fewer draws end before anybody would look.
const LONG: u64 = 100_000_000;

/// Shows the progress of a long audit: a bar on a terminal, a line for each tenth elsewhere.
pub(super) struct Bar {
    name: String,
    total: u64,
    state: Option<Mutex<State>>,
}

struct State {
    done: u64,
    start: Instant,
    shown: Instant,
    tenths: u64,
    terminal: bool,
    out: Box<dyn Write + Send>,
}

impl Bar {
    pub(super) fn new(name: &str, total: u64) -> Self {
        Self::on(name, total, io::stderr().is_terminal(), io::stderr())
    }

    fn on(name: &str, total: u64, terminal: bool, out: impl Write + Send + 'static) -> Self {
        let now = Instant::now();
        let state = || State {
            done: 0,
            start: now,
            shown: now,
            tenths: 0,
            terminal,
            out: Box::new(out),
        };
        Bar {
            name: name.into(),
            total,
            state: (total >= LONG).then(|| Mutex::new(state())),
        }
    }

    pub(super) fn advance(&self, draws: u64) {
        let Some(state) = &self.state else { return };
        let Ok(mut state) = state.lock() else { return };
        state.done += draws;
        let tenths = (u128::from(state.done) * 10 / u128::from(self.total)) as u64;
        let finished = state.done >= self.total;
        let due = if state.terminal {
            finished || state.shown.elapsed() > Duration::from_millis(200)
        } else {
            tenths > state.tenths
        };
        if due {
            state.shown = Instant::now();
            state.tenths = tenths;
            let line = line(&self.name, state.done, self.total, state.start.elapsed());
            // The audit goes on even if the bar cannot be written.
            let _ = match (state.terminal, finished) {
                (true, false) => write!(state.out, "\r{line}\x1b[K"),
                (true, true) => writeln!(state.out, "\r{line}\x1b[K"),
                (false, _) => writeln!(state.out, "{line}"),
            };
        }
    }
}

/// An audit that fails leaves its last line on the terminal.
impl Drop for Bar {
    fn drop(&mut self) {
        let Some(Ok(state)) = self.state.as_mut().map(Mutex::get_mut) else {
            return;
        };
        if state.terminal && state.done < self.total {
            let _ = writeln!(state.out);
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
        (100.0 * part).floor()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What is written while `steps` parts of `total` draws are made.
    fn shown(total: u64, terminal: bool, steps: &[u64]) -> String {
        let screen = Screen::default();
        let bar = Bar::on("laplace", total, terminal, screen.clone());
        for &step in steps {
            bar.advance(step);
        }
        drop(bar);
        let bytes = screen.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_line_has_a_fixed_shape() {
        let half = line("laplace", 50, 100, Duration::from_secs(10));
        assert!(half.contains("[###############---------------]"), "{half}");
        assert!(half.ends_with("50 %, 10 s left"), "{half}");
        assert!(line("x", 200, 100, Duration::ZERO).contains("100 %"));
        // Never before the end.
        assert!(line("x", 999, 1000, Duration::ZERO).contains(" 99 %"));
        assert!(!line("x", 0, 0, Duration::ZERO).is_empty());
    }

    #[test]
    fn short_audits_show_nothing() {
        for terminal in [false, true] {
            assert_eq!(shown(LONG - 1, terminal, &[LONG / 2, LONG / 2 - 1]), "");
        }
    }

    #[test]
    fn a_terminal_ends_on_a_full_line() {
        let text = shown(LONG, true, &[LONG / 2, LONG / 2]);
        assert!(text.starts_with("\rlaplace"), "{text:?}");
        assert!(text.ends_with("] 100 %, 0 s left\x1b[K\n"), "{text:?}");
        // A failed audit leaves the cursor on a line of its own.
        assert_eq!(shown(LONG, true, &[LONG / 2]), "\n");
    }

    #[test]
    fn a_log_has_a_line_for_each_tenth() {
        let text = shown(LONG, false, &[LONG / 100; 100]);
        assert_eq!(text.lines().count(), 10, "{text}");
        assert!(text.lines().next().unwrap().contains(" 10 %"), "{text}");
        assert!(text.lines().last().unwrap().contains(" 100 %"), "{text}");
        assert!(!text.contains(['\r', '\x1b']));
    }
}
