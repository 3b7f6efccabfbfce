#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod arrow_files;
mod batches;
mod columns;
mod parquet_files;
mod pin;
mod progress;

pub use arrow_files::ArrowFiles;
pub use batches::Batches;
pub use parquet_files::Parquet;
pub use progress::Progress;
