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
//!   can refuse to work. Ballista's REST interface, which shows counts of rows, is not built; its
//!   metrics hold them too, so the scheduler's port is for the cluster and the driver only.
//! - *Nothing else.* Ballista encrypts no connection by itself. Plans are public; still, put the cluster
//!   into a network of its own, or behind TLS proxies.
//!
//! Answers are removed from the executors once they are fetched, and after fifteen minutes if that fails. An
//! executor's directory is for its owner alone, and is emptied when an executor starts in it again.

mod answer;
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
