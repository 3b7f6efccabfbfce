//! Any bytes as what an executor is sent: refused, or the one spelling of a task.
#![no_main]

use privet::engine::Task;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(task) = Task::decode(bytes) {
        assert_eq!(task.encode(), bytes);
    }
});
