//! Which rows of a person are kept: a fair choice that depends on that person's rows only.

use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::{Choices, Loaded};

#[derive(Record, Clone, Debug)]
struct Visit {
    #[privet(person)]
    person: String,
    /// Which visit of the person it is.
    number: i64,
    ward: Ward,
}

#[derive(Category, Clone, Debug)]
enum Ward {
    Surgery,
    Maternity,
}

#[derive(Record, Clone, Debug)]
struct Trip {
    #[privet(person)]
    person: i64,
    number: i64,
}

type Visits = Table<Visit, PerPerson>;
type Trips = Table<Trip, PerPerson>;

/// Visits of persons in a random order; `number` counts each person's own.
fn visits(persons: &[(&str, usize)], choices: &mut Choices) -> Vec<Visit> {
    let mut left: Vec<(&str, usize, i64)> =
        persons.iter().map(|(name, n)| (*name, *n, 0)).collect();
    let mut all = Vec::new();
    while left.iter().any(|(_, n, _)| *n > 0) {
        let (name, n, number) = {
            let at = choices.below(left.len());
            &mut left[at]
        };
        if *n > 0 {
            all.push(Visit {
                person: (*name).into(),
                number: *number,
                ward: if choices.below(2) == 0 {
                    Ward::Surgery
                } else {
                    Ward::Maternity
                },
            });
            (*n, *number) = (*n - 1, *number + 1);
        }
    }
    all
}

/// Which visits of a person are kept.
fn kept(table: &Loaded<Visit>, person: &str) -> Vec<i128> {
    let query = rows::<Visits>()
        .bound_contributions::<3>(|v| v.person)
        .filter(|v| v.person.eq_to(person))
        .histogram(|v| v.number.clamp::<0, 20>());
    table.exact(&query)
}

#[test]
fn other_persons_change_nothing() {
    let mut choices = Choices::new(1);
    for seed in 0..200 {
        let table = visits(&[("a", 8), ("b", 2), ("c", 5), ("d", 20)], &mut choices);
        let here = Loaded::new(table.clone()).ordered_by(seed);
        for gone in ["a", "b", "c", "d"] {
            let rest: Vec<Visit> = table.iter().filter(|v| v.person != gone).cloned().collect();
            let there = Loaded::new(rest).ordered_by(seed);
            for person in ["a", "b", "c", "d"] {
                if person != gone {
                    assert_eq!(kept(&here, person), kept(&there, person));
                }
            }
            assert_eq!(kept(&there, gone).iter().sum::<i128>(), 0);
        }
        let number: Vec<i128> = ["a", "b", "c", "d"]
            .map(|person| kept(&here, person).iter().sum())
            .to_vec();
        assert_eq!(number, [3, 2, 3, 3]);
    }
}

/// All rows of the first file before those of the second, or mixed: each person's own order is the same.
#[test]
fn the_place_in_the_table_changes_nothing() {
    let mut choices = Choices::new(2);
    let mixed = visits(&[("a", 8), ("b", 9)], &mut choices);
    let mut sorted = mixed.clone();
    sorted.sort_by(|a, b| b.person.cmp(&a.person)); // stable
    let (mixed, sorted) = (Loaded::new(mixed), Loaded::new(sorted));
    assert_eq!(kept(&mixed, "a"), kept(&sorted, "a"));
    assert_eq!(kept(&mixed, "b"), kept(&sorted, "b"));
}

/// Of 10 rows each is among the 3 kept with probability 3/10, over persons and over keys.
#[test]
fn every_row_is_equally_likely_to_be_kept() {
    let kept = || {
        rows::<Trips>()
            .bound_contributions::<3>(|t| t.person)
            .histogram(|t| t.number.clamp::<0, 9>())
    };
    let persons = 10_000;
    let trips = |persons: i64| -> Vec<Trip> {
        (0..10)
            .flat_map(|number| (0..persons).map(move |person| Trip { person, number }))
            .collect()
    };
    let near = |cells: Vec<i128>| {
        assert_eq!(cells.iter().sum::<i128>(), 30_000);
        for cell in cells {
            // Five standard deviations of a binomial.
            assert!((cell - 3000).abs() < 5 * 46, "{cell}");
        }
    };
    near(Loaded::new(trips(persons)).exact(&kept()));
    let mut cells = vec![0; 10];
    for seed in 0..10_000 {
        let some = Loaded::new(trips(1)).ordered_by(seed).exact(&kept());
        cells.iter_mut().zip(some).for_each(|(sum, n)| *sum += n);
    }
    near(cells);
}

