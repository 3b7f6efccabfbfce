//! Whole statistics as mechanisms: their values, their intervals, and how far one record moves their sums.

use privet::prelude::*;
use privet::query::{Estimate, HasL1, PerPerson, QueryKind, Regression, Statistic};
use privet::{Domain, Simulation, testing};

#[derive(Record, Clone, Debug)]
struct House {
    #[privet(person)]
    owner: i64,
    rooms: i64,
    area: f64,
    price: Option<f64>,
    garden: bool,
}

type Fixed = Table<House, Replace>;

/// Houses whose price is 50 + 2·area + 10·rooms + something that averages to 0.
fn houses(n: i64) -> Vec<House> {
    let mut random = testing::Choices::new(7);
    (0..n)
        .map(|i| {
            let rooms = random.below(8) as i64;
            let area = 20.0 + random.below(180) as f64;
            let noise = random.below(41) as f64 - 20.0;
            House {
                owner: i,
                rooms,
                area,
                price: (i % 10 != 0).then_some(50.0 + 2.0 * area + 10.0 * rooms as f64 + noise),
                garden: i % 4 == 0,
            }
        })
        .collect()
}

/// Runs a mechanism often and returns how often all its estimates held, and the last answer.
fn held<In: Domain, Out: Clone + 'static, C>(
    data: impl privet::load::Source<In>,
    mechanism: &Mechanism<In, Out, C>,
    holds: impl Fn(&Out) -> bool,
) -> (f64, Out) {
    let times = 2000;
    let mut simulation = Simulation::<In>::of_public(data, 11).unwrap();
    let (mut good, mut last) = (0, None);
    simulation
        .run_many(mechanism, times, |out| {
            good += u64::from(holds(&out));
            last = Some(out);
        })
        .unwrap();
    (good as f64 / times as f64, last.unwrap())
}

