//! Every charge is noted: what for, how much, and what it left.

use privet::prelude::*;
use privet::vault::Receipts;
use privet::{Error, Price};

#[derive(Record, Clone)]
struct Patient {
    age: i64,
}

fn vault(log: &Receipts) -> Vault<Table<Patient>, Eps<2, 1>> {
    Vault::open(vec![Patient { age: 71 }]).with_receipts(log)
}

fn count<E: Epsilon>() -> Mechanism<Table<Patient>, i64, E> {
    rows::<Patient>().filter(|p| p.age.gt(70)).count().laplace()
}

fn price(text: &str) -> Price {
    text.parse().expect("a price")
}

#[test]
fn vaults_their_parts_and_their_meters_share_a_log() {
    let log = Receipts::new();
    let before = std::time::SystemTime::now();
    let vault = vault(&log);
    let (_, vault) = vault.release(count::<Eps<1, 2>>().named("old")).unwrap();
    let (part, vault) = vault.split::<Eps<1, 2>>();
    let (_, _part) = part
        .in_constant_time()
        .release(count::<Eps<1, 4>>())
        .unwrap();
    let (meter, _vault) = vault.metered::<Eps<1, 2>>();
    meter
        .release(rows::<Patient>().count().laplace_at(price("1/3")).unwrap())
        .unwrap();
    // Refused, so not charged.
    assert!(matches!(
        meter.release(count::<Eps<1, 3>>()),
        Err(Error::OverCap { .. })
    ));

    let all = log.all();
    let noted: Vec<_> = all.iter().map(|r| (r.number, r.price, r.left)).collect();
    assert_eq!(
        noted,
        [
            (0, price("1/2"), Some(price("3/2"))),
            (1, price("1/4"), Some(price("1/4"))),
            (2, price("1/3"), Some(price("1/6"))),
        ]
    );
    assert_eq!(all[0].what, "old");
    assert!(
        all[1]
            .what
            .starts_with("count(where(age > 70)) with Laplace noise")
    );
    assert!(all.iter().all(|r| r.when >= before));
    assert_eq!(log.since(2), all[2..]);
    assert!(log.since(3).is_empty() && log.since(u64::MAX).is_empty());
}

/// An attempt that fails in its run is charged, and noted.
#[test]
fn an_attempt_is_noted() {
    let log = Receipts::new();
    let ages = rows::<Patient>().histogram(|p| p.age.clamp::<0, 99>());
    let failed = vault(&log)
        .in_constant_time()
        .release(ages.median::<Eps<1, 1>>());
    assert!(matches!(failed, Err(Error::VariableTime)));
    assert_eq!(log.all().len(), 1);
}

#[test]
fn threads_leave_one_order() {
    let log = Receipts::new();
    let (meter, _vault) = vault(&log).metered::<Eps<1, 1>>();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let _ = meter.release(count::<Eps<1, 100>>());
                }
            });
        }
    });
    let all = log.all();
    assert_eq!(all.len(), 100); // of 160, what the cap covers
    for (i, receipt) in all.iter().enumerate() {
        assert_eq!(receipt.number, i as u64);
        assert_eq!(receipt.left, Some(price(&format!("{}/100", 99 - i))));
    }
    assert_eq!(meter.remaining(), price("0"));
}

#[cfg(feature = "serde")]
#[test]
fn prices_answers_and_receipts_are_written_and_read() {
    let log = Receipts::new();
    let answer = vault(&log)
        .release(count::<Eps<1, 2>>().with_interval(0.95))
        .unwrap()
        .0;
    let receipt = log.all().remove(0);
    let text = serde_json::to_string(&(receipt.clone(), answer)).unwrap();
    assert!(text.contains(r#""price":"ε = 1/2""#), "{text}");
    let read: (privet::vault::Receipt, privet::report::Answer<i64>) =
        serde_json::from_str(&text).unwrap();
    assert_eq!(read, (receipt, answer));
    let wrong = serde_json::from_str::<Price>("\"free\"").unwrap_err();
    assert!(wrong.to_string().contains("not a price"));
}
