//! What everyday columns need: reals that are not rounded away, dates, times, decimals, division, texts.

use privet::expr::PublicTable;
use privet::prelude::*;
use privet::testing::exact;
use privet::{Date, Decimal, Timestamp};

#[derive(Record, Clone)]
struct Reading {
    score: f64,
    count: i64,
    maybe: Option<i64>,
    price: Decimal<2>,
    day: Date,
    end: Option<Date>,
    time: Timestamp,
    name: String,
    nick: Option<String>,
}

fn reading() -> Reading {
    Reading {
        score: 0.1235,
        count: 47,
        maybe: None,
        price: Decimal::from_steps(1999),
        day: Date::new(2013, 2, 28),
        end: None,
        time: Timestamp::new(Date::new(2013, 12, 31), 23, 59, 0),
        name: "Zürich".into(),
        nick: None,
    }
}

/// The one value that a sum over one row has.
macro_rules! value {
    ($row:expr, $f:expr) => {
        exact(&rows::<Reading>().sum($f), [$row])[0]
    };
}
macro_rules! holds {
    ($row:expr, $f:expr) => {
        exact(&rows::<Reading>().filter($f).count(), [$row]) == [1]
    };
}

/// The issue's own figure: the mean of a column in [0, 1] came out as 0.118 instead of 0.1235.
#[test]
fn a_mean_of_reals_is_not_rounded_to_whole_units() -> privet::Result<()> {
    let table: Vec<Reading> = (0..1000)
        .map(|i| Reading {
            score: f64::from(i % 248) / 1000.0,
            ..reading()
        })
        .collect();
    let truth = table.iter().map(|r| r.score).sum::<f64>() / 1000.0;
    let mean = rows::<Table<Reading, Replace>>().mean(|r| r.score.clamp::<0, 1>());
    // ε this large is no privacy: the noise is far below the rounding that is looked for.
    let mean: Mechanism<_, f64, Eps<1000, 1>> = mean.laplace();
    let vault: Vault<Table<Reading, Replace>, Eps<1000, 1>> = Vault::open(table);
    let (mean, _) = vault.release(mean)?;
    assert!((mean - truth).abs() < 1e-4, "{mean} {truth}");
    Ok(())
}

#[test]
fn the_bounds_choose_the_grid_of_a_real() {
    let spelled = |q: privet::plan::Term| q.to_string();
    let sum = |term: &str| format!("sum({term})");
    let all = rows::<Reading>;
    assert_eq!(
        spelled(all().sum(|r| r.score.clamp::<0, 1>()).term()),
        sum("clamp(grid(score, 1000000), 0, 1)")
    );
    assert_eq!(
        spelled(all().sum(|r| r.score.clamp::<0, 120>()).term()),
        sum("clamp(grid(score, 1000), 0, 120)")
    );
    assert_eq!(
        spelled(all().sum(|r| r.score.clamp::<-10_000, 0>()).term()),
        sum("clamp(grid(score, 100), -10000, 0)")
    );
    assert_eq!(
        spelled(all().sum(|r| r.score.clamp::<0, 1_000_001>()).term()),
        sum("clamp(score, 0, 1000001)")
    );
    assert_eq!(
        spelled(all().sum(|r| r.score.grid::<1>().clamp::<0, 1>()).term()),
        sum("clamp(grid(score, 1), 0, 1)")
    );
    // A key keeps its cells, and says that they are whole units.
    let histogram = all().histogram(|r| r.score.clamp::<0, 4>());
    assert_eq!(
        spelled(histogram.term()),
        "histogram(clamp(grid(score, 1), 0, 4))"
    );
    let whole = all().histogram(|r| r.score.grid::<1>().clamp::<0, 4>());
    assert_eq!(spelled(histogram.term()), spelled(whole.term()));
    let hundredths = all().histogram(|r| r.score.grid::<100>().clamp::<0, 4>());
    assert_eq!(
        hundredths.median::<Eps<1, 2>>().explain().to_string(),
        "the 1/2 quantile of histogram(clamp(grid(score, 100), 0, 4)) [ε = 1/2]\n"
    );
    let ages = all().histogram(|r| r.count.clamp::<0, 4>());
    assert_eq!(spelled(ages.term()), "histogram(clamp(count, 0, 4))");
    assert_eq!(exact(&histogram, [reading()]), [1, 0, 0, 0, 0]);
    assert_eq!(value!(reading(), |r| r.score.clamp::<0, 1>()), 123_500);
    assert_eq!(
        value!(reading(), |r| r.score.grid::<1>().clamp::<0, 1>()),
        0
    );
}

