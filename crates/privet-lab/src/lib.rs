#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod attacks;
pub mod audit;
mod coins;
pub mod controls;
mod error;
pub mod exact;
mod fit;
pub mod laws;

pub use audit::{Audit, Claim, Report};
pub use coins::Coins;
pub use error::Error;
pub use fit::fit;
