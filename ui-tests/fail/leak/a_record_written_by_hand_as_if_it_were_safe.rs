//! expect: requires an `unsafe impl` declaration

use privet::prelude::*;

struct Mine(i64);

impl privet::derive::Derived for Mine {
    type As = Mine;
}

impl Record for Mine {
    type Fields = (i64, ());
    type Columns = ();
    const NAME: &'static str = "Mine";
    const NAMES: &'static [&'static str] = &["0"];
    fn take(self) -> (i64, ()) {
        (self.0, ())
    }
    fn columns() {}
}

fn main() {
    let _ = rows::<Mine>().count();
}
