//! Every query's stated sensitivity, against all neighbours of small tables and many random ones.
#![forbid(unsafe_code)]

mod everyday;
mod expressions;

use privet::prelude::*;
use privet::query::{HasL1, PerPerson, Query, QueryKind};
use privet::testing::{Asked, Choices, Loaded, Moved, exact, exhaustive, random};

#[derive(Record, Clone, Debug)]
struct Row {
    int: i64,
    small: u8,
    real: f64,
    flag: bool,
    kind: Kind,
    maybe: Option<f64>,
    point: [f64; 3],
    text: String,
}

#[derive(Category, Clone, Debug)]
enum Kind {
    A,
    B,
    C,
}

fn kind(choices: &mut Choices) -> Kind {
    match choices.below(3) {
        0 => Kind::A,
        1 => Kind::B,
        _ => Kind::C,
    }
}

fn row(choices: &mut Choices) -> Row {
    Row {
        int: choices.int(),
        small: choices.bits() as u8,
        real: choices.real(),
        flag: choices.below(2) == 0,
        kind: kind(choices),
        maybe: (choices.below(2) == 0).then(|| choices.real()),
        point: [choices.real(), choices.real(), choices.real()],
        text: ["", "a", "b"][choices.below(3)].into(),
    }
}

/// A few rows at the corners of every clamp, for the exhaustive mode.
fn corners() -> Vec<Row> {
    let corner = |int, real, flag, kind, maybe| Row {
        int,
        small: 1,
        real,
        flag,
        kind,
        maybe,
        point: [real, 0.0, -0.0],
        text: String::new(),
    };
    vec![
        corner(i64::MAX, f64::INFINITY, true, Kind::A, Some(f64::INFINITY)),
        corner(
            i64::MIN,
            f64::NEG_INFINITY,
            true,
            Kind::B,
            Some(f64::NEG_INFINITY),
        ),
        corner(0, f64::NAN, true, Kind::C, None),
        corner(i64::MAX, 0.0, false, Kind::A, Some(0.0)),
    ]
}

fn seen<R, Q>(query: &Query<Table<Row, R>, Q>) -> Moved
where
    R: privet::query::OneRow,
    Q: QueryKind<Table<Row, R>>,
{
    by_program(query);
    exhaustive(query, &corners(), 3).and(random(query, PAIRS, 1, row))
}

/// The program has the cells of the loop on every table of these, so what neighbours do to one they
/// do to the other.
fn by_program<R, Q>(query: &Query<Table<Row, R>, Q>)
where
    R: privet::query::OneRow,
    Q: QueryKind<Table<Row, R>>,
{
    let mut choices = Choices::new(13);
    for size in 0..70 {
        let random = (0..size).map(|_| row(&mut choices));
        let data = Loaded::new(corners().into_iter().take(size % 9).chain(random));
        let asked = [Asked::new(query)];
        assert_eq!(
            data.pass(&asked, true),
            data.pass(&asked, false),
            "{query:?}"
        );
    }
}

/// Random pairs per query; more than forty queries make more than a million.
const PAIRS: u64 = 25_000;

fn attained<R, Q>(query: Query<Table<Row, R>, Q>)
where
    R: privet::query::OneRow,
    Q: HasL1<Table<Row, R>>,
{
    seen(&query).assert_attained(&query);
}

fn within<R, Q>(query: Query<Table<Row, R>, Q>)
where
    R: privet::query::OneRow,
    Q: HasL1<Table<Row, R>>,
{
    seen(&query).assert_within(&query);
}

type Fixed = Table<Row, Replace>;

#[test]
fn counts() {
    attained(rows::<Row>().count());
    attained(rows::<Row>().filter(|r| r.flag).count());
    attained(rows::<Row>().filter(|r| r.real.gt(r.int) | !r.flag).count());
    attained(rows::<Fixed>().filter(|r| r.flag & r.int.ge(0)).count());
    attained(rows::<Fixed>().filter(|r| r.maybe.is_null()).count());
    within(rows::<Fixed>().count());
}

