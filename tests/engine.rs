//! The program of a plan against the loops of its queries: equal cells, on random tables with random
//! constants, whichever queries share the pass.

use privet::expr::vector;
use privet::plan::{Operation, Plan, Term};
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::{Asked, Choices, Loaded};
use privet::{Date, Decimal, Timestamp};

#[derive(Record, Clone)]
struct Visit {
    #[privet(person)]
    patient: i64,
    age: i64,
    short: i8,
    days: u64,
    bill: f64,
    copay: Option<f64>,
    weight: Option<i32>,
    smoker: bool,
    insured: Option<bool>,
    ward: Ward,
    last: Option<Ward>,
    city: String,
    born: Option<String>,
    admitted: Date,
    discharged: Option<Date>,
    arrival: Timestamp,
    seen: Option<Timestamp>,
    price: Decimal<2>,
    refund: Option<Decimal<3>>,
    place: [f64; 2],
    marks: [f64; 9],
    spot: Option<[f64; 3]>,
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

const WARDS: [Ward; 3] = [Ward::Surgery, Ward::Maternity, Ward::Oncology];
const CITIES: [&str; 4] = ["Basel", "Ulm", "", "Basel "];

fn integer(choices: &mut Choices) -> i64 {
    const EDGES: [i64; 8] = [
        i64::MIN,
        i64::MAX,
        0,
        -1,
        1 << 51,
        -(1 << 51),
        1 << 32,
        i64::MIN + 1,
    ];
    match choices.below(4) {
        0 => EDGES[choices.below(EDGES.len())],
        1 => choices.below(1 << 20) as i64 - (1 << 19),
        _ => choices.below(130) as i64 - 5,
    }
}

fn real(choices: &mut Choices) -> f64 {
    const EDGES: [f64; 9] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        f64::MAX,
        f64::MIN_POSITIVE,
        0.005,
        9_007_199_254_740_993.0,
        -4_503_599_627_370_496.5,
    ];
    match choices.below(4) {
        0 => EDGES[choices.below(EDGES.len())],
        1 => choices.below(1 << 20) as f64 / 64.0 - 8192.0,
        _ => choices.below(20_000) as f64 / 100.0 - 10.0,
    }
}

fn date(choices: &mut Choices) -> Date {
    match choices.below(4) {
        0 => [
            Date::new(1, 1, 1),
            Date::new(9999, 12, 31),
            Date::new(1970, 1, 1),
        ][choices.below(3)],
        1 => Date::new(
            1 + choices.below(9999) as i32,
            2,
            1 + choices.below(28) as u32,
        ),
        _ => Date::new(
            1969 + choices.below(3) as i32,
            1 + choices.below(12) as u32,
            1 + choices.below(28) as u32,
        ),
    }
}

fn moment(choices: &mut Choices) -> Timestamp {
    let noon = Timestamp::new(
        date(choices),
        choices.below(24) as u32,
        choices.below(60) as u32,
        0,
    );
    match choices.below(3) {
        0 if noon.micros() > 0 => Timestamp::from_micros(noon.micros() - 1),
        _ => noon,
    }
}

fn maybe<T>(choices: &mut Choices, value: impl FnOnce(&mut Choices) -> T) -> Option<T> {
    (choices.below(3) > 0).then(|| value(choices))
}

fn visit(choices: &mut Choices) -> Visit {
    Visit {
        patient: choices.below(30) as i64 - 3,
        age: integer(choices),
        short: choices.below(256) as u8 as i8,
        days: match choices.below(3) {
            0 => u64::MAX - choices.below(3) as u64,
            _ => choices.below(40) as u64,
        },
        bill: real(choices),
        copay: maybe(choices, real),
        weight: maybe(choices, |c| integer(c) as i32),
        smoker: choices.below(2) == 0,
        insured: maybe(choices, |c| c.below(2) == 0),
        ward: WARDS[choices.below(3)],
        last: maybe(choices, |c| WARDS[c.below(3)]),
        city: CITIES[choices.below(4)].into(),
        born: maybe(choices, |c| CITIES[c.below(4)].into()),
        admitted: date(choices),
        discharged: maybe(choices, date),
        arrival: moment(choices),
        seen: maybe(choices, moment),
        price: Decimal::from_steps(integer(choices)),
        refund: maybe(choices, |c| Decimal::from_steps(integer(c))),
        place: [real(choices), real(choices)],
        marks: core::array::from_fn(|_| real(choices)),
        spot: maybe(choices, |c| [real(c), real(c), 0.5]),
    }
}

/// The cells of a query, by its loop.
type ByLoop = dyn Fn(&Loaded<Visit>) -> Vec<i128>;

