//! Random histories of operations and crashes, against a reference of a few lines.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::basics::{FP, empty, on, price};
use super::media::{Fault, Loss, VirtualDisk};
use crate::cost::{Price, Ratio};
use crate::ledger::lease::{Lease, Paid};
use crate::ledger::{Account, LedgerError};

/// The reference: a cap, what ended leases charged, what open ones set aside and charged.
#[derive(Clone, Default, Debug)]
struct Model {
    settled: u128,
    open: BTreeMap<u64, (u128, u128)>,
    answers: BTreeMap<u8, String>,
}

const CAP: u128 = 60;

impl Model {
    fn left(&self) -> u128 {
        CAP - self.settled - self.open.values().map(|(budget, _)| budget).sum::<u128>()
    }
    fn charge(&mut self, lease: u64, price: u128) -> bool {
        let (budget, spent) = self.open.get_mut(&lease).unwrap();
        let fits = *spent + price <= *budget;
        *spent += if fits { price } else { 0 };
        fits
    }
    fn end(&mut self, lease: u64) {
        self.settled += self.open.remove(&lease).unwrap().1;
    }
}

fn sixtieths(n: u128) -> Price {
    Price::pure(Ratio::new(n, 60))
}

struct World {
    disk: VirtualDisk,
    account: Account,
    leases: Vec<Lease>,
    model: Model,
}

impl World {
    fn new() -> Self {
        let disk = empty();
        let account = on(&disk).unwrap().create_account("a", price("1")).unwrap();
        World {
            disk,
            account,
            leases: Vec::new(),
            model: Model::default(),
        }
    }

    /// One operation on both; the error of a fault, where one struck.
    fn step(&mut self, rng: &mut StdRng) -> Result<(), LedgerError> {
        match (rng.random_range(0..10), self.leases.len()) {
            (0..2, _) | (_, 0) => {
                let budget = rng.random_range(0..40);
                match self.account.lease(sixtieths(budget)) {
                    Ok(lease) => {
                        assert!(budget <= self.model.left());
                        self.model.open.insert(lease.epoch(), (budget, 0));
                        self.leases.push(lease);
                    }
                    Err(LedgerError::Exceeds { left, .. }) => {
                        assert!(budget > self.model.left());
                        assert_eq!(*left, sixtieths(self.model.left()));
                    }
                    Err(error) => return Err(error),
                }
            }
            (2..5, n) => {
                let lease = &self.leases[rng.random_range(0..n)];
                let price = rng.random_range(0..12);
                match lease.charge(sixtieths(price), "x") {
                    Ok(()) => assert!(self.model.charge(lease.epoch(), price)),
                    Err(LedgerError::Exceeds { .. }) => {
                        assert!(!self.model.charge(lease.epoch(), price));
                    }
                    Err(error) => return Err(error),
                }
            }
            (5..9, n) => {
                let lease = &self.leases[rng.random_range(0..n)];
                let (name, price) = (rng.random_range(0..6_u8), rng.random_range(0..4));
                let key = name.to_string();
                match lease.charge_named(sixtieths(price), &key, FP) {
                    Ok(Paid::Before(answer)) => {
                        assert_eq!(Some(&answer), self.model.answers.get(&name))
                    }
                    Ok(Paid::Now(charge)) => {
                        assert!(!self.model.answers.contains_key(&name));
                        assert!(self.model.charge(lease.epoch(), price));
                        let answer = rng.random::<u32>().to_string();
                        assert_eq!(lease.answer(charge, &key, FP, &answer)?, None);
                        self.model.answers.insert(name, answer);
                    }
                    Err(LedgerError::Exceeds { .. }) => {
                        assert!(!self.model.charge(lease.epoch(), price));
                    }
                    Err(error) => return Err(error),
                }
            }
            (_, n) => {
                let lease = self.leases.swap_remove(rng.random_range(0..n));
                let epoch = lease.epoch();
                lease.close()?;
                self.model.end(epoch);
            }
        }
        Ok(())
    }

    /// The program dies, the power may fail, and another program opens the ledger.
    ///
    /// `slack`: what the operation that was interrupted may have charged without being told.
    fn crash(&mut self, loss: Loss, slack: u128) {
        for lease in self.leases.drain(..) {
            core::mem::forget(lease);
        }
        self.disk = self.disk.after(loss);
        self.account = on(&self.disk).unwrap().account("a").unwrap();
        // Taking a lease ends those of the dead.
        drop(self.account.lease(sixtieths(0)).unwrap());
        for lease in self.model.open.keys().copied().collect::<Vec<_>>() {
            self.model.end(lease);
        }
        let spent = self.account.balance().unwrap().spent.epsilon().unwrap() * 60;
        assert!(spent.is_integer());
        let more = spent
            .to_integer()
            .checked_sub(self.model.settled)
            .expect("a charge was lost");
        assert!(
            more <= slack,
            "{more} sixtieths were charged that nobody asked for"
        );
        self.model.settled += more;
    }

    fn agrees(&self) {
        let balance = self.account.balance().unwrap();
        assert_eq!(balance.left, sixtieths(self.model.left()));
        let open: u128 = self.model.open.values().map(|(_, spent)| spent).sum();
        assert_eq!(balance.spent, sixtieths(self.model.settled + open));
    }
}

#[test]
fn random_histories_agree_with_the_reference() {
    for seed in 0..300 {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut world = World::new();
        for _ in 0..rng.random_range(1..8) {
            for _ in 0..rng.random_range(0..20) {
                world.step(&mut rng).unwrap();
                world.agrees();
            }
            let at = rng.random_range(0..1_500);
            world.disk.faulty(match rng.random_range(0..4) {
                0 => Fault::DiesAfter(at),
                1 => Fault::FullAfter(at),
                2 => Fault::DiesBeforeSync(at / 200),
                _ => Fault::SyncFails(at / 200),
            });
            let stored = world.model.answers.clone();
            while world.step(&mut rng).is_ok() {}
            let loss = [
                Loss::None,
                Loss::All,
                Loss::SomeBytes(seed),
                Loss::SomeBytesCut(seed),
                Loss::OnlyLastByte,
            ][rng.random_range(0..5)];
            // At most the charge that was under way: 12 sixtieths.
            world.crash(loss, 12);
            // An answer under way may have been stored; those that were told are as they were.
            let lease = world.account.lease(sixtieths(0)).unwrap();
            for name in 0..6_u8 {
                match lease
                    .charge_named(sixtieths(0), &name.to_string(), FP)
                    .unwrap()
                {
                    Paid::Before(answer) => {
                        let told = world.model.answers.entry(name).or_insert(answer.clone());
                        assert_eq!(*told, answer);
                    }
                    Paid::Now(_) => assert!(!stored.contains_key(&name)),
                }
            }
            lease.close().unwrap();
        }
    }
}
