//! What costs in types cost the compiler: `cargo bench --bench compile_time`.
//!
//! Generates programs of 10, 100, 300 and 1,000 steps, checks each with `cargo check` without
//! incremental compilation, and checks the same program with the costs erased (a stand-in API of
//! the same shape without prices). What is reported per step is the difference between the two,
//! so that everything that is not arithmetic on prices cancels out. `-- conversions` measures conversions of ρ alone.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const STEPS: [usize; 4] = [10, 100, 300, 1000];

/// What a program does `n` times.
#[derive(Clone, Copy)]
enum Step {
    Release,
    And,
    Then,
    Map,
}

const TYPED: &str = "
#![forbid(unsafe_code)]
#![recursion_limit = \"128\"]
use privet::prelude::*;
use privet::Result;
#[derive(Record)]
pub struct P { pub age: i64 }
type V<B> = Vault<Table<P>, B>;
fn q<E: Epsilon>() -> Mechanism<Table<P>, i64, E> { rows::<P>().count().laplace() }
";

/// The same shapes without prices.
const ERASED: &str = "
#![forbid(unsafe_code)]
use std::marker::PhantomData;
use std::sync::Arc;
pub type Result<T> = std::result::Result<T, std::fmt::Error>;
pub struct P { pub age: i64 }
pub struct Table<R>(PhantomData<fn() -> R>);
pub struct Mechanism<In, Out>(Arc<dyn Fn(&In) -> Result<Out> + Send + Sync>);
impl<In: 'static, Out: 'static> Mechanism<In, Out> {
    fn and<T: 'static>(self, o: Mechanism<In, T>) -> Mechanism<In, (Out, T)> {
        Mechanism(Arc::new(move |d| Ok(((self.0)(d)?, (o.0)(d)?))))
    }
    fn then<T: 'static>(self, f: impl Fn(&Out) -> Mechanism<In, T> + Send + Sync + 'static) -> Mechanism<In, (Out, T)> {
        Mechanism(Arc::new(move |d| { let a = (self.0)(d)?; let b = (f(&a).0)(d)?; Ok((a, b)) }))
    }
    fn map<T: 'static>(self, f: impl Fn(Out) -> T + Send + Sync + 'static) -> Mechanism<In, T> {
        Mechanism(Arc::new(move |d| (self.0)(d).map(&f)))
    }
}
pub struct Vault<In>(Arc<In>);
impl<In> Vault<In> {
    fn release<Out: 'static>(self, m: Mechanism<In, Out>) -> Result<(Out, Vault<In>)> {
        let out = (m.0)(&self.0)?;
        Ok((out, self))
    }
}
type V = Vault<Table<P>>;
fn q() -> Mechanism<Table<P>, i64> { Mechanism(Arc::new(|_| Ok(1))) }
";

/// A program of `steps`, each priced by one of `costs` in turn, in both forms.
fn program(step: Step, costs: &[(usize, usize)], budget: &str, steps: usize) -> [String; 2] {
    [true, false].map(|typed| {
        let mut code = String::from(if typed { TYPED } else { ERASED });
        let query = |i: usize| {
            let (num, den) = costs[i % costs.len()];
            if typed {
                format!("q::<Eps<{num}, {den}>>()")
            } else {
                "q()".into()
            }
        };
        match step {
            Step::Release => {
                let vault = if typed {
                    format!("V<{budget}>")
                } else {
                    "V".into()
                };
                let _ = writeln!(code, "pub fn run(v: {vault}) -> Result<i64> {{");
                for i in 0..steps {
                    let _ = writeln!(code, "    let (a{i}, v) = v.release({})?;", query(i));
                }
                let _ = writeln!(code, "    drop(v);\n    Ok(a0)\n}}");
            }
            _ => {
                let _ = writeln!(code, "pub fn run() {{\n    let m = {};", query(0));
                for i in 1..steps {
                    let q = query(i);
                    let _ = match step {
                        Step::And => writeln!(code, "    let m = m.and({q}).map(|(a, b)| a + b);"),
                        Step::Then => {
                            writeln!(code, "    let m = m.then(|_| {q}).map(|(a, b)| a + b);")
                        }
                        _ => writeln!(code, "    let m = m.map(|a| a + {i});"),
                    };
                }
                let _ = writeln!(code, "    drop(m);\n}}");
            }
        }
        code + "fn main() {}\n"
    })
}

/// Processor time of all finished children where the system tells (Linux, in ticks of 10 ms), so that
/// other work on the machine does not count; else the clock.
fn processor_time() -> Duration {
    let ticks = || -> Option<u64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
        Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
    };
    match ticks() {
        Some(ticks) => Duration::from_millis(10 * ticks),
        None => SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default(),
    }
}

struct Bench {
    dir: PathBuf,
    runs: usize,
}

