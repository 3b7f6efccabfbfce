//! What a ledger records, and how each record is spelled.

use core::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::cost::{Price, Ratio};

/// One line of a ledger: what happened, when, and as which record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The record's number, counted from 0. A lease and a charge are known by theirs.
    pub number: u64,
    /// When it was written, in milliseconds since 1970, by the clock of the machine that wrote it.
    pub time: u64,
    /// What happened.
    pub event: Event,
}

/// What a record says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The owner created an account.
    Account {
        /// Its name.
        name: String,
        /// What may ever be spent from it.
        cap: Price,
    },
    /// A program set a budget aside. The record's number is the lease's epoch.
    Lease {
        /// The account.
        account: String,
        /// What was set aside.
        budget: Price,
        /// Who took it.
        program: String,
    },
    /// A release was paid for, before it ran.
    Charge {
        /// The epoch of the lease that paid.
        lease: u64,
        /// What was paid.
        price: Price,
        /// What for.
        release: Release,
    },
    /// The answer of a named release, before it was returned.
    Answer {
        /// The number of the charge that paid for it.
        charge: u64,
        /// The answer, as JSON.
        answer: String,
    },
    /// A lease ended. What it had not charged went back to its account.
    End {
        /// The lease's epoch.
        lease: u64,
        /// Why.
        why: Ending,
    },
    /// An unfinished record at the end of the file was cut off.
    Cut {
        /// How many bytes it had.
        bytes: u64,
    },
}

/// What a charge paid for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Release {
    /// A release whose answer is not stored.
    Plain {
        /// What the mechanism is called.
        what: String,
    },
    /// A release whose answer is stored under a name.
    Named {
        /// The name.
        name: String,
        /// Which mechanism the name stands for.
        fingerprint: Fingerprint,
    },
}

/// Why a lease ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its program gave it back.
    Closed,
    /// Its program ended without giving it back, and the next one found it.
    Abandoned,
    /// The owner took it away.
    Revoked,
}

impl Ending {
    fn word(self) -> &'static str {
        match self {
            Ending::Closed => "closed",
            Ending::Abandoned => "abandoned",
            Ending::Revoked => "revoked",
        }
    }
}

/// Which mechanism a name stands for: a hash of its query, noise, price, domain and answer type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(pub(crate) [u8; 32]);

impl Fingerprint {
    /// The hash of a description.
    pub(crate) fn of(text: &str) -> Self {
        Fingerprint(Sha256::digest(without_paths(text)).into())
    }
}

/// Text in which `a::b::Name` is `Name`: where a type is defined in a crate is not part of it.
fn without_paths(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split("::").peekable();
    while let Some(part) = parts.next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        match parts.peek() {
            Some(_) => out.push_str(part.trim_end_matches(word)),
            None => out.push_str(part),
        }
    }
    out
}

impl core::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl core::fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}

impl Record {
    /// The record as text: fields with one space between them.
    pub(crate) fn text(&self) -> String {
        let mut out = format!("{} {} ", self.number, self.time);
        match &self.event {
            Event::Account { name, cap } => {
                fields(&mut out, &["account", &escape(name), &spell(cap)]);
            }
            Event::Lease {
                account,
                budget,
                program,
            } => {
                let parts = [&escape(account), &spell(budget), &escape(program)];
                fields(&mut out, &["lease", parts[0], parts[1], parts[2]]);
            }
            Event::Charge {
                lease,
                price,
                release,
            } => {
                fields(&mut out, &["charge", &lease.to_string(), &spell(price)]);
                out.push(' ');
                match release {
                    Release::Plain { what } => fields(&mut out, &["plain", &escape(what)]),
                    Release::Named { name, fingerprint } => fields(
                        &mut out,
                        &["named", &escape(name), &fingerprint.to_string()],
                    ),
                }
            }
            Event::Answer { charge, answer } => {
                fields(&mut out, &["answer", &charge.to_string(), &escape(answer)]);
            }
            Event::End { lease, why } => {
                fields(&mut out, &["end", &lease.to_string(), why.word()]);
            }
            Event::Cut { bytes } => fields(&mut out, &["cut", &bytes.to_string()]),
        }
        out
    }

    /// Reads what [`text`](Record::text) writes, and nothing else.
    pub(crate) fn parse(text: &str) -> Option<Record> {
        let parts: Vec<&str> = text.split(' ').collect();
        let (number, time, event) = match parts.as_slice() {
            [number, time, event @ ..] => (number.parse().ok()?, time.parse().ok()?, event),
            _ => return None,
        };
        let event = match *event {
            ["account", name, cap] => Event::Account {
                name: unescape(name)?,
                cap: cap.parse().ok()?,
            },
            ["lease", account, budget, program] => Event::Lease {
                account: unescape(account)?,
                budget: budget.parse().ok()?,
                program: unescape(program)?,
            },
            ["charge", lease, price, kind, ref what @ ..] => Event::Charge {
                lease: lease.parse().ok()?,
                price: price.parse().ok()?,
                release: match (kind, what) {
                    ("plain", [what]) => Release::Plain {
                        what: unescape(what)?,
                    },
                    ("named", [name, fingerprint]) => Release::Named {
                        name: unescape(name)?,
                        fingerprint: Fingerprint(unhex(fingerprint)?),
                    },
                    _ => return None,
                },
            },
            ["answer", charge, answer] => Event::Answer {
                charge: charge.parse().ok()?,
                answer: unescape(answer)?,
            },
            ["end", lease, why] => Event::End {
                lease: lease.parse().ok()?,
                why: [Ending::Closed, Ending::Abandoned, Ending::Revoked]
                    .into_iter()
                    .find(|ending| ending.word() == why)?,
            },
            ["cut", bytes] => Event::Cut {
                bytes: bytes.parse().ok()?,
            },
            _ => return None,
        };
        let record = Record {
            number,
            time,
            event,
        };
        // One spelling for each record: `+1`, `2/4` and `%41` are refused here.
        (record.text() == text).then_some(record)
    }
}