/// A query as data, and its loop.
struct Case(Term, Box<ByLoop>);

/// Every query here, with constants of its own.
fn cases(choices: &mut Choices) -> Vec<Case> {
    let mut cases = Vec::new();
    let c = choices;
    macro_rules! ask {
        ($($query:expr;)*) => {$(
            let query = $query;
            let term = query.term();
            cases.push(Case(term, Box::new(move |data| data.pass(&[Asked::new(&query)], false).remove(0))));
        )*};
    }
    let all = rows::<Visit>;
    let fixed = rows::<Table<Visit, Replace>>;
    let of_each = rows::<Table<Visit, PerPerson>>;
    let (i, j, k) = (integer(c), integer(c), integer(c));
    let (x, y) = (real(c), real(c));
    let (day, time) = (date(c), moment(c));
    let (ward, city) = (WARDS[c.below(3)], ["Basel", "Ulm", "Rome"][c.below(3)]);
    ask! {
        all().count();
        all().filter(|v| v.smoker).count();
        all().filter(|v| v.smoker & v.age.gt(i)).count();
        all().filter(|v| v.smoker & v.age.gt(i)).filter(|v| !v.bill.le(x)).count();
        all().filter(|v| v.age.ge(i) | v.age.lt(j) & v.age.ne(k)).count();
        all().filter(|v| v.age.ge(x) | v.bill.lt(y)).count();
        all().filter(|v| v.bill.gt(i) | v.bill.eq_to(j) | v.bill.ne(x)).count();
        all().filter(|v| v.age.gt(v.days) | v.short.le(v.age) | v.bill.ge(v.age)).count();
        all().filter(|v| v.bill.eq_to(v.copay) | v.age.lt(v.copay) | v.weight.ne(v.short)).count();
        all().filter(|v| v.copay.gt(x)).count();
        all().filter(|v| v.copay.ne(y) & v.weight.ne(i)).count();
        all().filter(|v| v.copay.is_null() | !v.weight.is_null()).count();
        all().filter(|v| v.insured.is_true() | v.insured.eq_to(v.smoker)).count();
        all().filter(|v| v.insured.or(v.smoker)).count();
        all().filter(|v| v.ward.eq_to(ward) | v.last.ne(ward)).count();
        all().filter(|v| v.last.eq_to(v.ward)).count();
        all().filter(|v| v.last.or(ward).eq_to(v.ward)).count();
        all().filter(|v| v.city.eq_to(city)).count();
        all().filter(|v| v.born.ne(city) & v.city.eq_to(v.born)).count();
        all().filter(|v| v.city.one_of(["Ulm", "Nowhere", ""]) | v.born.one_of([city])).count();
        all().filter(|v| v.age.one_of([i, 7, j]) | v.bill.one_of([x, 0.0])).count();
        all().filter(|v| v.last.one_of([ward, Ward::Surgery]) | v.weight.one_of([1, k])).count();
        all().sum(|v| v.age.clamp::<0, 120>());
        all().sum(|v| v.short.clamp::<-100, 100>());
        all().sum(|v| v.days.clamp::<0, 2_251_799_813_685_248>());
        all().sum(|v| v.bill.clamp::<-7, 100>());
        all().sum(|v| v.bill.grid::<100>().clamp::<0, 100>());
        all().sum(|v| v.copay.grid::<3>().clamp::<2, 40>());
        all().sum(|v| v.copay.or(x).clamp::<0, 40>());
        all().sum(|v| v.weight.clamp::<-9, 9>().plus::<3>().times::<-2>().square());
        all().sum(|v| v.weight.or(i).clamp::<0, 9>());
        all().filter(|v| v.smoker).sum(|v| v.bill.grid::<100>().clamp::<0, 100>());
        all().filter(|v| v.age.gt(i)).sum(|v| v.age.clamp::<0, 120>());
        all().sum(|v| v.age.clamp::<0, 120>().square());
        all().sum(|v| v.age.clamp::<-120, 120>() * v.age.clamp::<-120, 120>());
        all().sum(|v| v.age.clamp::<-120, 120>() * v.bill.grid::<10>().clamp::<-9, 9>());
        all().sum(|v| v.age.clamp::<0, 4_294_967>() * v.days.clamp::<0, 99>());
        all().sum(|v| v.bill.grid::<10>().clamp::<0, 9>() + v.copay.or(y).grid::<4>().clamp::<-3, 3>());
        all().sum(|v| v.bill.grid::<6>().clamp::<0, 9>() - v.copay.or(y).grid::<4>().clamp::<-3, 3>());
        all().sum(|v| v.age.clamp::<0, 9>() - v.smoker.number() + v.age.gt(j).number());
        all().sum(|v| (v.age + v.days).clamp::<-500, 500>());
        all().sum(|v| (v.age - v.short).clamp::<-500, 500>());
        all().sum(|v| (v.age * v.age).clamp::<-500, 500_000>());
        all().sum(|v| (v.age + i).clamp::<-500, 500>());
        all().sum(|v| (v.bill * v.bill - v.age.real()).clamp::<-500, 500>());
        all().sum(|v| (v.bill + x).grid::<100>().clamp::<-500, 500>());
        all().sum(|v| v.age.plus::<9>().clamp::<-500, 500>());
        all().sum(|v| v.age.times::<-3>().clamp::<-500, 500>());
        all().sum(|v| v.age.square().clamp::<0, 500>());
        all().histogram(|v| v.ward);
        all().histogram(|v| v.last);
        all().histogram(|v| v.smoker);
        all().histogram(|v| v.insured);
        all().filter(|v| v.smoker).histogram(|v| v.age.clamp::<-3, 60>());
        all().histogram(|v| v.weight.clamp::<2, 9>());
        all().histogram(|v| v.bill.grid::<10>().clamp::<-20, 20>());
        all().histogram(|v| v.copay.grid::<10>().clamp::<1, 30>());
        all().histogram(|v| v.age.bins([i, j, k, 5]));
        all().histogram(|v| v.bill.bins([x, y, 1.0]));
        all().histogram(|v| v.age.keys([i, 3, i, j]));
        all().histogram(|v| v.bill.keys([x, 3.0]));
        all().histogram(|v| v.city.keys(["Ulm", city, "Basel"]));
        all().histogram(|v| v.born.keys(["Ulm", city, "Basel"]));
        all().histogram(|v| v.last.keys([ward, Ward::Oncology]));
        all().filter(|v| v.copay.gt(x)).histogram(|v| v.age.gt(i).number());
        all().sum(|v| v.age.keys([3, 4]));
        all().histogram(|v| v.age.clamp::<-300, 300>());
        all().filter(|v| v.smoker).histogram(|v| v.age.clamp::<-300, 300>());
        all().filter(|v| v.bill.gt(x)).histogram(|v| v.age.clamp::<-20, 100>());
        all().histogram(|v| v.weight.clamp::<-20, 107>());
        all().histogram(|v| v.days.clamp::<0, 126>());
        all().sum(|v| v.age.clamp::<-20, 100>());
        all().sum(|v| v.copay.clamp::<0, 1>());
        all().sum(|v| v.bill.clamp::<0, 10_000>() * v.copay.or(x).clamp::<-1, 1>());
        all().histogram(|v| v.bill.clamp::<-20, 20>());
        all().sum(|v| v.age.clamp::<0, 9>().real().grid::<2>().clamp::<0, 5>());
        all().filter(|v| v.weight.real().gt(x)).count();
        all().filter(|v| v.admitted.gt(day) | v.discharged.le(day) | v.admitted.ne(v.discharged)).count();
        all().filter(|v| v.arrival.ge(time) & v.seen.lt(v.arrival) | v.seen.one_of([time])).count();
        all().filter(|v| v.discharged.or(day).eq_to(v.admitted) | v.seen.or(time).gt(time)).count();
        all().filter(|v| v.arrival.date().eq_to(v.admitted) | v.seen.date().gt(day)).count();
        all().histogram(|v| v.admitted.month());
        all().histogram(|v| v.discharged.weekday());
        all().histogram(|v| v.seen.hour());
        all().histogram(|v| v.arrival.minute());
        all().histogram(|v| v.arrival.day());
        all().histogram(|v| v.seen.year().clamp::<1960, 1980>());
        all().histogram(|v| v.admitted.bins([day, Date::new(1970, 6, 1)]));
        all().histogram(|v| v.arrival.bins([time]));
        all().histogram(|v| v.discharged.keys([day, Date::new(1970, 1, 1)]));
        all().sum(|v| v.discharged.days_since(v.admitted).clamp::<-400, 400>());
        all().sum(|v| v.admitted.days_since(day).clamp::<-400, 400>().square());
        all().sum(|v| v.arrival.date().days_since(v.seen.date()).clamp::<0, 30>());
        all().sum(|v| v.arrival.hour() * v.admitted.weekday());
        all().sum(|v| v.price.clamp::<-7, 100>());
        all().sum(|v| v.refund.clamp::<0, 40>().square());
        all().sum(|v| v.price.clamp::<0, 9>() * v.bill.grid::<10>().clamp::<0, 9>() + v.price.clamp::<0, 9>());
        all().filter(|v| v.price.real().ge(x) | v.refund.real().eq_to(0.005)).count();
        all().histogram(|v| v.price.clamp::<0, 2>());
        all().sum(|v| -v.age.clamp::<0, 120>());
        all().sum(|v| (100 - v.age).clamp::<-500, 500>());
        all().sum(|v| (2.5 * v.bill + 1.0).clamp::<-500, 500>());
        all().histogram(|v| (v.ward, v.smoker));
        all().sum_between(-1.0, 10.0, |v| v.refund).unwrap();
        all().histogram(|v| (v.last, v.age.clamp::<-2, 9>(), v.insured));
        all().filter(|v| v.smoker).histogram(|v| ((v.city.keys(["Ulm", city]), v.weight.clamp::<1, 4>()), v.admitted.month()));
        all().sum(|v| v.age.divide::<10>().clamp::<-9, 99>());
        all().sum(|v| v.weight.clamp::<-70, 70>().divide::<7>());
        all().sum(|v| v.age.remainder::<7>());
        all().histogram(|v| v.age.clamp::<-50, 120>().divide::<10>());
        all().histogram(|v| v.weight.remainder::<5>());
        all().filter(|v| v.days.divide::<3>().gt(5) | v.age.remainder::<1_000_000_007>().lt(j)).count();
        all().histogram(|v| v.age.keys_up_to::<5, _>([i, 3, j]));
        all().histogram(|v| v.born.keys_up_to::<3, _>([city, "Ulm"]));
        all().histogram(|v| v.last.keys_up_to::<2, _>([ward]));
        all().sum(|v| v.seen.keys_up_to::<4, _>([time]));
        all().sum_between(-1.5, 99.25, |v| v.bill).unwrap();
        all().filter(|v| v.smoker).sum_between(0.0, 40.0, |v| v.copay).unwrap();
        all().sum_between(-3.0, 3.5, |v| v.age).unwrap();
        all().estimate(0.9).mean(|v| v.age.clamp::<0, 120>()).query;
        all().filter(|v| v.age.gt(i)).estimate(0.9).variance(|v| v.bill.grid::<100>().clamp::<10, 100>()).query;
        all().estimate(0.9).mean(|v| v.copay.grid::<3>().clamp::<2, 40>()).query;
        all().estimate(0.9).correlation(|v| v.age.clamp::<0, 120>(), |v| v.weight.clamp::<-9, 9>()).query;
        all().estimate(0.9).covariance(|v| v.copay.clamp::<0, 9>(), |v| v.short.clamp::<-3, 100>()).query;
        all().estimate(0.9).linear_regression(
            |v| (v.age.clamp::<0, 120>(), v.bill.grid::<10>().clamp::<-9, 9>()),
            |v| v.weight.clamp::<0, 200>(),
        ).query;
        all().vector_sum(|v| v.place.clip_l2::<3>());
        all().vector_sum(|v| v.place.clip_l1::<3>());
        all().vector_sum(|v| v.place.grid::<1000>().clip_l2::<2>());
        all().vector_sum(|v| v.place.clip_l2::<67_108_864>());
        all().filter(|v| v.smoker & !v.spot.is_null()).vector_sum(|v| v.marks.grid::<10>().clip_l1::<40>());
        all().filter(|v| v.age.gt(i)).vector_sum(|v| v.marks.clip_l2::<100>());
        all().vector_sum(|v| vector((v.age, v.bill, v.copay.or(x))).grid::<100>().clip_l2::<9>());
        all().vector_sum(|v| vector([v.bill.boxed(), v.copay.or(y).boxed(), (v.bill * v.bill).boxed()]).clip_l1::<7>());
        all().vector_sum(|v| vector((v.age.clamp::<0, 9>(), v.smoker.number(), v.price)).clip_l2::<20>());
        all().vector_sum(|v| {
            let error = v.marks.dot([x, y, 0.5, -1.0, 0.0, 3.0, 1e-3, 2.0, 0.1]).logistic() - v.bill;
            v.marks.scaled(error).clip_l2::<1>()
        });
        all().vector_sum(|v| vector((v.bill, v.place.dot([1.0, -1.0]))).scaled(v.bill).clip_l1::<5>());
        all().vector_sums(|v| v.ward, |v| v.place.clip_l2::<3>());
        all().vector_sums(|v| (v.last, v.age.clamp::<-2, 3>()), |v| v.marks.clip_l1::<30>());
        all().filter(|v| v.bill.gt(x)).vector_sums(|v| v.insured, |v| v.place.grid::<7>().clip_l1::<3>());
        all().vector_sums(|v| v.place.nearest([[x, y], [0.0, 0.0], [9.0, 90.0]]), |v| v.place.clip_l2::<100>());
        all().vector_sums(|v| v.weight.clamp::<0, 300>(), |v| v.place.clip_l2::<3>());
        all().histogram(|v| v.place.nearest([[x, 1.0], [y, 2.0], [x, 3.0]]));
        all().histogram(|v| v.marks.nearest([[0.0; 9], [1.0; 9]]));
        all().sum(|v| v.place.dot([x, -0.5]).clamp::<-9, 9>());
        all().sum(|v| v.bill.logistic().clamp::<0, 1>());
        all().filter(|v| v.place.dot([1.0, 1.0]).gt(x)).count();
        of_each().bound_contributions::<1>(|v| v.patient).count();
        of_each().bound_contributions::<3>(|v| v.patient).filter(|v| v.smoker).sum(|v| v.age.clamp::<0, 120>());
        of_each().bound_contributions::<40>(|v| v.patient).histogram(|v| v.age.clamp::<-30, 120>());
        of_each().bound_contributions::<2>(|v| v.patient).vector_sums(|v| v.last, |v| v.place.clip_l2::<3>());
        of_each().bound_contributions::<5>(|v| v.patient).estimate(0.9).mean(|v| v.copay.grid::<3>().clamp::<2, 40>()).query;
        fixed().mean(|v| v.age.clamp::<0, 120>());
        fixed().variance(|v| v.bill.grid::<10>().clamp::<-9, 100>());
    }
    cases
}

