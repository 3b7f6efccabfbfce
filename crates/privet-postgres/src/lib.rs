#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod schema;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::{Client, Error, Statement};
use privet::ledger::{Appended, Place, Store, StoreError, Visit};

/// How often a statement is tried when the server could not put it in order with others.
const TRIES: u32 = 20;
/// Appends a line if it has the next number.
const APPEND: &str = "INSERT INTO privet_line (ledger, number, line) SELECT $1, $2, $3 WHERE $2 = \
     (SELECT coalesce(max(number) + 1, 0) FROM privet_line WHERE ledger = $1)";
/// How many lines are read at a time.
const BATCH: i64 = 1000;

/// A ledger in a PostgreSQL database, shared by any number of machines.
///
/// Give it to [`Ledger::on`](privet::ledger::Ledger::on).
pub struct PostgresStore {
    connect: Box<dyn FnMut() -> Result<Client, Error> + Send>,
    /// None before the first use and after the connection was lost.
    client: Option<Client>,
    ledger: String,
    /// The statement that appends, prepared once for each connection.
    append: Option<Statement>,
    /// The leases whose locks this session holds.
    held: BTreeSet<u64>,
}

impl PostgresStore {
    /// The ledger of a name, which is there once [`create`](PostgresStore::create) was called.
    ///
    /// `connect` opens a connection, with or without TLS, as the `postgres` crate does. It is called
    /// again when a connection was lost.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, loses data in a crash (`fsync = off`), or has no such ledger.
    pub fn open(
        ledger: impl Into<String>,
        connect: impl FnMut() -> Result<Client, Error> + Send + 'static,
    ) -> Result<Self, StoreError> {
        let mut store = PostgresStore::connected(ledger.into(), Box::new(connect))?;
        let name = store.ledger.clone();
        let found = store.run("open the ledger", move |client| {
            schema::exists(client, &name)
        })?;
        match found {
            true => Ok(store),
            false => Err(StoreError::Missing),
        }
    }

    /// Creates a ledger of a name, and the tables if there are none: the owner's act.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached, the role may not create tables, or there is such a ledger.
    pub fn create(
        ledger: impl Into<String>,
        connect: impl FnMut() -> Result<Client, Error> + Send + 'static,
    ) -> Result<Self, StoreError> {
        let mut store = PostgresStore::connected(ledger.into(), Box::new(connect))?;
        store.run("create the tables", schema::migrate)??;
        let name = store.ledger.clone();
        let created = store.run("create the ledger", move |client| {
            schema::create(client, &name)
        })?;
        match created {
            true => Ok(store),
            false => Err(StoreError::Exists),
        }
    }

    fn connected(
        ledger: String,
        connect: Box<dyn FnMut() -> Result<Client, Error> + Send>,
    ) -> Result<Self, StoreError> {
        let mut store = PostgresStore {
            connect,
            client: None,
            ledger,
            append: None,
            held: BTreeSet::new(),
        };
        store.client()?;
        Ok(store)
    }

    /// The connection, opened again if it was lost.
    fn client(&mut self) -> Result<&mut Client, StoreError> {
        if self.client.as_ref().is_none_or(Client::is_closed) {
            let failed = |e| StoreError::failed("reach the ledger's server", e);
            let mut client = (self.connect)().map_err(failed)?;
            // PRIVACY: each statement is a serialisable transaction of its own, and returns when it is
            // durable, whatever the server's or the role's defaults are.
            client
                .batch_execute(
                    "SET default_transaction_isolation = 'serializable'; \
                     SET synchronous_commit = on; SET client_min_messages = warning",
                )
                .map_err(failed)?;
            let row = client.query_one("SELECT current_setting('fsync')", &[]);
            if row.map_err(failed)?.get::<_, String>(0) != "on" {
                let why = "the server runs with `fsync = off` and loses charges in a crash";
                return Err(StoreError::failed("use the ledger's server", why));
            }
            // The locks went with the old session. A lease that somebody ended meanwhile cannot charge,
            // locked or not.
            for lease in self.held.clone() {
                let lock = "SELECT pg_try_advisory_lock(hashtextextended($1, 7364))";
                client
                    .query_one(lock, &[&self.key(lease)])
                    .map_err(failed)?;
            }
            self.append = None;
            self.client = Some(client);
        }
        self.client.as_mut().ok_or(StoreError::Stopped)
    }

    /// Runs a transaction, again if the server could not put it in order with others.
    fn run<T>(
        &mut self,
        what: &'static str,
        mut transaction: impl FnMut(&mut Client) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        let mut pause = Duration::from_millis(1);
        for _ in 0..TRIES {
            match transaction(self.client()?) {
                Err(e) if is_conflict(&e) => std::thread::sleep(pause),
                result => return result.map_err(|e| StoreError::failed(what, e)),
            }
            pause = (2 * pause).min(Duration::from_millis(100));
        }
        let why = format!("other programs changed it {TRIES} times in a row; try again");
        Err(StoreError::failed(what, why))
    }