fn fields(out: &mut String, parts: &[&str]) {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        out.push_str(part);
    }
}

/// `eps=3/4`, `rho=1/8` or `eps=1/2,delta=1/1000000`.
fn spell(price: &Price) -> String {
    let part = |name, x: Ratio<u128>| format!("{name}={}/{}", x.numer(), x.denom());
    match (price.epsilon(), price.rho(), price.delta()) {
        (Some(epsilon), _, Some(delta)) if !price.is_pure() => {
            format!("{},{}", part("eps", epsilon), part("delta", delta))
        }
        (Some(epsilon), ..) => part("eps", epsilon),
        (None, rho, _) => part("rho", rho.unwrap_or(Ratio::ZERO)),
    }
}

/// Text in which blanks, control characters and `%` are `%` and two hexadecimal digits.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0'..=' ' | '%' | '\x7f' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{:02x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

fn unescape(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut out = parts.next()?.to_owned();
    for part in parts {
        let code = u8::from_str_radix(part.get(..2)?, 16).ok()?;
        out.push(char::from(code));
        out.push_str(&part[2..]);
    }
    Some(out)
}

pub(super) fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

pub(super) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    let small = |b: &u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    if digits.len() != 2 * N || !digits.iter().all(small) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let value = |b: u8| if b <= b'9' { b - b'0' } else { b - b'a' + 10 };
        *byte = 16 * value(pair[0]) + value(pair[1]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> Vec<(Event, &'static str)> {
        let price = |text: &str| text.parse::<Price>().unwrap();
        vec![
            (
                Event::Account {
                    name: "patients 2026".into(),
                    cap: price("3/4"),
                },
                "account patients%202026 eps=3/4",
            ),
            (
                Event::Account {
                    name: "ü".into(),
                    cap: price("eps = 2, delta = 1e-6"),
                },
                "account ü eps=2/1,delta=1/1000000",
            ),
            (
                Event::Lease {
                    account: "a".into(),
                    budget: price("rho = 1/8"),
                    program: String::new(),
                },
                "lease a rho=1/8 ",
            ),
            (
                Event::Charge {
                    lease: 1,
                    price: price("1"),
                    release: Release::Plain {
                        what: "100 %\n".into(),
                    },
                },
                "charge 1 eps=1/1 plain 100%20%25%0a",
            ),
            (
                Event::Charge {
                    lease: 1,
                    price: price("1/3"),
                    release: Release::Named {
                        name: "2026-q3/report".into(),
                        fingerprint: Fingerprint([0xab; 32]),
                    },
                },
                "charge 1 eps=1/3 named 2026-q3/report abababababababababababababababababababababababababababababababab",
            ),
            (
                Event::Answer {
                    charge: 4,
                    answer: r#"{"n": 3}"#.into(),
                },
                r#"answer 4 {"n":%203}"#,
            ),
            (
                Event::End {
                    lease: 1,
                    why: Ending::Abandoned,
                },
                "end 1 abandoned",
            ),
            (Event::Cut { bytes: 17 }, "cut 17"),
        ]
    }

    #[test]
    fn what_is_written_is_read_back() {
        for (event, text) in examples() {
            let record = Record {
                number: 7,
                time: 1_763_430_000_000,
                event,
            };
            assert_eq!(record.text(), format!("7 1763430000000 {text}"));
            assert_eq!(Record::parse(&record.text()), Some(record));
        }
    }

    #[test]
    fn a_fingerprint_does_not_know_where_types_live() {
        let short = without_paths("(i64, (privet::data::Ordinal<a::Ward>, ())) b c::d");
        assert_eq!(short, "(i64, (Ordinal<Ward>, ())) b d");
        assert_eq!(Fingerprint::of("x::A"), Fingerprint::of("y::A"));
        assert_ne!(Fingerprint::of("A"), Fingerprint::of("B"));
    }

    #[test]
    fn there_is_one_spelling() {
        for text in [
            "",
            "7",
            "7 1",
            "+7 1 cut 1",
            "07 1 cut 1",
            "7 1 cut 1 ",
            "7 1 cut",
            "7  1 cut 1",
            "7 1 account a%41 eps=1/2",
            "7 1 account a%2 eps=1/2",
            "7 1 account a%2G eps=1/2",
            "7 1 account a%0A eps=1/2",
            "7 1 account a 1/2",
            "7 1 account a eps=2/4",
            "7 1 account a eps=0.5",
            "7 1 account a eps=1/0",
            "7 1 account a eps=-1/2",
            "7 1 end 1 lost",
            "7 1 charge 1 eps=1/2 named x ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB",
            "7 1 charge 1 eps=1/2 named x abab",
            "7 1 gift 1",
        ] {
            assert_eq!(Record::parse(text), None, "{text}");
        }
    }
}