fn agree(data: &Loaded<Visit>, cases: &[&Case], why: &str) {
    let plan = Plan::new(cases.iter().map(|case| case.0.clone()));
    let decoded = Plan::decode(&plan.encode());
    assert_eq!(decoded.as_ref(), Ok(&plan));
    let Ok(decoded) = decoded else { return };
    let (answers, again) = (data.run(&plan), data.run(&decoded));
    assert_eq!(answers, again, "{why}");
    for (answer, Case(term, by_loop)) in answers.into_iter().zip(cases) {
        assert_eq!(answer, Some(by_loop(data)), "{why}: {term}");
    }
}

fn differ(seed: u64, times: usize) {
    let mut choices = Choices::new(seed);
    let mut asked = 0;
    while asked < times {
        let size = match choices.below(8) {
            0 => 0,
            1 => 1 + choices.below(2_500),
            _ => 1 + choices.below(40),
        };
        let table: Vec<Visit> = (0..size).map(|_| visit(&mut choices)).collect();
        let data = Loaded::new(table);
        let all = cases(&mut choices);
        let some: Vec<&Case> = (0..1 + choices.below(20))
            .map(|_| &all[choices.below(all.len())])
            .collect();
        agree(&data, &some, &format!("seed {seed}, after {asked} queries"));
        asked += some.len();
        if choices.below(4) == 0 {
            let blocks = rows::<Visit>().filter(|v| v.age.gt(3)).group_by(|v| v.last);
            let rows_only: Vec<&Case> = some
                .into_iter()
                .filter(|case| {
                    !matches!(
                        case.0,
                        Term::Apply(Operation::Mean | Operation::Variance, _)
                    )
                })
                .collect();
            agree(&data.block(&blocks, choices.below(3)), &rows_only, "block");
        }
    }
}

