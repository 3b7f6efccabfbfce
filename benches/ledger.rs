//! What a ledger costs: a charge beside a bare append with a sync of the same bytes, on the same disk;
//! and reading 10^6 records from end to end, with the memory that it takes.
//!
//! `PRIVET_BENCH_DIR` says on which disk (the system's directory for temporary files otherwise).

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use privet::ledger::{Appended, Ledger, Place, Store, StoreError, Visit, verify};
use privet::prelude::*;

#[derive(Record)]
struct Row {
    age: i64,
}

const ROUNDS: usize = 9;
const TIMES: u32 = 200;
const RECORDS: u64 = 1_000_000;

fn main() {
    let dir = std::env::var_os("PRIVET_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let dir = dir.join(format!("privet-bench-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    charges(&dir);
    reading(&dir);
    std::fs::remove_dir_all(&dir).unwrap();
}

fn charges(dir: &Path) {
    let path = dir.join("charges.ledger");
    let ledger = Ledger::create(&path).unwrap();
    let account = ledger.create_account("a", "1000".parse().unwrap()).unwrap();
    let vault: Vault<Table<Row>, Eps<1000, 1>> =
        Vault::open_on(&account, (0..100).map(|age| Row { age })).unwrap();
    let (meter, _vault) = vault.metered::<Eps<1000, 1>>();
    let count = rows::<Row>().count().laplace::<Eps<1, 1000>>();
    let before = std::fs::metadata(&path).unwrap().len();
    meter.release(count.clone()).unwrap();
    let line = vec![b'x'; (std::fs::metadata(&path).unwrap().len() - before) as usize];
    let mut bare = OpenOptions::new()
        .create(true)
        .append(true)
        .open(dir.join("bare"))
        .unwrap();
    let mut ratios = Vec::new();
    let (mut best_bare, mut best_charge) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        // One after the other in one round, so that a busy disk is busy for both.
        let (mut of_bare, mut of_charge) = (0.0, 0.0);
        for _ in 0..TIMES {
            let since = Instant::now();
            bare.write_all(&line).unwrap();
            bare.sync_all().unwrap();
            of_bare += since.elapsed().as_secs_f64();
            let since = Instant::now();
            meter.release(count.clone()).unwrap();
            of_charge += since.elapsed().as_secs_f64();
        }
        ratios.push(of_charge / of_bare);
        best_bare = f64::min(best_bare, of_bare / f64::from(TIMES));
        best_charge = f64::min(best_charge, of_charge / f64::from(TIMES));
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "a release with a charge beside an append and a sync of {} bytes: {:.1} and {:.1} µs (best of \
         {ROUNDS} rounds), median ratio {:.2} (goal: at most 1.2)",
        line.len(),
        best_charge * 1e6,
        best_bare * 1e6,
        ratios[ROUNDS / 2]
    );
}

fn reading(dir: &Path) {
    let path = dir.join("many.ledger");
    let mut file = BufWriter::new(File::create(&path).unwrap());
    file.write_all(b"privet-ledger 1\n").unwrap();
    let ledger = Ledger::on(Unsynced { file, lines: 0 }).unwrap();
    let account = ledger
        .create_account("a", "1000000".parse().unwrap())
        .unwrap();
    let vault: Vault<Table<Row>, Eps<1000, 1>> =
        Vault::open_on(&account, (0..10).map(|age| Row { age })).unwrap();
    let (meter, vault) = vault.metered::<Eps<1000, 1>>();
    let count = rows::<Row>().count().laplace::<Eps<1, 1000>>();
    for _ in 0..RECORDS {
        meter.release(count.clone()).unwrap();
    }
    drop((meter, vault, account, ledger));
    let size = std::fs::metadata(&path).unwrap().len();
    let before = peak();
    let since = Instant::now();
    let mut tenth = 0;
    let verdict = verify(&path, None, |step| {
        if step.record.number == RECORDS / 10 {
            tenth = peak();
        }
    })
    .unwrap();
    let seconds = since.elapsed().as_secs_f64();
    println!(
        "verify: {} records, {:.0} MB in {seconds:.2} s; peak memory {before} kB before, {tenth} kB after \
         a tenth, {} kB at the end",
        verdict.head.records(),
        size as f64 / 1e6,
        peak()
    );
}

/// The largest memory of this process so far, in kB, where the system says.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|text| text.trim().strip_suffix(" kB")?.parse().ok())
        .unwrap_or(0)
}

/// A file that is not synced, to write a million lines in no time.
struct Unsynced {
    file: BufWriter<File>,
    lines: u64,
}

// PRIVACY: keeps none of the promises. The budget is that of made-up rows.
unsafe impl Store for Unsynced {
    fn read(&mut self, _: u64, _: &mut Visit<'_>) -> Result<(), StoreError> {
        Ok(())
    }
    fn line(&mut self, _: Place) -> Result<Vec<u8>, StoreError> {
        Err(StoreError::Missing)
    }
    fn append(&mut self, _: u64, line: &[u8]) -> Result<Appended, StoreError> {
        self.file
            .write_all(line)
            .map_err(|e| StoreError::failed("write", e))?;
        self.lines += 1;
        Ok(Appended::At(self.lines))
    }
    fn hold(&mut self, _: u64) -> Result<bool, StoreError> {
        Ok(true)
    }
    fn is_held(&mut self, _: u64) -> Result<bool, StoreError> {
        Ok(false)
    }
    fn let_go(&mut self, _: u64) {}
}
