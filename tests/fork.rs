//! A fork copies the data and the budget: only the process that opened a vault may spend it.
//!
//! A program of its own without the test harness, so that it has no other threads while it forks.
//! `cargo test --test fork a_name` runs the tests whose names contain `a_name`.

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicI32, Ordering};

    use privet::local::{Person, person};
    use privet::prelude::*;
    use privet::{Error, Meter, Simulation};

    #[derive(Record)]
    struct Patient {
        age: i64,
    }

    type Patients = Table<Patient>;
    type Eps1 = Eps<1, 1>;

    /// More than a scan leaves to one thread.
    const MANY: i64 = 100_000;

    fn patients(n: i64) -> Vec<Patient> {
        (0..n).map(|age| Patient { age }).collect()
    }

    fn count<E: Epsilon>() -> Mechanism<Patients, i64, E> {
        rows::<Patient>().count().laplace()
    }

    /// How a child ended.
    const REFUSED: i32 = 10;
    const RELEASED: i32 = 11;
    const WRONG: i32 = 12;

    /// Zero in the child, which is ended if it hangs; otherwise the child's id.
    fn fork() -> i32 {
        // SAFETY: this process has no other threads, or those of rayon, which hold no locks that
        // the child needs while they sleep.
        let child = unsafe { libc::fork() };
        assert!(child >= 0, "no fork");
        if child == 0 {
            // SAFETY: the default of this signal ends the process.
            unsafe { libc::alarm(60) };
        }
        child
    }

    fn exit(code: i32) -> ! {
        // SAFETY: ends the child, without the parent's buffers.
        unsafe { libc::_exit(code) }
    }

    /// Ends a child by what a release returned.
    fn end<T>(result: privet::Result<T>) -> ! {
        exit(match result {
            Ok(_) => RELEASED,
            Err(Error::Forked) => REFUSED,
            Err(_) => WRONG,
        })
    }

    /// How a child ended: its code, or the signal that ended it, negative.
    fn wait(child: i32) -> i32 {
        let mut status = 0;
        // SAFETY: waits for a child of this process.
        assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
        match libc::WIFEXITED(status) {
            true => libc::WEXITSTATUS(status),
            false => -libc::WTERMSIG(status),
        }
    }

    /// A release in the process whose budget it is.
    fn spend<T>(result: privet::Result<T>) {
        assert!(result.is_ok(), "{:?}", result.err());
    }

    fn assert_refused(child: i32) {
        assert_eq!(wait(child), REFUSED);
    }

    fn two_hundred_children_release_nothing() {
        let vault: Vault<Patients, Eps1> = Vault::open(patients(1000));
        for _ in 0..200 {
            match fork() {
                0 => end(vault.release(count::<Eps1>())),
                child => assert_refused(child),
            }
        }
        let (n, vault) = vault.release(count::<Eps1>()).expect("the parent's budget");
        assert!((n - 1000).abs() < 100, "off by e^-100");
        assert_eq!(vault.remaining().to_string(), "ε = 0");
    }

    /// A child shares the open file and the lock on it: it writes nothing, and what it drops is not
    /// given back.
    #[cfg(not(feature = "ledger"))]
    fn a_child_writes_nothing_to_a_ledger() {}

    #[cfg(feature = "ledger")]
    fn a_child_writes_nothing_to_a_ledger() {
        use privet::ledger::{Ledger, LedgerError};
        let dir = std::env::temp_dir().join(format!("privet-fork-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory");
        let path = dir.join("ledger");
        let ledger = Ledger::create(&path).expect("a ledger");
        let cap = "1".parse().expect("a price");
        let account = ledger.create_account("a", cap).expect("an account");
        let vault: Vault<Patients, Eps1> = Vault::open_on(&account, patients(10)).expect("a vault");
        let (half, vault) = vault.split::<Eps<1, 2>>();
        let (meter, vault) = vault.metered::<Eps<1, 4>>();
        let before = std::fs::read(&path).expect("the file");
        match fork() {
            0 => end(half.release(count::<Eps<1, 2>>())),
            child => assert_refused(child),
        }
        match fork() {
            0 => end(vault.release_as("n", count::<Eps<1, 4>>())),
            child => assert_refused(child),
        }
        match fork() {
            0 => end(meter.release_as("n", count::<Eps<1, 4>>())),
            child => assert_refused(child),
        }
        match fork() {
            0 => {
                drop((half, vault, meter));
                exit(match ledger.create_account("b", cap) {
                    Err(LedgerError::Forked) => REFUSED,
                    _ => WRONG,
                })
            }
            child => assert_refused(child),
        }
        assert_eq!(std::fs::read(&path).expect("the file"), before);
        spend(half.release(count::<Eps<1, 2>>()));
        drop((vault, meter));
        let balance = account.balance().expect("a balance");
        assert_eq!(balance.left.to_string(), "ε = 1/2");
        std::fs::remove_dir_all(&dir).expect("its own directory");
    }

    fn a_meter_releases_nothing_in_a_child() {
        let vault: Vault<Patients, Eps<2, 1>> = Vault::open(patients(1000));
        let (meter, vault) = vault.metered::<Eps1>();
        for _ in 0..200 {
            match fork() {
                // Twice: the first one charges nothing, and is refused before the lock is asked for.
                0 => match meter.release(count::<Eps1>()) {
                    Err(Error::Forked) => end(meter.release(count::<Eps1>())),
                    other => end(other),
                },
                child => assert_refused(child),
            }
        }
        // A meter that is made in the child is the parent's.
        match fork() {
            0 => {
                let (meter, _) = vault.metered::<Eps1>();
                end(meter.release(count::<Eps1>()))
            }
            child => assert_refused(child),
        }
        assert_eq!(meter.remaining().to_string(), "ε = 1");
        spend(meter.release(count::<Eps1>()));
        assert!(matches!(
            meter.release(count::<Eps1>()),
            Err(Error::OverCap { .. })
        ));
    }

    /// Nothing can be spent there, and the lock of a thread that is gone is not waited for.
    fn a_meter_shows_nothing_left_in_a_child() {
        fn in_a_child<Cap: Cost>(meter: &Meter<Patients, Cap>) -> String {
            let mut shown = std::io::pipe().expect("a pipe");
            match fork() {
                0 => {
                    let text = meter.remaining().to_string();
                    std::io::Write::write_all(&mut shown.1, text.as_bytes()).expect("written");
                    exit(0)
                }
                child => {
                    drop(shown.1);
                    let text = std::io::read_to_string(shown.0).expect("read");
                    assert_eq!(wait(child), 0);
                    text
                }
            }
        }
        let vault: Vault<Patients, Eps1> = Vault::open(patients(10));
        let (meter, _vault) = vault.metered::<Eps<1, 2>>();
        assert_eq!(in_a_child(&meter), "ε = 0");
        assert_eq!(meter.remaining().to_string(), "ε = 1/2");
        let vault: Vault<Patients, Rho<1, 1>> = Vault::open(patients(10));
        assert_eq!(in_a_child(&vault.metered::<Rho<1, 2>>().0), "ρ = 0");
    }

    fn halves_and_constant_time_remember_where_the_vault_was_opened() {
        let vault: Vault<Patients, Eps<2, 1>> = Vault::open(patients(10));
        match fork() {
            0 => end(vault.in_constant_time().release(count::<Eps1>())),
            child => assert_refused(child),
        }
        match fork() {
            0 => {
                let (half, _) = vault.split::<Eps1>();
                end(half.release(count::<Eps1>()))
            }
            child => assert_refused(child),
        }
        let (first, second) = vault.in_constant_time().split::<Eps1>();
        match fork() {
            0 => match first.release(count::<Eps1>()) {
                Err(Error::Forked) => end(second.release(count::<Eps1>())),
                other => end(other),
            },
            child => assert_refused(child),
        }
        spend(first.release(count::<Eps1>()));
        spend(second.release(count::<Eps1>()));
    }

    fn what_is_left_after_a_release_stays_with_the_parent() {
        let vault: Vault<Patients, Eps<2, 1>> = Vault::open(patients(10));
        let (_, vault) = vault.release(count::<Eps1>()).expect("the parent's budget");
        match fork() {
            0 => end(vault.release(count::<Eps1>())),
            child => assert_refused(child),
        }
        spend(vault.release(count::<Eps1>()));
    }

    fn a_persons_value_is_not_reported_by_a_child() {
        let device: Vault<Person<bool>, Eps1> = Vault::of_person(true);
        for _ in 0..10 {
            match fork() {
                0 => end(device.release(person::<bool>().respond::<Eps1>())),
                child => assert_refused(child),
            }
        }
        spend(device.release(person::<bool>().respond::<Eps1>()));
    }

    fn a_grandchild_releases_nothing() {
        let vault: Vault<Patients, Eps1> = Vault::open(patients(10));
        for child_looks in [false, true] {
            match fork() {
                0 => {
                    if child_looks {
                        let own: Vault<Patients, Eps1> = Vault::open(patients(10));
                        drop(own);
                    }
                    match fork() {
                        0 => end(vault.release(count::<Eps1>())),
                        grandchild => exit(wait(grandchild)),
                    }
                }
                child => assert_refused(child),
            }
        }
        spend(vault.release(count::<Eps1>()));
    }

    fn a_child_has_vaults_of_its_own() {
        let _parents: Vault<Patients, Eps1> = Vault::open(patients(10));
        match fork() {
            0 => {
                let vault: Vault<Patients, Eps<2, 1>> = Vault::open(patients(10));
                let Ok((_, vault)) = vault.release(count::<Eps1>()) else {
                    exit(WRONG)
                };
                // And its children have none of them.
                match fork() {
                    0 => end(vault.release(count::<Eps1>())),
                    grandchild if wait(grandchild) == REFUSED => {
                        end(vault.release(count::<Eps1>()))
                    }
                    _ => exit(WRONG),
                }
            }
            child => assert_eq!(wait(child), RELEASED),
        }
    }

    /// All threads of a child that ask first, at once, must agree on which process it is.
    fn threads_of_a_child_agree_on_their_process() {
        let _parents: Vault<Patients, Eps1> = Vault::open(patients(10));
        for _ in 0..100 {
            match fork() {
                0 => {
                    let start = Barrier::new(4);
                    let all = std::thread::scope(|scope| {
                        let threads: Vec<_> = (0..4)
                            .map(|_| {
                                scope.spawn(|| {
                                    let rows = patients(1);
                                    start.wait();
                                    let vault: Vault<Patients, Eps1> = Vault::open(rows);
                                    start.wait();
                                    vault.release(count::<Eps1>()).is_ok()
                                })
                            })
                            .collect();
                        threads
                            .into_iter()
                            .all(|thread| thread.join().unwrap_or(false))
                    });
                    exit(if all { RELEASED } else { WRONG })
                }
                child => assert_eq!(wait(child), RELEASED),
            }
        }
    }

    /// The id of a child that a closure made; zero in the child.
    static CHILD: AtomicI32 = AtomicI32::new(-1);

    fn fork_once<T>(value: T) -> T {
        CHILD.store(fork(), Ordering::SeqCst);
        value
    }

    /// Ends the child that a closure made; in the parent, `result` was released and the child's not.
    fn assert_only_the_parent_released<T>(result: privet::Result<T>) {
        match CHILD.swap(-1, Ordering::SeqCst) {
            0 => end(result),
            child => {
                assert_refused(child);
                spend(result);
            }
        }
    }

    /// The exact cells of what follows are in memory by then.
    fn a_fork_between_two_answers_pays_for_one_of_each() {
        let vault: Vault<Patients, Eps<2, 1>> = Vault::open(patients(10));
        let both = count::<Eps1>().map(fork_once).and(count::<Eps1>());
        assert_only_the_parent_released(vault.release(both));

        let vault: Vault<Patients, Eps<2, 1>> = Vault::open(patients(10));
        let both = count::<Eps1>().then(|_| fork_once(count::<Eps1>()));
        assert_only_the_parent_released(vault.release(both));

        let vault: Vault<Patients, Eps<2, 1>> = Vault::open(patients(10)).in_constant_time();
        let (meter, _) = vault.metered::<Eps<2, 1>>();
        let both = count::<Eps1>().then(|_| fork_once(count::<Eps1>()));
        assert_only_the_parent_released(meter.release(both));
    }

    fn a_fork_while_the_rows_come_in_leaves_the_budget_with_the_parent() {
        let rows = patients(10)
            .into_iter()
            .map(|row| if row.age == 5 { fork_once(row) } else { row });
        let vault: Vault<Patients, Eps1> = Vault::open(rows);
        assert_only_the_parent_released(vault.release(count::<Eps1>()));
    }

    fn a_simulation_goes_on_in_a_child() {
        let count = count::<Eps1>();
        let mut simulation =
            Simulation::<Patients>::of_public(patients(10), 7).expect("public rows");
        match fork() {
            0 => end(simulation.run(&count)),
            child => assert_eq!(wait(child), RELEASED),
        }
    }

    /// The parent's scan has started threads, which the child does not have. The last test, so that
    /// the others fork without threads.
    fn after_a_scan_on_several_threads_nothing_hangs() {
        let vault: Vault<Patients, Eps<3, 1>> = Vault::open(patients(MANY));
        let (n, vault) = vault.release(count::<Eps1>()).expect("the parent's budget");
        assert!((n - MANY).abs() < 100, "off by e^-100");
        let (meter, vault) = vault.metered::<Eps1>();
        match fork() {
            0 => end(vault.release(count::<Eps1>())),
            child => assert_refused(child),
        }
        match fork() {
            0 => end(meter.release(count::<Eps1>())),
            child => assert_refused(child),
        }
        // A vault of the child's own, and public rows.
        match fork() {
            0 => {
                let own: Vault<Patients, Eps1> = Vault::open(patients(MANY));
                end(own.release(count::<Eps1>()).and_then(|(n, _)| {
                    let near = (n - MANY).abs() < 100;
                    near.then_some(()).ok_or(Error::Unpriced)
                }))
            }
            child => assert_eq!(wait(child), RELEASED),
        }
        match fork() {
            0 => {
                let rows = Simulation::<Patients>::of_public(patients(MANY), 7);
                end(rows.and_then(|mut simulation| simulation.run(&count::<Eps1>())))
            }
            child => assert_eq!(wait(child), RELEASED),
        }
        let both = count::<Eps<1, 2>>().then(|_| fork_once(count::<Eps<1, 2>>()));
        assert_only_the_parent_released(meter.release(both));
        spend(vault.release(count::<Eps1>()));
    }

    pub fn main() {
        let filters: Vec<String> = std::env::args()
            .skip(1)
            .filter(|argument| !argument.starts_with('-'))
            .collect();
        macro_rules! tests {
            ($($test:ident)*) => {$(
                let name = stringify!($test);
                if filters.is_empty() || filters.iter().any(|filter| name.contains(filter)) {
                    $test();
                    println!("test {name} ... ok");
                }
            )*};
        }
        tests! {
            two_hundred_children_release_nothing
            a_child_writes_nothing_to_a_ledger
            a_meter_releases_nothing_in_a_child
            a_meter_shows_nothing_left_in_a_child
            halves_and_constant_time_remember_where_the_vault_was_opened
            what_is_left_after_a_release_stays_with_the_parent
            a_persons_value_is_not_reported_by_a_child
            a_grandchild_releases_nothing
            a_child_has_vaults_of_its_own
            threads_of_a_child_agree_on_their_process
            a_fork_between_two_answers_pays_for_one_of_each
            a_fork_while_the_rows_come_in_leaves_the_budget_with_the_parent
            a_simulation_goes_on_in_a_child
            after_a_scan_on_several_threads_nothing_hangs
        }
    }
}