/// `PRIVET_ENGINE_QUERIES=1000000 cargo test --test engine` asks so many more, in minutes.
#[test]
fn programs_and_loops_have_equal_cells() {
    differ(13, 10_000);
    if let Some(queries) = std::env::var_os("PRIVET_ENGINE_QUERIES") {
        let queries = queries.to_str().and_then(|queries| queries.parse().ok());
        differ(131, queries.expect("a number of queries"));
    }
}

#[test]
fn every_case_has_a_program_by_itself_and_beside_all_others() {
    let mut choices = Choices::new(7);
    let data = Loaded::new((0..3_000).map(|_| visit(&mut choices)));
    for _ in 0..20 {
        let all = cases(&mut choices);
        agree(&data, &all.iter().collect::<Vec<_>>(), "all");
        for case in &all {
            agree(&data, &[case], "alone");
        }
    }
}

/// Large enough that a release runs the program, on several threads where there are some.
#[test]
fn a_release_of_a_large_table_agrees() {
    let mut choices = Choices::new(3);
    let table: Vec<Visit> = (0..70_000).map(|_| visit(&mut choices)).collect();
    let data = Loaded::new(table);
    let sum = rows::<Visit>()
        .filter(|v| v.smoker)
        .sum(|v| v.bill.grid::<100>().clamp::<0, 100>());
    assert_eq!(data.exact(&sum), data.pass(&[Asked::new(&sum)], false)[0]);
    let histogram = rows::<Visit>().histogram(|v| v.age.clamp::<0, 100_000>());
    let exact = data.exact(&histogram);
    assert_eq!(exact, data.pass(&[Asked::new(&histogram)], false)[0]);
    assert_eq!(exact.iter().sum::<i128>(), 70_000);
    let texts = rows::<Visit>().histogram(|v| v.city.keys(["Ulm", "Rome"]));
    assert_eq!(
        data.exact(&texts),
        data.pass(&[Asked::new(&texts)], false)[0]
    );
}

