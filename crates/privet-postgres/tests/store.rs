//! The store against a real server. Says that it skipped where none is installed.

mod server;

use postgres::Client;
use privet::ledger::{Event, Ledger, LedgerError, Store, StoreError, conformance, verify_store};
use privet::prelude::*;
use privet_postgres::PostgresStore;

#[derive(Record, Clone)]
struct Patient {
    age: i64,
}

fn patients() -> Vec<Patient> {
    vec![Patient { age: 71 }; 40]
}

fn count() -> Mechanism<Table<Patient>, i64, Eps<1, 10>> {
    rows::<Patient>().count().laplace()
}

fn open_or_create(server: &server::Server, name: &str) -> Result<PostgresStore, StoreError> {
    match PostgresStore::open(name, server.connect()) {
        Err(StoreError::Missing) => PostgresStore::create(name, server.connect()),
        other => other,
    }
}

#[test]
fn the_store_conforms() {
    let Some(server) = server::start("conforms") else {
        return;
    };
    conformance::check(&mut |name| {
        let store: Box<dyn Store> = Box::new(open_or_create(&server, name)?);
        Ok(store)
    })
    .unwrap();
}

#[test]
fn programs_on_several_connections_meet_the_cap_exactly() {
    let Some(server) = server::start("cap") else {
        return;
    };
    let ledger = Ledger::on(PostgresStore::create("l", server.connect()).unwrap()).unwrap();
    ledger.create_account("a", "2".parse().unwrap()).unwrap();
    let released: usize = std::thread::scope(|scope| {
        let programs: Vec<_> = (0..8)
            .map(|_| {
                let connect = server.connect();
                scope.spawn(move || {
                    let store = PostgresStore::open("l", connect).unwrap();
                    let account = Ledger::on(store).unwrap().account("a").unwrap();
                    let mut released = 0;
                    for _ in 0..4 {
                        match Vault::<Table<Patient>, Eps<1, 10>>::open_on(&account, patients()) {
                            Ok(vault) => {
                                vault.release(count()).unwrap().1.close().unwrap();
                                released += 1;
                            }
                            Err(privet::Error::Ledger(e)) => {
                                assert!(matches!(*e, LedgerError::Exceeds { .. }), "{e}");
                            }
                            Err(e) => panic!("{e}"),
                        }
                    }
                    released
                })
            })
            .collect();
        programs.into_iter().map(|p| p.join().unwrap()).sum()
    });
    assert_eq!(released, 20);
    let balance = &ledger.balances().unwrap()[0];
    assert_eq!(
        (balance.spent.to_string(), balance.charges),
        ("ε = 2".into(), 20)
    );
    assert_eq!(balance.left.to_string(), "ε = 0");
}

#[test]
fn leases_of_the_living_stay_and_of_the_dead_end() {
    let Some(server) = server::start("leases") else {
        return;
    };
    let handle = || Ledger::on(open_or_create(&server, "l").unwrap()).unwrap();
    let first = handle();
    let account = first.create_account("a", "1".parse().unwrap()).unwrap();
    let vault: Vault<Table<Patient>, Eps<6, 10>> = Vault::open_on(&account, patients()).unwrap();
    let (_, vault) = vault.release(count()).unwrap();
    // Another program sees that the first one lives: four tenths are left.
    let second = handle().account("a").unwrap();
    let open = || Vault::<Table<Patient>, Eps<5, 10>>::open_on(&second, patients());
    assert!(open().is_err());
    // The first one loses its connection and, before it connects again, its lease to the second.
    let mut admin = (server.connect())().unwrap();
    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                  WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
    admin.execute(others, &[]).unwrap();
    let mut taken = open();
    for _ in 0..200 {
        if taken.is_ok() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        taken = open();
    }
    let other = taken.unwrap();
    // Fenced: what it charged stays charged, and it charges no more.
    let mut refused = vault.release(count());
    if let Err(privet::Error::Ledger(error)) = &refused {
        assert!(
            matches!(**error, LedgerError::Fenced | LedgerError::Store(_)),
            "{error}"
        );
    }
    assert!(refused.is_err());
    refused = Err(privet::Error::Unpriced);
    drop(refused);
    other.close().unwrap();
    let balance = second.balance().unwrap();
    assert_eq!(
        (balance.spent.to_string(), balance.charges),
        ("ε = 1/10".into(), 1)
    );
    assert_eq!(balance.left.to_string(), "ε = 9/10");
}

