//! Three everyday data sets, as generated look-alikes: each exact answer beside what a plain loop (or pandas) has.
//!
//! The real ones are not ours to ship: flights of 2013 (nullable delays, month × origin cells, carriers),
//! the RAND health insurance experiment (a row for each person and year), and a breast-cancer table (reals).

use privet::expr::PublicTable;
use privet::load::Csv;
use privet::prelude::*;
use privet::testing::{Choices, Loaded, exact};
use privet::{Date, Decimal, Timestamp};

// The names of airports, as the file has them.
#[allow(clippy::upper_case_acronyms)]
#[derive(Category, Clone, Copy, PartialEq)]
enum Origin {
    EWR,
    JFK,
    LGA,
}

const ORIGINS: [Origin; 3] = [Origin::EWR, Origin::JFK, Origin::LGA];
const CARRIERS: [&str; 5] = ["UA", "B6", "DL", "9E", "HA"];

#[derive(Record, Clone)]
struct Flight {
    day: Date,
    scheduled: Timestamp,
    origin: Origin,
    carrier: String,
    dep_delay: Option<i64>,
    fare: Decimal<2>,
}

fn flights() -> Vec<Flight> {
    let mut c = Choices::new(2013);
    let flight = |_| {
        let (month, day) = (1 + c.below(12) as u32, 1 + c.below(28) as u32);
        let day = Date::new(2013, month, day);
        Flight {
            day,
            scheduled: Timestamp::new(day, c.below(24) as u32, c.below(60) as u32, 0),
            origin: ORIGINS[c.below(3)],
            carrier: CARRIERS[c.below(5)].into(),
            dep_delay: (c.below(40) > 0).then(|| c.below(400) as i64 - 40),
            fare: Decimal::from_steps(c.below(100_000) as i64),
        }
    };
    (0..5_000).map(flight).collect()
}

/// The table as a file, in the spelling of the original: nulls are `NA`, whole delays are `2.0`.
fn as_csv(flights: &[Flight]) -> String {
    let mut text = String::from("day,sched_dep_time,origin,carrier,dep_delay,fare,tailnum\n");
    for f in flights {
        let origin = ["EWR", "JFK", "LGA"][ORIGINS.iter().position(|o| *o == f.origin).unwrap()];
        let delay = f.dep_delay.map_or("NA".into(), |d| format!("{d}.0"));
        let line = format!(
            "{},{},{origin},{},{delay},{},N1\n",
            f.day, f.scheduled, f.carrier, f.fare
        );
        text.push_str(&line);
    }
    text
}

#[test]
fn flights_of_a_year() -> privet::Result<()> {
    let table = flights();
    let csv = as_csv(&table);
    let file = Csv::<Flight>::from_reader("flights.csv", std::io::Cursor::new(csv))
        .null_values(["NA"])
        .column("scheduled", "sched_dep_time");
    let data = Loaded::read::<AddRemove>(file)?;

    // df.groupby([month, origin]).size(): a cell for each pair, the last key fastest.
    let cells = data.exact(&rows::<Flight>().histogram(|f| (f.day.month(), f.origin)));
    let mut loops = vec![0_i128; 36];
    for f in &table {
        let month = f.day.to_string()[5..7].parse::<usize>().unwrap();
        let origin = ORIGINS.iter().position(|o| *o == f.origin).unwrap();
        loops[(month - 1) * 3 + origin] += 1;
    }
    assert_eq!(cells, loops);
    assert_eq!(cells.iter().sum::<i128>(), 5_000);

    // df.dep_delay.mean(): of those that are there.
    let mean = rows::<Flight>().mean(|f| f.dep_delay.clamp::<-60, 400>());
    let known: Vec<i64> = table.iter().filter_map(|f| f.dep_delay).collect();
    assert!(known.len() < 5_000);
    assert_eq!(data.exact(&mean.count), [known.len() as i128]);
    assert_eq!(data.exact(&mean.sum), [known.iter().sum::<i64>().into()]);

    // (df.dep_delay > 30).sum(): a null is not late.
    let late = rows::<Flight>().filter(|f| f.dep_delay.gt(30)).count();
    let loops = known.iter().filter(|d| **d > 30).count();
    assert_eq!(data.exact(&late), [loops as i128]);

    // df.carrier.value_counts(), for carriers that are known at run time.
    let carriers: Vec<String> = CARRIERS[..4].iter().map(|c| (*c).into()).collect();
    let counts =
        data.exact(&rows::<Flight>().histogram(|f| f.carrier.keys_up_to::<16, _>(carriers)));
    let of = |name: &str| table.iter().filter(|f| f.carrier == name).count() as i128;
    assert_eq!(counts[..4], [of("UA"), of("B6"), of("DL"), of("9E")]);
    assert_eq!(counts[16], of("HA"));

    // df[df.hour >= 18].fare.sum(), exact to the cent.
    let fares = rows::<Flight>()
        .filter(|f| f.scheduled.hour().ge(18))
        .sum(|f| f.fare.clamp::<0, 1_000>());
    let evening = |f: &&Flight| f.scheduled.to_string()[11..13].parse::<u32>().unwrap() >= 18;
    let loops: i64 = table.iter().filter(evening).map(|f| f.fare.steps()).sum();
    assert_eq!(data.exact(&fares), [loops.into()]);

    // df.merge(airlines): whether a carrier is large, from a public table.
    let large = PublicTable::new([("UA", true), ("DL", true), ("9E", false)])?;
    let counts = data.exact(&rows::<Flight>().histogram(|f| f.carrier.look_up(&large)));
    assert_eq!(counts, [of("9E"), of("UA") + of("DL")]);
    Ok(())
}

