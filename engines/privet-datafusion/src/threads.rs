//! Threads of an engine's own, and how others wait for them.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use tokio::runtime::{Builder, Runtime};
use tokio::task::unconstrained;

/// The threads on which an engine scans, for as long as its vault is there.
pub struct Threads {
    /// Taken when dropped.
    runtime: Option<Runtime>,
}

impl Threads {
    /// So many threads, or nothing if the operating system refuses them.
    #[must_use]
    pub fn start(count: usize) -> Option<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(count.max(1))
            // Plans are written by recursion.
            .thread_stack_size(16 << 20)
            .enable_all()
            .build();
        let runtime = Some(runtime.ok()?);
        Some(Threads { runtime })
    }

    /// Begins some work. It ends by itself, or with the threads.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            runtime.spawn(work);
        }
    }

    /// Does some work and waits for it; nothing if it panicked. The caller may be any thread, also one of
    /// an asynchronous program's, which does nothing else meanwhile.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        wait(self.runtime.as_ref()?.spawn(work)).ok()
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Does not wait, so that an asynchronous program can drop a vault.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct Sleeper(Thread);

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for what other threads do. Unlike those of tokio and futures, this is no executor, and so can be called on
/// a thread of one: a panic after a charge would lose what was paid for.
pub(crate) fn wait<T>(work: impl Future<Output = T>) -> T {
    // In a task of tokio's, a channel is empty after some messages until the task returns.
    let mut work = pin!(unconstrained(work));
    let waker = Waker::from(Arc::new(Sleeper(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match work.as_mut().poll(&mut context) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
    }
}
