//! Which kind of result a mechanism returns depends on the mechanism, never on the data.
//!
//! An error is released without noise. If it came for one table and not for its neighbour, anyone
//! who sees it would know which of the two it was. So every mechanism of the crate runs on tables that
//! are as different as possible, with and without constant time, and must return the same kind of
//! result for all of them.
//! The last test reads the source and fails if a public mechanism or query is not among them.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use privet::load::Source;
use privet::local::{One, person};
use privet::prelude::*;
use privet::query::PerPerson;
use privet::{Disjoint, Domain, Error, Pair, Simulation};

#[derive(Record, Clone)]
struct Row {
    #[privet(person)]
    person: i64,
    number: i64,
    real: f64,
    ward: Ward,
    city: String,
    nurse: Option<String>,
    point: [f64; 2],
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

type Fixed = Table<Row, Replace>;
type Half = Eps<1, 2>;
type Deal = Approx<Half, Delta<1, 3>>;

fn row(number: i64, real: f64, ward: Ward, text: &str) -> Row {
    Row {
        person: number,
        number,
        real,
        ward,
        city: text.into(),
        nurse: (!text.is_empty()).then(|| text.into()),
        point: [real, -real],
    }
}

/// Rows at every edge that a value has.
fn edges() -> Vec<Row> {
    vec![
        row(0, 0.0, Ward::Surgery, ""),
        row(i64::MIN, f64::NEG_INFINITY, Ward::Maternity, "Ulm"),
        row(i64::MAX, f64::INFINITY, Ward::Oncology, "Bonn"),
        row(
            1,
            f64::NAN,
            Ward::Surgery,
            "a text that is longer than the others",
        ),
        row(-1, f64::MIN_POSITIVE, Ward::Oncology, "Ulm"),
    ]
}

/// Tables, with all their neighbours: none, one row, the edges, and more than a chunk of rows.
fn tables() -> Vec<Vec<Row>> {
    let edges = edges();
    let mut tables = vec![Vec::new(), edges.clone()];
    for (place, edge) in edges.iter().enumerate() {
        tables.push(vec![edge.clone()]);
        // Without one row, with one more, and with one replaced by the next.
        let (mut fewer, mut more, mut other) = (edges.clone(), edges.clone(), edges.clone());
        fewer.remove(place);
        more.push(edge.clone());
        other[place] = edges[(place + 1) % edges.len()].clone();
        tables.extend([fewer, more, other]);
        // One value all over, from a chunk's end to past it.
        tables.push(vec![edge.clone(); 1024]);
        tables.push(vec![edge.clone(); 1025]);
    }
    tables.push((0..1500).map(|i| edges[i % edges.len()].clone()).collect());
    tables
}

fn kind<Out>(run: impl FnOnce() -> privet::Result<Out>) -> String {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(_)) => "an answer".into(),
        Ok(Err(Error::VariableTime)) => "VariableTime".into(),
        Ok(Err(Error::Scale)) => "Scale".into(),
        // The whole sentence: what it says must not depend on the rows either.
        Ok(Err(error)) => error.to_string(),
        Err(_) => "a panic".into(),
    }
}

/// What kinds of results came, free and in constant time. More than one of either is a leak.
#[derive(Debug, Default, PartialEq)]
struct Kinds {
    free: BTreeSet<String>,
    constant: BTreeSet<String>,
}

fn kinds<In: Domain, Out: 'static, C, S: Source<In> + Clone>(
    mechanism: &Mechanism<In, Out, C>,
    inputs: Vec<S>,
) -> Kinds {
    let mut kinds = Kinds::default();
    for (seed, input) in inputs.into_iter().enumerate() {
        let on = || Simulation::of_public(input.clone(), seed as u64).expect("rows load");
        let (mut free, mut constant) = (on(), on().in_constant_time());
        for _ in 0..3 {
            kinds.free.insert(kind(|| free.run(mechanism)));
            kinds.constant.insert(kind(|| constant.run(mechanism)));
        }
    }
    kinds
}

fn on_tables<In: Domain, Out: 'static, C>(mechanism: Mechanism<In, Out, C>) -> Kinds
where
    Vec<Row>: Source<In>,
{
    kinds(&mechanism, tables())
}

fn count() -> Mechanism<Table<Row>, i64, Half> {
    rows::<Row>().count().laplace()
}

