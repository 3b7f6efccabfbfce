//! What a mechanism says about itself before it is released: its parts, its price, its accuracy.
//!
//! These are the results of [`explain`](crate::Mechanism::explain),
//! [`accuracy`](crate::Mechanism::accuracy), [`with_interval`](crate::Mechanism::with_interval) and
//! [`advisory`](crate::Mechanism::advisory). They are for people, and no payment depends on them.

mod accuracy;
mod explain;

pub use crate::cost::InRho;
pub use accuracy::{Accuracy, Advisory, Answer};
pub use explain::Explanation;
