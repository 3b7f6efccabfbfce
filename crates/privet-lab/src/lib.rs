#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod audit;
mod coins;
mod error;
pub mod exact;

pub use audit::{Audit, Claim, Report};
pub use coins::Coins;
pub use error::Error;