/// Visits grow longer, so that the first three of ten had a mean of 1 where all have 4.5.
#[test]
fn a_mean_is_not_drawn_towards_the_first_rows() -> privet::Result<()> {
    let trips: Vec<Trip> = (0..10)
        .flat_map(|number| (0..20_000).map(move |person| Trip { person, number }))
        .collect();
    let vault: Vault<Trips, Eps<100, 1>> = Vault::open(trips);
    let parts = rows::<Trips>()
        .bound_contributions::<3>(|t| t.person)
        .mean(|t| t.number.clamp::<0, 9>());
    let sum = parts.sum.laplace::<Eps<50, 1>>();
    let ((sum, count), _) = vault.release(sum.and(parts.count.laplace::<Eps<50, 1>>()))?;
    let mean = sum as f64 / count as f64;
    assert!((mean - 4.5).abs() < 0.1, "{mean}");
    Ok(())
}

#[test]
fn a_larger_number_keeps_the_same_rows_and_more() {
    let mut choices = Choices::new(3);
    let table = Loaded::new(visits(&[("a", 15), ("b", 12)], &mut choices));
    let three = table.exact(
        &rows::<Visits>()
            .bound_contributions::<3>(|v| v.person)
            .histogram(|v| v.number.clamp::<0, 20>()),
    );
    let five = table.exact(
        &rows::<Visits>()
            .bound_contributions::<5>(|v| v.person)
            .histogram(|v| v.number.clamp::<0, 20>()),
    );
    assert_eq!((three.iter().sum(), five.iter().sum()), (6i128, 10i128));
    assert!(three.iter().zip(&five).all(|(three, five)| three <= five));
}

/// With so little noise that a release is exact.
fn sharp(vault: Vault<Trips, Eps<1000, 1>>) -> privet::Result<(Vec<i64>, Vec<i64>)> {
    let cells = || {
        rows::<Trips>()
            .bound_contributions::<3>(|t| t.person)
            .histogram(|t| t.number.clamp::<0, 9>())
            .laplace::<Eps<500, 1>>()
    };
    let (one, two) = vault.split::<Eps<500, 1>>();
    Ok((one.release(cells())?.0, two.release(cells())?.0))
}

#[test]
fn parts_of_a_vault_choose_alike_and_two_vaults_do_not() -> privet::Result<()> {
    let trips = || -> Vec<Trip> {
        (0..10)
            .flat_map(|number| (0..100).map(move |person| Trip { person, number }))
            .collect()
    };
    let (one, two) = sharp(Vault::open(trips()))?;
    assert_eq!(one, two);
    let (three, four) = sharp(Vault::load(trips())?)?;
    assert_eq!(three, four);
    assert_ne!(one, three); // equal with a probability below 10⁻⁶
    Ok(())
}

#[test]
fn a_simulation_repeats_its_choice() -> privet::Result<()> {
    let trips: Vec<Trip> = (0..10)
        .flat_map(|number| (0..100).map(move |person| Trip { person, number }))
        .collect();
    let cells = rows::<Trips>()
        .bound_contributions::<3>(|t| t.person)
        .histogram(|t| t.number.clamp::<0, 9>())
        .laplace::<Eps<500, 1>>();
    let run = |seed| privet::Simulation::of_public(trips.clone(), seed)?.run(&cells);
    assert_eq!(run(1)?, run(1)?);
    assert_ne!(run(1)?, run(2)?);
    Ok(())
}

/// Every person with all of their rows is removed in turn; nobody else's rows come or go.
fn only_one_person_moves(
    table: &[Visit],
    kept: impl Fn(&Loaded<Visit>, &str) -> Vec<i128>,
    most: i128,
) {
    let persons = ["a", "b", "c", "d"];
    for seed in 0..50 {
        let here = Loaded::new(table.to_vec()).ordered_by(seed);
        for gone in persons {
            let rest: Vec<Visit> = table.iter().filter(|v| v.person != gone).cloned().collect();
            let there = Loaded::new(rest).ordered_by(seed);
            for person in persons.into_iter().filter(|person| *person != gone) {
                assert_eq!(kept(&here, person), kept(&there, person));
            }
            assert!(kept(&here, gone).iter().sum::<i128>() <= most);
            assert_eq!(kept(&there, gone).iter().sum::<i128>(), 0);
        }
    }
}

