#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod arrow_files;
mod batches;
mod columns;
mod files;
mod parquet_files;
mod pin;
mod progress;
mod values;

pub use arrow_files::ArrowFiles;
pub use batches::Batches;
pub use files::FilesOf;
pub use parquet_files::Parquet;
pub use progress::Progress;
