//! What a mechanism says about itself before it is released: its parts, its price, its accuracy.

mod accuracy;
mod explain;

pub use accuracy::{Accuracy, Advisory, Answer};
pub use explain::Explanation;
