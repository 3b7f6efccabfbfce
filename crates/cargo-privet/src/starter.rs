//! Soon.
use std::path::Path;
use crate::error::Result;
pub fn create(_: &Path, _: Option<&Path>) -> Result<String> { Ok(String::new()) }