/// A finer grid has more steps and proportionally more noise, so the accuracy in units is the same.
#[test]
fn a_finer_grid_does_not_cost_accuracy() {
    let reach = |mechanism: &Mechanism<Table<Reading>, f64, Eps<1, 2>>| {
        mechanism
            .accuracy(0.95)
            .map(|accuracy| accuracy.plus_or_minus)
    };
    let fine = rows::<Reading>()
        .sum(|r| r.score.clamp::<0, 10_000>())
        .laplace();
    let coarse = rows::<Reading>()
        .sum(|r| r.score.grid::<1>().clamp::<0, 10_000>())
        .laplace();
    let explained = fine.explain().to_string();
    assert!(explained.contains("in steps of 1/100"), "{explained}");
    let (fine, coarse) = (reach(&fine).unwrap(), reach(&coarse).unwrap());
    assert!((fine / coarse - 1.0).abs() < 1e-3, "{fine} {coarse}");
}

#[test]
fn whole_numbers_are_divided_rounding_down() {
    for (count, by_ten, rest) in [
        (47, 4, 7),
        (-1, -1, 9),
        (-10, -1, 0),
        (0, 0, 0),
        (-47, -5, 3),
    ] {
        let row = Reading { count, ..reading() };
        assert_eq!(
            value!(row.clone(), |r| r.count.divide::<10>().clamp::<-9, 9>()),
            by_ten
        );
        assert_eq!(
            value!(row.clone(), |r| r.count.clamp::<-90, 90>().divide::<10>()),
            by_ten
        );
        assert_eq!(value!(row, |r| r.count.remainder::<10>()), rest);
    }
    let edges = [i64::MIN, i64::MAX].map(|count| Reading { count, ..reading() });
    let sum = rows::<Reading>().sum(|r| r.count.remainder::<3>());
    assert_eq!(
        exact(&sum, edges.clone()),
        [i128::from(i64::MIN.rem_euclid(3) + i64::MAX.rem_euclid(3))]
    );
    let decades = rows::<Reading>().histogram(|r| r.count.clamp::<0, 99>().divide::<10>());
    assert_eq!(exact(&decades, [reading()]), [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
    let nulls = rows::<Reading>().histogram(|r| r.maybe.remainder::<3>());
    assert_eq!(exact(&nulls, [reading()]), [0, 0, 0]);
}

#[test]
fn constants_on_either_side_and_negation() {
    let row = reading;
    assert_eq!(value!(row(), |r| (100 - r.count).clamp::<0, 100>()), 53);
    assert_eq!(value!(row(), |r| (1 + r.count).clamp::<0, 100>()), 48);
    assert_eq!(value!(row(), |r| (2 * r.count).clamp::<0, 100>()), 94);
    assert_eq!(
        value!(row(), |r| (1.0 - r.score).grid::<10_000>().clamp::<0, 1>()),
        8765
    );
    assert_eq!(value!(row(), |r| -r.count.clamp::<0, 100>()), -47);
    assert_eq!(value!(row(), |r| (-r.count).clamp::<-100, 0>()), -47);
    let least = Reading {
        count: i64::MIN,
        ..reading()
    };
    assert_eq!(value!(least, |r| (-r.count).clamp::<0, 9>()), 9);
}

#[test]
fn decimals_are_exact() {
    let row = reading;
    assert_eq!(value!(row(), |r| r.price.clamp::<0, 100>()), 1999);
    assert_eq!(value!(row(), |r| r.price.clamp::<0, 19>()), 1900);
    assert_eq!(
        value!(row(), |r| r.price.clamp::<0, 100>()
            * r.count.clamp::<0, 100>()),
        1999 * 47
    );
    assert!(holds!(row(), |r| r.price.real().eq_to(19.99)));
    assert!(!holds!(row(), |r| r.price.real().gt(19.99)));
}

#[test]
fn dates_and_times() {
    let row = reading;
    assert!(holds!(row(), |r| r.day.lt(Date::new(2013, 3, 1))
        & r.day.ge(Date::new(2013, 2, 28))));
    assert_eq!(value!(row(), |r| r.day.weekday()), 4);
    assert_eq!(value!(row(), |r| r.day.month() * r.day.day()), 56);
    assert_eq!(value!(row(), |r| r.time.year().clamp::<2000, 2020>()), 2013);
    assert_eq!(value!(row(), |r| r.time.hour() + r.time.minute()), 82);
    assert_eq!(
        value!(row(), |r| r.time.date().days_since(r.day).clamp::<0, 400>()),
        306
    );
    // A missing date is left out, and is in no comparison.
    assert_eq!(
        value!(row(), |r| r.end.days_since(r.day).clamp::<1, 9>()),
        0
    );
    assert!(!holds!(row(), |r| r.end.gt(r.day) | r.end.le(r.day)));
    let ended = Reading {
        end: Some(Date::new(2013, 3, 1)),
        ..reading()
    };
    assert_eq!(
        value!(ended.clone(), |r| r.end.days_since(r.day).clamp::<1, 9>()),
        1
    );
    let quarters = [
        Date::new(2013, 4, 1),
        Date::new(2013, 7, 1),
        Date::new(2013, 10, 1),
    ];
    let by_quarter = rows::<Reading>().histogram(|r| r.day.bins(quarters));
    assert_eq!(exact(&by_quarter, [reading()]), [1, 0, 0, 0]);
    let by_week = rows::<Reading>().histogram(|r| {
        r.day
            .days_since(Date::new(2013, 1, 1))
            .divide::<7>()
            .clamp::<0, 52>()
    });
    assert_eq!(exact(&by_week, [ended])[8], 1);
}

#[test]
fn texts_have_a_beginning_and_a_length() {
    let row = reading;
    assert!(holds!(row(), |r| r.name.starts_with("Zü")));
    assert!(holds!(row(), |r| r.name.starts_with("")));
    assert!(!holds!(row(), |r| r.name.starts_with("zü")
        | r.name.starts_with("Zürich ")));
    assert!(!holds!(row(), |r| r.nick.starts_with("")));
    assert_eq!(value!(row(), |r| r.name.length().clamp::<0, 20>()), 7);
    let zeros = Reading {
        name: "a".into(),
        ..reading()
    };
    assert!(!holds!(zeros, |r| r.name.starts_with("a\0")));
}

#[test]
#[should_panic(expected = "at most 16 bytes")]
fn a_long_beginning_is_refused_where_it_is_written() {
    let _ = rows::<Reading>().filter(|r| r.name.starts_with("seventeen letters"));
}

#[test]
fn public_tables_are_looked_up() -> privet::Result<()> {
    let sizes = PublicTable::new([("Basel", 170_i64), ("Zürich", 430)])?;
    let scores = PublicTable::new([(47, 0.5), (-1, f64::NAN)])?;
    let opened = PublicTable::new([(Date::new(2013, 2, 28), true)])?;
    let row = reading;
    assert_eq!(
        value!(row(), |r| r.name.look_up(&sizes).clamp::<0, 500>()),
        430
    );
    assert_eq!(
        value!(row(), |r| r
            .count
            .look_up(&scores)
            .grid::<10>()
            .clamp::<0, 1>()),
        5
    );
    assert!(holds!(row(), |r| r.day.look_up(&opened).is_true()));
    // What the table does not have is null, and so is what the row does not have.
    assert!(holds!(row(), |r| r.nick.look_up(&sizes).is_null()
        & r.end.look_up(&opened).is_null()));
    let other = Reading {
        name: "Ulm".into(),
        count: 46,
        ..reading()
    };
    assert!(holds!(other.clone(), |r| r.name.look_up(&sizes).is_null()));
    assert_eq!(
        value!(other, |r| r
            .count
            .look_up(&scores)
            .or(0.1)
            .grid::<10>()
            .clamp::<0, 1>()),
        1
    );
    let empty = PublicTable::<i64, i64>::new([])?;
    assert!(holds!(row(), |r| r.count.look_up(&empty).is_null()));
    // One query on two tables of rows, whose texts have other codes.
    let both = rows::<Reading>().sum(|r| r.name.look_up(&sizes).clamp::<0, 500>());
    let named = |names: &[&str]| -> Vec<Reading> {
        let named = |name: &&str| Reading {
            name: (*name).into(),
            ..reading()
        };
        names.iter().map(named).collect()
    };
    assert_eq!(exact(&both, named(&["Ulm", "Basel", "Zürich"])), [600]);
    assert_eq!(exact(&both, named(&["Zürich", "Ulm", "Zürich"])), [860]);
    Ok(())
}

#[test]
fn a_public_table_has_each_key_once() {
    let twice = PublicTable::new([("a", 1_i64), ("b", 2), ("a", 1)]);
    assert!(matches!(
        twice.err(),
        Some(privet::Error::PublicTable { entry: 2 })
    ));
    let many = PublicTable::new((0..70_000_i64).map(|key| (key, key)));
    assert!(matches!(
        many.err(),
        Some(privet::Error::PublicTable { entry: 65_536 })
    ));
    assert!(PublicTable::new((0..65_536_i64).map(|key| (key, key))).is_ok());
}

#[test]
fn keys_known_at_run_time_have_as_many_cells_as_the_type_says() {
    let counts = |list: &[&str]| {
        let keys: Vec<String> = list.iter().map(|key| (*key).into()).collect();
        let query = rows::<Reading>().histogram(|r| r.name.keys_up_to::<4, _>(keys));
        exact(
            &query,
            [
                reading(),
                Reading {
                    name: "Ulm".into(),
                    ..reading()
                },
            ],
        )
    };
    assert_eq!(counts(&[]), [0, 0, 0, 0, 2]);
    assert_eq!(counts(&["Ulm"]), [1, 0, 0, 0, 1]);
    assert_eq!(
        counts(&["Bonn", "Zürich", "Ulm", "Zürich"]),
        [0, 1, 1, 0, 0]
    );
    let query = rows::<Reading>().histogram(|r| r.count.keys_up_to::<3, _>([48, 47, 47]));
    assert_eq!(exact(&query, [reading()]), [0, 1, 0, 0]);
    let query = rows::<Reading>().histogram(|r| r.end.keys_up_to::<1, _>([Date::new(1970, 1, 1)]));
    assert_eq!(exact(&query, [reading()]), [0, 1]);
}

#[test]
fn bins_known_at_run_time_have_as_many_cells_as_the_type_says() {
    let counts = |edges: &[i64]| {
        let edges = edges.to_vec(); // from a request
        let query = rows::<Reading>().histogram(|r| r.count.bins_up_to::<4, _>(edges));
        let of = |count| Reading { count, ..reading() };
        exact(&query, [of(i64::MIN), of(9), of(10), of(47), of(i64::MAX)])
    };
    assert_eq!(counts(&[10]), [2, 0, 0, 0, 3]);
    assert_eq!(counts(&[10, 48]), [2, 2, 0, 0, 1]);
    assert_eq!(counts(&[0, 9, 10, 47]), [1, 0, 1, 1, 2]);
}

#[test]
#[should_panic(expected = "no edges")]
fn no_edges_are_refused_where_they_are_written() {
    let _ = rows::<Reading>().histogram(|r| r.count.bins_up_to::<2, _>([0_i64; 0]));
}

#[test]
#[should_panic(expected = "more than 2 edges")]
fn too_many_edges_are_refused_where_they_are_written() {
    let _ = rows::<Reading>().histogram(|r| r.count.bins_up_to::<2, _>([1, 2, 3]));
}

#[test]
#[should_panic(expected = "more than 2 keys")]
fn too_many_keys_are_refused_where_they_are_written() {
    let _ = rows::<Reading>().histogram(|r| r.count.keys_up_to::<2, _>([1, 2, 3]));
}
