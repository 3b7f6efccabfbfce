//! expect: implementation of an `unsafe` trait

#![forbid(unsafe_code)]
use privet::prelude::*;

struct Mine(i64);

impl privet::derive::Derived for Mine {
    type As = Mine;
}

unsafe impl Record for Mine {
    type Fields = (i64, ());
    type Columns = ();
    const NAME: &'static str = "Mine";
    const NAMES: &'static [&'static str] = &["0"];
    fn take(self) -> (i64, ()) {
        println!("{}", self.0);
        (self.0, ())
    }
    fn columns() {}
}

fn main() {
    let _ = rows::<Mine>().count();
}
