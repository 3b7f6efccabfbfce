//! Files as they were when the vault opened.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::datasource::physical_plan::FileGroup;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::runtime_env::RuntimeEnv;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStoreExt};

/// What a store says of each file: its size, when it was written, its tag and version.
pub struct Pins {
    store: ObjectStoreUrl,
    files: HashMap<Path, ObjectMeta>,
}

impl Pins {
    /// The files of a scan.
    #[must_use]
    pub fn new(store: &ObjectStoreUrl, groups: &[FileGroup]) -> Self {
        let files = groups.iter().flat_map(|group| group.iter());
        Pins {
            store: store.clone(),
            files: files
                .map(|file| (file.object_meta.location.clone(), file.object_meta.clone()))
                .collect(),
        }
    }

    /// Whether files are still the same: those of one partition, or all.
    pub async fn hold(&self, runtime: &Arc<RuntimeEnv>, group: Option<&FileGroup>) -> bool {
        let Ok(store) = runtime.object_store(&self.store) else {
            return false;
        };
        let places: Vec<&Path> = match group {
            Some(group) => group
                .iter()
                .map(|file| &file.object_meta.location)
                .collect(),
            None => self.files.keys().collect(),
        };
        for place in places {
            match (self.files.get(place), store.head(place).await) {
                (Some(then), Ok(now)) if same(then, &now) => {}
                _ => return false,
            }
        }
        true
    }
}

/// Tags and versions do not travel to executors: there, size and time are compared.
fn same(then: &ObjectMeta, now: &ObjectMeta) -> bool {
    let kept = |then: &Option<String>, now| then.is_none() || then == now;
    then.size == now.size
        && then.last_modified == now.last_modified
        && kept(&then.e_tag, &now.e_tag)
        && kept(&then.version, &now.version)
}