#[test]
fn sums_of_integers() {
    attained(rows::<Row>().sum(|r| r.int.clamp::<-3, 10>()));
    attained(rows::<Row>().sum(|r| r.int.clamp::<-30, 10>()));
    attained(
        rows::<Row>()
            .filter(|r| r.flag)
            .sum(|r| r.int.clamp::<4, 10>()),
    );
    attained(rows::<Fixed>().sum(|r| r.int.clamp::<-3, 10>()));
    attained(rows::<Fixed>().sum(|r| r.int.clamp::<4, 10>()));
    attained(rows::<Fixed>().sum(|r| r.int.clamp::<-9, -4>()));
    attained(
        rows::<Fixed>()
            .filter(|r| r.flag)
            .sum(|r| r.int.clamp::<4, 10>()),
    );
    attained(
        rows::<Fixed>()
            .filter(|r| r.flag)
            .sum(|r| r.int.clamp::<-9, -4>()),
    );
    attained(
        rows::<Fixed>()
            .filter(|r| r.flag)
            .sum(|r| r.int.clamp::<1, 1>()),
    );
    attained(rows::<Row>().sum(|r| {
        r.int
            .clamp::<-2_251_799_813_685_248, 2_251_799_813_685_248>()
    }));
    attained(rows::<Row>().sum(|r| r.small.clamp::<0, 1>()));
}

#[test]
fn sums_of_reals() {
    attained(rows::<Row>().sum(|r| r.real.clamp::<-3, 10>()));
    attained(rows::<Row>().sum(|r| r.real.grid::<100>().clamp::<-30, 10>()));
    attained(rows::<Fixed>().sum(|r| r.real.grid::<1024>().clamp::<2, 10>()));
    attained(
        rows::<Fixed>()
            .filter(|r| r.flag)
            .sum(|r| r.real.clamp::<2, 10>()),
    );
    attained(rows::<Row>().sum(|r| {
        r.real
            .grid::<1_048_576>()
            .clamp::<-2_147_483_648, 2_147_483_648>()
    }));
}

#[test]
fn sums_that_skip_nulls() {
    attained(rows::<Row>().sum(|r| r.maybe.clamp::<2, 10>()));
    attained(rows::<Fixed>().sum(|r| r.maybe.clamp::<2, 10>()));
    attained(rows::<Fixed>().sum(|r| r.maybe.clamp::<-10, -2>()));
    attained(rows::<Fixed>().sum(|r| r.maybe.or(0.0).clamp::<2, 10>()));
}

#[test]
fn arithmetic() {
    within(rows::<Row>().sum(|r| r.int.clamp::<-3, 10>() + r.small.clamp::<0, 7>()));
    within(rows::<Fixed>().sum(|r| r.int.clamp::<-3, 10>() - r.real.grid::<8>().clamp::<0, 7>()));
    within(rows::<Fixed>().sum(|r| r.int.clamp::<-3, 10>() * r.real.clamp::<-7, 7>()));
    attained(rows::<Row>().sum(|r| r.int.clamp::<-3, 10>().square()));
    attained(rows::<Fixed>().sum(|r| r.int.clamp::<-3, 10>().square()));
    attained(rows::<Row>().sum(|r| r.int.clamp::<-3, 10>().times::<-2>().plus::<5>()));
    attained(rows::<Fixed>().sum(|r| r.real.grid::<10>().clamp::<0, 1>().plus::<5>()));
    attained(rows::<Fixed>().sum(|r| r.flag.number().times::<3>()));
    within(rows::<Row>().sum(|r| (r.real * 3.0 - r.real).clamp::<-5, 5>()));
    within(rows::<Row>().sum(|r| (r.int * r.int + 7).clamp::<-5, 5>()));
}

