//! Vaults on Parquet files that a [Ballista](https://datafusion.apache.org/ballista) cluster reads.
//!
//! A vault's process is the driver. What it asks is data, a plan of privet's, so executors need privet's
//! code and never the program's. Each executor runs it over its files and sends exact cells back; they are
//! added up here, and noise is drawn once, here, after the last attempt.
//!
//! # What is trusted, and what travels where
//!
//! - *Executors* read private rows, and are trusted with them, like the vault's own process. They run
//!   [one operator](process) over scans of plain columns of the Parquet files that an order names, by
//!   order of who has the [`ClusterKey`], and refuse every other plan. An order also names the sources of the
//!   program that gave it: executors of another build refuse it, so build all of a cluster from one commit.
//! - *Cells* leave an executor sealed to a key that the driver drew for this attempt. The files in which
//!   Ballista keeps answers, its messages and its scheduler hold nothing that opens them. Answers carry
//!   a code by the cluster's key, so others cannot make them up.
//! - *The scheduler* sees plans, names of files, and how long tasks take. It is not trusted with rows, but it
//!   can refuse to work. It can open no file, so that a stranger's query shows nothing of one; executors
//!   report no metrics, which hold counts of rows; and Ballista's REST interface, which shows them, is not
//!   built.
//! - *Texts* that `frequent_keys` counts come back in the same way. A sealed answer is as long as a power of
//!   two, at least 64 KiB: so who sees the network learns about how long the texts of a part are together.
//! - *Nothing else.* Who reaches a port sees what travels, and can keep the cluster from working.
//!
//! Which rows of a person are kept depends on all of that person's rows, in whatever files they are. So every
//! executor reads the column that names persons, of all files, when a task first asks for it: once for a vault, while
//! others wait. It keeps a number for each row in its memory, for ten minutes after the last use or until a gigabyte is
//! full, and writes nothing. The vault's key for the order of rows travels in the order, hidden by the cluster's key; an order's
//! code covers it, the scan of persons and the names of all parts. No row and no name of a person leaves an executor,
//! and an answer says, sealed, whose rows were ranked: the driver adds up only what was ranked alike.
//!
//! Parts of texts and `look_up` have no plan. A vault refuses them, or reads the files in its own process for
//! them, with [`Ballista::with_stream`].
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

//! # Who gives what
//!
//! The owner has the [`ClusterKey`] and the [`Ballista`], and opens a vault on it. Who has one of them can run
//! tasks, so analysts get the vault, and give mechanisms. Exact cells cannot be asked for without one:
//!
//! ```compile_fail,E0423
//! use privet::engine::{Cells, Pass, RemoteEngine, Task};
//! fn exact(engine: &dyn RemoteEngine, task: &Task) -> Option<Cells> {
//!     engine.run(&Pass(()), task).ok()
//! }
//! ```
//!
//! ```no_run
//! use privet::engine::{Cells, Pass, RemoteEngine, Task};
//! fn exact(engine: &dyn RemoteEngine, pass: &Pass, task: &Task) -> Option<Cells> {
//!     engine.run(pass, task).ok()
//! }
//! ```
//!
//! They cannot be computed from rows that somebody else holds:
//!
//! ```compile_fail,E0133
//! use privet::engine::{Task, Worker};
//! fn worker(task: &Task) -> Worker { task.worker() }
//! ```
//!
//! And an engine that keeps a copy of them takes `unsafe`:
//!
//! ```compile_fail,E0200
//! use privet::engine::{Cells, EngineError, Pass, RemoteEngine, Task};
//! struct Keeping(Box<dyn RemoteEngine>, std::sync::Mutex<Vec<Cells>>);
//! impl RemoteEngine for Keeping {
//!     fn name(&self) -> String { self.0.name() }
//!     fn run(&self, pass: &Pass, task: &Task) -> Result<Cells, EngineError> {
//!         let cells = self.0.run(pass, task)?;
//!         self.1.lock().unwrap().push(cells.clone());
//!         Ok(cells)
//!     }
//! }
//! ```
//!
//! The operator that executors run, and the orders that it obeys, are private:
//!
//! ```compile_fail,E0603
//! use privet_ballista::cells::CellsExec;
//! ```
//!
//! ```compile_fail,E0616
//! fn bytes(key: &privet_ballista::ClusterKey) -> [u8; 32] { key.0 }
//! ```
//!
//! ```no_run
//! use privet_ballista::{Ballista, ClusterKey};
//! ```

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
mod swept;

pub use cluster::Ballista;
pub use key::ClusterKey;
