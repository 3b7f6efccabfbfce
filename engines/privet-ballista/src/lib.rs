//! Vaults on files that a [Ballista](https://datafusion.apache.org/ballista) cluster reads.
//!
//! A vault's process is the driver. What it asks is data, a plan of privet's, so executors need privet's
//! code and never the program's. Each executor runs it over its files and sends exact cells back; they are
//! added up here, and noise is drawn once, here, after the last attempt.
//!
//! # What is trusted, and what travels where
//!
//! - *Executors* read private rows, and are trusted with them, like the vault's own process. They run
//!   [one operator](process) over scans of files, by order of who has the [`ClusterKey`], and refuse
//!   every other plan.
//! - *Cells* leave an executor sealed to a key that the driver drew for this attempt. The files in which
//!   Ballista keeps answers, its messages and its scheduler hold nothing that opens them. Answers carry
//!   a code by the cluster's key, so others cannot make them up.
//! - *The scheduler* sees plans, names of files, and how long tasks take. It is not trusted with rows, but it
//!   can refuse to work. It can open no file, so that a stranger's `EXPLAIN` shows nothing of one; executors
//!   report no metrics, which hold counts of rows; and Ballista's REST interface, which shows them, is not
//!   built.
//! - *Nothing else.* Who reaches a port sees what travels, and can keep the cluster from working.
//!
//! # A network of its own
//!
//! Ballista 55 has no TLS that could be used here. Its clients can be told to speak it
//! (`ballista.client.use_tls`, and a function that changes each endpoint), but its scheduler and the
//! two servers of an executor listen without it, and an executor calls its scheduler at an `http://` address that
//! is written in its source. It authenticates nobody. So:
//!
//! - Orders and answers carry codes by the cluster's key, and answers are sealed. These do not rest on
//!   the network.
//! - Ports are for the cluster and the driver only: a network of their own, a firewall, or a tunnel
//!   between the machines (`WireGuard`, `stunnel`, a service mesh). Who reaches them otherwise can read
//!   plans and file names, learn how long tasks take, stop executors, remove sealed answers, and fetch
//!   files that are called `data.arrow` or `data-N.arrow` from an executor's machine, in a directory of
//!   any name and two with numbers: keep no such files beside an executor.
//!
//! Answers are removed from the executors once they are fetched, and after fifteen minutes if that fails. An
//! executor's directory is for its owner alone, and is emptied when an executor starts in it again.

mod answer;
mod blind;
mod cells;
mod client;
mod cluster;
mod codec;
mod key;
mod part;
mod permit;
pub mod process;

pub use cluster::Ballista;
pub use key::ClusterKey;