#[test]
fn a_filter_before_the_bound_keeps_rows_that_match() {
    let early = || {
        rows::<Visits>()
            .filter(|v| v.number.lt(6))
            .filter(|v| v.number.ge(2))
            .bound_contributions::<3>(|v| v.person)
    };
    let mut choices = Choices::new(4);
    let table = visits(&[("a", 12), ("b", 4), ("c", 1), ("d", 20)], &mut choices);
    let loaded = Loaded::new(table.clone()).ordered_by(5);
    // a and d have four rows from 2 to 5, of which three are kept; b has two, c has none.
    assert_eq!(loaded.exact(&early().count()), [3 + 2 + 3]);
    let cells = loaded.exact(&early().histogram(|v| v.number.clamp::<0, 20>()));
    assert_eq!(cells[..2].iter().chain(&cells[6..]).sum::<i128>(), 0);
    // After the bound, as before: those among the three that match.
    let late = rows::<Visits>()
        .bound_contributions::<3>(|v| v.person)
        .filter(|v| v.number.lt(6) & v.number.ge(2))
        .count();
    assert!(loaded.exact(&late)[0] < 8);
    // In one pass with others, by the same rows.
    let asked = [
        privet::testing::Asked::new(&early().count()),
        privet::testing::Asked::new(&early().sum(|v| v.number.clamp::<0, 20>())),
        privet::testing::Asked::new(
            &rows::<Visits>()
                .bound_contributions::<2>(|v| v.person)
                .count(),
        ),
    ];
    let sum: i128 = (0..).zip(&cells).map(|(number, n)| number * n).sum();
    assert_eq!(loaded.pass(&asked, true), [vec![8], vec![sum], vec![7]]);
    only_one_person_moves(
        &table,
        |loaded, person| {
            loaded.exact(
                &early()
                    .filter(|v| v.person.eq_to(person))
                    .histogram(|v| v.number.clamp::<0, 20>()),
            )
        },
        3,
    );
}

/// The random order restricted to some rows is a random order of these.
#[test]
fn a_filter_before_the_bound_is_fair_too() {
    let trips: Vec<Trip> = (0..10)
        .flat_map(|number| (0..10_000).map(move |person| Trip { person, number }))
        .collect();
    let query = rows::<Trips>()
        .filter(|t| t.number.ge(6))
        .bound_contributions::<1>(|t| t.person)
        .histogram(|t| t.number.clamp::<0, 9>());
    let cells = Loaded::new(trips).exact(&query);
    assert_eq!(cells[..6], [0; 6]);
    for cell in &cells[6..] {
        assert!((cell - 2500).abs() < 5 * 43, "{cell}");
    }
}

#[test]
fn so_many_rows_in_each_of_so_many_blocks() {
    let blocks = || {
        rows::<Visits>()
            .filter(|v| v.number.ge(1))
            .group_by(|v| v.number.bins([5, 10, 15]))
            .bound_contributions::<2, 3>(|v| v.person)
    };
    let mut choices = Choices::new(6);
    let table = visits(&[("a", 20), ("b", 7), ("c", 2), ("d", 11)], &mut choices);
    let kept = |loaded: &Loaded<Visit>, person: &str| -> Vec<i128> {
        (0..4)
            .map(|block| {
                let mine = rows::<Visit>().filter(|v| v.person.eq_to(person)).count();
                loaded.block(&blocks(), block).exact(&mine)[0]
            })
            .collect()
    };
    for seed in 0..50 {
        let loaded = Loaded::new(table.clone()).ordered_by(seed);
        let of = |person| kept(&loaded, person);
        assert!(
            ["a", "b", "c", "d"]
                .iter()
                .all(|p| of(p).iter().all(|n| *n <= 2))
        );
        // a has four blocks with rows and keeps three; b has 1 to 4 and 5, 6; c has 1; d has three.
        assert_eq!(of("a").iter().filter(|n| **n > 0).count(), 3);
        assert_eq!(of("a").iter().sum::<i128>(), 6);
        assert_eq!(of("b"), [2, 2, 0, 0]);
        assert_eq!(of("c"), [1, 0, 0, 0]);
        assert_eq!(of("d"), [2, 2, 1, 0]);
    }
    only_one_person_moves(&table, kept, 6);
}

