//! expect: no method named `run` found
#![forbid(unsafe_code)]
use privet::plan::Plan;
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64 }

fn main() {
    let data: Vault<Table<Patient>, Eps<1, 1>> = Vault::open([Patient { age: 71 }]);
    let plan = Plan::new([rows::<Patient>().count().term()]);
    let _ = data.run(&plan);
}
