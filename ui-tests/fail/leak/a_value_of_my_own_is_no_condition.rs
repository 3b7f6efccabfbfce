//! expect: `Mine` is neither an expression over
#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

fn main() {
    #[derive(Clone, Copy)]
    struct Mine;
    let _ = Mine;
    let _ = rows::<Patient>().filter(|_| Mine);
}
