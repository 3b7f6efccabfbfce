//! Work on several threads whose results are taken in order.

use core::panic::AssertUnwindSafe;
use std::collections::BTreeMap;
use std::panic::{catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// How many pieces there are for each thread at most, so that none waits for another.
const PIECES: usize = 3;

/// Fills pieces by `next` until it says that there are no more, works on them, and takes them in the order in which
/// they were filled; the result is that of one thread that does all of this piece by piece.
///
/// This thread fills and takes them, and works when there is nothing else to do. Others work: as many as `threads` says, which is asked when
/// there is a second piece. They have tools of their own.
pub(super) fn in_order<P: Default + Send, T, E>(
    threads: impl FnOnce() -> usize,
    mut next: impl FnMut(&mut P) -> Result<bool, E>,
    tools: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, &mut P) + Sync,
    mut take: impl FnMut(&mut P) -> Result<(), E>,
) -> Result<(), E> {
    let mut own = tools();
    let mut piece = P::default();
    if !next(&mut piece)? {
        return Ok(());
    }
    work(&mut own, &mut piece);
    take(&mut piece)?;
    let mut ready = next(&mut piece)?;
    let others = if ready {
        threads().saturating_sub(1)
    } else {
        0
    };
    if others == 0 {
        while ready {
            work(&mut own, &mut piece);
            take(&mut piece)?;
            ready = next(&mut piece)?;
        }
        return Ok(());
    }

    let (to_do, queue) = mpsc::channel::<(usize, P)>();
    let queue = Mutex::new(queue);
    let (done, results) = mpsc::channel();
    let (queue, tools, work) = (&queue, &tools, &work);
    // What waits for a piece ends when `to_do` is dropped, which is at the end of this closure, however it ends.
    thread::scope(move |scope| {
        for _ in 0..others {
            let done = done.clone();
            let run = move || {
                let mut tools = tools();
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, mut piece)) = next else {
                        return;
                    };
                    let worked = AssertUnwindSafe(|| work(&mut tools, &mut piece));
                    let worked = catch_unwind(worked).map(|()| piece);
                    if done.send((number, worked)).is_err() {
                        return;
                    }
                }
            };
            // Without that thread the others do its work.
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        let mut spare = Vec::new();
        let mut finished = BTreeMap::new();
        let (mut sent, mut taken) = (0, 0);
        // Nothing or an error, behind the last piece.
        let mut end = None;
        let send = |piece, sent: &mut usize| {
            // It is received, since the queue lives longer than this.
            let _ = to_do.send((*sent, piece));
            *sent += 1;
        };
        send(piece, &mut sent);
        loop {
            if let Some(mut piece) = finished.remove(&taken) {
                take(&mut piece)?;
                taken += 1;
                spare.push(piece);
            } else if end.is_none() && sent - taken < PIECES * (others + 1) {
                let mut piece = spare.pop().unwrap_or_default();
                match next(&mut piece) {
                    Ok(true) => send(piece, &mut sent),
                    Ok(false) => end = Some(Ok(())),
                    Err(error) => end = Some(Err(error)),
                }
            } else if taken == sent
                && let Some(end) = end.take()
            {
                return end;
            } else {
                // A thread that waits has the lock; then there is nothing to do here either.
                let queue = queue.try_lock().ok();
                match queue.and_then(|queue| queue.try_recv().ok()) {
                    Some((number, mut piece)) => {
                        work(&mut own, &mut piece);
                        finished.insert(number, piece);
                    }
                    None => {
                        let (number, piece) = results.recv().expect("a thread works on a piece");
                        finished.insert(number, piece.unwrap_or_else(|panic| resume_unwind(panic)));
                    }
                }
            }
            while let Ok((number, piece)) = results.try_recv() {
                finished.insert(number, piece.unwrap_or_else(|panic| resume_unwind(panic)));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// A number, and its square once it is worked on.
    type Pair = (u64, Option<u64>);

    /// Squares of so many numbers, on so many threads; `wrong` is what happens where.
    fn squares(
        threads: usize,
        count: u64,
        wrong: impl Fn(&str, u64) -> Option<u64> + Sync,
    ) -> Result<Vec<u64>, u64> {
        let next = Cell::new(0);
        let mut squares = Vec::new();
        let done = in_order(
            || threads,
            |pair: &mut Pair| {
                let number = next.get();
                next.set(number + 1);
                *pair = (number, None);
                match wrong("next", number) {
                    Some(error) => Err(error),
                    None => Ok(number < count),
                }
            },
            || (),
            |(), pair| {
                wrong("work", pair.0);
                // Some take longer than those behind them.
                (0..(pair.0 * 7919) % 50_000).for_each(|at| _ = core::hint::black_box(at));
                assert_eq!(pair.1, None);
                pair.1 = Some(pair.0 * pair.0);
            },
            |pair| {
                squares.push(pair.1.take().expect("it was worked on"));
                wrong("take", pair.0).map_or(Ok(()), Err)
            },
        );
        done.map(|()| squares)
    }

    #[test]
    fn results_are_those_of_one_thread() {
        for threads in 1..6 {
            for count in [0, 1, 2, 3, 7, 500] {
                let expected: Vec<u64> = (0..count).map(|number| number * number).collect();
                assert_eq!(squares(threads, count, |_, _| None), Ok(expected));
            }
        }
    }

    #[test]
    fn the_first_error_in_order_is_returned() {
        for threads in 1..6 {
            for at in [0, 1, 2, 30] {
                for step in ["next", "take"] {
                    let wrong = |here: &str, number| (here == step && number == at).then_some(at);
                    assert_eq!(squares(threads, 100, wrong), Err(at), "{step}");
                }
                // What cannot be read behind a wrong piece is not what was wrong first.
                let wrong = |here: &str, number| match here {
                    "take" => (number == at).then_some(at),
                    "next" => (number == at + 1).then_some(1000),
                    _ => None,
                };
                assert_eq!(squares(threads, 100, wrong), Err(at));
            }
        }
    }

    #[test]
    fn a_panic_ends_all_threads() {
        for threads in 1..6 {
            for step in ["next", "work", "take"] {
                for at in [0, 1, 2, 30] {
                    let wrong = |here: &str, number| {
                        assert!(here != step || number != at, "{step} {at}");
                        None
                    };
                    let run = AssertUnwindSafe(|| squares(threads, 100, wrong));
                    let panic = catch_unwind(run).expect_err("a panic");
                    let text = panic.downcast_ref::<String>().expect("its text");
                    assert_eq!(*text, format!("{step} {at}"));
                }
            }
        }
    }
}
