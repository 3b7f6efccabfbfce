//! The tables, and how older ones become the present ones.

use postgres::{Client, Error};
use privet::ledger::StoreError;

/// Each brings the tables from one version to the next. Never changed once released.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE privet_ledger (
        ledger text PRIMARY KEY,
        created timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE privet_line (
        ledger text NOT NULL REFERENCES privet_ledger,
        number bigint NOT NULL CHECK (number >= 0),
        line text NOT NULL,
        PRIMARY KEY (ledger, number)
    );
    -- Lines are only ever added.
    CREATE FUNCTION privet_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'a ledger is only ever appended to'; END
    $$;
    CREATE TRIGGER privet_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON privet_line
        FOR EACH STATEMENT EXECUTE FUNCTION privet_refuse();
"];

/// Brings the tables to the present version, in one transaction.
pub(crate) fn migrate(client: &mut Client) -> Result<Result<(), StoreError>, Error> {
    let mut transaction = client.transaction()?;
    // One at a time. The lock goes with the transaction.
    transaction.batch_execute(
        "SELECT pg_advisory_xact_lock(736401); \
         CREATE TABLE IF NOT EXISTS privet_schema (version integer PRIMARY KEY)",
    )?;
    let row = transaction.query_one("SELECT coalesce(max(version), 0) FROM privet_schema", &[])?;
    let version = row.get::<_, i32>(0);
    if version as usize > MIGRATIONS.len() {
        let why = format!("they are of version {version}, made by a newer `privet-postgres`");
        return Ok(Err(StoreError::failed("use the ledger's tables", why)));
    }
    for (i, migration) in MIGRATIONS.iter().enumerate().skip(version as usize) {
        transaction.batch_execute(migration)?;
        transaction.execute("INSERT INTO privet_schema VALUES ($1)", &[&(i as i32 + 1)])?;
    }
    transaction.commit()?;
    Ok(Ok(()))
}

/// Whether there is a ledger of a name, in tables of the present version.
pub(crate) fn exists(client: &mut Client, ledger: &str) -> Result<bool, Error> {
    let tables = client.query_one("SELECT to_regclass('privet_ledger') IS NOT NULL", &[])?;
    if !tables.get::<_, bool>(0) {
        return Ok(false);
    }
    let found = client.query("SELECT 1 FROM privet_ledger WHERE ledger = $1", &[&ledger])?;
    Ok(!found.is_empty())
}

/// Notes a new ledger. False if there is one of that name.
pub(crate) fn create(client: &mut Client, ledger: &str) -> Result<bool, Error> {
    let insert = "INSERT INTO privet_ledger (ledger) VALUES ($1) ON CONFLICT DO NOTHING";
    Ok(client.execute(insert, &[&ledger])? == 1)
}
