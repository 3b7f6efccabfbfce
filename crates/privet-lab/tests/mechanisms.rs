//! Every public mechanism of `privet`, audited on neighbours that move it as far as they can.
//!
//! The last test reads the source of `privet` and fails if a public function that returns a
//! mechanism or a query is in none of the audits below.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use privet::local::{One, Person, person};
use privet::prelude::*;
use privet::query::PerPerson;
use privet::{Disjoint, Domain, Pair, Price, Simulation};
use privet_lab::audit::{Outcome, draws_or};
use privet_lab::{Audit, Claim, Error, Report};

/// Draws on each input, for each public function; twice as many in all.
const USUAL: u64 = 5_000_000;

#[derive(Record, Clone)]
struct Row {
    number: i64,
    real: f64,
    ward: Ward,
    city: String,
    point: [f64; 2],
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

#[derive(Record, Clone)]
struct Visit {
    #[privet(person)]
    person: String,
    ward: Ward,
    city: String,
}

fn visit(ward: Ward) -> Visit {
    Visit {
        person: "Ada".into(),
        ward,
        city: "Ulm".into(),
    }
}

type Fixed = Table<Row, Replace>;
type Half = Eps<1, 2>;
type Count<C> = Mechanism<Table<Row>, i64, C>;

fn row(number: i64, ward: Ward) -> Row {
    Row {
        number,
        real: number as f64 / 4.0,
        ward,
        city: "Ulm".into(),
        point: [number as f64, 0.0],
    }
}

fn none() -> Vec<Row> {
    Vec::new()
}

fn one() -> Vec<Row> {
    vec![row(4, Ward::Surgery)]
}

fn other() -> Vec<Row> {
    vec![row(0, Ward::Oncology)]
}

fn two() -> Vec<Row> {
    vec![row(4, Ward::Surgery), row(0, Ward::Oncology)]
}

fn count() -> Count<Half> {
    rows::<Row>().count().laplace()
}

fn audit<In, Out, C, L, R>(
    draws: u64,
    mechanism: Mechanism<In, Out, C>,
    left: impl Fn() -> L + Sync,
    right: impl Fn() -> R + Sync,
) -> Result<Report, Error>
where
    In: Domain,
    Out: Outcome + 'static,
    C: Cost,
    L: privet::load::Source<In>,
    R: privet::load::Source<In>,
{
    let audit = Audit::of(&mechanism).draws(draws);
    audit.mechanism(&mechanism, left, right)
}

/// The same for a price that is known at run time.
fn audit_at<In, Out, C, L, R>(
    draws: u64,
    price: &str,
    mechanism: impl Fn(Price) -> privet::Result<Mechanism<In, Out, C>>,
    left: impl Fn() -> L + Sync,
    right: impl Fn() -> R + Sync,
) -> Result<Report, Error>
where
    In: Domain,
    Out: Outcome + 'static,
    L: privet::load::Source<In>,
    R: privet::load::Source<In>,
{
    let price = price.parse().map_err(|_| Error::Settings("no price"))?;
    let mechanism = mechanism(price)?;
    assert_eq!(mechanism.explain().price(), Some(price));
    let audit = Audit::new(Claim::of(&price)).draws(draws);
    audit.mechanism(&mechanism, left, right)
}

/// What plans again, or divides the table anew, for each draw: microseconds, so a tenth of the draws.
const DEAR: &[&str] = &[
    "mechanism/compose.rs::then",
    "mechanism/compose.rs::iterate",
    "mechanism/compose/per_block.rs::each",
    "mechanism/compose/per_block.rs::in_turn",
    "mechanism/quoted.rs::each_at",
    "mechanism/compose/sample.rs::once",
    "algorithms/kmeans.rs::of",
];

struct Check {
    /// Functions of `privet`, as `file::name`.
    covers: &'static [&'static str],
    run: fn(u64) -> Result<Report, Error>,
    /// What the audit must at least find: an audit that sees nothing checks nothing.
    at_least: f64,
}

const fn check(
    covers: &'static [&'static str],
    at_least: f64,
    run: fn(u64) -> Result<Report, Error>,
) -> Check {
    Check {
        covers,
        run,
        at_least,
    }
}