#[test]
fn histograms() {
    attained(rows::<Row>().histogram(|r| r.kind));
    attained(rows::<Fixed>().histogram(|r| r.kind));
    attained(rows::<Row>().histogram(|r| r.flag));
    attained(
        rows::<Fixed>()
            .filter(|r| r.flag)
            .histogram(|r| r.int.clamp::<-1, 1>()),
    );
    attained(rows::<Row>().histogram(|r| r.maybe.clamp::<3, 5>()));
    attained(rows::<Fixed>().histogram(|r| r.real.bins([-1.0, 0.0, 50.0])));
    attained(rows::<Row>().histogram(|r| r.int.bins([0, 10])));
    attained(rows::<Fixed>().histogram(|r| r.text.keys(["a", "b"])));
    attained(rows::<Row>().histogram(|r| r.point.nearest([[0.0; 3], [1.0; 3], [1e9; 3]])));
    attained(rows::<Fixed>().cumulative(|r| r.real.bins([-1.0, 0.0, 50.0])));
    attained(rows::<Row>().distinct(|r| r.kind));
    attained(rows::<Fixed>().distinct(|r| r.int.clamp::<-1, 1>()));
}

/// A tuple of keys is one key: a row is in one cell of the product, or in none.
#[test]
fn keys_of_several_columns() {
    attained(rows::<Row>().histogram(|r| (r.kind, r.flag)));
    attained(rows::<Fixed>().histogram(|r| (r.flag, r.int.bins([0, 10]))));
    attained(rows::<Row>().histogram(|r| (r.maybe.clamp::<3, 5>(), r.flag)));
    attained(rows::<Fixed>().histogram(|r| (r.maybe.clamp::<3, 5>(), r.kind, r.flag)));
    attained(rows::<Row>().histogram(|r| (r.kind, r.flag, r.flag, r.text.keys(["a"]))));
    attained(rows::<Fixed>().cumulative(|r| (r.flag, r.real.bins([-1.0, 0.0, 50.0]))));
    attained(rows::<Row>().distinct(|r| (r.kind, r.flag)));
    attained(rows::<Row>().vector_sums(|r| (r.kind, r.flag), |r| r.point.clip_l1::<5>()));
    attained(rows::<Fixed>().vector_sums(|r| (r.flag, r.flag), |r| r.point.clip_l1::<5>()));
}

/// A filter that is a public constant keeps all rows or none.
#[test]
fn constant_filters() {
    attained(rows::<Row>().filter(|_| true).count());
    attained(rows::<Fixed>().filter(|r| r.flag & true).count());
    attained(
        rows::<Row>()
            .filter(|r| r.flag.eq_to(false) | false)
            .count(),
    );
    attained(rows::<Row>().sum(|r| r.maybe.or(2).clamp::<0, 3>()));
}

#[test]
fn vectors() {
    attained(rows::<Row>().vector_sum(|r| r.point.clip_l1::<5>()));
    attained(rows::<Fixed>().vector_sum(|r| r.point.grid::<100>().clip_l1::<5>()));
    fn l2<R: privet::query::OneRow, Q: QueryKind<Table<Row, R>>>(q: Query<Table<Row, R>, Q>) {
        let moved = seen(&q);
        assert_eq!(
            (moved.l2_squared, 1),
            (Q::L2_SQUARED.num(), Q::L2_SQUARED.den()),
            "{q:?}"
        );
    }
    attained(rows::<Row>().vector_sums(|r| r.flag, |r| r.point.clip_l1::<5>()));
    attained(rows::<Fixed>().vector_sums(|r| r.flag, |r| r.point.grid::<100>().clip_l1::<5>()));
    l2(rows::<Row>().vector_sum(|r| r.point.clip_l2::<5>()));
    l2(rows::<Row>().vector_sums(|r| r.flag, |r| r.point.clip_l2::<5>()));
    l2(rows::<Fixed>().vector_sums(|r| r.flag, |r| r.point.clip_l2::<5>()));
    l2(rows::<Fixed>().vector_sum(|r| r.point.grid::<1000>().clip_l2::<3>()));
    l2(rows::<Fixed>()
        .filter(|r| r.flag)
        .vector_sum(|r| r.point.clip_l2::<7>()));
}

