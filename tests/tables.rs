//! Blocks and pairs of tables, released through a vault.
#![forbid(unsafe_code)]

use privet::prelude::*;
use privet::{Disjoint, Pair};

#[derive(Record, Clone)]
struct Patient {
    bill: f64,
    ward: Ward,
}

#[derive(Category, Clone)]
#[allow(dead_code)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

#[derive(Record, Clone)]
struct Pupil {
    mark: i64,
}

fn patients() -> Vec<Patient> {
    let wards = [Ward::Surgery, Ward::Maternity, Ward::Surgery];
    (0..30_000)
        .map(|i| Patient {
            bill: 10.0,
            ward: wards[i % 3].clone(),
        })
        .collect()
}

fn close(noisy: f64, exact: f64) -> bool {
    (noisy - exact).abs() < 5_000.0
}

#[test]
fn a_mechanism_on_each_block_costs_one_block() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients());
    let bills: Mechanism<_, Vec<f64>, Eps<1, 1>> = rows::<Patient>()
        .group_by(|p| p.ward)
        .each(|_| rows::<Patient>().sum(|p| p.bill.clamp::<0, 20>()).laplace());
    assert!(bills.explain().to_string().contains("group_by(ward)"));
    let (bills, _) = vault.release(bills)?;
    assert_eq!(bills.len(), 3);
    assert!(close(bills[0], 200_000.0) && close(bills[1], 100_000.0) && close(bills[2], 0.0));
    Ok(())
}

/// The last key of a tuple moves fastest, and a null in any part leaves the row out.
#[test]
fn keys_of_several_columns_are_cells_of_a_product() {
    #[derive(Record)]
    struct Flight {
        month: i64,
        origin: Ward,
        late: Option<bool>,
    }
    let (a, b) = (|| Ward::Surgery, || Ward::Maternity);
    let flights = vec![
        (1, a(), Some(true)),
        (1, b(), Some(false)),
        (2, b(), None),
        (2, b(), Some(true)),
        (9, a(), Some(true)), // clamped into month 3
    ];
    let flights: Vec<_> = flights
        .into_iter()
        .map(|(month, origin, late)| Flight {
            month,
            origin,
            late,
        })
        .collect();
    let data = privet::testing::Loaded::new(flights);
    let by = rows::<Flight>().histogram(|f| (f.month.clamp::<1, 3>(), f.origin));
    assert_eq!(
        by.term().to_string(),
        "histogram([clamp(month, 1, 3), origin])"
    );
    assert_eq!(data.exact(&by), [1, 1, 0, 0, 2, 0, 1, 0, 0]);
    let by = rows::<Flight>().histogram(|f| (f.late, f.month.clamp::<1, 3>()));
    assert_eq!(data.exact(&by), [1, 0, 0, 1, 1, 1]);
    let blocks = rows::<Flight>().group_by(|f| (f.origin, f.late));
    assert_eq!(blocks.blocks(), 6);
}

#[test]
fn blocks_may_be_asked_adaptively_and_divided_again() -> privet::Result<()> {
    let vault: Vault<Table<Patient>, Eps<1, 1>> = Vault::open(patients());
    fn count() -> Mechanism<Table<Patient>, i64, Eps<1, 2>> {
        rows::<Patient>().count().laplace()
    }
    let twice: Mechanism<_, Vec<(i64, i64)>, Eps<2, 2>> = rows::<Patient>()
        .group_by(|p| p.ward)
        .each(|_| count().then(|_| count()));
    let (twice, _) = vault.release(twice)?;
    assert!((twice[0].0 - 20_000).abs() < 1_000 && (twice[0].1 - 20_000).abs() < 1_000);
    let vault: Vault<Table<Patient>, Eps<1, 2>> = Vault::open(patients());
    let nested: Mechanism<_, Vec<Vec<i64>>, Eps<1, 2>> =
        rows::<Patient>().group_by(|p| p.ward).each(|_| {
            rows::<Patient>()
                .group_by(|p| p.bill.bins([5.0]))
                .each(|_| count())
        });
    let (nested, _) = vault.release(nested)?;
    assert!(nested[1][0].abs() < 1_000 && (nested[1][1] - 10_000).abs() < 1_000);
    Ok(())
}