#[test]
fn a_server_that_crashes_keeps_every_charge() {
    let Some(server) = server::start("crash") else {
        return;
    };
    let mut told = Vec::new();
    drop(
        Ledger::on(PostgresStore::create("l", server.connect()).unwrap())
            .unwrap()
            .create_account("a", "100".parse().unwrap())
            .unwrap(),
    );
    for round in 0..5 {
        let account = Ledger::on(open_or_create(&server, "l").unwrap())
            .unwrap()
            .account("a")
            .unwrap();
        let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open_on(&account, patients()).unwrap();
        let name = round.to_string();
        let (n, vault) = vault.release_as(&name, count()).unwrap();
        told.push(n);
        // `immediate`: as a power cut of the server, as far as the server can tell.
        server.restart();
        drop(vault);
    }
    let account = Ledger::on(open_or_create(&server, "l").unwrap())
        .unwrap()
        .account("a")
        .unwrap();
    for (round, n) in told.into_iter().enumerate() {
        let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open_on(&account, patients()).unwrap();
        let (again, vault) = vault.release_as(&round.to_string(), count()).unwrap();
        assert_eq!(again, n);
        vault.close().unwrap();
    }
    let balance = account.balance().unwrap();
    assert_eq!(
        (balance.spent.to_string(), balance.answers),
        ("ε = 1/2".into(), 5)
    );
    assert_eq!(balance.leased.to_string(), "ε = 0");
}

#[test]
fn lines_are_only_appended_and_edits_are_found() {
    let Some(server) = server::start("edits") else {
        return;
    };
    let ledger = Ledger::on(PostgresStore::create("l", server.connect()).unwrap()).unwrap();
    ledger.create_account("a", "1".parse().unwrap()).unwrap();
    ledger.create_account("b", "1".parse().unwrap()).unwrap();
    let head = ledger.head().unwrap();
    let mut client: Client = (server.connect())().unwrap();
    let edit = "UPDATE privet_line SET line = replace(line, 'eps=1/1', 'eps=9/1') WHERE number = 0";
    for statement in [
        edit,
        "DELETE FROM privet_line",
        "TRUNCATE privet_line CASCADE",
    ] {
        let error = client.batch_execute(statement).unwrap_err();
        let said = error.as_db_error().unwrap().message().to_owned();
        assert_eq!(said, "a ledger is only ever appended to");
    }
    // The owner of the tables can do it all the same, and the chain tells.
    client
        .batch_execute("ALTER TABLE privet_line DISABLE TRIGGER ALL")
        .unwrap();
    let mut records = Vec::new();
    let mut store = open_or_create(&server, "l").unwrap();
    let verdict = verify_store(&mut store, Some(head), |step| {
        records.push(step.record.clone())
    })
    .unwrap();
    assert!(verdict.has_expected && verdict.head == head);
    assert!(matches!(&records[1].event, Event::Account { name, .. } if name == "b"));
    client
        .batch_execute("DELETE FROM privet_line WHERE number = 1")
        .unwrap();
    let older = Ledger::on_expecting(open_or_create(&server, "l").unwrap(), head);
    assert!(matches!(older, Err(LedgerError::Older { .. })));
    client.batch_execute(edit).unwrap();
    let damaged = Ledger::on(open_or_create(&server, "l").unwrap());
    assert!(matches!(
        damaged,
        Err(LedgerError::Damaged { record: 0, .. })
    ));
}

#[test]
fn ledgers_have_names_and_tables_have_versions() {
    let Some(server) = server::start("names") else {
        return;
    };
    assert!(matches!(
        PostgresStore::open("l", server.connect()),
        Err(StoreError::Missing)
    ));
    let _one = PostgresStore::create("l", server.connect()).unwrap();
    let _two = PostgresStore::create("m", server.connect()).unwrap();
    assert!(matches!(
        PostgresStore::create("l", server.connect()),
        Err(StoreError::Exists)
    ));
    let one = Ledger::on(open_or_create(&server, "l").unwrap()).unwrap();
    let two = Ledger::on(open_or_create(&server, "m").unwrap()).unwrap();
    one.create_account("a", "1".parse().unwrap()).unwrap();
    two.create_account("a", "2".parse().unwrap()).unwrap();
    assert_eq!(two.balances().unwrap()[0].cap.to_string(), "ε = 2");
    let mut client: Client = (server.connect())().unwrap();
    client
        .batch_execute("INSERT INTO privet_schema VALUES (99)")
        .unwrap();
    let newer = PostgresStore::create("n", server.connect()).unwrap_err();
    assert!(newer.to_string().contains("made by a newer"), "{newer}");
}