/// Bytes from elsewhere cannot ask for more stack or memory than queries of ours.
#[test]
fn a_plan_that_is_too_deep_or_too_long_is_not_run() {
    use privet::plan::Operation;
    let data = Loaded::new([visit(&mut Choices::new(1))]);
    let smoker = rows::<Visit>().filter(|v| v.smoker).count().term();
    let condition = &smoker.children()[0].children()[0];
    let deep = |levels: usize| {
        let not = |term, _| Term::Apply(Operation::Not, vec![term]);
        let condition = (0..levels).fold(condition.clone(), not);
        let rows = Term::Apply(Operation::Where, vec![condition]);
        Plan::new([Term::Apply(Operation::Count, vec![rows])])
    };
    let shallow = Plan::decode(&deep(100).encode()).map(|plan| data.run(&plan));
    assert_eq!(shallow, Ok(data.run(&Plan::new([smoker.clone()]))));
    let deeper = Plan::decode(&deep(500).encode()).map(|plan| data.run(&plan));
    assert_eq!(deeper, Ok(vec![None]));
    let many = (0..10_000).map(|k| rows::<Visit>().filter(|v| v.age.gt(k)).count().term());
    let answers = data.run(&Plan::new(many));
    assert!(answers[0].is_some() && answers[9_999].is_none());
}

