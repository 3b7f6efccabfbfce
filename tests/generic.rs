//! Code that is generic over the record and its columns, as a library would write it.

use std::panic::catch_unwind;

use privet::expr::{
    self, BoundedNumber, BoxedCondition, BoxedNumber, Columns, Condition, Key, NullableNumeric,
    Numeric,
};
use privet::prelude::*;
use privet::testing;

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
}

#[derive(Record, Clone)]
struct Patient {
    age: i64,
    bill: f64,
    weight: Option<f64>,
    children: Option<u8>,
    smoker: bool,
    ward: Ward,
}

#[derive(Record, Clone)]
struct Flight {
    delay: Option<i64>,
    distance: u32,
    carrier: String,
}

fn patients() -> Vec<Patient> {
    let patient = |age, bill, weight, children, smoker, ward| Patient {
        age,
        bill,
        weight,
        children,
        smoker,
        ward,
    };
    vec![
        patient(30, 10.25, Some(60.5), None, false, Ward::Maternity),
        patient(70, 99.5, None, Some(2), true, Ward::Surgery),
        patient(45, f64::NAN, Some(80.0), Some(0), true, Ward::Maternity),
    ]
}

fn flights() -> Vec<Flight> {
    let flight = |delay, distance, carrier: &str| Flight {
        delay,
        distance,
        carrier: carrier.into(),
    };
    vec![
        flight(Some(-5), 700, "UA"),
        flight(None, 1400, "UA"),
        flight(Some(90), 2500, "AA"),
    ]
}

/// The exact cells of sums and counts that only know "a number of `R`".
fn numeric<R: Record + Clone, C: Numeric<R>, D: Numeric<R>>(
    rows_of: &[R],
    a: C,
    b: D,
) -> [i128; 5] {
    let exact = |cells: Vec<i128>| cells[0];
    let clamped = || a.clone().grid::<4>().clamp::<0, 1000>();
    [
        exact(testing::exact(
            &rows::<R>().sum(|_| clamped()),
            rows_of.to_vec(),
        )),
        exact(testing::exact(
            &rows::<R>().sum(|_| a.clone().grid::<1>().clamp::<0, 50>().square()),
            rows_of.to_vec(),
        )),
        exact(testing::exact(
            &rows::<R>().sum(|_| clamped() - b.clone().grid::<1>().clamp::<0, 9>()),
            rows_of.to_vec(),
        )),
        exact(testing::exact(
            &rows::<R>().sum(|_| {
                (a.clone().real() + b.clone().real())
                    .grid::<1>()
                    .clamp::<0, 5000>()
            }),
            rows_of.to_vec(),
        )),
        exact(testing::exact(
            &rows::<R>()
                .filter(|_| a.clone().gt(b.clone()) | a.clone().eq_to(70) | a.lt(0.5))
                .count(),
            rows_of.to_vec(),
        )),
    ]
}

#[test]
fn numbers_of_any_kind_have_the_methods_of_columns() {
    let p = expr::columns::<Patient>();
    assert_eq!(
        numeric(&patients(), p.age, p.bill),
        [
            4 * 145,
            30 * 30 + 50 * 50 + 45 * 45,
            4 * (145 - 18),
            40 + 170, // 40.25 and 169.5 to the nearest even, and NaN
            2,
        ]
    );
    assert_eq!(
        numeric(&patients(), p.bill, p.age)[..2],
        [41 + 398, 10 * 10 + 50 * 50]
    );
    let f = expr::columns::<Flight>();
    assert_eq!(
        numeric(&flights(), f.distance, f.distance)[..2],
        [4 * 2700, 3 * 2500]
    );
}

