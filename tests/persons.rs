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
