//! Colour where it suits.

use std::io::IsTerminal;

/// Colour or none.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    color: bool,
}

/// What was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl Style {
    /// Colour for a stream that is a terminal, unless the environment says otherwise.
    pub fn new(when: When, stream: &impl IsTerminal) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let color = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                stream.is_terminal()
                    && !set("NO_COLOR")
                    && std::env::var("TERM").as_deref() != Ok("dumb")
            }
        };
        Style { color }
    }

    /// Whether there is colour.
    pub fn is_colored(self) -> bool {
        self.color
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.color && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }

    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }
    pub fn good(self, text: &str) -> String {
        self.paint("32", text)
    }
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }
}