fn present<R: Record + Clone, C: NullableNumeric<R>>(rows_of: &[R], column: C) -> [i128; 4] {
    let all = rows::<R>;
    [
        testing::exact(
            &all().sum(|_| column.clone().grid::<1>().clamp::<0, 100>()),
            rows_of.to_vec(),
        )[0],
        testing::exact(
            &all().sum(|_| column.clone().or(7).grid::<1>().clamp::<0, 100>()),
            rows_of.to_vec(),
        )[0],
        testing::exact(
            &all().filter(|_| column.clone().is_null()).count(),
            rows_of.to_vec(),
        )[0],
        testing::exact(
            &all().filter(|_| column.boxed().ge(1)).count(),
            rows_of.to_vec(),
        )[0],
    ]
}

#[test]
fn numbers_that_may_be_missing_do_too() {
    let p = expr::columns::<Patient>();
    assert_eq!(present(&patients(), p.weight), [60 + 80, 147, 1, 2]);
    assert_eq!(present(&patients(), p.children), [2, 9, 1, 1]);
    let f = expr::columns::<Flight>();
    assert_eq!(present(&flights(), f.delay), [90, 97, 1, 1]);
}

fn count_where<R, C, E>(condition: impl FnOnce(Columns<R>) -> C) -> Mechanism<Table<R>, i64, E>
where
    R: Record,
    C: Condition<R>,
    E: Epsilon,
{
    rows::<R>().filter(condition).count().laplace()
}

fn by<R, K, C>(
    key: impl FnOnce(Columns<R>) -> K,
    condition: impl FnOnce(Columns<R>) -> C,
    rows_of: Vec<R>,
) -> Vec<i128>
where
    R: Record + Clone,
    K: Key<R>,
    C: Condition<R>,
{
    let query = rows::<R>()
        .filter(|columns| condition(columns).boxed() & true)
        .histogram(key);
    testing::exact(&query, rows_of)
}

#[test]
fn filters_and_keys_are_closures() {
    let older = count_where::<Patient, _, Eps<1, 2>>(|p| p.smoker & p.age.gt(40));
    assert_eq!(older.price().to_string(), "ε = 1/2");
    let united = count_where::<Flight, _, Eps<1, 2>>(|f| f.carrier.eq_to("UA"));
    assert!(united.name().contains("carrier == \"UA\""), "{united:?}");

    assert_eq!(by(|p| p.ward, |p| p.age.gt(30), patients()), [1, 1]);
    let cells = by(
        |f| (f.carrier.keys(["AA", "UA"]), f.distance.gt(1000).number()),
        |f| !f.delay.is_null(),
        flights(),
    );
    assert_eq!(cells, [0, 1, 1, 0, 0, 0]);
}

/// One program for a filter that is there or not.
fn filtered(
    at_least: Option<i64>,
    wards: &[Ward],
) -> privet::Query<Table<Patient>, impl privet::query::HasL1<Table<Patient>, Answer = i64>> {
    rows::<Patient>()
        .filter(|p| {
            let old_enough: BoxedCondition<Patient> = match at_least {
                Some(age) => p.age.ge(age).boxed(),
                None => true.into(),
            };
            // A list that is known only now.
            let in_ward = wards
                .iter()
                .fold(BoxedCondition::from(false), |any, &ward| {
                    (any | p.ward.eq_to(ward)).boxed()
                });
            old_enough & in_ward
        })
        .count()
}

#[test]
fn a_boxed_filter_may_be_there_or_not() {
    let both = [Ward::Surgery, Ward::Maternity];
    for (at_least, wards, count) in [
        (None, &both[..], 3),
        (Some(45), &both, 2),
        (Some(45), &both[1..], 1),
        (None, &[], 0),
    ] {
        let query = filtered(at_least, wards);
        assert_eq!(testing::exact(&query, patients()), [count]);
    }
    assert_eq!(
        filtered(Some(65), &both[1..]).term().to_string(),
        "count(where((age >= 65) & (false | (ward == Maternity))))"
    );
}