/// One line for each mechanism, query and law.
const CHECKS: &[Check] = &[
    check(
        &["query/rows.rs::count", "mechanism/laplace.rs::laplace"],
        0.45,
        |n| audit(n, count(), none, one),
    ),
    // Priced in ρ: a count, and a sum that moves by 4.
    check(&["mechanism/laplace.rs::laplace"], 0.02, |n| {
        audit(n, rows::<Row>().count().laplace::<Rho<1, 8>>(), none, one)
    }),
    check(&["mechanism/laplace.rs::laplace"], 0.1, |n| {
        let sum = rows::<Row>().sum(|r| r.number.clamp::<0, 4>());
        audit(n, sum.laplace::<Rho<1, 2>>(), none, one)
    }),
    check(&["mechanism/laplace.rs::laplace_at"], 0.65, |draws| {
        let price = "3/4".parse().map_err(|_| Error::Settings("no price"))?;
        let mechanism = rows::<Row>().count().laplace_at(price)?;
        let audit = Audit::new(Claim::of(&price)).draws(draws);
        audit.mechanism(&mechanism, none, one)
    }),
    check(&["mechanism/quoted.rs::gaussian_at"], 0.05, |n| {
        audit_at(
            n,
            "rho = 1/8",
            |price| rows::<Row>().count().gaussian_at(price),
            none,
            one,
        )
    }),
    check(&["mechanism/quoted.rs::median_at"], 0.2, |n| {
        let numbers = || rows::<Row>().histogram(|r| r.number.clamp::<0, 4>());
        audit_at(n, "2", |price| numbers().median_at(price), one, two)
    }),
    check(&["mechanism/quoted.rs::quantile_at"], 0.2, |n| {
        let numbers = || rows::<Fixed>().histogram(|r| r.number.clamp::<0, 4>());
        audit_at(
            n,
            "2",
            |price| numbers().quantile_at(1, 4, price),
            one,
            other,
        )
    }),
    check(&["mechanism/quoted.rs::laplace_at"], 0.2, |n| {
        let mean = || rows::<Row>().mean(|r| r.number.clamp::<0, 4>());
        audit_at(n, "1", |price| mean().laplace_at(price), none, one)
    }),
    check(&["mechanism/quoted.rs::quoted"], 0.4, |n| {
        let typed = || count().quoted().and(count().quoted()).map(|(a, b)| a + b);
        audit_at(n, "1", |_| Ok(typed()), none, one)
    }),
    check(&["mechanism/quoted.rs::each_at"], 0.3, |n| {
        let each = |price| {
            let count = rows::<Row>().count().laplace_at(price)?;
            Ok(rows::<Row>()
                .group_by(|r| r.ward)
                .each_at(|_| count.clone()))
        };
        audit_at(n, "1/2", each, none, one)
    }),
    // Bounds known at run time: the row has the larger bound, and moves the sum by all of it.
    check(&["query/rows.rs::sum_between"], 0.45, |n| {
        let sum = rows::<Row>().sum_between(-1.5, 4.0, |r| r.number)?;
        audit(
            n,
            sum.laplace::<Half>().map(|x| x.floor() as i64),
            none,
            one,
        )
    }),
    check(&["query/rows.rs::sum_between"], 0.9, |n| {
        let sum = rows::<Fixed>().sum_between(-1.0, 1.0, |r| r.real - 0.5)?;
        let halves = |x: f64| (2.0 * x).floor() as i64;
        audit(n, sum.laplace::<Eps<2, 1>>().map(halves), one, other)
    }),
    // `then_up_to`, a method of a trait: the dearer choice is made where there is a row.
    check(
        &[
            "mechanism/quoted.rs::quoted",
            "mechanism/quoted.rs::each_at",
        ],
        0.5,
        |n| {
            let half = "1/2".parse().map_err(|_| Error::Settings("no price"))?;
            let quarter = "1/4".parse().map_err(|_| Error::Settings("no price"))?;
            let at = |price| rows::<Row>().count().laplace_at(price);
            let (low, high) = (at(quarter)?, at(half)?);
            let then = at(half)?.then_up_to(half, move |n| match *n > 0 {
                true => high.clone(),
                false => low.clone(),
            });
            audit_at(n, "1", |_| Ok(then.clone().map(|(a, b)| a + b)), none, one)
        },
    ),
    check(&["query/rows.rs::sum"], 0.45, |n| {
        let sum = rows::<Row>().sum(|r| r.number.clamp::<-3, 4>());
        audit(n, sum.laplace::<Half>(), none, one)
    }),
    check(&["query/rows.rs::sum", "query/column.rs::sum"], 0.45, |n| {
        let sum = rows::<Fixed>()
            .select(|r| r.real.grid::<4>().clamp::<0, 1>())
            .sum();
        audit(n, sum.laplace::<Half>(), one, other)
    }),
    // Queries of a selected column are calls of those with a closure: one line is for both.
    check(
        &["query/rows.rs::vector_sum", "query/column.rs::vector_sum"],
        0.35,
        |n| {
            let sum = rows::<Row>()
                .select(|r| r.point.grid::<1>().clip_l1::<4>())
                .vector_sum();
            audit(n, sum.laplace::<Half>(), none, one)
        },
    ),
    check(&["query/rows.rs::histogram"], 0.35, |n| {
        audit(
            n,
            rows::<Row>().histogram(|r| r.ward).laplace::<Half>(),
            none,
            one,
        )
    }),
    check(
        &["query/rows.rs::histogram", "query/column.rs::histogram"],
        0.9,
        |n| {
            audit(
                n,
                rows::<Fixed>()
                    .select(|r| r.ward)
                    .histogram()
                    .laplace::<Eps<2, 1>>(),
                one,
                other,
            )
        },
    ),
    check(
        &["query/rows.rs::cumulative", "query/column.rs::cumulative"],
        0.8,
        |n| {
            audit(
                n,
                rows::<Row>()
                    .select(|r| r.ward)
                    .cumulative()
                    .laplace::<Eps<2, 1>>(),
                none,
                one,
            )
        },
    ),
    check(
        &["query/rows.rs::distinct", "query/column.rs::distinct"],
        0.45,
        |n| {
            audit(
                n,
                rows::<Row>()
                    .select(|r| r.ward)
                    .distinct()
                    .laplace::<Half>(),
                none,
                one,
            )
        },
    ),
    check(&["query/rows.rs::mean"], 0.45, |n| {
        let mean = rows::<Fixed>().mean(|r| r.number.clamp::<0, 4>());
        audit(n, mean.laplace::<Half>(), one, other)
    }),
    check(&["query/rows.rs::variance"], 0.3, |n| {
        let left = || [other(), other(), other(), one()].concat();
        let right = || [other(), other(), other(), other()].concat();
        let variance = rows::<Fixed>().variance(|r| r.number.clamp::<0, 4>());
        audit(n, variance.laplace::<Eps<8, 1>>(), left, right)
    }),
    // Two rows of one person, at K = 2.
    check(&["query/rows.rs::count"], 0.45, |n| {
        let visits = rows::<Table<Visit, PerPerson>>().bound_contributions::<2>(|v| v.person);
        audit(n, visits.count().laplace::<Half>(), Vec::new, || {
            vec![visit(Ward::Surgery); 3]
        })
    }),
    // Two rows of one person that match, among four.
    check(&["query/rows.rs::count"], 0.45, |n| {
        let visits = rows::<Table<Visit, PerPerson>>()
            .filter(|v| v.ward.eq_to(Ward::Surgery))
            .bound_contributions::<2>(|v| v.person);
        audit(n, visits.count().laplace::<Half>(), Vec::new, || {
            let surgery = visit(Ward::Surgery);
            vec![
                visit(Ward::Oncology),
                surgery.clone(),
                surgery,
                visit(Ward::Maternity),
            ]
        })
    }),
    // Two rows of one person in each of two blocks.
    check(&["mechanism/compose/per_block.rs::each"], 0.4, |n| {
        let visits = rows::<Table<Visit, PerPerson>>()
            .group_by(|v| v.ward)
            .bound_contributions::<2, 2>(|v| v.person)
            .each(|_| rows::<Visit>().count().laplace::<Eps<1, 4>>());
        audit(n, visits, Vec::new, || {
            [
                vec![visit(Ward::Surgery); 3],
                vec![visit(Ward::Maternity); 3],
            ]
            .concat()
        })
    }),
    check(&["mechanism/frequent_keys.rs::frequent_keys"], 0.0, |n| {
        let keys = rows::<Table<Visit, PerPerson>>()
            .bound_contributions::<2>(|v| v.person)
            .frequent_keys::<Approx<Half, Delta<1, 2>>, _>(|v| v.city);
        audit(n, keys, Vec::new, || vec![visit(Ward::Surgery); 3])
    }),
    check(&["mechanism/top.rs::top"], 0.3, |n| {
        let top = rows::<Fixed>().histogram(|r| r.ward).top::<2, Eps<2, 1>>();
        audit(n, top, one, other)
    }),
    check(&["mechanism/quantile.rs::quantiles"], 0.1, |n| {
        let numbers = rows::<Row>().histogram(|r| r.number.clamp::<0, 4>());
        audit(n, numbers.quantiles::<4, 2, Eps<2, 1>>([1, 2]), one, two)
    }),
    check(&["mechanism/gaussian.rs::gaussian"], 0.05, |n| {
        audit(n, rows::<Row>().count().gaussian::<Rho<1, 8>>(), none, one)
    }),
    check(&["mechanism/gaussian.rs::gaussian"], 0.05, |n| {
        audit(
            n,
            rows::<Fixed>()
                .histogram(|r| r.number.clamp::<0, 1>())
                .gaussian::<Rho<1, 2>>(),
            one,
            other,
        )
    }),
    check(
        &["mechanism/gaussian_approx.rs::gaussian_approx"],
        0.1,
        |n| {
            let count = rows::<Row>().count();
            audit(
                n,
                count.gaussian_approx::<Approx<Half, Delta<1, 3>>>(),
                none,
                one,
            )
        },
    ),
    check(&["mechanism/coin_flips.rs::coin_flips"], 1.35, |n| {
        audit(n, rows::<Row>().count().coin_flips(), none, one)
    }),
    // At ρ = 1/8 the weights are those of ε = 1.
    check(&["mechanism/choose.rs::choose"], 0.02, |n| {
        let keys = rows::<Row>().histogram(|r| r.ward);
        audit(n, keys.choose::<Rho<1, 8>>(), none, one)
    }),
    check(&["mechanism/choose.rs::choose"], 0.5, |n| {
        audit(
            n,
            rows::<Fixed>().histogram(|r| r.ward).choose::<Eps<2, 1>>(),
            one,
            other,
        )
    }),
    check(&["mechanism/choose.rs::choose"], 0.3, |n| {
        audit(
            n,
            rows::<Row>().histogram(|r| r.ward).choose::<Eps<1, 1>>(),
            none,
            one,
        )
    }),
    check(&["mechanism/noisy_max.rs::noisy_max"], 0.3, |n| {
        audit(
            n,
            rows::<Fixed>()
                .histogram(|r| r.ward)
                .noisy_max::<Eps<2, 1>>(),
            one,
            other,
        )
    }),
    check(&["mechanism/noisy_max.rs::noisy_max"], 0.2, |n| {
        audit(
            n,
            rows::<Row>().histogram(|r| r.ward).noisy_max::<Eps<1, 1>>(),
            none,
            one,
        )
    }),
    check(&["mechanism/quantile.rs::median"], 0.2, |n| {
        let numbers = rows::<Row>().histogram(|r| r.number.clamp::<0, 4>());
        audit(n, numbers.median::<Eps<2, 1>>(), one, two)
    }),
    check(&["mechanism/quantile.rs::quantile"], 0.2, |n| {
        let numbers = rows::<Fixed>().histogram(|r| r.number.clamp::<0, 4>());
        audit(n, numbers.quantile::<1, 4, Eps<2, 1>>(), one, other)
    }),
    check(&["mechanism/above.rs::first_above"], 0.3, |n| {
        let queries = (0..3).map(|k| rows::<Row>().filter(move |r| r.number.gt(k)).count());
        audit(
            n,
            Mechanism::<_, _, Eps<2, 1>>::first_above(1, queries),
            none,
            one,
        )
    }),
    check(&["mechanism/above.rs::first_few_above"], 0.3, |n| {
        let queries = (0..3).map(|k| rows::<Row>().filter(move |r| r.number.gt(k)).count());
        let few = Mechanism::<_, _, Eps<2, 1>>::first_few_above::<2, _>(1, queries);
        audit(n, few, none, one)
    }),
    // A new key, whose appearance is what δ pays for; and one row more on a key that is known.
    check(&["mechanism/frequent_keys.rs::frequent_keys"], 0.0, |n| {
        let keys = rows::<Row>().frequent_keys::<Approx<Half, Delta<1, 2>>, _>(|r| r.city);
        audit(n, keys, none, one)
    }),
    check(&["mechanism/frequent_keys.rs::frequent_keys"], 0.3, |n| {
        let keys = rows::<Row>().frequent_keys::<Approx<Half, Delta<1, 2>>, _>(|r| r.city);
        audit(
            n,
            keys,
            || vec![row(1, Ward::Surgery); 10],
            || vec![row(1, Ward::Surgery); 11],
        )
    }),
    check(&["mechanism/local/respond.rs::respond"], 0.95, |n| {
        let respond = person::<bool>().respond::<Eps<1, 1>>();
        audit(n, respond, || One::new(false), || One::new(true))
    }),
    check(&["mechanism/local/respond.rs::respond"], 0.95, |n| {
        let respond = person::<Ward>().respond::<Eps<1, 1>>();
        audit(
            n,
            respond,
            || One::new(Ward::Surgery),
            || One::new(Ward::Maternity),
        )
    }),
    check(
        &["mechanism/local/respond.rs::respond_by_gamma"],
        1.05,
        |n| {
            let respond = person::<bool>().respond_by_gamma::<1, 4, Eps<11, 10>>();
            audit(n, respond, || One::new(false), || One::new(true))
        },
    ),
    check(&["mechanism/local/sketch.rs::sketch"], 0.8, |n| {
        let report = person::<u32>().sketch::<2, 4, Eps<1, 1>>();
        let seen: Mechanism<Person<u32>, _, Eps<1, 1>> = report.map(|r| (r.hash, r.bits));
        audit(n, seen, || One::new(1), || One::new(7))
    }),
    check(&["mechanism/compose.rs::constant"], 0.0, |n| {
        audit(
            n,
            Mechanism::<Table<Row>, i64, Eps<0, 1>>::constant(7),
            none,
            one,
        )
    }),
    check(
        &[
            "mechanism/compose.rs::map",
            "mechanism.rs::named",
            "mechanism/compose.rs::at_most",
        ],
        0.45,
        |n| {
            let half: Count<Half> = count().map(|n| 2 * n).named("twice").at_most();
            audit(n, half, none, one)
        },
    ),
    check(&["mechanism/compose.rs::and"], 0.75, |n| {
        audit(n, count().and(count()), none, one)
    }),
    check(&["mechanism/compose.rs::then"], 0.75, |n| {
        let more = || {
            rows::<Row>()
                .filter(|r| r.number.gt(1))
                .count()
                .laplace::<Half>()
        };
        let twice = count().then(move |&n| if n > 0 { more() } else { count() });
        audit(n, twice, none, one)
    }),
    check(&["mechanism/compose.rs::repeat"], 0.75, |n| {
        audit(n, count().repeat::<2>(), none, one)
    }),
    check(&["mechanism/compose.rs::iterate"], 0.6, |n| {
        let twice = Mechanism::iterate::<2>(0, |sum, _| count().map(move |n| sum + n));
        audit(n, twice, none, one)
    }),
    check(&["mechanism/compose.rs::either"], 0.45, |n| {
        let dear: Count<Eps<1, 1>> = rows::<Row>().count().laplace();
        audit(n, Mechanism::either(true, count(), dear), none, one)
    }),
    check(&["mechanism/compose.rs::all"], 0.75, |n| {
        audit(n, Mechanism::all([count(), count()]), none, one)
    }),
    check(&["mechanism/compose/bundle.rs::at_most_of"], 0.75, |n| {
        let some = Mechanism::<_, _, Half>::at_most_of::<2>(vec![count(), count()])?;
        audit(n, some, none, one)
    }),
    check(&["mechanism/compose/bundle.rs::together"], 0.75, |n| {
        let quarter = || rows::<Row>().count().laplace::<Eps<1, 4>>();
        let parts = (count(), quarter(), quarter());
        audit(n, Mechanism::together(parts), none, one)
    }),
    check(&["mechanism/compose.rs::for_groups"], 0.95, |n| {
        audit(n, count().for_groups::<2>(), none, two)
    }),
    check(&["mechanism/compose/per_block.rs::each"], 0.4, |n| {
        let each = rows::<Row>().group_by(|r| r.ward).each(|_| count());
        audit(n, each, none, one)
    }),
    check(&["mechanism/compose/per_block.rs::each"], 0.6, |n| {
        let each = rows::<Fixed>().group_by(|r| r.ward).each(|_| count());
        // Pairs of answers are many outcomes, which need more draws to show as much.
        audit(4 * n, each, one, other)
    }),
    // A record replaced within its block is two steps in one block: 4ρ, which 2ρ = 1/4 would not cover.
    check(&["mechanism/compose/per_block.rs::each"], 0.3, |n| {
        let each = rows::<Fixed>().group_by(|r| r.ward).each(|_| {
            let sum = rows::<Row>().sum(|r| r.number.clamp::<-1, 1>());
            sum.gaussian::<Rho<1, 8>>()
        });
        let low = || vec![row(-4, Ward::Surgery)];
        audit(n, each, one, low)
    }),
    // One row, drawn or not: the law is reached by large answers.
    check(&["mechanism/compose/sample.rs::once"], 1.0, |n| {
        let sample = rows::<Row>().sampled::<1, 2>();
        let count = sample.once(|sample| sample.count().laplace::<Eps<2, 1>>());
        audit(n, count, none, one)
    }),
    // Two answers of one sample: 2 · ln(1 + (e − 1)/2) = 1.24 would be refuted.
    check(&["mechanism/compose/sample.rs::once"], 1.25, |n| {
        let both = rows::<Row>().sampled::<1, 2>().once(|sample| {
            let count = sample.count().laplace::<Eps<1, 1>>();
            count.clone().and(count)
        });
        audit(n, both, none, one)
    }),
    check(&["mechanism/compose/per_block.rs::in_turn"], 0.4, |n| {
        let in_turn = rows::<Row>()
            .group_by(|r| r.ward)
            .in_turn(Vec::new(), |answers: Vec<i64>, _| {
                count().map(move |n| [answers.as_slice(), &[n]].concat())
            });
        audit(n, in_turn, none, one)
    }),
    check(&["mechanism/largest.rs::largest"], 0.1, |n| {
        let above = |k| rows::<Row>().filter(|r| r.number.gt(k)).count();
        let largest: Mechanism<_, usize, Half> = Mechanism::largest([above(2), above(100)]);
        audit(n, largest, none, one)
    }),
    check(&["query/rows.rs::vector_sums"], 0.3, |n| {
        let sums = rows::<Row>().vector_sums(
            |r| r.number.clamp::<0, 1>(),
            |r| r.point.grid::<1>().clip_l1::<4>(),
        );
        let whole = |sums: Vec<[f64; 2]>| -> Vec<i64> {
            sums.into_iter().flatten().map(|x| x as i64).collect()
        };
        audit(n, sums.laplace::<Half>().map(whole), none, one)
    }),
    check(&["algorithms/kmeans.rs::of"], 0.15, |n| {
        let start = [[0.0, 0.0], [1.0, 0.0]];
        let clusters: Mechanism<_, _, Half> = privet::algorithms::kmeans::<2, 1>()
            .from(start)
            .of(rows::<Row>(), |r| r.point);
        let sizes = clusters.map(|c| c.sizes().map(|size| size as i64).to_vec());
        audit(n, sizes, none, one)
    }),
    check(
        &[
            "mechanism/pair.rs::on_first",
            "mechanism/pair.rs::on_second",
        ],
        0.75,
        |n| {
            let both: Mechanism<Pair<Table<Row>, Table<Row>>, _, _> =
                count().on_first().and(count().on_second());
            audit(n, both, || (none(), none()), || (one(), one()))
        },
    ),
    check(&["mechanism/pair.rs::beside"], 0.4, |n| {
        let both: Mechanism<Pair<Table<Row>, Table<Row>, Disjoint>, _, Half> =
            count().beside(count());
        audit(n, both, || (none(), one()), || (one(), one()))
    }),
    // The number of rows is public here, so that the one noisy sum can be seen in full.
    check(&["mechanism/statistic.rs::laplace"], 0.4, |n| {
        let mean = rows::<Fixed>()
            .estimate(0.95)
            .mean(|r| r.number.clamp::<0, 4>());
        let value = |e: privet::query::Estimate| (4.0 * e.value) as i64;
        audit(n, mean.laplace::<Half>().map(value), one, other)
    }),
    check(&["mechanism/statistic.rs::laplace"], 0.15, |n| {
        let variance = rows::<Row>()
            .estimate(0.95)
            .variance(|r| r.number.clamp::<0, 4>());
        let ends = |e: privet::query::Estimate| vec![(4.0 * e.value) as i64, (4.0 * e.high) as i64];
        let left = || [other(), other(), other(), one()].concat();
        let right = || [other(), other(), other()].concat();
        audit(n, variance.laplace::<Eps<2, 1>>().map(ends), left, right)
    }),
    check(&["mechanism/statistic.rs::gaussian"], 0.05, |n| {
        let mean = rows::<Fixed>()
            .estimate(0.95)
            .mean(|r| r.number.clamp::<0, 4>());
        let value = |e: privet::query::Estimate| (4.0 * e.value) as i64;
        audit(n, mean.gaussian::<Rho<1, 8>>().map(value), one, other)
    }),
    check(&["mechanism/statistic.rs::laplace_at"], 0.6, |draws| {
        let price = "3/4".parse().map_err(|_| Error::Settings("no price"))?;
        let mean = rows::<Fixed>()
            .estimate(0.95)
            .mean(|r| r.number.clamp::<0, 4>());
        let value = |e: privet::query::Estimate| (4.0 * e.value) as i64;
        let audit = Audit::new(Claim::of(&price)).draws(draws);
        audit.mechanism(&mean.laplace_at(price)?.map(value), one, other)
    }),
    check(&["report/accuracy.rs::with_interval"], 0.45, |n| {
        let answer = count().with_interval(0.95).map(|answer| answer.value);
        audit(n, answer, none, one)
    }),
];

