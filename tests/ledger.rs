//! Vaults and meters on an account: what a program spends is what the ledger says, and an answer is
//! paid for once.
#![cfg(feature = "ledger")]

use std::path::PathBuf;

use privet::ledger::{Account, Event, Ledger, LedgerError, Release, verify};
use privet::prelude::*;
use privet::{Disjoint, Error, Pair};

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    bill: f64,
    smoker: bool,
}

fn patients() -> Vec<Patient> {
    vec![
        Patient {
            age: 71,
            bill: 1_250.5,
            smoker: true,
        };
        40
    ]
}

fn count() -> Mechanism<Table<Patient>, i64, Eps<1, 4>> {
    rows::<Patient>().filter(|p| p.age.gt(40)).count().laplace()
}

/// A ledger file in a directory of its own, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("privet-ledger-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        Place(dir)
    }

    fn path(&self) -> PathBuf {
        self.0.join("hospital.ledger")
    }

    /// A new ledger with one account.
    fn account(&self, cap: &str) -> Account {
        let ledger = Ledger::create(self.path()).unwrap();
        ledger
            .create_account("patients", cap.parse().unwrap())
            .unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn spent(account: &Account) -> String {
    account.balance().unwrap().spent.to_string()
}

fn left(account: &Account) -> String {
    account.balance().unwrap().left.to_string()
}

fn ledger_error<T>(result: privet::Result<T>) -> LedgerError {
    match result {
        Err(Error::Ledger(error)) => *error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no error"),
    }
}

#[test]
fn every_release_is_charged_and_the_rest_goes_back() {
    let place = Place::new("release");
    let account = place.account("1");
    let vault: Vault<Table<Patient>, Eps<3, 4>> = Vault::open_on(&account, patients()).unwrap();
    assert_eq!(left(&account), "ε = 1/4");
    let (_, vault) = vault.release(count()).unwrap();
    let (_, vault) = vault.release(count().named("the old ones")).unwrap();
    assert_eq!(
        (spent(&account), left(&account)),
        ("ε = 1/2".into(), "ε = 1/4".into())
    );
    vault.close().unwrap();
    assert_eq!(
        (spent(&account), left(&account)),
        ("ε = 1/2".into(), "ε = 1/2".into())
    );
    // Half is left, and a program for three quarters does not start.
    let error = ledger_error(Vault::<Table<Patient>, Eps<3, 4>>::open_on(
        &account,
        patients(),
    ));
    assert_eq!(
        error.to_string(),
        "the account has ε = 1/2 left and this asks for ε = 3/4; open the vault with a smaller \
         budget"
    );
    // Exactly a half does.
    let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open_on(&account, patients()).unwrap();
    let (_, vault) = vault.release(count()).unwrap();
    let (_, vault) = vault.release(count()).unwrap();
    drop(vault);
    assert_eq!(left(&account), "ε = 0");
    let mut log = Vec::new();
    verify(place.path(), None, |step| {
        if let Event::Charge { price, release, .. } = &step.record.event {
            let Release::Plain { what } = release else {
                panic!("{release:?}");
            };
            log.push(format!("{what}: {price}"));
        }
    })
    .unwrap();
    assert_eq!(log.len(), 4);
    assert_eq!(log[1], "the old ones: ε = 1/4");
    assert!(log[0].contains("age"), "{}", log[0]);
}

#[test]
fn the_sum_over_restarts_stays_within_the_cap() {
    let place = Place::new("restarts");
    drop(place.account("1"));
    let mut opened = 0;
    for _ in 0..10 {
        // As a program that starts anew each time.
        let account = Ledger::open(place.path())
            .unwrap()
            .account("patients")
            .unwrap();
        match Vault::<Table<Patient>, Eps<1, 4>>::open_on(&account, patients()) {
            Ok(vault) => {
                opened += 1;
                vault.release(count()).unwrap().1.close().unwrap();
            }
            Err(error) => assert!(matches!(
                ledger_error::<()>(Err(error)),
                LedgerError::Exceeds { .. }
            )),
        }
    }
    assert_eq!(opened, 4);
}

#[test]
fn a_named_answer_is_the_same_for_ever_and_paid_once() {
    let place = Place::new("named");
    drop(place.account("10"));
    let mut answers = Vec::new();
    for _ in 0..3 {
        let account = Ledger::open(place.path())
            .unwrap()
            .account("patients")
            .unwrap();
        let vault: Vault<Table<Patient>, Eps<2, 1>> = Vault::open_on(&account, patients()).unwrap();
        let (n, vault) = vault.release_as("n", count()).unwrap();
        let mean = rows::<Patient>().sum(|p| p.bill.clamp::<0, 10_000>());
        // Doubles with long decimals come back bit by bit.
        let mean = mean
            .laplace::<Eps<1, 4>>()
            .map(|sum| (sum / 3.0, Some(vec![sum / 7.0])));
        let (mean, vault) = vault.release_as("mean", mean).unwrap();
        // A name given to the mechanism is not a part of it.
        let (again, vault) = vault.release_as("n", count().named("x")).unwrap();
        assert_eq!(n, again);
        answers.push((n, mean));
        vault.close().unwrap();
        let balance = account.balance().unwrap();
        assert_eq!(balance.spent.to_string(), "ε = 1/2");
        assert_eq!(
            (balance.charges, balance.answers, balance.unanswered),
            (2, 2, 0)
        );
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn a_name_is_not_used_for_another_mechanism() {
    let place = Place::new("fingerprint");
    let account = place.account("100");
    let open = || Vault::<Table<Patient>, Eps<1, 1>>::open_on(&account, patients()).unwrap();
    open().release_as("n", count()).unwrap().1.close().unwrap();
    type Plan<Out, E> = Mechanism<Table<Patient>, Out, E>;
    // Another filter, another question, another price, another noise, another answer type.
    let filter: Plan<i64, Eps<1, 4>> = rows::<Patient>().filter(|p| p.age.gt(41)).count().laplace();
    let column: Plan<i64, Eps<1, 4>> = rows::<Patient>().filter(|p| p.smoker).count().laplace();
    let price: Plan<i64, Eps<1, 2>> = rows::<Patient>().filter(|p| p.age.gt(40)).count().laplace();
    let taken = |error| matches!(error, LedgerError::NameTaken { name } if name == "n");
    for plan in [filter, column] {
        assert!(taken(ledger_error(open().release_as("n", plan))));
    }
    assert!(taken(ledger_error(open().release_as("n", price))));
    assert!(taken(ledger_error(
        open().release_as("n", count().map(|n| n as f64))
    )));
    assert!(taken(ledger_error(
        open().release_as("n", count().and(count()).map(|(n, _)| n))
    )));
    // Nothing of this was charged.
    assert_eq!(spent(&account), "ε = 1/4");
    // Another relation is another account of the same rows to anybody else; here it is refused too.
    let other: Vault<Table<Patient, Replace>, Eps<1, 1>> =
        Vault::open_on(&account, patients()).unwrap();
    let replaced = rows::<Table<Patient, Replace>>();
    let same = replaced
        .filter(|p| p.age.gt(40))
        .count()
        .laplace::<Eps<1, 4>>();
    assert!(taken(ledger_error(other.release_as("n", same))));
}

/// What a part of the plan asks of a sample, of a block, or of one of two tables is in the fingerprint too.
#[test]
fn a_name_is_not_used_for_another_question_of_a_part() {
    let older = |age: i64| {
        rows::<Patient>()
            .filter(move |p| p.age.gt(age))
            .count()
            .laplace::<Eps<1, 4>>()
    };
    let place = Place::new("parts");
    type Plan<In, Out> = Mechanism<In, Out, Eps<1, 4>>;

    let each = |age| -> Plan<Table<Patient>, Vec<i64>> {
        rows::<Patient>()
            .group_by(|p| p.smoker)
            .each(move |_| older(age))
    };
    let one_block = |block, age| -> Plan<Table<Patient>, Vec<i64>> {
        rows::<Patient>()
            .group_by(|p| p.smoker)
            .each(move |i| older(if i == block { age } else { 0 }))
    };
    let in_turn = |age| -> Plan<Table<Patient>, i64> {
        rows::<Patient>()
            .filter(move |p| p.age.gt(age))
            .group_by(|p| p.smoker)
            .in_turn(0, move |_, _| older(0))
    };
    let once = |over, age| -> Plan<Table<Patient>, i64> {
        rows::<Patient>()
            .filter(move |p| p.age.gt(over))
            .sampled::<1, 2>()
            .once(move |sample| {
                let some = sample.filter(move |p| p.age.gt(age));
                some.count().laplace::<Eps<1, 8>>()
            })
            .at_most()
    };

    type Both = Pair<Table<Patient>, Table<Patient>, Disjoint>;
    let first = |age| -> Plan<Both, i64> { older(age).on_first() };
    let second = |age| -> Plan<Both, i64> { older(age).on_second() };
    let beside = |left, right| -> Plan<Both, (i64, i64)> { older(left).beside(older(right)) };

    let account = place.account("100");
    let table = || Vault::<Table<Patient>, Eps<1, 1>>::open_on(&account, patients()).unwrap();
    let pair = || Vault::<Both, Eps<1, 1>>::load_on(&account, (patients(), patients())).unwrap();
    macro_rules! tells_apart {
        ($open:ident, $name:literal, $one:expr, $($other:expr),+) => {
            let (first, vault) = $open().release_as($name, $one).unwrap();
            vault.close().unwrap();
            $(assert!(matches!(
                ledger_error($open().release_as($name, $other)),
                LedgerError::NameTaken { name } if name == $name
            ));)+
            // The same plan, made again, is the same.
            assert_eq!($open().release_as($name, $one).unwrap().0, first);
        };
    }
    tells_apart!(
        table,
        "each",
        each(40),
        each(41),
        one_block(0, 40),
        one_block(1, 40)
    );
    tells_apart!(table, "in turn", in_turn(40), in_turn(41));
    tells_apart!(table, "once", once(0, 40), once(0, 41), once(1, 40));
    tells_apart!(pair, "first", first(40), first(41), second(40));
    tells_apart!(
        pair,
        "beside",
        beside(40, 41),
        beside(41, 40),
        beside(40, 40)
    );
    // Five releases were paid for, and no more.
    assert_eq!(spent(&account), "ε = 5/4");
}

#[test]
fn parts_of_a_vault_share_its_lease() {
    let place = Place::new("split");
    let account = place.account("1");
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open_on(&account, patients())
        .unwrap()
        .in_constant_time();
    let (half, vault) = vault.split::<Eps<1, 2>>();
    let (meter, vault) = vault.metered::<Eps<1, 4>>();
    let (_, vault) = vault.release(count()).unwrap();
    vault.close().unwrap();
    // The others are still open.
    assert_eq!(
        (spent(&account), left(&account)),
        ("ε = 1/4".into(), "ε = 0".into())
    );
    let tenth = || {
        rows::<Patient>()
            .count()
            .laplace_at("1/10".parse().unwrap())
            .unwrap()
    };
    let first = meter.release_as("tenth", tenth()).unwrap();
    assert_eq!(meter.release_as("tenth", tenth()).unwrap(), first);
    // The meter's cap is charged each time, the account once.
    assert!(matches!(
        meter.release_as("tenth", tenth()),
        Err(Error::OverCap { .. })
    ));
    assert_eq!(meter.remaining().to_string(), "ε = 1/20");
    assert_eq!(spent(&account), "ε = 7/20");
    meter
        .release(rows::<Patient>().count().laplace::<Eps<1, 20>>())
        .unwrap();
    assert_eq!(spent(&account), "ε = 2/5");
    drop(meter);
    assert_eq!(left(&account), "ε = 0");
    half.close().unwrap();
    assert_eq!(left(&account), "ε = 3/5");
}

#[test]
fn an_error_or_a_panic_is_charged_and_gives_the_rest_back() {
    let place = Place::new("errors");
    let account = place.account("1");
    let open = || Vault::<Table<Patient>, Eps<3, 4>>::open_on(&account, patients()).unwrap();
    let panicking = || count().map(|_| -> i64 { panic!("in map") });
    let vault = open();
    let caught = std::panic::catch_unwind(core::panic::AssertUnwindSafe(move || {
        let _ = vault.release_as("p", panicking());
    }));
    assert!(caught.is_err());
    let balance = account.balance().unwrap();
    assert_eq!(
        (balance.spent.to_string(), balance.unanswered),
        ("ε = 1/4".into(), 1)
    );
    assert_eq!(balance.left.to_string(), "ε = 3/4");
    // What JSON cannot hold is charged, not stored, not returned.
    let error = ledger_error(open().release_as("nan", count().map(|_| f64::NAN)));
    assert!(matches!(error, LedgerError::Unstorable { .. }), "{error}");
    let balance = account.balance().unwrap();
    assert_eq!(
        (balance.spent.to_string(), balance.unanswered),
        ("ε = 1/2".into(), 2)
    );
    // The name is free for a mechanism that works.
    let vault: Vault<Table<Patient>, Eps<1, 4>> = Vault::open_on(&account, patients()).unwrap();
    vault.release_as("nan", count()).unwrap().1.close().unwrap();
    assert_eq!(spent(&account), "ε = 3/4");
    // A mechanism that a vault in constant time cannot run is charged, like everything attempted.
    let vault: Vault<Table<Patient>, Eps<1, 4>> = Vault::open_on(&account, patients()).unwrap();
    let ages = rows::<Patient>().histogram(|p| p.age.clamp::<0, 120>());
    let median = ages.median::<Eps<1, 4>>();
    assert!(matches!(
        vault.in_constant_time().release(median),
        Err(Error::VariableTime)
    ));
    assert_eq!(left(&account), "ε = 0");
}

#[test]
fn loading_that_fails_sets_nothing_aside() {
    let place = Place::new("load");
    let account = place.account("1");
    let missing = privet::load::Csv::<Patient>::file(place.0.join("none.csv"));
    assert!(Vault::<Table<Patient>, Eps<1, 1>>::load_on(&account, missing).is_err());
    assert_eq!(left(&account), "ε = 1");
}

#[test]
fn whoever_loads_on_an_account_hears_what_was_skipped() {
    let place = Place::new("report");
    let account = place.account("1");
    let text = "age,bill,smoker\n44,1,no\n4x,1,no\n";
    let csv = || privet::load::Csv::<Patient>::from_reader("visits.csv", text.as_bytes());
    let (vault, report) =
        Vault::<Table<Patient>, Eps<1, 2>>::load_on_with_report(&account, csv().skip_malformed())
            .unwrap();
    assert_eq!(report.skipped(), 1);
    assert_eq!(report.first_skipped()[0].line, 3);
    assert_eq!(left(&account), "ε = 1/2");
    let ledger = std::fs::read_to_string(place.path()).unwrap();
    assert!(!ledger.contains("visits") && !ledger.contains("skip"));
    vault.close().unwrap();
    // A file that is refused sets nothing aside.
    Vault::<Table<Patient>, Eps<1, 2>>::load_on_with_report(&account, csv()).unwrap_err();
    assert_eq!(left(&account), "ε = 1");
}

#[test]
fn a_vault_without_a_ledger_stores_nothing() {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients());
    let error = ledger_error(vault.release_as("n", count()));
    assert!(matches!(error, LedgerError::NoLedger));
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients());
    vault.close().unwrap();
}

#[test]
fn an_account_in_another_notion_counts_in_its_own() {
    let place = Place::new("notions");
    let account = place.account("rho = 1/2");
    let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open_on(&account, patients()).unwrap();
    vault.release(count()).unwrap().1.close().unwrap();
    assert_eq!(spent(&account), "ρ = 1/32");
    let vault: Vault<Table<Patient>, Rho<1, 8>> = Vault::open_on(&account, patients()).unwrap();
    let (_, vault) = vault
        .release(rows::<Patient>().count().gaussian::<Rho<1, 8>>())
        .unwrap();
    vault.close().unwrap();
    assert_eq!(spent(&account), "ρ = 5/32");
    let ledger = Place::new("notions-pure");
    let pure = ledger.account("1");
    let refused = Vault::<Table<Patient>, Rho<1, 8>>::open_on(&pure, patients());
    assert!(matches!(ledger_error(refused), LedgerError::Notion { .. }));
}

/// Answers of privet's own types, each released under its name twice, by two leases.
#[test]
fn answers_of_our_own_types_come_back_bit_for_bit() {
    let place = Place::new("own-types");
    let account = place.account("100");
    let few = || vec![patients().remove(0)];
    macro_rules! comes_back {
        ($name:literal, $plan:expr) => {{
            let plan = $plan;
            let open = || Vault::<Table<Patient>, Eps<1, 1>>::open_on(&account, few()).unwrap();
            let (first, vault) = open().release_as($name, plan.clone()).unwrap();
            vault.close().unwrap();
            let (again, vault) = open().release_as($name, plan.clone()).unwrap();
            vault.close().unwrap();
            // `Debug` prints every digit of a double, and the sign of a zero.
            assert_eq!(format!("{first:?}"), format!("{again:?}"));
            // What is returned first is what was computed: nothing is lost on the way.
            let (fresh, _) = open().release(plan).unwrap();
            let text = serde_json::to_string(&fresh).unwrap();
            let read = typed(&fresh, serde_json::from_str(&text).unwrap());
            assert_eq!(format!("{fresh:?}"), format!("{read:?}"), "{text}");
            fresh
        }};
    }
    fn typed<T>(_: &T, other: T) -> T {
        other
    }
    let rows = rows::<Patient>();
    comes_back!(
        "mean",
        rows.clone()
            .estimate(0.95)
            .mean(|p| p.bill.clamp::<0, 1000>())
            .laplace::<Eps<1, 2>>()
    );
    // One row leaves everything open: the ends are infinite, which JSON has no number for.
    let fit = comes_back!(
        "fit",
        rows.clone()
            .estimate(0.95)
            .linear_regression(|p| p.age.clamp::<0, 100>(), |p| p.bill.clamp::<0, 1000>())
            .laplace::<Eps<1, 100>>()
    );
    assert_eq!(fit.slopes[0].high, f64::INFINITY);
    assert_eq!(fit.intercept.low, f64::NEG_INFINITY);
    comes_back!(
        "moments",
        rows.clone()
            .estimate(0.95)
            .variance(|p| p.bill.clamp::<0, 1000>())
            .query
            .laplace::<Eps<1, 2>>()
    );
    comes_back!(
        "with its accuracy",
        count().with_interval(0.95).map(|answer| vec![answer])
    );
    comes_back!(
        "a warning",
        count().map({
            let advisory = count().advisory(1, 0.95);
            move |_| advisory
        })
    );
    comes_back!(
        "dates",
        count().map(|n| {
            let day = privet::Date::new(2013, 1, 31);
            let moment = privet::Timestamp::from_micros(n * 1_000_001);
            (day, moment, privet::Decimal::<2>::from_steps(-n))
        })
    );
}

#[test]
fn centres_and_reports_of_devices_come_back() {
    use privet::algorithms::{Clusters, kmeans};
    use privet::local::{Person, SketchReport, person};

    #[derive(Record)]
    struct Shop {
        place: [f64; 2],
    }
    let shops = (0..100).map(|i| Shop {
        place: [f64::from(i) / 300.0, 0.1],
    });
    let vault: Vault<Table<Shop>, Eps<1, 1>> = Vault::open(shops);
    let centres: Mechanism<_, Clusters<2, 2>, Eps<1, 1>> = kmeans::<2, 3>()
        .from([[0.1, 0.1], [-0.1, -0.1]])
        .of(rows::<Shop>(), |s| s.place);
    let (centres, _) = vault.release(centres).unwrap();
    let text = serde_json::to_string(&centres).unwrap();
    assert_eq!(
        serde_json::from_str::<Clusters<2, 2>>(&text).unwrap(),
        centres
    );
    // Of another shape it is refused, not cut.
    assert!(serde_json::from_str::<Clusters<3, 2>>(&text).is_err());

    let device: Vault<Person<String>, Eps<4, 1>> = Vault::of_person("common".to_string());
    let sketch = person::<String>().sketch::<16, 64, Eps<4, 1>>();
    let (report, _) = device.release(sketch).unwrap();
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<SketchReport>(&text).unwrap(), report);
}

