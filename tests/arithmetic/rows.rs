//! The rows that are checked: written by a small generator, and kept in `generated/` with the results that the
//! functions of the proof have for them.

use std::fmt::Write as _;
use std::path::Path;

/// A small generator (SplitMix64); nothing here needs better.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    fn numerator(&mut self) -> u64 {
        match self.below(4) {
            0 => *self.of(&[0, 1, 2, 9, 10, 99, 100, 101, 999, 1000, 1001, 1023, 1024]),
            1 => 1 + self.below(12),
            _ => self.below(1025),
        }
    }

    fn denominator(&mut self) -> u64 {
        match self.below(8) {
            0..=2 => *self.of(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 30, 100]),
            3 => *self.of(&[1, 100, 125, 512, 625, 997, 1000, 1009, 1021, 1023, 1024]),
            4 => 10u64.pow(self.below(10) as u32),
            _ => 1 + self.below(1024),
        }
    }

    /// One time in five with a whole part beside it.
    fn fraction(&mut self) -> (u64, u64) {
        if self.below(5) > 0 {
            return (self.numerator(), self.denominator());
        }
        let whole = match self.below(2) {
            0 => *self.of(&[1, 2, 9, 10, 81, 99, 100, 512, 999, 1000, 1022, 1023]),
            _ => 1 + self.below(1023),
        };
        let den = loop {
            let den = self.denominator();
            if den <= 1024 {
                break den;
            }
        };
        (whole * den + self.below(den), den)
    }

    /// Two fractions; one time in four on the same denominator, one in four close to each other.
    fn pair(&mut self) -> ((u64, u64), (u64, u64)) {
        let a = self.fraction();
        let b = self.fraction();
        // The largest numerator on a denominator.
        let most = |den| if den > 1024 { 1024 } else { 1023 * den };
        match self.below(4) {
            0 => (a, (b.0.min(most(a.1)), a.1)),
            1 => (a, ((a.0 * b.1 / a.1 + self.below(2)).min(most(b.1)), b.1)),
            _ => (a, b),
        }
    }

    fn count(&mut self) -> u64 {
        match self.below(3) {
            0 => *self.of(&[1, 2, 3, 4, 5, 7, 10, 100, 1000, 1023, 1024]),
            1 => 1 + self.below(12),
            _ => 1 + self.below(1024),
        }
    }

    fn tiny(&mut self) -> (u64, u64) {
        let places = match self.below(4) {
            0 => *self.of(&[1, 2, 3, 4, 29, 30]),
            _ => 1 + self.below(30),
        };
        let limit = 10u64.pow(places.min(4) as u32).min(1025);
        (self.numerator() % limit, places)
    }
}

/// A fraction as the rows have it: `1/2/3` is 3 + 1/2.
fn show(num: u64, den: u64) -> String {
    if num <= 1024 {
        format!("{num}/{den}")
    } else {
        format!("{}/{den}/{}", num % den, num / den)
    }
}

/// Is `value * scale` at most `limit * other`, in exact arithmetic?
fn at_most(value: u128, limit: u128, scale: u128) -> bool {
    value <= limit * scale
}

/// The least ε that ρ has where ln(1/δ) is `log`, at a few orders.
fn least_epsilon(rho: f64, log: f64) -> f64 {
    let at = |g: f64| rho * (1.0 + g) + (log - g.ln_1p() - g * (1.0 / g).ln_1p()) / g;
    let orders = (-80..320).map(|i| 10f64.powf(f64::from(i) / 60.0));
    orders.map(at).fold(f64::INFINITY, f64::min).max(0.0)
}