/// Which rows of a person come first is the same for a program and a loop, whatever names the person.
#[test]
fn persons_are_named_by_numbers_and_texts() {
    #[derive(Record, Clone)]
    struct Named {
        #[privet(person)]
        name: String,
        cost: i64,
    }
    #[derive(Record, Clone)]
    struct Numbered {
        #[privet(person)]
        number: i8,
        cost: i64,
    }
    let mut choices = Choices::new(17);
    let rows_of: Vec<(i8, i64)> = (0..5_000)
        .map(|_| (choices.below(90) as i8 - 40, choices.below(1_000) as i64))
        .collect();
    macro_rules! same {
        ($record:ident, $person:ident, $of:expr) => {
            let of = $of;
            let all: Vec<$record> = rows_of.iter().map(|(who, cost)| of(*who, *cost)).collect();
            for seed in 0..4 {
                let data = Loaded::new(all.clone()).ordered_by(seed);
                let kept = rows::<Table<$record, PerPerson>>()
                    .bound_contributions::<3>(|v| v.$person)
                    .sum(|v| v.cost.clamp::<0, 999>());
                let count = rows::<Table<$record, PerPerson>>()
                    .bound_contributions::<3>(|v| v.$person)
                    .count();
                let asked = [Asked::new(&kept), Asked::new(&count)];
                let by_program = data.pass(&asked, true);
                assert_eq!(by_program, data.pass(&asked, false));
                assert_eq!(by_program[1], [3 * 90]);
                let plan = Plan::new([kept.term(), count.term()]);
                let by_plan: Vec<_> = data.run(&plan).into_iter().flatten().collect();
                assert_eq!(by_plan, by_program);
            }
        };
    }
    // Longer names than a dictionary keeps in place, too.
    same!(Named, name, |who: i8, cost| Named {
        name: format!("{}{who}", "somebody with a name ".repeat(who as usize % 2)),
        cost
    });
    same!(Numbered, number, |number, cost| Numbered { number, cost });
}

/// Ranks are of one column: a plan that was made by hand cannot have two.
#[test]
fn a_plan_that_names_two_columns_of_persons_is_not_run() {
    let data = Loaded::new([visit(&mut Choices::new(1))]);
    let first = |column: &str, most: i64| {
        let column = privet::plan::Column {
            name: column.to_owned().into(),
            kind: privet::plan::ValueKind::Integer,
            nullable: false,
        };
        let most = Term::Constant(privet::plan::Constant::Integer(most));
        let first = Term::Apply(Operation::First, vec![most, Term::Column(column)]);
        Term::Apply(
            Operation::Count,
            vec![Term::Apply(Operation::Where, vec![first])],
        )
    };
    let one = data.run(&Plan::new([first("patient", 1), first("patient", 2)]));
    assert_eq!(one, [Some(vec![1]), Some(vec![1])]);
    let two = data.run(&Plan::new([first("patient", 1), first("age", 1)]));
    assert_eq!(two, [Some(vec![1]), None]);
    for wrong in [0, -1, 1 << 32] {
        assert_eq!(data.run(&Plan::new([first("patient", wrong)])), [None]);
    }
    assert_eq!(data.run(&Plan::new([first("nobody", 1)])), [None]);
}