/// The draws of a line: all, unless other lines cover the same functions. So each function has
/// `draws` in total, on each input.
fn share(check: &Check, draws: u64) -> u64 {
    let lines = |name: &&str| {
        let covering = CHECKS.iter().filter(|check| check.covers.contains(name));
        covering.count().max(1) as u64
    };
    let fewest = check.covers.iter().map(lines).min().unwrap_or(1);
    let dear = check.covers.iter().any(|name| DEAR.contains(name));
    draws / fewest / if dear { 10 } else { 1 }
}

#[test]
fn no_mechanism_of_privet_is_refuted() {
    let draws = draws_or(USUAL);
    let mut surprises = Vec::new();
    for check in CHECKS {
        let (start, name) = (Instant::now(), check.covers.join(", "));
        match (check.run)(share(check, draws)) {
            Ok(report) => {
                println!(
                    "{name:<56} {:5.1} s  {report}",
                    start.elapsed().as_secs_f64()
                );
                if report.is_refuted() {
                    surprises.push(format!("{name}: {report}"));
                } else if report.spent() < check.at_least {
                    surprises.push(format!("{name}: the audit sees too little: {report}"));
                }
            }
            Err(error) => surprises.push(format!("{name}: {error}")),
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

/// Audits draw by `run_many`: what they see is what single runs would show.
#[test]
fn many_runs_are_single_runs() -> Result<(), Error> {
    fn same<Out: PartialEq + std::fmt::Debug + 'static, C>(
        mechanism: Mechanism<Table<Row>, Out, C>,
    ) -> Result<(), Error> {
        let on = || Simulation::<Table<Row>>::of_public(two(), 3);
        let (mut single, mut many) = (on()?, on()?);
        let mut seen = Vec::new();
        many.run_many(&mechanism, 100, |out| seen.push(out))?;
        // The stream goes on where it stopped.
        seen.push(many.run(&mechanism)?);
        for out in seen {
            assert_eq!(single.run(&mechanism)?, out);
        }
        Ok(())
    }
    same(count())?;
    same(count().and(count()).map(|(a, b)| a - b))?;
    same(rows::<Row>().histogram(|r| r.ward).laplace::<Half>())?;
    same(rows::<Row>().frequent_keys::<Approx<Half, Delta<1, 2>>, _>(|r| r.city))?;
    same(count().then(|&n| Mechanism::either(n > 1, count(), count())))?;
    same(count().repeat::<3>())?;
    same(rows::<Row>().group_by(|r| r.ward).each(|_| count()))
}

#[test]
fn every_public_mechanism_has_a_check() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src");
    let mut public = BTreeSet::new();
    for file in files(&source) {
        let name = file
            .strip_prefix(&source)
            .unwrap_or(&file)
            .to_string_lossy()
            .replace('\\', "/");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        public.extend(
            functions(&text)
                .into_iter()
                .map(|function| format!("{name}::{function}")),
        );
    }
    assert!(
        public.contains("mechanism/laplace.rs::laplace"),
        "the scan is blind: {public:?}"
    );
    let checked: BTreeSet<String> = CHECKS
        .iter()
        .flat_map(|check| check.covers)
        .map(|name| (*name).into())
        .collect();
    let missing: Vec<_> = public.difference(&checked).collect();
    assert!(
        missing.is_empty(),
        "public mechanisms without a check: {missing:?}; add a line for each to `CHECKS` in {}",
        file!()
    );
    let stale: Vec<_> = checked.difference(&public).collect();
    assert!(
        stale.is_empty(),
        "checks of mechanisms that are no more: {stale:?}"
    );
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The public functions of a source text that return a mechanism or a query.
fn functions(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut found = Vec::new();
    for (place, _) in code.match_indices("pub fn ") {
        let rest = &code[place + 7..];
        // A declaration ends with a semicolon, an array's does not.
        let end = rest.find(['{']).unwrap_or(rest.len());
        let end = rest.find(";\n").map_or(end, |place| end.min(place));
        let signature = &rest[..end];
        let name: String = signature
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let returned = signature
            .rsplit("->")
            .next()
            .filter(|_| signature.contains("->"));
        let returned = returned
            .and_then(|text| text.split("where").next())
            .unwrap_or("");
        // `Self` in an implementation of a mechanism is a mechanism.
        let of = code[..place]
            .rfind("\nimpl")
            .map_or("", |start| &code[start..place]);
        let of = of.split('{').next().unwrap_or("");
        let itself = returned.trim() == "Self" && of.contains(" Mechanism<");
        if itself || returned.contains("Mechanism<") || returned.contains("Query<") {
            found.push(name);
        }
    }
    found
}

#[test]
fn the_scan_finds_what_it_should() {
    let text = "
impl<In, C> Mechanism<In, i64, C> {
    /// pub fn commented() -> Mechanism<A, B, C> {}
    pub fn again(self) -> Self {}
    pub fn price(&self) -> Price {}
}
impl Rows {
    pub fn new() -> Self {}
    pub fn noisy<C>(self, f: impl Fn(u8) -> u8) -> Result<Mechanism<In, Out, C>>
    where
        C: Cost,
    {}
    pub fn ask(self) -> Query<In, Q> {}
    pub fn several<const N: usize>(self) -> Mechanism<In, [i64; N], C> {}
    pub(crate) fn hidden() -> Mechanism<A, B, C> {}
}
#[cfg(test)]
mod tests {
    pub fn test_only() -> Mechanism<A, B, C> {}
}";
    assert_eq!(functions(text), ["again", "noisy", "ask", "several"]);
}