    /// What the server locks for a lease, by its hash.
    fn key(&self, lease: u64) -> String {
        format!("privet lease {lease} of {}", self.ledger)
    }
}

/// Whether the server undid a transaction so that others could finish: it may be tried again.
fn is_conflict(error: &Error) -> bool {
    let conflicts = [
        &SqlState::T_R_SERIALIZATION_FAILURE,
        &SqlState::T_R_DEADLOCK_DETECTED,
    ];
    error.code().is_some_and(|code| conflicts.contains(&code))
}

fn number(n: u64) -> i64 {
    // No ledger has 2^63 lines, and no line has this number.
    i64::try_from(n).unwrap_or(i64::MAX)
}

// PRIVACY: durable because the session commits synchronously and the server syncs; one line for each
// number because (ledger, number) is a primary key and the number is compared with the last one in the
// same serialisable transaction; whole lines because a transaction is; never less because nothing here
// updates or deletes, and the reader checks that no number is missing.
#[allow(unsafe_code)]
unsafe impl Store for PostgresStore {
    fn read(&mut self, from: u64, visit: &mut Visit<'_>) -> Result<(), StoreError> {
        let mut next = number(from);
        loop {
            let ledger = self.ledger.clone();
            let rows = self.run("read the ledger", |client| {
                client.query(
                    "SELECT number, line FROM privet_line \
                     WHERE ledger = $1 AND number >= $2 ORDER BY number LIMIT $3",
                    &[&ledger, &next, &BATCH],
                )
            })?;
            for row in &rows {
                let (at, line): (i64, &str) = (row.get(0), row.get(1));
                if at != next {
                    let why = format!("line {next} is missing");
                    return Err(StoreError::failed("read the ledger", why));
                }
                next += 1;
                if visit(at as Place, line.as_bytes()).is_break() {
                    return Ok(());
                }
            }
            if (rows.len() as i64) < BATCH {
                return Ok(());
            }
        }
    }

    fn line(&mut self, place: Place) -> Result<Vec<u8>, StoreError> {
        let ledger = self.ledger.clone();
        let row = self.run("read the ledger", |client| {
            client.query_one(
                "SELECT line FROM privet_line WHERE ledger = $1 AND number = $2",
                &[&ledger, &number(place)],
            )
        })?;
        Ok(row.get::<_, String>(0).into_bytes())
    }

    fn append(&mut self, at: u64, line: &[u8]) -> Result<Appended, StoreError> {
        let text = str::from_utf8(line).map_err(|e| StoreError::failed("write a line", e))?;
        let ledger = self.ledger.clone();
        // Connected first: a lost connection takes its statement along.
        self.client()?;
        let mut prepared = self.append.take();
        let appended = self.run("write to the ledger", |client| {
            let statement = match &prepared {
                Some(statement) => statement.clone(),
                None => prepared.insert(client.prepare(APPEND)?).clone(),
            };
            let inserted = client.execute(&statement, &[&ledger, &number(at), &text]);
            match inserted {
                Err(e) if e.code() == Some(&SqlState::UNIQUE_VIOLATION) => Ok(0),
                other => other,
            }
        })?;
        self.append = prepared;
        Ok(match appended {
            0 => Appended::Taken,
            _ => Appended::At(at),
        })
    }

    fn hold(&mut self, lease: u64) -> Result<bool, StoreError> {
        let key = self.key(lease);
        let row = self.run("lock a lease", |client| {
            client.query_one(
                "SELECT pg_try_advisory_lock(hashtextextended($1, 7364))",
                &[&key],
            )
        })?;
        let held = row.get(0);
        if held {
            self.held.insert(lease);
        }
        Ok(held)
    }

    fn is_held(&mut self, lease: u64) -> Result<bool, StoreError> {
        let key = self.key(lease);
        let row = self.run("look for a lock", |client| {
            client.query_one(
                "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted \
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
                 AND objsubid = 1 AND pid <> pg_backend_pid() \
                 AND (classid::bigint << 32) | objid::bigint = hashtextextended($1, 7364))",
                &[&key],
            )
        })?;
        Ok(row.get(0))
    }

    fn let_go(&mut self, lease: u64) {
        if self.held.remove(&lease) {
            let key = self.key(lease);
            // Where this fails, the lock goes with the session.
            let _ = self.run("unlock a lease", |client| {
                client.query_one(
                    "SELECT pg_advisory_unlock(hashtextextended($1, 7364))",
                    &[&key],
                )
            });
        }
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore")
            .field("ledger", &self.ledger)
            .finish_non_exhaustive()
    }
}
