#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { name: String, city: String }

fn main() {
    let _ = rows::<Patient>().filter(|p| p.name.starts_with("city")).count();
}