type Files = Vec<(&'static str, String)>;

fn file(name: &'static str, rows: Vec<String>) -> (&'static str, String) {
    let mut text = String::from(
        "// Rows: `PRIVET_OVERWRITE=1 cargo test --test arithmetic rows`; results: `proofs/coq/check --write`.\n",
    );
    for (i, chunk) in rows.chunks(50).enumerate() {
        writeln!(text, "{name}! {{ {name}_{i}:\n{}\n}}", chunk.join("\n"))
            .expect("a string takes all");
    }
    (name, text)
}

fn take(n: usize, mut row: impl FnMut() -> Option<String>) -> Vec<String> {
    let mut rows = Vec::new();
    while rows.len() < n {
        rows.extend(row());
    }
    rows
}

fn files() -> Files {
    let r = &mut Random(1);
    let mut files = Vec::new();
    files.push(file(
        "sums",
        take(700, || {
            let ((a, b), (c, d)) = r.pair();
            let top = u128::from(a) * u128::from(d) + u128::from(c) * u128::from(b);
            at_most(top, 1024, u128::from(b) * u128::from(d))
                .then(|| format!("{} {};", show(a, b), show(c, d)))
        }),
    ));
    files.push(file(
        "debits",
        take(800, || {
            let ((a, b), (c, d)) = r.pair();
            // Two in three within budget.
            let over = u128::from(a) * u128::from(d) < u128::from(c) * u128::from(b);
            (!over || r.below(4) == 0).then(|| format!("{} {};", show(a, b), show(c, d)))
        }),
    ));
    files.push(file(
        "compares",
        take(400, || {
            let ((a, b), (c, d)) = r.pair();
            Some(format!("{} {};", show(a, b), show(c, d)))
        }),
    ));
    files.push(file(
        "scales",
        take(300, || {
            let ((a, b), k) = (r.fraction(), r.count() % 1024);
            at_most(u128::from(a * k), 1024, b.into()).then(|| format!("{} {k};", show(a, b)))
        }),
    ));
    files.push(file(
        "parts",
        take(350, || {
            let (a, b) = r.fraction();
            Some(format!("{} {};", show(a, b), r.count()))
        }),
    ));
    files.push(file(
        "half_squares",
        take(150, || {
            let (a, b) = r.fraction();
            at_most((a * a).into(), 1024, 2 * u128::from(b) * u128::from(b))
                .then(|| format!("{};", show(a, b)))
        }),
    ));
    files.push(file(
        "covers",
        take(300, || {
            let (rho, (a, k)) = (r.fraction(), r.tiny());
            let a = a.max(1);
            // Near the boundary, so that both verdicts occur.
            let value = rho.0 as f64 / rho.1 as f64;
            let epsilon = least_epsilon(value, k as f64 * 10f64.ln() - (a as f64).ln());
            let den = r.denominator();
            let num = (epsilon * den as f64) as u64 + r.below(2);
            (num <= if den > 1024 { 1024 } else { 1023 * den })
                .then(|| format!("{} {} {a}/{k};", show(num, den), show(rho.0, rho.1)))
        }),
    ));
    let tiny_pair = |r: &mut Random| {
        let (a, k) = r.tiny();
        let (b, j) = r.tiny();
        if r.below(2) == 0 {
            ((a, k), (b, j))
        } else {
            ((a, k), (b % 10, k))
        }
    };
    files.push(file(
        "tiny_sums",
        take(250, || {
            let ((a, k), (b, j)) = tiny_pair(r);
            let sum = a as f64 / 10f64.powi(k as i32) + b as f64 / 10f64.powi(j as i32);
            (sum < 0.98).then(|| format!("{a}/{k} {b}/{j};"))
        }),
    ));
    files.push(file(
        "tiny_debits",
        take(250, || {
            let ((a, k), (b, j)) = tiny_pair(r);
            Some(format!("{a}/{k} {b}/{j};"))
        }),
    ));
    files.push(file(
        "groups",
        take(150, || {
            let ((a, places), (num, den), k) = (r.tiny(), r.fraction(), 1 + r.below(20));
            let exponent = (k - 1) as f64 * num as f64 / den as f64 + 0.1;
            let bound = k as f64 * exponent.exp() * a as f64 / 10f64.powi(places as i32) * 1.02;
            (bound < 0.98).then(|| format!("{a}/{places} {} {k};", show(num, den)))
        }),
    ));
    files
}

fn without_results(text: &str) -> String {
    let row = |line: &str| match line.split_once(" = ") {
        Some((row, _)) => format!("{row};\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(row).collect()
}

/// `cargo test` has no Coq: that the files are what the proved functions write is checked by `proofs/coq/check`. That
/// there are as many rows as were promised is checked here.
#[test]
fn rows_are_as_many_as_promised() {
    let count = |dir: &str| -> usize {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/arithmetic")
            .join(dir);
        std::fs::read_dir(dir)
            .unwrap()
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .map(|text| text.lines().filter(|line| line.contains(" = ")).count())
            .sum()
    };
    assert_eq!(count("generated"), 3_650);
    assert!(count("tables") >= 3_000);
    assert!(count("edges") >= 20_000);
}

#[test]
fn rows_are_what_the_generator_writes() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arithmetic/generated");
    let mut rows = 0;
    for (name, text) in files() {
        let path = dir.join(format!("{name}.rs"));
        if std::env::var_os("PRIVET_OVERWRITE").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(
            without_results(&std::fs::read_to_string(path).unwrap()),
            text,
            "{name}"
        );
        rows += text.lines().filter(|line| line.ends_with(';')).count();
    }
    assert!(rows >= 2_000, "{rows}");
}
