#![forbid(unsafe_code)]
use privet::load::Csv;
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

fn main() {
    let _ = Csv::<Patient>::file("x").on_progress(|progress| println!("{}", progress.done));
}