#[test]
fn a_stored_answer_is_read_without_a_lease() {
    let place = Place::new("stored");
    let account = place.account("1/4");
    assert_eq!(account.stored_answer("n", &count()).unwrap(), None);
    let vault: Vault<Table<Patient>, Eps<1, 4>> = Vault::open_on(&account, patients()).unwrap();
    let (n, vault) = vault.release_as("n", count()).unwrap();
    vault.close().unwrap();
    // Nothing is left, so no vault opens, and the answer is there.
    assert_eq!(left(&account), "ε = 0");
    let shut = Vault::<Table<Patient>, Eps<1, 4>>::open_on(&account, patients());
    assert!(matches!(ledger_error(shut), LedgerError::Exceeds { .. }));
    assert_eq!(account.stored_answer("n", &count()).unwrap(), Some(n));
    assert_eq!(account.stored_answer("m", &count()).unwrap(), None);
    // The name is that of its mechanism, here too: another question, another answer type, another price.
    let taken = |error| matches!(error, LedgerError::NameTaken { name } if name == "n");
    let other = rows::<Patient>().count().laplace::<Eps<1, 4>>();
    assert!(taken(ledger_error(account.stored_answer("n", &other))));
    let text = count().map(|n| n.to_string());
    assert!(taken(ledger_error(account.stored_answer("n", &text))));
    let dearer: Mechanism<_, i64, Eps<1, 2>> = count().at_most();
    assert!(taken(ledger_error(account.stored_answer("n", &dearer))));
    // Nothing was charged for any of this.
    assert_eq!(account.balance().unwrap().charges, 1);
}

