//! The local model: every person's device holds that person's value in a vault of its own.
//!
//! Nobody collects the values. A device releases a randomized report, paid from the person's own
//! budget; a server adds up the reports, which are public by then.
//!
//! ```
//! use privet::local::{Person, Tally, person};
//! use privet::prelude::*;
//!
//! # fn main() -> privet::Result<()> {
//! let mut tally = Tally::<bool>::new::<Eps<1, 1>>();
//! for i in 0..10_000 {
//!     let device: Vault<Person<bool>, Eps<1, 1>> = Vault::of_person(i % 4 == 0);
//!     let (report, _spent) = device.release(person::<bool>().respond::<Eps<1, 1>>())?;
//!     tally.add(report);
//! }
//! let yes = tally.shares()[1];
//! assert!((yes - 0.25).abs() < 20.0 * tally.standard_error());
//! # Ok(()) }
//! ```

mod estimate;
mod respond;
mod sketch;
mod tally;

use core::fmt;
use core::marker::PhantomData;

pub use estimate::{Sketch, SketchReport};
pub use tally::Tally;

pub use crate::data::{Choice, Held, One, Person};

/// The value of one person, symbolically: the start of every report.
pub fn person<T: Held>() -> Ask<T> {
    Ask(PhantomData)
}

/// A person's value, symbolically. It has no report until it is given a price.
#[must_use = "this reports nothing; end with `.respond()` or `.sketch()`"]
pub struct Ask<T>(PhantomData<fn() -> T>);

impl<T> Clone for Ask<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Ask<T> {}
impl<T> fmt::Debug for Ask<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ask")
    }
}