/// Vectors that are too wide, that have no norm, or of which there are too many, have no program.
#[test]
fn a_program_of_vectors_has_limits() {
    let data = Loaded::new([visit(&mut Choices::new(2))]);
    let integer = |value: i64| Term::Constant(privet::plan::Constant::Integer(value));
    let real = |value: f64| Term::Constant(privet::plan::Constant::Float(value));
    let joined = |width: usize| {
        let coordinates = (0..width).map(|place| real(place as f64));
        Term::Apply(Operation::Vector, vec![Term::List(coordinates.collect())])
    };
    let sum = |vector: Term, norm: i64| {
        let clipped = Term::Apply(Operation::ClipL2, vec![vector, integer(norm)]);
        Term::Apply(Operation::VectorSum, vec![clipped])
    };
    let cells = |term: Term| {
        let plan = Plan::decode(&Plan::new([term]).encode()).expect("a plan");
        data.run(&plan).remove(0).map(|cells| cells.len())
    };
    assert_eq!(cells(sum(joined(1), 1)), Some(1));
    assert_eq!(cells(sum(joined(1024), 1)), Some(1024));
    assert_eq!(cells(sum(joined(1025), 1)), None);
    assert_eq!(cells(sum(joined(0), 1)), None);
    for (norm, fits) in [
        (1 << 26, true),
        ((1 << 26) + 1, false),
        (0, false),
        (-1, false),
    ] {
        assert_eq!(cells(sum(joined(2), norm)).is_some(), fits, "{norm}");
    }
    let fine = |steps: i64| Term::Apply(Operation::Grid, vec![joined(2), integer(steps)]);
    assert!(cells(sum(fine(1 << 20), 64)).is_some());
    assert!(cells(sum(fine(1 << 20), 65)).is_none());
    assert!(cells(sum(fine(i64::MAX), i64::MAX)).is_none());
    // Not clipped, or not a vector.
    assert!(cells(Term::Apply(Operation::VectorSum, vec![joined(2)])).is_none());
    assert!(cells(sum(real(1.0), 1)).is_none());
    // Keys times coordinates.
    let keyed = |keys: i64| {
        let age = rows::<Visit>()
            .sum(|v| v.age.clamp::<0, 1>())
            .term()
            .children()[0]
            .clone();
        let age = age.children()[0].clone();
        let key = Term::Apply(Operation::Clamp, vec![age, integer(1), integer(keys)]);
        let clipped = Term::Apply(Operation::ClipL1, vec![joined(1024), integer(1)]);
        Term::Apply(Operation::VectorSums, vec![key, clipped])
    };
    assert_eq!(cells(keyed(1024)), Some(1 << 20));
    assert_eq!(cells(keyed(1025)), None);
    // Each of other values, 32 of the widest: the next ones have none.
    let many = (0..40).map(|by| {
        let by = Term::Apply(Operation::Scaled, vec![joined(1024), real(f64::from(by))]);
        sum(by, 1)
    });
    let answers = data.run(&Plan::new(many));
    assert!(answers[0].is_some() && answers[39].is_none());
    // A query that has none takes no room from those after it.
    let wide = sum(
        Term::Apply(Operation::Scaled, vec![joined(1024), joined(2)]),
        1,
    );
    let again = (0..60).map(|_| wide.clone()).chain([sum(joined(7), 1)]);
    let answers = data.run(&Plan::new(again));
    assert!(answers[0].is_none() && answers[60].is_some());
}

#[test]
fn a_plan_for_another_record_is_not_run() {
    #[derive(Record, Clone)]
    struct Other {
        age: f64,
    }
    let plan = Plan::new([
        rows::<Visit>().filter(|v| v.age.gt(3)).count().term(),
        rows::<Visit>().filter(|v| v.smoker).count().term(),
        rows::<Visit>().count().term(),
    ]);
    let other = Loaded::new([Other { age: 1.0 }]);
    assert_eq!(other.run(&plan), [None, None, Some(vec![1])]);
    let sum = rows::<Other>().sum(|o| o.age.clamp::<0, 3>());
    assert_eq!(other.pass(&[Asked::new(&sum)], false)[0], [100_000]);
}

