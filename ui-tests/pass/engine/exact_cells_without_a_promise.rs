#![forbid(unsafe_code)]
use privet::engine::Task;

fn main() {
    if let Ok(task) = Task::decode(b"") {
        let _ = task.columns();
    }
}