#[test]
fn a_replaced_record_touches_two_blocks() -> privet::Result<()> {
    type Fixed = Table<Patient, Replace>;
    let vault: Vault<Fixed, Eps<2, 1>> = Vault::open(patients());
    let counts: Mechanism<Fixed, Vec<i64>, Eps<2, 1>> = rows::<Fixed>()
        .group_by(|p| p.ward)
        .each(|_| rows::<Patient>().count().laplace::<Eps<1, 1>>());
    let (counts, _) = vault.release(counts)?;
    assert!((counts[0] - 20_000).abs() < 1_000);
    Ok(())
}

#[test]
fn two_tables_in_one_vault() -> privet::Result<()> {
    type Both<S> = Pair<Table<Patient>, Table<Pupil>, S>;
    let pupils = || vec![Pupil { mark: 3 }; 1_000];
    let count = || rows::<Patient>().count().laplace::<Eps<1, 2>>();
    let marks = || {
        rows::<Pupil>()
            .sum(|p| p.mark.clamp::<1, 6>())
            .laplace::<Eps<1, 2>>()
    };

    let vault: Vault<Both<privet::MayShare>, Eps<1, 1>> = Vault::load((patients(), pupils()))?;
    let both: Mechanism<_, (i64, i64), Eps<2, 2>> = count().on_first().and(marks().on_second());
    let ((n, sum), _) = vault.release(both)?;
    assert!((n - 30_000).abs() < 1_000 && (sum - 3_000).abs() < 1_000);

    let vault: Vault<Both<Disjoint>, Eps<1, 2>> = Vault::load((patients(), pupils()))?;
    let ((n, sum), _) = vault.release(count().beside(marks()))?;
    assert!((n - 30_000).abs() < 1_000 && (sum - 3_000).abs() < 1_000);
    Ok(())
}

#[derive(Record, Clone)]
struct Visit {
    #[privet(person)]
    patient: u32,
    days: i64,
    ward: Ward,
}

#[test]
fn a_person_in_several_blocks_pays_for_all_of_their_rows() -> privet::Result<()> {
    use privet::query::PerPerson;
    // A thousand people with ten visits each, one of them to maternity; four visits count, any four.
    let visits = (0..10_000u32).map(|i| Visit {
        patient: i % 1_000,
        days: 2,
        ward: if i < 1_000 {
            Ward::Maternity
        } else {
            Ward::Surgery
        },
    });
    let vault: Vault<Table<Visit, PerPerson>, Eps<1, 1>> = Vault::open(visits);
    let days: Mechanism<_, Vec<i64>, Eps<4, 4>> = rows::<Table<Visit, PerPerson>>()
        .bound_contributions::<4>(|v| v.patient)
        .group_by(|v| v.ward)
        .each(|_| {
            rows::<Visit>()
                .sum(|v| v.days.clamp::<0, 5>())
                .laplace::<Eps<1, 4>>()
        });
    let (days, vault) = vault.release(days)?;
    assert_eq!(vault.remaining().to_string(), "ε = 0");
    for (noisy, exact) in days.iter().zip([7_200, 800, 0]) {
        assert!((noisy - exact).abs() < 600, "{days:?}");
    }
    Ok(())
}

/// A record that is replaced within its block is two steps in one block: 2ε, but 4ρ.
#[test]
fn a_partition_under_replace_costs_a_group_of_two() {
    type Fixed = Table<Patient, Replace>;
    let bill = || rows::<Patient>().sum(|p| p.bill.clamp::<-1, 1>());
    let blocks = || rows::<Fixed>().group_by(|p| p.ward);
    let pure = blocks().each(|_| bill().laplace::<Eps<1, 8>>());
    assert_eq!(pure.price().to_string(), "ε = 1/4");
    let zcdp = blocks().each(|_| bill().gaussian::<Rho<1, 8>>());
    assert_eq!(zcdp.price().to_string(), "ρ = 1/2");
    let stated = || {
        let noisy = bill().gaussian::<Rho<1, 100>>();
        noisy.at_most::<Approx<Eps<1, 1>, Delta<1, 6>>>()
    };
    let delta = blocks().each(|_| stated()).price().delta().unwrap();
    let delta = *delta.numer() as f64 / *delta.denom() as f64;
    assert!(delta >= (1.0 + 1f64.exp()) * 1e-6, "{delta}");
}