#[test]
fn blocks_of_persons_cost_what_a_person_can_move() -> privet::Result<()> {
    let count = |_: usize| rows::<Visit>().count().laplace::<Eps<1, 8>>();
    // Filtered after and before the bound: a group of two.
    let _: Mechanism<Visits, Vec<i64>, Eps<2, 8>> = rows::<Visits>()
        .bound_contributions::<2>(|v| v.person)
        .filter(|v| v.number.gt(0))
        .group_by(|v| v.ward)
        .each(count);
    let _: Mechanism<Visits, Vec<i64>, Eps<2, 8>> = rows::<Visits>()
        .filter(|v| v.number.gt(0))
        .bound_contributions::<2>(|v| v.person)
        .group_by(|v| v.ward)
        .each(count);
    let in_turn: Mechanism<Visits, i64, Eps<2, 8>> = rows::<Visits>()
        .bound_contributions::<2>(|v| v.person)
        .group_by(|v| v.ward)
        .in_turn(0, move |total, ward| count(ward).map(move |n| n + total));
    // Two rows in each of three blocks: 3·2ε, and 3·2²ρ.
    let each = || {
        rows::<Visits>()
            .group_by(|v| v.number.bins([5, 10, 15]))
            .bound_contributions::<2, 3>(|v| v.person)
    };
    let pure: Mechanism<Visits, Vec<i64>, Eps<6, 8>> = each().each(count);
    assert_eq!(pure.price().to_string(), "ε = 3/4");
    let zcdp: Mechanism<Visits, Vec<i64>, Rho<12, 100>> =
        each().each(|_| rows::<Visit>().count().gaussian::<Rho<1, 100>>());
    assert_eq!(zcdp.price().to_string(), "ρ = 3/25");

    let table = visits(
        &[("a", 20), ("b", 7), ("c", 2), ("d", 11)],
        &mut Choices::new(7),
    );
    let vault: Vault<Visits, Eps<1, 1>> = Vault::open(table);
    let (cells, vault) = vault.release(pure)?;
    let (total, vault) = vault.release(in_turn)?;
    assert_eq!(cells.len(), 4);
    assert!((total - 8).abs() < 400);
    assert_eq!(vault.remaining().to_string(), "ε = 0");
    Ok(())
}

#[test]
fn frequent_keys_of_persons_name_what_many_persons_have() -> privet::Result<()> {
    #[derive(Record, Clone)]
    struct Order {
        #[privet(person)]
        customer: u32,
        item: String,
    }
    type Orders = Table<Order, PerPerson>;
    type Price = Approx<Eps<1, 1>, Delta<1, 6>>;
    // Each of 2,000 customers orders tea three times; one customer orders gold 5,000 times.
    let order = |customer, item: &str| Order {
        customer,
        item: item.into(),
    };
    let mut orders: Vec<Order> = (0..6_000).map(|i| order(i % 2_000, "tea")).collect();
    orders.extend((0..5_000).map(|_| order(7, "gold")));
    let keys = || {
        rows::<Orders>()
            .bound_contributions::<2>(|o| o.customer)
            .frequent_keys::<Price, _>(|o| o.item)
    };
    let vault: Vault<Orders, Price> = Vault::open(orders.clone());
    let (items, vault) = vault.release(keys())?;
    assert_eq!(items.keys().collect::<Vec<_>>(), ["tea"]);
    assert!((items["tea"] - 4_000).abs() < 200, "{items:?}");
    assert!(vault.remaining().to_string().contains("ε = 0"));
    // The two rows of one person are named with probability δ at most.
    let mut simulation = privet::Simulation::of_public(vec![order(1, "tea"), order(1, "tea")], 3)?;
    let mut named = 0;
    simulation.run_many(&keys(), 20_000, |items| named += items.len())?;
    assert_eq!(named, 0);
    Ok(())
}

#[test]
fn top_and_quantiles_cost_one_price() -> privet::Result<()> {
    let trips: Vec<Trip> = (0..10)
        .flat_map(|number| {
            (0..100 * (number + 1)).map(move |person| Trip {
                person: 1_000 * number + person,
                number,
            })
        })
        .collect();
    let bounded = || rows::<Trips>().bound_contributions::<1>(|t| t.person);
    let top: Mechanism<Trips, [usize; 3], Eps<1, 1>> =
        bounded().histogram(|t| t.number.clamp::<0, 9>()).top();
    let quantiles: Mechanism<Trips, [i64; 3], Eps<1, 1>> = bounded()
        .histogram(|t| t.number.clamp::<0, 9>())
        .quantiles::<4, 3, _>([3, 1, 2]);
    let all: Mechanism<Trips, [usize; 10], Eps<1, 1000>> =
        bounded().histogram(|t| t.number.clamp::<0, 9>()).top();
    let vault: Vault<Trips, Eps<3, 1>> = Vault::open(trips);
    let (top, vault) = vault.release(top)?;
    assert_eq!(top, [9, 8, 7]);
    // Of 5,500 trips, 1,500 are below 5, 2,800 below 7 and 3,600 below 8.
    let (quantiles, vault) = vault.release(quantiles)?;
    assert_eq!(quantiles, [8, 4, 6]);
    let (mut all, _) = vault.release(all)?;
    all.sort_unstable();
    assert!(all.into_iter().eq(0..10));
    Ok(())
}