impl Bench {
    fn new(runs: usize) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile-time");
        std::fs::create_dir_all(dir.join("src")).unwrap();
        let root = env!("CARGO_MANIFEST_DIR");
        let manifest = format!(
            "[package]\nname = \"compile-time\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [workspace]\n\n[dependencies]\nprivet = {{ path = {root:?} }}\n"
        );
        std::fs::write(dir.join("Cargo.toml"), manifest).unwrap();
        std::fs::copy(Path::new(root).join("Cargo.lock"), dir.join("Cargo.lock")).unwrap();
        let bench = Bench { dir, runs };
        bench.check("fn main() {}");
        bench
    }

    /// The fastest of a few checks: what the machine's other work adds only ever adds.
    fn check(&self, code: &str) -> Duration {
        let main = self.dir.join("src/main.rs");
        (0..self.runs)
            .map(|run| {
                std::fs::write(&main, format!("{code}// {run}\n")).unwrap();
                let start = processor_time();
                let output = Command::new(env!("CARGO"))
                    .args(["check", "--quiet", "--offline"])
                    .current_dir(&self.dir)
                    .env("CARGO_INCREMENTAL", "0")
                    .output()
                    .unwrap();
                let took = processor_time().saturating_sub(start);
                assert!(
                    output.status.success(),
                    "{}",
                    String::from_utf8_lossy(&output.stderr)
                );
                took
            })
            .min()
            .unwrap()
    }

    /// Milliseconds of the typed and of the erased program.
    fn pair(&self, step: Step, costs: &[(usize, usize)], budget: &str, steps: usize) -> (f64, f64) {
        let [typed, erased] = program(step, costs, budget, steps);
        (
            self.check(&typed).as_secs_f64() * 1e3,
            self.check(&erased).as_secs_f64() * 1e3,
        )
    }
}

/// `n` Gaussian counts in ρ, each a different price, in a function: each stated as (ε, δ), or left in ρ.
fn conversions(n: usize, stated: bool) -> String {
    let mut code = String::from(TYPED);
    code += "pub fn run() {\n";
    for i in 1..=n {
        let state = if stated {
            format!(
                ".at_most::<Approx<Eps<{}, 100>, Delta<{}, 6>>>()",
                300 + i,
                1 + i % 9
            )
        } else {
            String::new()
        };
        let _ = writeln!(
            code,
            "    drop(rows::<P>().count().gaussian::<Rho<{i}, 800>>(){state});"
        );
    }
    code + "}\nfn main() {}\n"
}

/// What a conversion of ρ to (ε, δ) adds. The goal is at most 20 ms.
fn convert(bench: &Bench) {
    const N: usize = 100;
    let [stated, left] = [true, false].map(|stated| {
        let time = bench.check(&conversions(N, stated));
        time.as_secs_f64() * 1e3
    });
    let per = (stated - left) / N as f64;
    println!("| `at_most`, ρ to (ε, δ) | {N} | {stated:.0} | {left:.0} (in ρ) | {per:.2} |");
}

fn main() {
    let runs = std::env::var("PRIVET_BENCH_RUNS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(3);
    let bench = Bench::new(runs);
    println!("| steps | n | typed, ms | erased, ms | difference per step, ms |");
    println!("|---|---:|---:|---:|---:|");
    convert(&bench);
    if std::env::args().any(|word| word == "conversions") {
        return;
    }
    let row = |what: &str, n: usize, (typed, erased): (f64, f64)| {
        let per = (typed - erased) / n as f64;
        println!("| {what} | {n} | {typed:.0} | {erased:.0} | {per:.2} |");
        typed - erased
    };
    let thousandth = [(1, 1000)];
    for (what, step) in [
        ("`release`", Step::Release),
        ("`and` + `map`", Step::And),
        ("`then` + `map`", Step::Then),
        ("`map`", Step::Map),
    ] {
        let cost: Vec<f64> = STEPS
            .iter()
            .map(|&n| row(what, n, bench.pair(step, &thousandth, "Eps<1000, 1000>", n)))
            .collect();
        // The growth between the two sizes where noise no longer matters.
        println!(
            "| {what} | | | | exponent {:.2} |",
            (cost[3] / cost[1]).log10()
        );
    }
    let everyday: Vec<_> = [2, 3, 4, 5, 6, 8, 10, 12, 20, 100]
        .map(|den| (1, den))
        .to_vec();
    row(
        "`release`, ten everyday denominators",
        100,
        bench.pair(Step::Release, &everyday, "Eps<100, 1>", 100),
    );
    let odd: Vec<_> = (2..=21).map(|den| (1, den)).collect();
    row(
        "`release`, twenty denominators (2 to 21)",
        20,
        bench.pair(Step::Release, &odd, "Eps<4, 1>", 20),
    );
    row(
        "`and`, twenty denominators (2 to 21)",
        20,
        bench.pair(Step::And, &odd, "Eps<4, 1>", 20),
    );
}