/// A stream of one person's values.
#[derive(Clone)]
struct Held<T>(T);
impl<T: Clone + privet::local::Held> Held<T> {
    fn one(&self) -> One<T> {
        One::new(self.0.clone())
    }
}

fn on_persons<T: Clone + privet::local::Held, Out: 'static, C>(
    mechanism: Mechanism<privet::local::Person<T>, Out, C>,
    values: Vec<T>,
) -> Kinds {
    let mut kinds = Kinds::default();
    for value in values.into_iter().map(Held) {
        let on = || Simulation::of_public(value.one(), 7).expect("a value loads");
        let (mut free, mut constant) = (on(), on().in_constant_time());
        for _ in 0..3 {
            kinds.free.insert(kind(|| free.run(&mechanism)));
            kinds.constant.insert(kind(|| constant.run(&mechanism)));
        }
    }
    kinds
}

fn pairs() -> Vec<(Vec<Row>, Vec<Row>)> {
    let tables = tables();
    let turned = tables.iter().cycle().skip(1).cloned();
    tables.iter().cloned().zip(turned).collect()
}

/// What a mechanism does in constant time, on every table.
#[derive(Clone, Copy)]
enum InConstantTime {
    Answers,
    Refuses,
}
use InConstantTime::{Answers, Refuses};

/// Functions as `file stem::name`, what they do in constant time, and a run of them.
type Case = (&'static [&'static str], InConstantTime, fn() -> Kinds);