/// A stored answer is that of the rows of its day.
#[test]
fn a_stored_answer_ignores_changed_rows_and_takes_the_types_budget_again() {
    let place = Place::new("changed");
    let account = place.account("1");
    let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open_on(&account, patients()).unwrap();
    let (n, vault) = vault.release_as("n", count()).unwrap();
    vault.close().unwrap();
    let nobody: Vault<Table<Patient>, Eps<1, 2>> = Vault::open_on(&account, vec![]).unwrap();
    let (again, nobody) = nobody.release_as("n", count()).unwrap();
    assert_eq!(n, again);
    assert_eq!(nobody.remaining().to_string(), "ε = 1/4");
    drop(nobody);
    assert_eq!(spent(&account), "ε = 1/4");
}

#[test]
fn the_hint_to_wait_is_given_where_waiting_helps() {
    let place = Place::new("hint");
    let account = place.account("1");
    let open = || Vault::<Table<Patient>, Eps<3, 4>>::open_on(&account, patients());
    let vault = open().unwrap();
    assert_eq!(
        ledger_error(open()).to_string(),
        "the account has ε = 1/4 left and this asks for ε = 3/4; open the vault with a smaller budget, \
         or wait until other vaults close, which have set ε = 3/4 aside and not spent it"
    );
    // What was spent does not come back.
    let spends: Mechanism<_, i64, Eps<3, 4>> = count().at_most();
    let (_, spent) = vault.release(spends).unwrap();
    assert_eq!(
        ledger_error(open()).to_string(),
        "the account has ε = 1/4 left and this asks for ε = 3/4; open the vault with a smaller budget"
    );
    spent.close().unwrap();
}

