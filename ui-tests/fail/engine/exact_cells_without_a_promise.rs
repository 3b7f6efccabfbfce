//! expect: call to unsafe function `Task::worker` is unsafe
#![forbid(unsafe_code)]
use privet::engine::Task;

fn main() {
    if let Ok(task) = Task::decode(b"") {
        let _ = task.worker();
    }
}