#[test]
fn means_and_variances() {
    attained(rows::<Fixed>().mean(|r| r.real.grid::<100>().clamp::<-2, 7>()));
    attained(rows::<Fixed>().variance(|r| r.int.clamp::<2, 7>()));
    within(rows::<Fixed>().variance(|r| r.real.clamp::<-2, 7>()));
    let parts = rows::<Row>()
        .filter(|r| r.flag)
        .variance(|r| r.real.clamp::<-2, 7>());
    attained(parts.sum);
    attained(parts.squares);
    attained(parts.count);
    let parts = rows::<Fixed>()
        .filter(|r| r.flag)
        .mean(|r| r.real.clamp::<2, 7>());
    attained(parts.sum);
    attained(parts.count);
}

/// A null is left out of both parts, so that a record that is replaced may drop out of them.
#[test]
fn means_and_variances_that_skip_nulls() {
    let parts = rows::<Row>().variance(|r| r.maybe.clamp::<2, 7>());
    attained(parts.sum);
    attained(parts.squares);
    attained(parts.count);
    let parts = rows::<Fixed>()
        .filter(|r| !r.maybe.is_null())
        .variance(|r| r.maybe.grid::<4>().clamp::<2, 7>());
    attained(parts.sum);
    attained(parts.squares);
    attained(parts.count);
    let parts = rows::<Fixed>()
        .filter(|r| r.flag)
        .mean(|r| r.maybe.clamp::<-7, -2>().times::<3>().plus::<1>());
    attained(parts.sum);
    attained(parts.count);
}

#[test]
fn conditions_on_nulls() {
    attained(rows::<Row>().filter(|r| r.maybe.gt(0)).count());
    attained(rows::<Fixed>().filter(|r| r.maybe.le(r.real)).count());
    attained(rows::<Fixed>().filter(|r| r.int.ne(r.maybe)).count());
    attained(rows::<Row>().filter(|r| r.maybe.ge(r.maybe)).count());
    attained(rows::<Fixed>().histogram(|r| r.maybe.keys([0.0])));
}

/// The table in `privet::expr`, for one row.
#[test]
fn what_comparisons_with_null_mean() {
    let base = corners().remove(3);
    let holds = |maybe: Option<f64>| {
        let row = Row {
            int: 1,
            real: 1.0,
            maybe,
            ..base.clone()
        };
        [
            exact(
                &rows::<Row>().filter(|r| r.maybe.gt(0)).count(),
                [row.clone()],
            ),
            exact(
                &rows::<Row>().filter(|r| r.maybe.ge(1.0)).count(),
                [row.clone()],
            ),
            exact(
                &rows::<Row>().filter(|r| r.maybe.lt(3)).count(),
                [row.clone()],
            ),
            exact(
                &rows::<Row>().filter(|r| r.maybe.le(r.real)).count(),
                [row.clone()],
            ),
            exact(
                &rows::<Row>().filter(|r| r.maybe.eq_to(1)).count(),
                [row.clone()],
            ),
            exact(
                &rows::<Row>().filter(|r| r.maybe.ne(1)).count(),
                [row.clone()],
            ),
            exact(
                &rows::<Row>().filter(|r| r.int.ge(r.maybe)).count(),
                [row.clone()],
            ),
            exact(
                &rows::<Row>().filter(|r| r.real.ne(r.maybe)).count(),
                [row.clone()],
            ),
            exact(
                &rows::<Row>().filter(|r| r.maybe.eq_to(r.maybe)).count(),
                [row.clone()],
            ),
            exact(
                &rows::<Row>().filter(|r| r.maybe.one_of([1.0, 2.0])).count(),
                [row],
            ),
        ]
        .map(|cells| cells[0])
    };
    assert_eq!(holds(Some(1.0)), [1, 1, 1, 1, 1, 0, 1, 0, 1, 1]);
    assert_eq!(holds(Some(2.0)), [1, 1, 1, 0, 0, 1, 0, 1, 1, 1]);
    assert_eq!(holds(Some(f64::NAN)), [0, 0, 0, 0, 0, 1, 0, 1, 0, 0]);
    assert_eq!(holds(None), [0, 0, 0, 0, 0, 1, 0, 1, 0, 0]);
}