#[derive(Record, Clone)]
struct PersonYear {
    #[privet(person)]
    person: i64,
    year: i64,
    visits: i64,
    spent: f64,
}

#[test]
fn a_row_for_each_person_and_year() {
    let mut c = Choices::new(74);
    let mut table = Vec::new();
    for person in 0..600 {
        for year in 1..=(1 + c.below(5) as i64) {
            table.push(PersonYear {
                person,
                year,
                visits: c.below(30) as i64,
                spent: c.below(1_000_000) as f64 / 1000.0,
            });
        }
    }
    let first_year: Vec<&PersonYear> = table.iter().filter(|r| r.year == 1).collect();
    let visits = rows::<PersonYear>()
        .filter(|r| r.year.eq_to(1))
        .sum(|r| r.visits.clamp::<0, 50>());
    let loops: i64 = first_year.iter().map(|r| r.visits).sum();
    assert_eq!(exact(&visits, table.clone()), [loops.into()]);
    // df.spent.sum(): thousandths are exact on the grid that the bounds choose.
    let spent = rows::<PersonYear>().sum(|r| r.spent.clamp::<0, 1_000>());
    let loops: f64 = table.iter().map(|r| r.spent).sum();
    assert_eq!(
        exact(&spent, table.clone()),
        [(loops * 1000.0).round() as i128]
    );
    // No person counts with more than two rows, and who has at most two keeps all.
    let bounded = rows::<Table<PersonYear, privet::query::PerPerson>>()
        .bound_contributions::<2>(|r| r.person)
        .count();
    let rows_of = |person| table.iter().filter(|r| r.person == person).count().min(2);
    let loops: usize = (0..600).map(rows_of).sum();
    assert_eq!(exact(&bounded, table), [loops as i128]);
}

#[derive(Record, Clone)]
struct Cells {
    smoothness: f64,
    area: f64,
    malignant: bool,
}

#[test]
fn reals_of_very_different_size() {
    let mut c = Choices::new(569);
    let cells = |_| Cells {
        smoothness: 0.05 + c.below(110_000) as f64 / 1e6,
        area: 140.0 + c.below(236_000) as f64 / 100.0,
        malignant: c.below(3) == 0,
    };
    let table: Vec<Cells> = (0..569).map(cells).collect();
    let n = table.len() as f64;
    // df.smoothness.mean(): 0.1235 came out as 0.118 when reals were rounded to whole units.
    let sum = rows::<Cells>().sum(|r| r.smoothness.clamp::<0, 1>());
    let mean = exact(&sum, table.clone())[0] as f64 / 1e6 / n;
    let loops = table.iter().map(|r| r.smoothness).sum::<f64>() / n;
    assert!((mean - loops).abs() < 1e-6, "{mean} {loops}");
    // df[df.malignant].area.var(), by sums of values and of squares.
    let parts = rows::<Cells>()
        .filter(|r| r.malignant)
        .variance(|r| r.area.clamp::<0, 3_000>());
    let (sum, squares, count) = (
        exact(&parts.sum, table.clone())[0] as f64 / 100.0,
        exact(&parts.squares, table.clone())[0] as f64 / 10_000.0,
        exact(&parts.count, table.clone())[0] as f64,
    );
    let areas: Vec<f64> = table
        .iter()
        .filter(|r| r.malignant)
        .map(|r| r.area)
        .collect();
    let mean = areas.iter().sum::<f64>() / areas.len() as f64;
    let loops = areas.iter().map(|a| (a - mean) * (a - mean)).sum::<f64>() / areas.len() as f64;
    assert_eq!(count as usize, areas.len());
    let variance = squares / count - (sum / count) * (sum / count);
    assert!((variance / loops - 1.0).abs() < 1e-6, "{variance} {loops}");
}
