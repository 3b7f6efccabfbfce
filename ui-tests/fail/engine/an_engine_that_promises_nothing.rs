//! expect: the trait `ColumnSource` requires an `unsafe impl` declaration
use privet::engine::{ColumnSource, EngineError, Pass, Sink};

struct Nothing;

impl ColumnSource for Nothing {
    fn name(&self) -> String {
        "nothing".into()
    }
    fn partitions(&self) -> usize {
        0
    }
    fn read(&self, _: &Pass, _: usize, _: &[usize], _: &mut Sink<'_>) -> Result<(), EngineError> {
        Ok(())
    }
}

fn main() {
    let _: &dyn ColumnSource = &Nothing;
}
