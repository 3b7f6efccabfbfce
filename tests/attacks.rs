//! What an attacker would try with statistics, vectors, persons and samples: extreme values, every neighbour.

use privet::domain::Groups;
use privet::expr::{PublicTable, columns, vector};
use privet::prelude::*;
use privet::query::{HasL1, Neighbours, PerPerson, Query, QueryKind};
use privet::testing::{self, Choices, Loaded, Moved};
use privet::{Date, Decimal, Simulation, Timestamp};

#[derive(Category, Clone, Copy, Debug)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

#[derive(Record, Clone, Debug)]
struct Row {
    #[privet(person)]
    person: String,
    int: i64,
    big: u64,
    real: f64,
    maybe: Option<f64>,
    price: Decimal<2>,
    day: Option<Date>,
    time: Timestamp,
    ward: Option<Ward>,
    flag: bool,
}

type Fixed = Table<Row, Replace>;
type Persons = Table<Row, PerPerson>;

const INTS: [i64; 9] = [
    i64::MIN,
    i64::MIN + 1,
    -1,
    0,
    1,
    1 << 53,
    (1 << 53) + 1,
    i64::MAX - 1,
    i64::MAX,
];
const REALS: [f64; 12] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    -0.0,
    0.0,
    5e-324,
    9_007_199_254_740_992.0,
    0.5,
    -2.5,
    1e100,
];

fn row(c: &mut Choices) -> Row {
    let int = match c.below(3) {
        0 => INTS[c.below(INTS.len())],
        _ => c.below(41) as i64 - 20,
    };
    let mut real = || match c.below(3) {
        0 => REALS[c.below(REALS.len())],
        _ => c.below(4001) as f64 / 100.0 - 20.0,
    };
    let (real, other) = (real(), real());
    let days = [
        Date::new(1, 1, 1),
        Date::new(9999, 12, 31),
        Date::new(1970, 1, 1),
    ];
    let day = days[c.below(3)];
    let wards = [Ward::Surgery, Ward::Maternity, Ward::Oncology];
    Row {
        person: ["", "a", "b", "ab"][c.below(4)].into(),
        int,
        big: int as u64,
        real,
        maybe: (c.below(3) > 0).then_some(other),
        price: Decimal::from_steps(int),
        day: (c.below(3) > 0).then_some(day),
        time: Timestamp::new(day, c.below(24) as u32, 59, 59),
        ward: (c.below(3) > 0).then(|| wards[c.below(3)]),
        flag: c.below(2) == 0,
    }
}

fn table(c: &mut Choices, most: usize) -> Vec<Row> {
    (0..c.below(most + 1)).map(|_| row(c)).collect()
}

/// How far two tables are apart, under a relation that is not enumerated.
fn apart<R, Rel, Q>(query: &Query<Table<R, Rel>, Q>, x: &Loaded<R>, y: &Loaded<R>) -> Moved
where
    R: Record,
    Rel: Neighbours,
    Q: QueryKind<Table<R, Rel>>,
{
    let (x, y) = (x.exact(query), y.exact(query));
    assert_eq!(x.len(), y.len(), "the number of cells depends on the data");
    let apart = x.iter().zip(&y).map(|(x, y)| x.abs_diff(*y));
    Moved {
        pairs: 1,
        l1: apart.clone().sum(),
        l2_squared: apart.map(|d| d * d).sum(),
    }
}

const PAIRS: u64 = 400;

/// Random tables and neighbours by one row.
fn by_rows<Rel: privet::query::OneRow, Q: HasL1<Table<Row, Rel>>>(
    query: Query<Table<Row, Rel>, Q>,
) {
    testing::random(&query, PAIRS, 5, row).assert_within(&query);
}

/// Neighbours by a person with all rows: each person of random tables is removed, for many orders.
fn by_persons<Q: HasL1<Persons>>(query: Query<Persons, Q>) {
    let mut c = Choices::new(9);
    let mut moved = Moved::default();
    for seed in 0..100 {
        let rows = table(&mut c, 14);
        let all = Loaded::new(rows.clone()).ordered_by(seed);
        for gone in ["", "a", "b", "ab"] {
            let rest: Vec<Row> = rows.iter().filter(|r| r.person != gone).cloned().collect();
            let rest = Loaded::new(rest).ordered_by(seed);
            moved = moved.and(apart(&query, &all, &rest));
        }
    }
    moved.assert_within(&query);
    // The attack reaches something: persons do move the answer.
    assert!(moved.l1 > 0, "{query:?}");
}