#[test]
fn what_a_vault_gives_up_goes_back_to_its_account() {
    let place = Place::new("at-least");
    let account = place.account("1");
    type Patients<B> = Vault<Table<Patient>, B>;
    fn report(vault: Patients<Eps<1, 1>>) -> privet::Result<Patients<Eps<1, 4>>> {
        let (_, vault) = vault.release(count())?;
        let (_, vault) = vault.release(count())?; // 2/4
        Ok(vault.at_least())
    }
    let vault = report(Patients::open_on(&account, patients()).unwrap()).unwrap();
    assert_eq!(vault.remaining().to_string(), "ε = 1/4");
    // The lease is the vault's until it closes.
    assert_eq!(left(&account), "ε = 0");
    let (_, vault) = vault.release(count()).unwrap();
    assert_eq!(vault.remaining().to_string(), "ε = 0");
    vault.close().unwrap();
    assert_eq!(
        (spent(&account), left(&account)),
        ("ε = 3/4".into(), "ε = 1/4".into())
    );
}

#[test]
fn errors_print_the_same_sentence_where_main_returns_them() {
    let place = Place::new("debug");
    let account = place.account("1/4");
    let error = Vault::<Table<Patient>, Eps<1, 2>>::open_on(&account, patients()).unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "the account has ε = 1/4 left and this asks for ε = 1/2; open the vault with a smaller budget"
    );
    assert_eq!(format!("{error:?}"), error.to_string());
    let missing = Ledger::open(place.0.join("nowhere")).unwrap_err();
    assert_eq!(format!("{missing:?}"), missing.to_string());
    let LedgerError::Store(missing) = missing else {
        panic!("{missing}")
    };
    assert_eq!(format!("{missing:?}"), missing.to_string());
    let text = format!("{:?}", account.balance().unwrap());
    assert!(text.contains("cap: ε = 1/4,"), "{text}");
}