/// A price at which noise is 0 but for a chance of e^-33; the seed is fixed, so answers are exact.
type Exact = Eps<300, 1>;

/// Blocks that all ask the same are answered in one pass; others, and those inside others, by a pass
/// each. All give what a loop over the rows gives.
#[test]
fn blocks_in_one_pass_have_the_answers_of_a_pass_each() {
    let mut choices = Choices::new(5);
    for size in [0, 1, 40, 1024, 3_000] {
        let table: Vec<Visit> = (0..size).map(|_| visit(&mut choices)).collect();
        let blocks = || rows::<Visit>().filter(|v| v.smoker).group_by(|v| v.last);
        let days = || rows::<Visit>().sum(|v| v.days.clamp::<0, 9>());
        let cities = || rows::<Visit>().histogram(|v| v.city.keys(["Ulm", "Basel"]));
        let both = |_| days().laplace::<Exact>().and(cities().laplace::<Exact>());
        let together = blocks().each(both);
        // The same with a query before them that differs from block to block.
        let apart = blocks().each(|block| {
            let other = rows::<Visit>().filter(|v| v.age.gt(block as i64)).count();
            let other = other.laplace::<Exact>();
            other.and(both(block)).map(|(_, both)| both)
        });
        let inner = blocks().each(|_| {
            let inner = rows::<Visit>().group_by(|v| v.insured.is_true().number());
            inner.each(|_| days().laplace::<Exact>())
        });
        let simulation =
            || privet::Simulation::<Table<Visit>>::of_public(table.clone(), 1).expect("rows");
        let together = simulation().run(&together).expect("noise");
        assert_eq!(together, simulation().run(&apart).expect("noise"));
        let inner = simulation().run(&inner).expect("noise");
        for (block, ward) in WARDS.into_iter().enumerate() {
            let inside = |v: &&Visit| v.smoker && v.last.is_some_and(|l| l as u8 == ward as u8);
            let few = |v: &Visit| v.days.min(9) as i64;
            let rows: Vec<&Visit> = table.iter().filter(inside).collect();
            let count = |city: &str| rows.iter().filter(|v| v.city == city).count() as i64;
            let known = [count("Ulm"), count("Basel")];
            let others = rows.len() as i64 - known[0] - known[1];
            let days: i64 = rows.iter().map(|v| few(v)).sum();
            assert_eq!(together[block], (days, vec![known[0], known[1], others]));
            let insured = rows.iter().filter(|v| v.insured == Some(true));
            let insured: i64 = insured.map(|v| few(v)).sum();
            assert_eq!(inner[block], [days - insured, insured]);
        }
    }
}

/// A statistic of each block takes several cells, of which one row may move some by much more than others: with the
/// same coins, each block's answer is that of a filter.
#[test]
fn statistics_of_blocks_are_those_of_filtered_rows() {
    type All = Table<Visit>;
    let mut choices = Choices::new(8);
    for size in [0, 1, 900, 3_000] {
        let table: Vec<Visit> = (0..size).map(|_| visit(&mut choices)).collect();
        macro_rules! same {
            ($($block:ident => $statistic:expr;)*) => {$(
                let each = rows::<Visit>().group_by(|v| v.smoker).each(|_| {
                    let $block = rows::<Visit>();
                    $statistic.laplace::<Eps<1, 1>>()
                });
                let filtered = |smoker: bool| {
                    let $block = rows::<Visit>().filter(move |v| v.smoker.eq_to(smoker));
                    $statistic.laplace::<Eps<1, 1>>()
                };
                let both = filtered(false).and(filtered(true)).map(|(no, yes)| vec![no, yes]);
                let run = || privet::Simulation::<All>::of_public(table.clone(), 1).expect("rows");
                let each = run().run(&each).expect("noise");
                assert_eq!(each, run().run(&both).expect("noise"), "{size} rows");
            )*};
        }
        same! {
            all => all.estimate(0.9).mean(|v| v.age.clamp::<0, 120>());
            all => all.estimate(0.9).variance(|v| v.bill.grid::<100>().clamp::<10, 100>());
            all => all.filter(|v| v.age.gt(3)).estimate(0.9).mean(|v| v.copay.grid::<3>().clamp::<2, 40>());
            all => all.estimate(0.9).covariance(|v| v.age.clamp::<0, 120>(), |v| v.short.clamp::<-9, 9>());
            all => all.histogram(|v| (v.ward, v.smoker));
            all => all.vector_sum(|v| v.marks.clip_l1::<40>());
            all => all.vector_sums(|v| v.last, |v| vector((v.bill, v.age)).clip_l1::<3>());
        }
    }
}