/// Neighbours by two rows, replaced or added.
fn by_two<Rel: Neighbours, Q: HasL1<Table<Row, Rel>>>(query: Query<Table<Row, Rel>, Q>) {
    let mut c = Choices::new(11);
    let mut moved = Moved::default();
    for _ in 0..400 {
        let mut rows = table(&mut c, 6);
        rows.extend([row(&mut c), row(&mut c)]);
        let here = Loaded::new(rows.clone());
        if Rel::REPLACE {
            for _ in 0..2 {
                let place = c.below(rows.len());
                rows[place] = row(&mut c);
            }
        } else {
            rows.truncate(rows.len() - 2);
        }
        moved = moved.and(apart(&query, &here, &Loaded::new(rows)));
    }
    moved.assert_within(&query);
    assert!(moved.l1 > 0, "{query:?}");
}

#[test]
fn statistics_of_every_kind_of_number() -> privet::Result<()> {
    let values = PublicTable::new([(0, 7.5), (1, f64::NAN), (-1, f64::NEG_INFINITY)])?;
    macro_rules! each {
        ($($rows:expr),*) => {$({
            let all = || $rows.estimate(0.9);
            by_rows(all().variance(|r| r.price.clamp::<-3, 7>()).query);
            by_rows(all().mean(|r| r.big.clamp::<5, 9>()).query);
            by_rows(all().mean(|r| r.int.look_up(&values).clamp::<-2, 9>()).query);
            by_rows(all().covariance(|r| r.int.remainder::<7>(), |r| r.day.month()).query);
            by_rows(all().correlation(|r| r.time.hour(), |r| r.maybe.clamp::<-1, 2>()).query);
            by_rows(all().variance(|r| r.int.clamp::<-9, 25>().divide::<10>().square()).query);
            by_rows(
                all()
                    .linear_regression(
                        |r| (r.int.keys_up_to::<4, _>([0, 1]), -r.int.clamp::<-5, 9>(), r.flag.number()),
                        |r| r.maybe.grid::<3>().clamp::<-1, 1>(),
                    )
                    .query,
            );
            by_rows(all().proportion(|r| r.maybe.gt(0.0)).query);
        })*};
    }
    each!(
        rows::<Row>(),
        rows::<Fixed>(),
        rows::<Row>().filter(|r| r.day.is_null() | r.flag),
        rows::<Fixed>().filter(|r| r.maybe.le(0.5))
    );
    Ok(())
}

#[test]
fn statistics_and_counts_of_persons() {
    macro_rules! each {
        ($($rows:expr),*) => {$({
            let all = || $rows.estimate(0.9);
            by_persons(all().mean(|r| r.maybe.clamp::<-2, 5>()).query);
            by_persons(all().variance(|r| r.int.clamp::<-3, 4>()).query);
            by_persons(all().correlation(|r| r.int.clamp::<-3, 4>(), |r| r.real.clamp::<0, 9>()).query);
            by_persons(all().proportion(|r| r.flag).query);
            by_persons($rows.count());
            by_persons($rows.sum(|r| r.price.clamp::<-3, 7>()));
            by_persons($rows.histogram(|r| (r.ward, r.flag)));
            by_persons($rows.vector_sum(|r| vector((r.int, r.real)).clip_l1::<3>()));
        })*};
    }
    each!(
        rows::<Persons>().bound_contributions::<1>(|r| r.person),
        rows::<Persons>().bound_contributions::<3>(|r| r.person),
        rows::<Persons>()
            .bound_contributions::<2>(|r| r.person)
            .filter(|r| r.flag),
        rows::<Persons>()
            .filter(|r| r.flag)
            .bound_contributions::<1>(|r| r.person),
        rows::<Persons>()
            .filter(|r| r.flag)
            .filter(|r| !r.maybe.is_null())
            .bound_contributions::<2>(|r| r.person)
            .filter(|r| r.int.ge(0))
    );
}

#[test]
fn statistics_of_groups() {
    type Two = Table<Row, Groups<2>>;
    type TwoReplaced = Table<Row, Groups<2, Replace>>;
    by_two(
        rows::<Two>()
            .estimate(0.9)
            .variance(|r| r.int.clamp::<-3, 4>())
            .query,
    );
    by_two(
        rows::<TwoReplaced>()
            .estimate(0.9)
            .correlation(|r| r.int.clamp::<-3, 4>(), |r| r.real.clamp::<1, 2>())
            .query,
    );
    by_two(
        rows::<TwoReplaced>()
            .estimate(0.9)
            .covariance(|r| r.maybe.clamp::<-3, 4>(), |r| r.real.clamp::<1, 2>())
            .query,
    );
}

