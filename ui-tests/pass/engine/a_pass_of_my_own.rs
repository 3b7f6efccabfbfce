#![forbid(unsafe_code)]
use privet::engine::{ColumnSource, EngineError, Pass};

// Whoever is given a pass by a vault may read.
fn read(source: &dyn ColumnSource, pass: &Pass) -> Result<(), EngineError> {
    source.read(pass, 0, &[0], &mut |_| Ok(()))
}

fn main() {
    let _ = read;
}