const CASES: &[Case] = &[
    (&["rows::count", "laplace::laplace"], Answers, || {
        on_tables(count())
    }),
    (&["rows::count", "laplace::laplace"], Answers, || {
        on_tables(rows::<Fixed>().count().laplace::<Half>())
    }),
    (&["rows::count"], Answers, || {
        let visits = rows::<Table<Row, PerPerson>>().bound_contributions::<2>(|r| r.person);
        on_tables(visits.count().laplace::<Half>())
    }),
    (&["rows::count"], Answers, || {
        let visits = rows::<Table<Row, PerPerson>>()
            .filter(|r| r.number.gt(0))
            .bound_contributions::<2>(|r| r.person);
        on_tables(visits.count().laplace::<Half>())
    }),
    (&["per_block::each"], Answers, || {
        let visits = rows::<Table<Row, PerPerson>>()
            .group_by(|r| r.ward)
            .bound_contributions::<2, 2>(|r| r.person);
        on_tables(visits.each(|_| count()))
    }),
    (&["frequent_keys::frequent_keys"], Refuses, || {
        let visits = rows::<Table<Row, PerPerson>>().bound_contributions::<2>(|r| r.person);
        on_tables(visits.frequent_keys::<Approx<Half, Delta<1, 2>>, _>(|r| r.city))
    }),
    (&["top::top"], Refuses, || {
        on_tables(rows::<Row>().histogram(|r| r.ward).top::<2, Half>())
    }),
    (&["quantile::quantiles"], Refuses, || {
        on_tables(
            rows::<Row>()
                .histogram(|r| r.number.clamp::<0, 9>())
                .quantiles::<2, 3, Half>([0, 1, 7]),
        )
    }),
    (&["laplace::laplace_at"], Answers, || {
        let price = "3/4".parse().expect("a price");
        on_tables(rows::<Row>().count().laplace_at(price).expect("in range"))
    }),
    (&["quoted::gaussian_at"], Answers, || {
        let price = "rho = 3/4".parse().expect("a price");
        on_tables(rows::<Row>().count().gaussian_at(price).expect("in range"))
    }),
    (
        &["quoted::median_at", "quoted::quantile_at"],
        Refuses,
        || {
            let price = "3/4".parse().expect("a price");
            let numbers = rows::<Row>().histogram(|r| r.number.clamp::<0, 9>());
            on_tables(numbers.median_at(price).expect("in range"))
        },
    ),
    (&["quoted::laplace_at"], Answers, || {
        let price = "3/4".parse().expect("a price");
        let mean = rows::<Row>().mean(|r| r.number.clamp::<0, 9>());
        on_tables(mean.laplace_at(price).expect("in range"))
    }),
    (&["quoted::quoted", "quoted::each_at"], Answers, || {
        let each = rows::<Row>().group_by(|r| r.ward);
        let each = each.each_at(|_| count().quoted());
        on_tables(each.and(count().quoted()))
    }),
    (&["quoted::quoted"], Answers, || {
        let half = "1/2".parse().expect("a price");
        let at = move || rows::<Row>().count().laplace_at(half).expect("in range");
        on_tables(at().then_up_to(half, move |_| at()))
    }),
    (&["rows::sum_between"], Answers, || {
        let sum = rows::<Row>().sum_between(-0.5, 3.0, |r| r.number);
        on_tables(sum.expect("bounds").laplace::<Half>())
    }),
    (&["rows::sum"], Answers, || {
        on_tables(
            rows::<Row>()
                .sum(|r| r.number.clamp::<-3, 4>())
                .laplace::<Half>(),
        )
    }),
    (&["rows::sum"], Answers, || {
        on_tables(
            rows::<Fixed>()
                .sum(|r| r.number.clamp::<-2251799813685248, 2251799813685248>())
                .laplace::<Half>(),
        )
    }),
    (&["column::sum"], Answers, || {
        on_tables(
            rows::<Fixed>()
                .select(|r| r.real.grid::<4>().clamp::<0, 1>())
                .sum()
                .laplace::<Half>(),
        )
    }),
    // There is nothing to hide and no noise: the answer is the same on all neighbours.
    (&["rows::sum"], Answers, || {
        on_tables(
            rows::<Row>()
                .sum(|r| r.number.clamp::<0, 0>())
                .laplace::<Half>(),
        )
    }),
    (&["rows::vector_sum"], Answers, || {
        on_tables(
            rows::<Row>()
                .vector_sum(|r| r.point.clip_l1::<4>())
                .laplace::<Half>(),
        )
    }),
    (&["column::vector_sum"], Answers, || {
        on_tables(
            rows::<Fixed>()
                .select(|r| r.point.clip_l1::<4>())
                .vector_sum()
                .laplace::<Half>(),
        )
    }),
    (&["rows::vector_sums"], Answers, || {
        on_tables(
            rows::<Row>()
                .vector_sums(|r| r.ward, |r| r.point.clip_l1::<4>())
                .laplace::<Half>(),
        )
    }),
    (&["rows::histogram"], Answers, || {
        on_tables(rows::<Row>().histogram(|r| r.ward).laplace::<Half>())
    }),
    // More cells than are counted on the stack, and than there are rows.
    (&["column::histogram"], Answers, || {
        on_tables(
            rows::<Fixed>()
                .select(|r| r.number.clamp::<-300, 300>())
                .histogram()
                .laplace::<Half>(),
        )
    }),
    (&["rows::cumulative"], Answers, || {
        on_tables(rows::<Row>().cumulative(|r| r.ward).laplace::<Half>())
    }),
    (&["column::cumulative"], Answers, || {
        on_tables(
            rows::<Fixed>()
                .select(|r| r.ward)
                .cumulative()
                .laplace::<Half>(),
        )
    }),
    (&["rows::distinct"], Answers, || {
        on_tables(rows::<Row>().distinct(|r| r.ward).laplace::<Half>())
    }),
    (&["column::distinct"], Answers, || {
        on_tables(
            rows::<Fixed>()
                .select(|r| r.ward)
                .distinct()
                .laplace::<Half>(),
        )
    }),
    (&["rows::mean"], Answers, || {
        on_tables(
            rows::<Fixed>()
                .mean(|r| r.number.clamp::<0, 4>())
                .laplace::<Half>(),
        )
    }),
    (&["rows::variance"], Answers, || {
        on_tables(
            rows::<Fixed>()
                .variance(|r| r.number.clamp::<0, 4>())
                .laplace::<Half>(),
        )
    }),
    (&["gaussian::gaussian"], Answers, || {
        on_tables(rows::<Row>().count().gaussian::<Rho<1, 8>>())
    }),
    (&["gaussian::gaussian"], Answers, || {
        on_tables(
            rows::<Fixed>()
                .vector_sum(|r| r.point.clip_l2::<4>())
                .gaussian::<Rho<1, 8>>(),
        )
    }),
    (&["gaussian_approx::gaussian_approx"], Answers, || {
        on_tables(
            rows::<Row>()
                .histogram(|r| r.ward)
                .gaussian_approx::<Deal>(),
        )
    }),
    (&["coin_flips::coin_flips"], Refuses, || {
        on_tables(rows::<Row>().count().coin_flips())
    }),
    (&["choose::choose"], Refuses, || {
        on_tables(rows::<Row>().histogram(|r| r.ward).choose::<Half>())
    }),
    (&["choose::choose"], Refuses, || {
        on_tables(rows::<Fixed>().histogram(|r| r.ward).choose::<Half>())
    }),
    (&["noisy_max::noisy_max"], Refuses, || {
        on_tables(rows::<Row>().histogram(|r| r.ward).noisy_max::<Half>())
    }),
    (&["noisy_max::noisy_max"], Refuses, || {
        on_tables(rows::<Fixed>().histogram(|r| r.ward).noisy_max::<Half>())
    }),
    (&["quantile::median"], Refuses, || {
        on_tables(
            rows::<Row>()
                .histogram(|r| r.number.clamp::<0, 4>())
                .median::<Half>(),
        )
    }),
    (&["quantile::quantile"], Refuses, || {
        let numbers = rows::<Fixed>().histogram(|r| r.number.clamp::<0, 4>());
        on_tables(numbers.quantile::<1, 4, Half>())
    }),
    (&["above::first_above"], Refuses, || {
        let above = |k| rows::<Row>().filter(move |r| r.number.gt(k)).count();
        on_tables(Mechanism::<_, _, Half>::first_above(
            2,
            [above(0), above(5)],
        ))
    }),
    (&["above::first_few_above"], Refuses, || {
        let above = |k| rows::<Fixed>().filter(move |r| r.number.gt(k)).count();
        on_tables(Mechanism::<_, _, Half>::first_few_above::<2, _>(
            2,
            [above(0), above(5)],
        ))
    }),
    (&["largest::largest"], Refuses, || {
        let above = |k| rows::<Row>().filter(move |r| r.number.gt(k)).count();
        on_tables::<_, _, Half>(Mechanism::largest([above(2), above(100)]))
    }),
    (&["frequent_keys::frequent_keys"], Refuses, || {
        on_tables(rows::<Row>().frequent_keys::<Deal, _>(|r| r.city))
    }),
    // No text at all in the empty table and in some with rows.
    (&["frequent_keys::frequent_keys"], Refuses, || {
        on_tables(rows::<Row>().frequent_keys::<Deal, _>(|r| r.nurse))
    }),
    (&["respond::respond"], Refuses, || {
        let wards = vec![Ward::Surgery, Ward::Maternity, Ward::Oncology];
        on_persons(person::<Ward>().respond::<Half>(), wards)
    }),
    (&["respond::respond"], Refuses, || {
        on_persons(person::<bool>().respond::<Half>(), vec![false, true])
    }),
    (&["respond::respond_by_gamma"], Refuses, || {
        let respond = person::<bool>().respond_by_gamma::<1, 4, Eps<11, 10>>();
        on_persons(respond, vec![false, true])
    }),
    (&["sketch::sketch"], Refuses, || {
        let words = ["", "a", "a text that is longer than a word"].map(String::from);
        on_persons(person::<String>().sketch::<2, 4, Half>(), words.to_vec())
    }),
    (&["compose::constant"], Answers, || {
        on_tables(Mechanism::<Table<Row>, i64, Eps<0, 1>>::constant(7))
    }),
    (
        &["compose::map", "mechanism::named", "compose::at_most"],
        Answers,
        || on_tables::<_, _, Eps<1, 1>>(count().map(|n| n / 2).named("half").at_most()),
    ),
    (&["compose::and"], Answers, || {
        on_tables(count().and(count()))
    }),
    (&["compose::and"], Refuses, || {
        on_tables(count().and(rows::<Row>().count().coin_flips()))
    }),
    (&["compose::then"], Answers, || {
        on_tables(count().then(|_| count()))
    }),
    (&["compose::repeat"], Answers, || {
        on_tables(count().repeat::<2>())
    }),
    (&["compose::iterate"], Answers, || {
        on_tables(Mechanism::iterate::<2>(0_i64, |sum, _| {
            count().map(move |n| n.wrapping_add(sum))
        }))
    }),
    (&["compose::either"], Answers, || {
        let dear = rows::<Row>().count().laplace::<Eps<1, 1>>();
        on_tables(Mechanism::either(true, count(), dear))
    }),
    (&["compose::all"], Answers, || {
        on_tables(Mechanism::all([count(), count()]))
    }),
    (&["bundle::at_most_of"], Answers, || {
        let some = Mechanism::<_, _, Half>::at_most_of::<3>(vec![count(), count()]);
        on_tables(some.expect("two are at most three"))
    }),
    (&["bundle::together"], Answers, || {
        let dear = rows::<Row>().count().laplace::<Eps<1, 1>>();
        on_tables(Mechanism::together((count(), dear, count())))
    }),
    (&["compose::for_groups"], Answers, || {
        on_tables(count().for_groups::<2>())
    }),
    (&["per_block::each"], Answers, || {
        on_tables(rows::<Row>().group_by(|r| r.ward).each(|_| count()))
    }),
    (&["per_block::each"], Refuses, || {
        let keys = || rows::<Row>().frequent_keys::<Deal, _>(|r| r.nurse);
        on_tables(rows::<Row>().group_by(|r| r.ward).each(|_| keys()))
    }),
    (&["per_block::in_turn"], Answers, || {
        let blocks = rows::<Fixed>().group_by(|r| r.ward);
        on_tables(blocks.in_turn(0_i64, |sum, _| count().map(move |n| n.wrapping_add(sum))))
    }),
    (&["sample::once"], Refuses, || {
        let sample = rows::<Row>().filter(|r| r.number.gt(0)).sampled::<1, 3>();
        on_tables(sample.once(|sample| {
            let count = sample.clone().count().laplace::<Half>();
            let sums = sample.sum(|r| r.real.grid::<4>().clamp::<0, 9>());
            count.and(sums.laplace::<Half>())
        }))
    }),
    (&["kmeans::of"], Answers, || {
        let clusters = privet::algorithms::kmeans::<2, 2>().of(rows::<Row>(), |r| r.point);
        on_tables::<_, _, Eps<1, 1>>(clusters)
    }),
    (&["pair::on_first", "pair::on_second"], Answers, || {
        let both: Mechanism<Pair<Table<Row>, Table<Row>>, _, _> =
            count().on_first().and(count().on_second());
        kinds(&both, pairs())
    }),
    (&["pair::beside"], Refuses, || {
        let keys = || rows::<Row>().frequent_keys::<Deal, _>(|r| r.nurse);
        let both: Mechanism<Pair<Table<Row>, Table<Row>, Disjoint>, _, _> = keys().beside(keys());
        kinds(&both, pairs())
    }),
    (&["statistic::laplace"], Answers, || {
        let all = || rows::<Row>().estimate(0.95);
        let mean = all().mean(|r| r.real.clamp::<0, 9>()).laplace::<Half>();
        let both = all().correlation(|r| r.real.clamp::<0, 9>(), |r| r.number.clamp::<-5, 9>());
        on_tables(mean.and(both.laplace::<Half>()))
    }),
    (&["statistic::laplace"], Answers, || {
        let fit = rows::<Fixed>().estimate(0.95).linear_regression(
            |r| (r.real.clamp::<0, 9>(), r.number.clamp::<-5, 9>()),
            |r| r.number.clamp::<0, 3>(),
        );
        on_tables(fit.laplace::<Half>())
    }),
    (&["statistic::gaussian"], Answers, || {
        let all = || rows::<Row>().estimate(0.95);
        let variance = all().variance(|r| r.number.clamp::<0, 9>());
        let part = all().proportion(|r| r.number.gt(0));
        on_tables(
            variance
                .gaussian::<Rho<1, 8>>()
                .and(part.gaussian::<Rho<1, 8>>()),
        )
    }),
    (&["statistic::laplace_at"], Answers, || {
        let price = "1/2".parse().expect("a price");
        let mean = rows::<Row>()
            .estimate(0.95)
            .mean(|r| r.number.clamp::<0, 9>());
        on_tables(mean.laplace_at(price).expect("a price that can be made"))
    }),
    (&["accuracy::with_interval"], Answers, || {
        on_tables(count().with_interval(0.95))
    }),
];

