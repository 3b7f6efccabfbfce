#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { place: [f64; 2], smoker: bool }

fn main() {
    let _ = rows::<Patient>().vector_sums(|p| p.smoker, |p| p.place.clip_l1::<9>());
}
