//! Random damage to a ledger: the reader refuses it or finds a prefix, and never panics.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::basics::{empty, on, price};
use super::media::VirtualDisk;
use crate::ledger::event::Record;
use crate::ledger::{LedgerError, StoreError, verify};

/// A ledger of a few dozen records.
fn sample() -> Vec<u8> {
    let disk = empty();
    let ledger = on(&disk).unwrap();
    let account = ledger.create_account("a", price("100")).unwrap();
    for i in 0..6 {
        let lease = account.lease(price("1")).unwrap();
        for j in 0..3 {
            lease.charge(price("1/4"), &format!("{i} {j}")).unwrap();
        }
    }
    disk.bytes()
}

/// One random change of some bytes: flipped, removed, inserted, copied from elsewhere, cut off.
fn damage(bytes: &mut Vec<u8>, rng: &mut StdRng) {
    if bytes.is_empty() {
        return;
    }
    let at = rng.random_range(0..bytes.len());
    let size = rng.random_range(0..9);
    let length = rng.random_range(1..=1 << size).min(bytes.len() - at);
    match rng.random_range(0..6) {
        0 => bytes[at] ^= 1 << rng.random_range(0..8),
        1 => drop(bytes.drain(at..at + length)),
        2 => drop(bytes.splice(
            at..at,
            (0..length).map(|_| rng.random::<u8>()).collect::<Vec<_>>(),
        )),
        3 => {
            let from = rng.random_range(0..bytes.len());
            let part = bytes[from..(from + length).min(bytes.len())].to_vec();
            bytes.splice(at..at, part);
        }
        4 => bytes.truncate(at),
        _ => bytes[at..at + length].fill(0),
    }
}

#[test]
fn damaged_files_are_refused_or_are_a_prefix() {
    let whole = sample();
    let original = on(&VirtualDisk::holding(&whole)).unwrap().head().unwrap();
    let mut rng = StdRng::seed_from_u64(14);
    let (mut refused, mut opened) = (0, 0);
    for _ in 0..4_000 {
        let mut bytes = whole.clone();
        for _ in 0..rng.random_range(1..4) {
            damage(&mut bytes, &mut rng);
        }
        match on(&VirtualDisk::holding(&bytes)) {
            Ok(ledger) => {
                opened += 1;
                // A prefix, and what was behind it is reported, or cut at the end of a record.
                let head = ledger.head().unwrap();
                let cut = u64::from(ledger.torn() > 0);
                assert!(head.records() - cut <= original.records());
                let end = whole
                    .iter()
                    .enumerate()
                    .filter(|(_, b)| **b == b'\n')
                    .nth((head.records() - cut) as usize)
                    .unwrap();
                assert_eq!(bytes[..=end.0], whole[..=end.0]);
            }
            Err(
                LedgerError::Damaged { .. }
                | LedgerError::Store(StoreError::Foreign | StoreError::Failed { .. }),
            ) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(refused > 2_000 && opened > 100, "{refused} {opened}");
}

/// What `verify` says of a file is what opening it says, and it changes nothing.
#[test]
fn verify_and_open_agree() {
    let dir = super::basics::Dir::new("agree");
    let path = dir.0.join("a.ledger");
    let whole = sample();
    let mut rng = StdRng::seed_from_u64(15);
    for _ in 0..300 {
        let mut bytes = whole.clone();
        damage(&mut bytes, &mut rng);
        std::fs::write(&path, &bytes).unwrap();
        let mut records = 0;
        let verdict = verify(&path, None, |step| {
            assert_eq!(step.record.number, records);
            records += 1;
        });
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        match (verdict, on(&VirtualDisk::holding(&bytes))) {
            (Ok(verdict), Ok(ledger)) => {
                assert_eq!(verdict.torn, ledger.torn());
                assert_eq!(verdict.head.records(), records);
                assert_eq!(verdict.balances, ledger.balances().unwrap());
            }
            (Err(_), Err(_)) => {}
            (verdict, ledger) => panic!("{verdict:?} {ledger:?}"),
        }
    }
}

/// Lines of random text, with the words and separators of the format.
#[test]
fn no_text_makes_the_parser_panic() {
    let words = [
        "0",
        "1",
        "18446744073709551616",
        "account",
        "lease",
        "charge",
        "answer",
        "end",
        "cut",
        "plain",
        "named",
        "closed",
        "eps=1/2",
        "eps=1/0",
        "rho=1/8",
        "eps=1/2,delta=1/3",
        "%",
        "%0",
        "%ff",
        "%zz",
        "ü",
        "",
        "a%20b",
        "\0",
        "-1",
        "eps=",
        "=",
        ",",
        "%é",
    ];
    let mut rng = StdRng::seed_from_u64(16);
    let mut read = 0;
    for _ in 0..200_000 {
        let parts: Vec<&str> = (0..rng.random_range(0..8))
            .map(|_| words[rng.random_range(0..words.len())])
            .collect();
        let text = format!("1 1 {}", parts.join(" "));
        if let Some(record) = Record::parse(&text) {
            assert_eq!(record.text(), text);
            read += 1;
        }
    }
    assert!(read > 100, "{read}");
}
