//! Bounds that need all rows of a person at once are refused where rows come batch by batch.

use privet::engine::{Batch, ColumnSource, Engine, EngineError, Opened, Part, Pass, Schema, Sink};
use privet::prelude::*;
use privet::query::PerPerson;
use privet::{Error, Simulation};

#[derive(Record, Clone)]
struct Visit {
    #[privet(person)]
    person: i64,
    cost: i64,
}

type Visits = Table<Visit, PerPerson>;

/// One person's visits, each in a batch of its own.
struct Alone(i64);

// SAFETY: the same public rows in every pass.
unsafe impl ColumnSource for Alone {
    fn name(&self) -> String {
        "visits".into()
    }
    fn partitions(&self) -> usize {
        1
    }
    fn read(
        &self,
        _: &Pass,
        _: usize,
        columns: &[usize],
        sink: &mut Sink<'_>,
    ) -> Result<(), EngineError> {
        for cost in 0..self.0 {
            let values = [[7], [cost]];
            let parts: Vec<Part<'_>> = columns
                .iter()
                .map(|column| Part {
                    values: privet::engine::Values::I64(&values[*column]),
                    valid: None,
                })
                .collect();
            sink(&Batch::new(1, &parts))?;
        }
        Ok(())
    }
}

impl Engine for Alone {
    fn open(self, _: &Schema) -> privet::Result<Opened> {
        Ok(Opened::Columns(Box::new(self)))
    }
}

/// 20,000 rows are several refills, so that a bound for each would let one person in several times.
const ROWS: i64 = 20_000;

#[test]
fn a_bound_among_rows_that_match_is_refused_and_costs_nothing() {
    let vault: Vault<Visits, Eps<1, 1>> = Vault::load(Alone(ROWS)).unwrap();
    let (meter, _vault) = vault.metered::<Eps<1, 1>>();
    let early = rows::<Visits>()
        .filter(|v| v.cost.ge(0))
        .bound_contributions::<3>(|v| v.person);
    let refused = meter.release(early.count().laplace::<Eps<1, 4>>());
    let Err(Error::Engine(error)) = refused else {
        panic!("{refused:?}");
    };
    assert!(error.to_string().contains("first_among"), "{error}");
    assert_eq!(meter.remaining().to_string(), "ε = 1");
    // Blocks are divided while they run: refused, nothing released.
    let each = rows::<Visits>()
        .group_by(|v| v.cost.clamp::<0, 1>())
        .bound_contributions::<2, 2>(|v| v.person)
        .each(|_| rows::<Visit>().count().laplace::<Eps<1, 16>>());
    assert!(matches!(meter.release(each), Err(Error::Engine(_))));
}

#[test]
fn a_bound_on_all_rows_is_the_same_as_in_memory() {
    let visits: Vec<Visit> = (0..ROWS).map(|cost| Visit { person: 7, cost }).collect();
    let sum = rows::<Visits>()
        .bound_contributions::<3>(|v| v.person)
        .sum(|v| v.cost.clamp::<0, ROWS>())
        .laplace::<Eps<1000, 1>>();
    for seed in 0..3 {
        let memory = Simulation::of_public(visits.clone(), seed)
            .unwrap()
            .run(&sum);
        let engine = Simulation::of_public(Alone(ROWS), seed).unwrap().run(&sum);
        assert_eq!(memory.unwrap(), engine.unwrap());
    }
}