/// The interval holds at least as often as it says, less five standard deviations of 2,000 runs.
fn check<In: Domain, Q, S>(data: S, statistic: Statistic<In, Q, Estimate>, exact: f64, width: f64)
where
    Q: HasL1<In>,
    S: privet::load::Source<In> + Clone,
{
    let close =
        |e: &Estimate| e.low <= exact && exact <= e.high && e.low <= e.value && e.value <= e.high;
    let least = 0.9 - 5.0 * (0.09_f64 / 2000.0).sqrt();
    let (held_by, last) = held(
        data.clone(),
        &statistic.clone().laplace::<Eps<1, 1>>(),
        close,
    );
    assert!(held_by >= least, "Laplace: {held_by} for {exact}");
    // An interval that is always all that is possible would hold as well.
    assert!(last.high - last.low < width, "{last} for {exact}");
    assert_eq!(last.confidence, 0.9);
    let (held_by, _) = held(
        data.clone(),
        &statistic.clone().gaussian::<Rho<1, 2>>(),
        close,
    );
    assert!(held_by >= least, "Gaussian: {held_by} for {exact}");
    // Hardly any noise: the value is the statistic.
    let (_, last) = held(data, &statistic.laplace::<Eps<1000, 1>>(), close);
    let off = (last.value - exact).abs();
    assert!(off < width / 20.0, "{last} for {exact}");
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

fn covariance(pairs: &[(f64, f64)]) -> f64 {
    let (x, y) = (
        mean(pairs.iter().map(|p| p.0)),
        mean(pairs.iter().map(|p| p.1)),
    );
    mean(pairs.iter().map(|p| (p.0 - x) * (p.1 - y)))
}

#[test]
fn means_and_variances_are_within_their_intervals() {
    let data = houses(3000);
    let areas: Vec<f64> = data.iter().map(|h| h.area).collect();
    let exact = mean(areas.iter().copied());
    let pairs: Vec<_> = areas.iter().map(|&a| (a, a)).collect();
    let variance = covariance(&pairs);
    let all = || rows::<House>().estimate(0.9);
    check(
        data.clone(),
        all().mean(|h| h.area.clamp::<0, 200>()),
        exact,
        2.0,
    );
    check(
        data.clone(),
        all().variance(|h| h.area.clamp::<0, 200>()),
        variance,
        300.0,
    );
    // Bounds far from zero cost nothing.
    let shifted = || all().mean(|h| h.rooms.clamp::<0, 8>().plus::<1_000_000>());
    let rooms = 1e6 + mean(data.iter().map(|h| h.rooms as f64));
    check(data.clone(), shifted(), rooms, 0.1);
    // A public number of rows.
    let fixed = || rows::<Fixed>().estimate(0.9);
    check(
        data.clone(),
        fixed().mean(|h| h.area.clamp::<0, 200>()),
        exact,
        2.0,
    );
    check(
        data.clone(),
        fixed().variance(|h| h.area.clamp::<0, 200>()),
        variance,
        300.0,
    );
    // Missing values are left out, under either relation.
    let prices = mean(
        data.iter()
            .filter_map(|h| h.price)
            .map(|p| p.clamp(0.0, 600.0)),
    );
    check(
        data.clone(),
        all().mean(|h| h.price.clamp::<0, 600>()),
        prices,
        6.0,
    );
    check(
        data.clone(),
        fixed().mean(|h| h.price.clamp::<0, 600>()),
        prices,
        12.0,
    );
    // Few rows: the interval is wide, and still holds.
    let few = houses(5);
    let exact = mean(few.iter().map(|h| h.area));
    check(few, all().mean(|h| h.area.clamp::<0, 200>()), exact, 201.0);
}

#[test]
fn covariances_and_correlations_are_within_their_intervals() {
    let data = houses(20_000);
    let pairs: Vec<(f64, f64)> = data
        .iter()
        .filter_map(|h| Some((h.area, h.price?.clamp(0.0, 600.0))))
        .collect();
    let both = covariance(&pairs);
    let x = covariance(&pairs.iter().map(|p| (p.0, p.0)).collect::<Vec<_>>());
    let y = covariance(&pairs.iter().map(|p| (p.1, p.1)).collect::<Vec<_>>());
    let all = || rows::<House>().estimate(0.9);
    check(
        data.clone(),
        all().covariance(|h| h.area.clamp::<0, 200>(), |h| h.price.clamp::<0, 600>()),
        both,
        400.0,
    );
    check(
        data,
        all().correlation(|h| h.area.clamp::<0, 200>(), |h| h.price.clamp::<0, 600>()),
        both / (x * y).sqrt(),
        0.2,
    );
}

#[test]
fn proportions_are_within_their_intervals() {
    let data = houses(1000);
    let gardens = || rows::<House>().estimate(0.9).proportion(|h| h.garden);
    check(data.clone(), gardens(), 0.25, 0.02);
    check(
        data,
        rows::<Fixed>()
            .estimate(0.9)
            .proportion(|h| h.area.gt(1000)),
        0.0,
        0.02,
    );
    check(Vec::new(), gardens(), 0.5, 1.01);
}

/// Least squares by elimination on exact sums.
fn least_squares(data: &[House]) -> [f64; 3] {
    let mut a = [[0.0; 4]; 3];
    for h in data {
        let Some(price) = h.price else { continue };
        let x = [1.0, h.area, h.rooms as f64, price.clamp(0.0, 600.0)];
        for i in 0..3 {
            for j in 0..4 {
                a[i][j] += x[i] * x[j];
            }
        }
    }
    for i in 0..3 {
        let head = a[i][i];
        a[i].iter_mut().for_each(|x| *x /= head);
        for j in 0..3 {
            if j != i {
                let (by, unit) = (a[j][i], a[i]);
                a[j].iter_mut().zip(unit).for_each(|(x, u)| *x -= by * u);
            }
        }
    }
    a.map(|row| row[3])
}

#[test]
fn a_regression_is_within_all_its_intervals_at_once() {
    let data = houses(20_000);
    let exact = least_squares(&data);
    let fit = || {
        rows::<House>().estimate(0.9).linear_regression(
            |h| (h.area.clamp::<0, 200>(), h.rooms.clamp::<0, 8>()),
            |h| h.price.clamp::<0, 600>(),
        )
    };
    let all = |fit: &Regression<2>| {
        let estimates = [fit.intercept, fit.slopes[0], fit.slopes[1]];
        let mut pairs = estimates.iter().zip(exact);
        pairs.all(|(e, exact)| {
            e.low <= exact && exact <= e.high && e.low <= e.value && e.value <= e.high
        })
    };
    let (held_by, last) = held(data.clone(), &fit().laplace::<Eps<1, 1>>(), all);
    assert!(held_by >= 0.86, "{held_by}");
    assert!(last.slopes[0].high - last.slopes[0].low < 1.0, "{last:?}");
    let (held_by, _) = held(data.clone(), &fit().gaussian::<Rho<1, 2>>(), all);
    assert!(held_by >= 0.86, "{held_by}");
    let (_, last) = held(data.clone(), &fit().laplace::<Eps<1000, 1>>(), all);
    for (estimate, exact) in [last.intercept, last.slopes[0], last.slopes[1]]
        .iter()
        .zip(exact)
    {
        assert!(
            (estimate.value - exact).abs() < 0.05 * exact.abs(),
            "{last:?}"
        );
    }
    let at = last.predict([100.0, 3.0]);
    assert!((at - 280.0).abs() < 5.0, "{at}");

    // Too few rows to tell: the intervals say so.
    let (held_by, last) = held(houses(10), &fit().laplace::<Eps<1, 1>>(), |_| true);
    assert_eq!(held_by, 1.0);
    assert_eq!(last.slopes[0].high, f64::INFINITY);
}

#[test]
fn a_confidence_that_is_none_gives_all_that_is_possible() {
    for confidence in [0.0, 1.0, -1.0, f64::NAN] {
        let mean = rows::<House>()
            .estimate(confidence)
            .mean(|h| h.area.clamp::<0, 200>())
            .laplace::<Eps<1, 1>>();
        let (_, last) = held(houses(100), &mean, |_| true);
        assert_eq!((last.low, last.high), (0.0, 200.0));
    }
}

#[test]
fn a_price_named_at_run_time_is_charged_once() {
    let vault: Vault<Table<House>, Eps<1, 1>> = Vault::open(houses(100));
    let (meter, _vault) = vault.metered::<Eps<1, 1>>();
    let mean = rows::<House>()
        .estimate(0.95)
        .mean(|h| h.area.clamp::<0, 200>());
    let price = "3/10".parse().unwrap();
    let answer = meter.release(mean.laplace_at(price).unwrap()).unwrap();
    assert!(answer.low <= answer.high);
    assert_eq!(meter.remaining().to_string(), "ε = 7/10");
}

/// One record moves the sums by at most the sensitivity, from any table of edge cases.
fn moves<R, Rel, Q>(query: &privet::Query<Table<R, Rel>, Q>, values: &[R])
where
    R: Record + Clone + std::fmt::Debug,
    Rel: privet::query::OneRow,
    Q: HasL1<Table<R, Rel>> + QueryKind<Table<R, Rel>>,
{
    testing::exhaustive(query, values, 2).assert_within(query);
}

#[test]
fn no_record_moves_the_sums_further_than_their_sensitivity() {
    let house = |rooms, area, price| House {
        owner: 1,
        rooms,
        area,
        price,
        garden: rooms > 3,
    };
    let values = [
        house(0, 0.0, None),
        house(i64::MAX, f64::INFINITY, Some(600.0)),
        house(i64::MIN, f64::NEG_INFINITY, Some(0.0)),
        house(8, f64::NAN, Some(f64::NAN)),
        house(4, 100.0, Some(300.0)),
        house(3, 0.1, Some(599.9)),
    ];
    macro_rules! both {
        ($($rows:expr),*) => {$(
            let all = || $rows.estimate(0.9);
            moves(&all().mean(|h| h.rooms.clamp::<0, 8>()).query, &values);
            moves(&all().mean(|h| h.price.clamp::<-1, 600>()).query, &values);
            moves(&all().variance(|h| h.area.grid::<10>().clamp::<1, 200>()).query, &values);
            moves(&all().variance(|h| h.rooms.clamp::<5, 5>()).query, &values);
            moves(
                &all().covariance(|h| h.rooms.clamp::<-3, 8>(), |h| h.price.clamp::<0, 600>()).query,
                &values,
            );
            moves(
                &all().correlation(|h| h.rooms.clamp::<0, 8>(), |h| h.area.clamp::<0, 7>()).query,
                &values,
            );
            moves(&all().proportion(|h| h.garden).query, &values);
            moves(
                &all()
                    .linear_regression(
                        |h| (h.area.clamp::<0, 200>(), h.rooms.clamp::<0, 8>()),
                        |h| h.price.clamp::<0, 600>(),
                    )
                    .query,
                &values,
            );
        )*};
    }
    both!(
        rows::<House>(),
        rows::<House>().filter(|h| h.rooms.gt(1)),
        rows::<Fixed>(),
        rows::<Fixed>().filter(|h| h.rooms.gt(1))
    );
    // The bound is met, so it is not larger than it has to be.
    let mean = rows::<House>()
        .estimate(0.9)
        .mean(|h| h.rooms.clamp::<0, 8>());
    testing::exhaustive(&mean.query, &values, 1).assert_attained(&mean.query);
    // A person with k rows moves them by k times as much.
    let person = rows::<Table<House, PerPerson>>()
        .bound_contributions::<3>(|h| h.owner)
        .estimate(0.9)
        .mean(|h| h.rooms.clamp::<0, 8>());
    fn l1<In: Domain, Q: HasL1<In>>(_: &privet::Query<In, Q>) -> u128 {
        Q::L1.num()
    }
    assert_eq!(l1(&person.query), 3 * l1(&mean.query));
}

#[test]
fn a_statistic_is_a_plan() {
    let fit = rows::<House>()
        .filter(|h| h.garden)
        .estimate(0.9)
        .linear_regression(|h| h.rooms.clamp::<0, 8>(), |h| h.area.clamp::<0, 200>());
    assert_eq!(
        fit.query.term().to_string(),
        "moments([clamp(rooms, 0, 8), clamp(grid(area, 1000), 0, 200)], [[0, 0], [0, 1], [1, 1]], where(garden))"
    );
}

/// `explain` says what a step of noise is in units of each sum, so that a scale can be read.
#[test]
fn a_statistic_says_its_steps() {
    let area = |h: <House as Record>::Columns| h.area.clamp::<0, 200>();
    let mean = rows::<House>().estimate(0.9).mean(area);
    // 8 rows, and 8 halves of the bounds: 8·100 units.
    assert_eq!(
        mean.laplace::<Eps<1, 4>>().explain().to_string(),
        "moments([clamp(grid(area, 1000), 0, 200)], []) with Laplace noise of scale 25600000 in steps of 1/3200000 \
         (rows), 1/32000 (sums) [ε = 1/4]\n"
    );
    // Rows that are replaced have a public number, which gets no noise.
    let fixed = rows::<Table<House, Replace>>().estimate(0.9).mean(area);
    let text = fixed.laplace::<Eps<1, 4>>().explain().to_string();
    assert!(
        text.ends_with(" in steps of 1/32000 (sums) [ε = 1/4]\n"),
        "{text}"
    );
    // Two numbers: u = z/W and v, and u·v. Their steps are those of the grids 1000 and 1.
    let both = rows::<House>()
        .estimate(0.9)
        .covariance(area, |h| h.rooms.clamp::<0, 100>());
    let text = both.laplace::<Eps<1, 4>>().explain().to_string();
    let steps = "1/320000000 (rows), 1/3200000, 1/6400000 (sums), 1/64000 (products)";
    assert!(
        text.contains(&format!("scale 5120000000 in steps of {steps}")),
        "{text}"
    );
}
