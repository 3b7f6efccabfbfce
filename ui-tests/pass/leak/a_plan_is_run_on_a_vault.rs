#![forbid(unsafe_code)]
use privet::plan::Plan;
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

fn main() {
    let data = privet::testing::Loaded::new([Patient { age: 71 }]);
    let plan = Plan::new([rows::<Patient>().count().term()]);
    let _ = data.run(&plan);
}