/// A mean over nullable values is their mean: nulls are neither summed nor counted.
#[test]
fn nulls_are_left_out_of_means() {
    let table: Vec<Row> = [Some(2.0), None, Some(5.0), None, Some(100.0)]
        .map(|maybe| Row {
            maybe,
            ..corners().remove(3)
        })
        .into();
    let parts = rows::<Row>().variance(|r| r.maybe.grid::<2>().clamp::<0, 8>());
    assert_eq!(exact(&parts.sum, table.clone()), [2 * (2 + 5 + 8)]);
    assert_eq!(exact(&parts.squares, table.clone()), [4 * (4 + 25 + 64)]);
    assert_eq!(exact(&parts.count, table.clone()), [3]);
    assert_eq!(
        parts.count.term().to_string(),
        "count(where(!is_null(clamp(grid(maybe, 2), 0, 8))))"
    );
    let parts = rows::<Row>().mean(|r| r.maybe.clamp::<3, 8>());
    assert_eq!(exact(&parts.sum, table.clone()), [100_000 * (3 + 5 + 8)]);
    assert_eq!(exact(&parts.count, table), [3]);
}

#[derive(Record, Clone)]
struct Visit {
    #[privet(person)]
    person: String,
    cost: i64,
}

#[test]
fn contributions_are_bounded_per_person() {
    let visits = |counts: &[(&str, usize)]| -> Vec<Visit> {
        let mut all = Vec::new();
        for round in 0..9 {
            for (person, count) in counts {
                if round < *count {
                    all.push(Visit {
                        person: (*person).into(),
                        cost: 100,
                    });
                }
            }
        }
        all
    };
    let start = || rows::<Table<Visit, PerPerson>>().bound_contributions::<3>(|v| v.person);
    let count = start().count();
    let sum = start().sum(|v| v.cost.clamp::<0, 50>());
    let cells = start().histogram(|v| v.cost.bins([50]));
    fn l1<In: privet::Domain, Q: HasL1<In>>(_: &Query<In, Q>) -> u128 {
        Q::L1.num()
    }
    fn l2<In: privet::Domain, Q: HasL1<In>>(_: &Query<In, Q>) -> u128 {
        Q::L2_SQUARED.num()
    }
    assert_eq!((l1(&count), l2(&count)), (3, 9));
    assert_eq!((l1(&sum), l2(&sum)), (150, 22_500));
    assert_eq!((l1(&cells), l2(&cells)), (3, 9));
    for with in 0..9 {
        let (x, y) = (
            visits(&[("a", 2), ("b", 7)]),
            visits(&[("a", 2), ("new", with), ("b", 7)]),
        );
        let kept = with.min(3) as i128;
        assert_eq!(
            exact(&count, y.clone())[0] - exact(&count, x.clone())[0],
            kept
        );
        assert_eq!(
            exact(&sum, y.clone())[0] - exact(&sum, x.clone())[0],
            50 * kept
        );
        assert_eq!(exact(&cells, y)[1] - exact(&cells, x)[1], kept);
    }
}

/// Never beyond what the type says, on fewer pairs than the queries above: there are 150 of these.
fn few<R, Q>(query: Query<Table<Row, R>, Q>)
where
    R: privet::query::OneRow,
    Q: HasL1<Table<Row, R>>,
{
    by_program(&query);
    exhaustive(&query, &corners(), 2)
        .and(random(&query, 2_000, 2, row))
        .assert_within(&query);
}

include!("generated.rs");
