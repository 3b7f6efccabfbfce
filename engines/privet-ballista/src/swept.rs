//! Which of a person's rows come first, on an executor: swept once for a vault, and kept for a while.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::{FutureExt, StreamExt};
use privet::engine::{Ranks, Sweep, Task};
use privet_datafusion::scan::{self, files, is_parquet, reads_all};
use privet_datafusion::{Pins, with_batch};
use tokio::sync::OnceCell;

use crate::part;

/// Ranks are forgotten when nobody has asked for them for so long.
const KEPT: Duration = Duration::from_secs(600);

/// The most bytes of ranks that are kept, four for each row, but for those that were asked for last.
const MOST: usize = 1 << 30;

/// The ranks of each part of a table, in order.
type Parts = Arc<Vec<Ranks>>;

/// Why there are no ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unranked {
    /// For a reason that has nothing to do with values.
    Plain(&'static str),
    /// PRIVACY: a value may be the reason, so nothing is said of it but in a sealed answer.
    Sealed,
}

/// The ranks that an executor keeps in its memory, and nowhere else.
pub struct Swept {
    kept: Duration,
    most: usize,
    tables: Mutex<Tables>,
}

impl core::fmt::Debug for Swept {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Swept { .. }")
    }
}

#[derive(Default)]
struct Tables {
    all: Vec<Kept>,
    /// Whether somebody looks for those that are to be forgotten.
    watched: bool,
}

/// The ranks of one table in one order.
struct Kept {
    name: [u8; 32],
    /// Those who need ranks at the same time wait for the first of them, who sweeps.
    ranks: Arc<OnceCell<Parts>>,
    used: Instant,
}

impl Kept {
    fn size(&self) -> usize {
        let parts = self.ranks.get().into_iter().flat_map(|parts| parts.iter());
        parts.map(Ranks::size).sum()
    }
}

impl Default for Swept {
    fn default() -> Self {
        Swept::new(KEPT, MOST)
    }
}

impl Swept {
    /// Keeps ranks for that long after their last use, and so many bytes of them.
    fn new(kept: Duration, most: usize) -> Self {
        Swept {
            kept,
            most,
            tables: Mutex::default(),
        }
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ranks of this name, or the place where they will be.
    fn place(self: &Arc<Self>, name: [u8; 32]) -> Arc<OnceCell<Parts>> {
        let mut tables = self.tables();
        let found = tables.all.iter().position(|kept| kept.name == name);
        // The last used is the last.
        let mut kept = match found {
            Some(place) => tables.all.remove(place),
            None => Kept {
                name,
                ranks: Arc::default(),
                used: Instant::now(),
            },
        };
        kept.used = Instant::now();
        let ranks = Arc::clone(&kept.ranks);
        tables.all.push(kept);
        if !tables.watched {
            tables.watched = true;
            tokio::spawn(Arc::clone(self).watch());
        }
        ranks
    }

    /// Forgets what is old or too much. PRIVACY: when depends on who asked for what, and on the number of rows.
    fn forget(&self) {
        let tables = &mut *self.tables();
        // Of what is being made, or waited for, somebody else has the place as well.
        let in_use = |kept: &&mut Kept| Arc::strong_count(&kept.ranks) > 1;
        let now = Instant::now();
        tables
            .all
            .iter_mut()
            .filter(in_use)
            .for_each(|kept| kept.used = now);
        tables.all.retain(|kept| kept.used.elapsed() < self.kept);
        let mut size: usize = tables.all.iter().map(Kept::size).sum();
        while size > self.most {
            let mut older = tables.all.iter().rev().skip(1).rev();
            let Some(oldest) = older.position(|kept| kept.size() > 0) else {
                return;
            };
            size -= tables.all.remove(oldest).size();
        }
    }

    /// Forgets from time to time, as long as there is something.
    async fn watch(self: Arc<Self>) {
        loop {
            tokio::time::sleep(self.kept / 10).await;
            self.forget();
            let mut tables = self.tables();
            if tables.all.is_empty() {
                tables.watched = false;
                return;
            }
        }
    }

    /// The ranks of one part of a table, of which `scan` reads the column that names persons.
    pub async fn ranks(
        self: &Arc<Self>,
        task: &Task,
        (key, scan): ([u8; 16], &[u8]),
        (part, parts): (usize, usize),
        context: &TaskContext,
    ) -> Result<Ranks, Unranked> {
        let plain = Unranked::Plain;
        let codec = BallistaPhysicalExtensionCodec::default();
        let node = PhysicalPlanNode::try_decode(scan).ok();
        let plan = node.and_then(|node| node.try_into_physical_plan(context, &codec).ok());
        let plan = plan.filter(|plan| is_parquet(plan) && reads_all(plan));
        let plan = plan.ok_or(plain("not a scan of persons"))?;
        let names = part::names(&plan).ok_or(plain("not a scan of persons"))?;
        if names.len() != parts {
            return Err(plain("not a scan of the same parts"));
        }
        let name = blake3::keyed_hash(
            &blake3::derive_key("privet-ballista 2026 ranks", &key),
            &names.concat(),
        );
        let place = self.place(*name.as_bytes());
        let sweep = Sweep::new(task, key).ok_or(plain("a task without persons"))?;
        let ranks = place.get_or_try_init(|| async {
            let swept = AssertUnwindSafe(swept(sweep, &plan, context)).catch_unwind();
            swept.await.unwrap_or(Err(Unranked::Sealed)).map(Arc::new)
        });
        let ranks = ranks.await?.get(part).cloned();
        self.forget();
        ranks.ok_or(plain("no such part"))
    }
}

/// Sweeps over all parts of a table, in order.
async fn swept(
    mut sweep: Sweep,
    plan: &Arc<dyn ExecutionPlan>,
    context: &TaskContext,
) -> Result<Vec<Ranks>, Unranked> {
    const CHANGED: Unranked = Unranked::Plain("a file is not the one that was asked for");
    let (store, groups) = files(plan).ok_or(Unranked::Plain("not a scan of files"))?;
    let (pins, runtime) = (Pins::new(store, groups), context.runtime_env());
    if !pins.hold(&runtime, None).await {
        return Err(CHANGED);
    }
    for group in groups {
        let part = part::rebuilt(plan, group).ok_or(Unranked::Plain("not a scan of files"))?;
        let context = TaskContext::default()
            .with_session_config(scan::session(1))
            .with_runtime(Arc::clone(&runtime));
        // PRIVACY: from here on a failure may be a value's.
        let rows = part.execute(0, Arc::new(context));
        let mut rows = rows.map_err(|_| Unranked::Sealed)?;
        while let Some(batch) = rows.next().await {
            let batch = batch.map_err(|_| Unranked::Sealed)?;
            let added = with_batch(&batch, |batch| sweep.add(batch));
            added
                .ok_or(Unranked::Sealed)?
                .map_err(|_| Unranked::Sealed)?;
        }
        sweep.end_partition();
    }
    match pins.hold(&runtime, None).await {
        true => Ok(sweep.finish()),
        false => Err(CHANGED),
    }
}

#[cfg(test)]
mod tests;
