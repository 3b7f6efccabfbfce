//! The store over TLS: the client library's, with a certificate that `openssl` makes for this test. Says
//! that it skipped where no server or no `openssl` is installed.

mod server;

use std::process::Command;
use std::sync::Arc;

use postgres::{Client, Error, NoTls};
use privet::ledger::{Ledger, Store, StoreError, conformance};
use privet_postgres::PostgresStore;
use rustls::pki_types::{CertificateDer, pem::PemObject};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

/// A key and a certificate of a server on the loopback address, signed with the key itself.
fn certificate(server: &server::Server, name: &str) -> bool {
    let mut openssl = Command::new("openssl");
    openssl.current_dir(server.dir());
    openssl.args(["req", "-x509", "-newkey", "ec", "-nodes", "-days", "2"]);
    openssl.args(["-pkeyopt", "ec_paramgen_curve:prime256v1"]);
    openssl.args([
        "-subj",
        "/CN=privet",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
    ]);
    openssl.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
    openssl.args([
        "-keyout",
        &format!("{name}.key"),
        "-out",
        &format!("{name}.crt"),
    ]);
    match openssl.output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said}");
            server.give(&format!("{name}.key"));
            true
        }
        Err(error) => {
            eprintln!("skipped: no `openssl` is installed ({error})");
            false
        }
    }
}

/// How a program connects that trusts one certificate and insists on TLS.
fn trusting(
    server: &server::Server,
    name: &str,
) -> impl FnMut() -> Result<Client, Error> + Send + Clone + 'static {
    let file = server.dir().join(format!("{name}.crt"));
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(file).unwrap())
        .unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let tls = MakeRustlsConnect::new(config);
    let settings = format!("{} sslmode=require", server.settings());
    move || Client::connect(&settings, tls.clone())
}

#[test]
fn a_ledger_is_kept_over_tls() {
    let Some(mut server) = server::start("tls") else {
        return;
    };
    if !certificate(&server, "server") || !certificate(&server, "other") {
        return;
    }
    // The server takes no other connections.
    let rules = "hostssl all all 127.0.0.1/32 trust\n";
    std::fs::write(server.dir().join("data/pg_hba.conf"), rules).unwrap();
    let dir = server.dir().display().to_string();
    server.options =
        format!("-c ssl=on -c ssl_cert_file={dir}/server.crt -c ssl_key_file={dir}/server.key");
    server.restart();

    let mut client = trusting(&server, "server")().unwrap();
    let row = client.query_one(
        "SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
        &[],
    );
    let row = row.unwrap();
    assert!(row.get::<_, bool>(0));
    assert!(row.get::<_, String>(1).starts_with("TLSv1."));

    conformance::check(&mut |name| {
        let store = match PostgresStore::open(name, trusting(&server, "server")) {
            Err(StoreError::Missing) => PostgresStore::create(name, trusting(&server, "server")),
            other => other,
        };
        let store: Box<dyn Store> = Box::new(store?);
        Ok(store)
    })
    .unwrap();

    // A store whose connection broke connects again, over TLS again.
    let store = PostgresStore::create("l", trusting(&server, "server")).unwrap();
    let ledger = Ledger::on(store).unwrap();
    ledger.create_account("a", "2".parse().unwrap()).unwrap();
    server.restart();
    let again = (0..100).find_map(|_| ledger.create_account("b", "2".parse().unwrap()).ok());
    assert!(again.is_some() || ledger.account("b").is_ok());

    // Neither in the clear, nor with a server that somebody else vouches for.
    let settings = server.settings();
    let clear = PostgresStore::open("l", move || Client::connect(&settings, NoTls));
    let said = clear.map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("no encryption"), "{said}");
    let stranger = PostgresStore::open("l", trusting(&server, "other"));
    let said = stranger.map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("TLS handshake"), "{said}");
}
