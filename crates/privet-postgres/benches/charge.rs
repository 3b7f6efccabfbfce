//! A charge beside `pgbench`'s simplest update (`-N`), one after the other on one connection to the
//! same server. Prints both and their ratio; the goal is at most 2.

#[path = "../tests/server/mod.rs"]
mod server;

use std::time::Instant;

use privet::ledger::Ledger;
use privet::prelude::*;
use privet_postgres::PostgresStore;

#[derive(Record)]
struct Row {
    age: i64,
}

const TIMES: u32 = 1_000;

fn main() {
    let Some(server) = server::start("bench") else {
        return;
    };
    let port = server.port.to_string();
    let pgbench = |args: &[&str]| {
        let mut command = server.command("pgbench");
        command
            .args(["-h", "127.0.0.1", "-p", &port, "-U", "privet"])
            .args(args)
            .arg("postgres");
        let output = command.output().expect("pgbench comes with the server");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    pgbench(&["-i", "-q", "-s", "1"]);
    let ledger = Ledger::on(PostgresStore::create("l", server.connect()).unwrap()).unwrap();
    let account = ledger.create_account("a", "1000".parse().unwrap()).unwrap();
    let vault: Vault<Table<Row>, Eps<1000, 1>> =
        Vault::open_on(&account, (0..100).map(|age| Row { age })).unwrap();
    let (meter, _vault) = vault.metered::<Eps<1000, 1>>();
    let count = rows::<Row>().count().laplace::<Eps<1, 1000>>();
    let update = || {
        let text = pgbench(&["-N", "-c", "1", "-t", &TIMES.to_string()]);
        let line = text
            .lines()
            .find(|line| line.starts_with("latency average"))
            .unwrap();
        line.split(' ')
            .find_map(|word| word.parse::<f64>().ok())
            .unwrap()
    };
    let charge = || {
        let since = Instant::now();
        for _ in 0..TIMES {
            meter.release(count.clone()).unwrap();
        }
        since.elapsed().as_secs_f64() * 1e3 / f64::from(TIMES)
    };
    let mut best = (f64::MAX, f64::MAX);
    for round in 1..=5 {
        let (update, charge) = (update(), charge());
        println!("round {round}: pgbench -N {update:.3} ms, release with a charge {charge:.3} ms");
        best = (best.0.min(update), best.1.min(charge));
    }
    println!(
        "best of five: {:.3} and {:.3} ms, ratio {:.2} (goal: at most 2)",
        best.0,
        best.1,
        best.1 / best.0
    );
}