#[test]
fn vectors_of_extreme_numbers() {
    by_rows(rows::<Row>().vector_sum(|r| vector((r.int, r.big, r.real)).clip_l1::<2>()));
    by_rows(
        rows::<Fixed>().vector_sum(|r| vector((r.int, r.price.real())).grid::<7>().clip_l1::<5>()),
    );
    by_rows(rows::<Fixed>().filter(|r| r.flag).vector_sum(|r| {
        vector([
            r.int.real().boxed(),
            r.real.boxed(),
            r.maybe.or(1.0).boxed(),
        ])
        .clip_l1::<1>()
    }));
    // In L2 there is no bound in L1, so it is compared by hand: one row moves a sum by its own cells.
    let query = rows::<Row>().vector_sum(|r| {
        vector((r.int, r.big, r.real, r.maybe.or(0.0), r.price.real())).clip_l2::<3>()
    });
    // The norm in steps: three units of 100,000 each, the grid that a norm of 3 chooses.
    let most = (3 * 100_000_i128).pow(2);
    let mut c = Choices::new(3);
    let mut seen = 0;
    for _ in 0..3_000 {
        let cells = testing::exact(&query, [row(&mut c)]);
        seen = seen.max(cells.iter().map(|cell| cell * cell).sum::<i128>());
    }
    assert!(seen <= most && seen * 10 > most * 9, "{seen} of {most}");
}

#[test]
fn boxed_and_generic_numbers_are_bounded_by_the_clamp_alone() {
    use privet::expr::{BoxedNumber, Numeric};
    let p = columns::<Row>();
    let boxes: [BoxedNumber<Row>; 4] = [
        p.real.boxed(),
        Numeric::boxed(p.int),
        Numeric::boxed(p.price),
        Numeric::boxed(p.int.clamp::<0, 3>()),
    ];
    for number in boxes {
        let of = || number.clone();
        by_rows(rows::<Row>().sum(|_| of().clamp::<-2, 1>()));
        by_rows(rows::<Fixed>().sum(|_| of().grid::<9>().clamp::<1, 2>()));
        by_rows(
            rows::<Row>()
                .estimate(0.5)
                .variance(|_| of().clamp::<-2, 1>())
                .query,
        );
        by_rows(rows::<Fixed>().histogram(|_| (of().clamp::<-2, 1>(), of().bins([0.0, f64::NAN]))));
    }
    by_rows(rows::<Fixed>().sum(|_| Numeric::clamp::<-2, 1>(p.big)));
    by_rows(rows::<Row>().histogram(|r| (r.ward, r.day.weekday(), r.int.remainder::<3>(), r.flag)));
}

/// 2^51 steps for a product, 2^61 for the rows of a chunk: the largest that compiles is exact.
#[test]
fn the_largest_products_do_not_wrap() {
    let query = rows::<Row>()
        .estimate(0.9)
        .covariance(
            |r| r.int.clamp::<0, { 1 << 25 }>(),
            |r| r.big.clamp::<0, { 1 << 26 }>(),
        )
        .query;
    let mut one = row(&mut Choices::new(1));
    (one.int, one.big) = (i64::MAX, u64::MAX);
    let cells = |n: usize| testing::exact(&query, vec![one.clone(); n]);
    let each = cells(1);
    assert!(each.iter().all(|cell| *cell > 0));
    let many: Vec<i128> = each.iter().map(|cell| cell * 5_000).collect();
    assert_eq!(cells(5_000), many);
    (one.int, one.big) = (i64::MIN, u64::MAX);
    let below = testing::exact(&query, vec![one; 3_000]);
    assert_eq!(below[3], -3_000 * each[3]);
}

/// A sample within a block has rows of that block only, and each run has a sample of its own.
#[test]
fn a_sample_in_a_block_stays_in_it() -> privet::Result<()> {
    let inside = |_: usize| {
        rows::<Row>()
            .filter(|r| r.int.ge(0))
            .sampled::<1, 2>()
            .once(|sample| sample.histogram(|r| r.flag).laplace::<Eps<9, 1>>())
    };
    let blocks = rows::<Fixed>().group_by(|r| r.flag).each(inside);
    let mut c = Choices::new(21);
    let data: Vec<Row> = (0..3_000).map(|_| row(&mut c)).collect();
    let most = |flag| data.iter().filter(|r| r.flag == flag && r.int >= 0).count() as i64;
    let mut simulation = Simulation::<Fixed>::of_public(data.clone(), 4)?;
    let mut seen = Vec::new();
    for _ in 0..20 {
        let cells = simulation.run(&blocks)?;
        // Noise of scale 1/9: off by 5 with probability e^-45.
        assert!(
            cells[0][1].abs() <= 5 && cells[1][0].abs() <= 5,
            "{cells:?}"
        );
        for (flag, cell) in [(false, cells[0][0]), (true, cells[1][1])] {
            let expected = most(flag) as f64 / 2.0;
            assert!(
                (cell as f64 - expected).abs() < 8.0 * expected.sqrt(),
                "{cells:?}"
            );
        }
        seen.push(cells[0][0]);
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 5, "one sample for all runs: {seen:?}");
    Ok(())
}