#[test]
fn boxed_numbers_are_clamped_after_they_are_boxed() {
    // One loop over columns of different types.
    let p = expr::columns::<Patient>();
    let numbers: [BoxedNumber<Patient>; 3] = [
        Numeric::boxed(p.age),
        p.bill.boxed(),
        (p.bill * p.bill).boxed(),
    ];
    let sums = numbers.map(|number| {
        let query = rows::<Patient>().sum(|_| number.grid::<4>().clamp::<0, 200>());
        testing::neighbours(&query, &patients(), &patients()).assert_within(&query);
        testing::exact(&query, patients())[0]
    });
    assert_eq!(sums, [4 * 145, 41 + 398, 420 + 800]);
    // Integers stay exact.
    let query = rows::<Patient>().sum(|p| p.age.boxed().clamp::<0, 50>());
    let _: Mechanism<_, i64, Eps<1, 1>> = query.laplace();
}

#[test]
fn boxes_in_boxes_end_before_the_stack_does() {
    let endless = catch_unwind(|| {
        rows::<Patient>().filter(|p| {
            (0..100_000).fold(BoxedCondition::from(true), |all, i| {
                (all & p.age.ne(i)).boxed()
            })
        })
    });
    assert!(endless.is_err());
}

fn mean_parts<R: Record, B: BoundedNumber<R>>(value: B) -> String {
    rows::<R>().sum(|_| value).term().to_string()
}

#[test]
fn a_bounded_number_is_a_parameter() {
    assert_eq!(
        mean_parts(expr::columns::<Patient>().age.clamp::<0, 9>()),
        "sum(clamp(age, 0, 9))"
    );
}

#[test]
fn a_vector_is_made_of_numbers() {
    use expr::vector;
    let sum = rows::<Patient>().vector_sum(|p| {
        vector((p.age, p.bill, p.age * p.age, p.smoker.number()))
            .grid::<4>()
            .clip_l1::<10_000>()
    });
    let cells = testing::exact(&sum, patients());
    assert_eq!(
        cells,
        [4 * 145, 41 + 398, 4 * (900 + 4900 + 2025), 4 * 2],
        "NaN is 0"
    );
    assert_eq!(
        sum.term().to_string(),
        "vector_sum(clip_l1(grid(vector([real(age), bill, real(age * age), real(number(smoker))]), 4), 10000))"
    );
    // Clipped: one record moves the sum by at most the norm, on a small grid and exactly there.
    let clipped =
        rows::<Patient>().vector_sum(|p| vector((p.age, p.bill)).grid::<1>().clip_l1::<5>());
    testing::neighbours(&clipped, &patients(), &patients()).assert_within(&clipped);
    let replaced = rows::<Table<Patient, Replace>>()
        .vector_sum(|p| vector((p.age, p.bill, p.weight.or(0.0))).clip_l1::<5>());
    testing::neighbours(&replaced, &patients(), &patients()).assert_within(&replaced);
    // An array of boxed numbers is one, too.
    let boxed = rows::<Patient>().vector_sum(|p| {
        vector([Numeric::boxed(p.age), p.bill.boxed()])
            .grid::<1>()
            .clip_l1::<1000>()
    });
    assert_eq!(testing::exact(&boxed, patients()), [145, 10 + 99]);
}

/// The sums of all columns that it is given, at one price.
fn totals<R: Record, V, const D: usize>(columns: V) -> Mechanism<Table<R>, [f64; D], Rho<1, 2>>
where
    V: expr::Coordinates<D, Row = R>,
{
    rows::<R>()
        .vector_sum(|_| expr::vector(columns).grid::<10>().clip_l2::<100>())
        .gaussian()
}

#[test]
fn the_coordinates_of_a_vector_are_a_parameter() {
    let f = expr::columns::<Flight>();
    let _: Mechanism<Table<Flight>, [f64; 2], _> = totals((f.distance, f.delay.or(0)));
    let p = expr::columns::<Patient>();
    let _: Mechanism<Table<Patient>, [f64; 3], _> = totals((p.age, p.bill, p.smoker.number()));
}
