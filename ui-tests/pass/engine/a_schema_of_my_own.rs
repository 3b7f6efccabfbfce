#![forbid(unsafe_code)]
use privet::engine::{Engine, Opened, Schema};

// A schema that leaves a column out, or gives it another range, would read other values than the record's.
fn opened<E: Engine>(engine: E, schema: Schema) -> privet::Result<Opened> {
    engine.open(&schema)
}

fn main() {
    let _ = opened::<Never>;
}

enum Never {}
impl Engine for Never {
    fn open(self, _: &Schema) -> privet::Result<Opened> {
        match self {}
    }
}