#[test]
fn every_mechanism_answers_all_tables_in_one_way() {
    let mut surprises = Vec::new();
    for (names, constant, run) in CASES {
        let only = |kind: &str| BTreeSet::from([kind.to_owned()]);
        let expected = Kinds {
            free: only("an answer"),
            constant: only(match constant {
                Answers => "an answer",
                Refuses => "VariableTime",
            }),
        };
        let found = run();
        if found != expected {
            surprises.push(format!("{names:?}: {found:?}"));
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

/// The attack: one row with a text, or none, told apart at almost no price.
#[test]
fn a_vault_in_constant_time_refuses_frequent_keys_whatever_the_texts() {
    type Tiny = Approx<Eps<1, 1_000_000_000>, Delta<1, 30>>;
    let refused = |table: Vec<Row>| {
        let vault: Vault<Table<Row>, Tiny> = Vault::open(table);
        let keys = rows::<Row>().frequent_keys::<Tiny, _>(|r| r.nurse);
        matches!(
            vault.in_constant_time().release(keys),
            Err(Error::VariableTime)
        )
    };
    for table in tables() {
        assert!(refused(table));
    }
}

#[test]
fn a_case_that_differs_is_seen() {
    let by_data = |table: &[Row]| {
        kind(|| match table.is_empty() {
            true => Ok(()),
            false => Err(Error::Scale),
        })
    };
    let seen: BTreeMap<_, usize> = tables().iter().fold(BTreeMap::new(), |mut seen, table| {
        *seen.entry(by_data(table)).or_default() += 1;
        seen
    });
    assert_eq!(seen.keys().collect::<Vec<_>>(), ["Scale", "an answer"]);
    assert_eq!(
        kind(|| -> privet::Result<()> { panic!("as meant") }),
        "a panic"
    );
}

#[test]
fn every_public_mechanism_has_a_case() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut public = BTreeSet::new();
    for file in files(&source) {
        let stem = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&file).expect("source is readable");
        let file = syn::parse_file(&text).expect("source is Rust");
        let mut found = Constructors::default();
        syn::visit::visit_file(&mut found, &file);
        public.extend(
            found
                .names
                .into_iter()
                .map(|name| format!("{stem}::{name}")),
        );
    }
    assert!(
        public.contains("laplace::laplace"),
        "the scan is blind: {public:?}"
    );
    let cased: BTreeSet<String> = CASES
        .iter()
        .flat_map(|case| case.0)
        .map(|n| (*n).into())
        .collect();
    let missing: Vec<_> = public.difference(&cased).collect();
    assert!(missing.is_empty(), "without a case in `CASES`: {missing:?}");
    let stale: Vec<_> = cased.difference(&public).collect();
    assert!(
        stale.is_empty(),
        "cases of mechanisms that are no more: {stale:?}"
    );
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Public functions that return a mechanism or a query.
#[derive(Default)]
struct Constructors {
    names: Vec<String>,
    in_mechanism: bool,
}

impl Constructors {
    fn see(&mut self, visibility: &syn::Visibility, signature: &syn::Signature) {
        let syn::ReturnType::Type(_, returned) = &signature.output else {
            return;
        };
        let mut named = Named::default();
        syn::visit::visit_type(&mut named, returned);
        let itself = self.in_mechanism && named.0.iter().any(|name| name == "Self");
        let made = named
            .0
            .iter()
            .any(|name| name == "Mechanism" || name == "Query");
        if matches!(visibility, syn::Visibility::Public(_)) && (made || itself) {
            self.names.push(signature.ident.to_string());
        }
    }
}

impl<'a> syn::visit::Visit<'a> for Constructors {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if module.ident != "tests" {
            syn::visit::visit_item_mod(self, module);
        }
    }
    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let mut named = Named::default();
        syn::visit::visit_type(&mut named, &item.self_ty);
        self.in_mechanism = named.0.first().is_some_and(|name| name == "Mechanism");
        syn::visit::visit_item_impl(self, item);
        self.in_mechanism = false;
    }
    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        self.see(&function.vis, &function.sig);
    }
    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.see(&function.vis, &function.sig);
    }
}

/// The last names of all paths in a type.
#[derive(Default)]
struct Named(Vec<String>);

impl<'a> syn::visit::Visit<'a> for Named {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.0
            .extend(path.segments.last().map(|s| s.ident.to_string()));
        syn::visit::visit_path(self, path);
    }
}
