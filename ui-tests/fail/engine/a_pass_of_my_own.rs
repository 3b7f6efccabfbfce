//! expect: private
//! twin-lines: 3
#![forbid(unsafe_code)]
use privet::engine::{ColumnSource, EngineError, Pass};

// An analyst who holds the source of a vault would like to read it without paying.
fn read(source: &dyn ColumnSource) -> Result<(), EngineError> {
    source.read(&Pass(()), 0, &[0], &mut |_| Ok(()))
}

fn main() {
    let _ = read;
}
