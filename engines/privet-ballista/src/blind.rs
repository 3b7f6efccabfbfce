//! A scheduler's sessions, in which there are no files.

use std::sync::Arc;

use ballista_core::utils::default_session_builder;
use datafusion::common::Result;
use datafusion::execution::context::SessionState;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::SessionConfig;
use object_store::ObjectStore;
use object_store::memory::InMemory;
use url::Url;

/// PRIVACY: who reaches the scheduler can hand it any logical plan, and planning one reads footers: a
/// count becomes a number in the plan, which is sent to whoever registers as an executor. Our plans are
/// planned by the driver, so a scheduler needs no file.
#[derive(Debug)]
struct NoFiles;

impl ObjectStoreRegistry for NoFiles {
    fn register_store(&self, _: &Url, _: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        None
    }

    fn get_store(&self, _: &Url) -> Result<Arc<dyn ObjectStore>> {
        // A scan cannot be decoded without a store; this one is empty.
        Ok(Arc::new(InMemory::new()))
    }
}

/// A session of the scheduler's.
pub fn session(config: SessionConfig) -> Result<SessionState> {
    let runtime = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(NoFiles));
    let state = default_session_builder(config)?;
    Ok(SessionStateBuilder::new_from_existing(state)
        .with_runtime_env(Arc::new(runtime.build()?))
        .build())
}
