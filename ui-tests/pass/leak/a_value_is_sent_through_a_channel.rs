#![forbid(unsafe_code)]
use privet::prelude::*;

#[derive(Record)]
struct Patient { age: i64, bill: f64, smoker: bool, name: String }

use std::sync::mpsc::channel;

fn main() {
    let (send, receive) = channel::<String>();
    let _ = rows::<Patient>().filter(|p| { send.send(String::new()).unwrap(); p.smoker });
    drop(receive);
}
