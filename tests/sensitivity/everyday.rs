//! Dates, times, decimals, division and texts: neighbours move a query by what its type says.

use privet::expr::PublicTable;
use privet::prelude::*;
use privet::query::{HasL1, OneRow, Query};
use privet::testing::{Asked, Choices, Loaded, exhaustive, random};
use privet::{Date, Decimal, Timestamp};

#[derive(Record, Clone, Debug)]
struct Item {
    int: i64,
    maybe: Option<i64>,
    price: Decimal<2>,
    day: Date,
    end: Option<Date>,
    time: Timestamp,
    text: String,
    nick: Option<String>,
}

type Fixed = Table<Item, Replace>;

fn item(int: i64, day: Date, hour: u32, end: Option<Date>, text: &str) -> Item {
    Item {
        int,
        maybe: end.map(|_| int),
        price: Decimal::from_steps(int),
        day,
        end,
        time: Timestamp::new(day, hour, 59, 59),
        text: text.into(),
        nick: end.map(|_| text.into()),
    }
}

fn corners() -> Vec<Item> {
    let (first, last) = (Date::new(1, 1, 1), Date::new(9999, 12, 31));
    vec![
        item(i64::MIN, first, 0, Some(last), ""),
        item(
            i64::MAX,
            last,
            23,
            Some(first),
            "a text that is longer than sixteen bytes",
        ),
        item(-1, Date::new(1969, 12, 31), 12, None, "a"),
        item(
            0,
            Date::new(1970, 1, 1),
            0,
            Some(Date::new(1970, 1, 31)),
            "ab",
        ),
    ]
}

fn any(choices: &mut Choices) -> Item {
    let day = |c: &mut Choices| {
        let (month, day) = (1 + c.below(12) as u32, 1 + c.below(28) as u32);
        Date::new(1965 + c.below(10) as i32, month, day)
    };
    let (start, end) = (day(choices), (choices.below(3) > 0).then(|| day(choices)));
    let text = ["", "a", "ab", "b", "A"][choices.below(5)];
    item(
        choices.below(200) as i64 - 100,
        start,
        choices.below(24) as u32,
        end,
        text,
    )
}

fn attained<R: OneRow, Q: HasL1<Table<Item, R>>>(query: Query<Table<Item, R>, Q>) {
    let mut choices = Choices::new(17);
    for size in 0..40 {
        let rows = corners().into_iter().take(size % 5);
        let data = Loaded::new(rows.chain((0..size).map(|_| any(&mut choices))));
        let asked = [Asked::new(&query)];
        assert_eq!(
            data.pass(&asked, true),
            data.pass(&asked, false),
            "{query:?}"
        );
    }
    exhaustive(&query, &corners(), 3)
        .and(random(&query, 5_000, 1, any))
        .assert_attained(&query);
}

#[test]
fn dates_and_times() {
    attained(rows::<Item>().histogram(|i| i.day.month()));
    attained(rows::<Fixed>().histogram(|i| i.end.weekday()));
    attained(rows::<Fixed>().histogram(|i| i.time.hour()));
    attained(rows::<Item>().histogram(|i| i.time.minute()));
    attained(rows::<Item>().histogram(|i| (i.day.month(), i.time.hour())));
    attained(rows::<Item>().histogram(|i| i.day.bins([Date::new(1970, 1, 1)])));
    attained(rows::<Fixed>().histogram(|i| i.end.year().clamp::<1960, 1980>()));
    attained(rows::<Item>().filter(|i| i.end.gt(i.day)).count());
    attained(
        rows::<Fixed>()
            .filter(|i| i.time.date().le(Date::new(1970, 1, 1)))
            .count(),
    );
    attained(rows::<Item>().sum(|i| i.time.hour()));
    attained(rows::<Fixed>().sum(|i| i.day.month()));
    attained(rows::<Item>().sum(|i| i.end.days_since(i.day).clamp::<-3, 30>()));
    attained(rows::<Fixed>().sum(|i| i.end.days_since(i.day).clamp::<2, 30>()));
}

#[test]
fn decimals_division_and_negation() {
    attained(rows::<Item>().sum(|i| i.price.clamp::<-3, 7>()));
    attained(rows::<Fixed>().sum(|i| i.price.clamp::<-3, 7>().square()));
    attained(rows::<Item>().sum(|i| i.int.clamp::<-25, 9>().divide::<10>()));
    attained(rows::<Fixed>().sum(|i| i.maybe.clamp::<11, 39>().divide::<10>()));
    attained(rows::<Item>().sum(|i| i.int.remainder::<2>()));
    attained(rows::<Fixed>().histogram(|i| i.maybe.remainder::<2>()));
    attained(rows::<Item>().histogram(|i| i.int.clamp::<-25, 9>().divide::<10>()));
    attained(rows::<Item>().sum(|i| -i.int.clamp::<-5, 9>()));
    attained(rows::<Fixed>().sum(|i| (3 - i.int).clamp::<-5, 9>()));
    attained(rows::<Item>().filter(|i| i.price.real().gt(0.0)).count());
}

#[test]
fn texts() {
    attained(rows::<Item>().filter(|i| i.text.starts_with("a")).count());
    attained(rows::<Fixed>().filter(|i| i.nick.starts_with("")).count());
    attained(rows::<Item>().sum(|i| i.text.length().clamp::<0, 9>()));
    attained(rows::<Fixed>().sum(|i| i.nick.length().clamp::<2, 9>()));
}

#[test]
fn bounds_and_edges_known_at_run_time() -> privet::Result<()> {
    attained(rows::<Item>().sum_between(-3.0, 7.5, |i| i.int)?);
    attained(rows::<Item>().sum_between(-1e-3, 1e-9, |i| i.maybe)?);
    attained(rows::<Fixed>().sum_between(-2.5, 2.5, |i| i.price)?);
    attained(rows::<Fixed>().sum_between(-9.0, 9.0, |i| i.maybe)?);
    attained(rows::<Item>().sum_between(5.0, 5.0, |i| i.price.real() * 3.0)?);
    attained(
        rows::<Item>()
            .filter(|i| i.text.eq_to("a"))
            .sum_between(0.0, 50.0, |i| i.int)?,
    );
    attained(rows::<Item>().histogram(|i| i.int.bins_up_to::<9, _>([0, 50])));
    attained(rows::<Fixed>().histogram(|i| i.price.real().bins_up_to::<4, _>([-0.5, 0.0])));
    Ok(())
}

#[test]
fn public_tables_and_lists() -> privet::Result<()> {
    let values = PublicTable::new([("a", 7_i64), ("ab", -2)])?;
    let days = PublicTable::new([(Date::new(1970, 1, 1), true), (Date::new(1, 1, 1), false)])?;
    attained(rows::<Item>().sum(|i| i.text.look_up(&values).clamp::<-5, 7>()));
    attained(rows::<Fixed>().sum(|i| i.nick.look_up(&values).or(9).clamp::<-2, 9>()));
    attained(rows::<Item>().histogram(|i| i.day.look_up(&days)));
    attained(
        rows::<Fixed>()
            .filter(|i| i.day.look_up(&days).is_null())
            .count(),
    );
    attained(rows::<Item>().histogram(|i| i.text.keys_up_to::<9, _>(["a", ""])));
    attained(rows::<Fixed>().histogram(|i| i.maybe.keys_up_to::<9, _>([0, i64::MAX])));
    Ok(())
}
