//! Plans as data: what they print, that bytes and plans are one to one, and what is refused.

use privet::expr::PublicTable;
use privet::plan::{Column, Constant, DecodeError, Operation, Plan, Term, ValueKind};
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::Choices;
use privet::{Date, Decimal, Timestamp};

#[derive(Record, Clone)]
struct Visit {
    #[privet(person)]
    patient: u32,
    age: i64,
    bill: f64,
    copay: Option<f64>,
    smoker: bool,
    ward: Ward,
    city: String,
    place: [f64; 2],
    day: Date,
    time: Option<Timestamp>,
    price: Decimal<2>,
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
}

/// Every operation that a query can have.
fn queries() -> Vec<Term> {
    let all = rows::<Visit>;
    let fixed = rows::<Table<Visit, Replace>>;
    vec![
        all().count().term(),
        all()
            .filter(|v| v.smoker & v.age.gt(40) | !v.age.le(7))
            .filter(|v| v.city.one_of(["Basel", "Ulm::a\n"]))
            .filter(|v| v.ward.eq_to(Ward::Maternity) | v.bill.lt(f64::NAN) | v.age.ge(-0.0))
            .count()
            .term(),
        all()
            .sum(|v| {
                (v.bill.grid::<100>().clamp::<0, 9>() + v.age.clamp::<-3, 4>() - v.smoker.number())
                    * v.age.clamp::<0, 3>().plus::<2>().times::<-3>().square()
            })
            .term(),
        all()
            .filter(|v| v.copay.is_null() | v.city.ne("x"))
            .sum(|v| v.copay.or(1.5).clamp::<0, 9>())
            .term(),
        all().histogram(|v| v.age.bins([1, 2, 3])).term(),
        all().cumulative(|v| v.bill.bins([0.5])).term(),
        all().distinct(|v| v.city.keys(["a", "b"])).term(),
        all()
            .histogram(|v| v.place.nearest([[0.0, 1.0], [2.0, 3.0]]))
            .term(),
        all()
            .sum(|v| v.place.dot([1.0, 2.0]).logistic().clamp::<0, 1>())
            .term(),
        all()
            .vector_sum(|v| v.place.scaled(v.age.real()).clip_l1::<1>())
            .term(),
        all()
            .vector_sums(|v| v.ward, |v| v.place.clip_l2::<1>())
            .term(),
        fixed().mean(|v| v.age.clamp::<0, 9>()).term(),
        fixed().variance(|v| v.age.clamp::<0, 9>()).term(),
        rows::<Table<Visit, PerPerson>>()
            .bound_contributions::<3>(|v| v.patient)
            .count()
            .term(),
        all().group_by(|v| v.ward).term(),
        all()
            .filter(|v| v.day.gt(Date::new(1969, 12, 31)) & v.city.starts_with("Ba"))
            .filter(|v| v.time.lt(Timestamp::new(Date::new(2013, 1, 31), 7, 0, 30)))
            .filter(|v| v.day.days_since(v.time.date()).lt(v.city.length()))
            .sum(|v| v.age.divide::<10>().clamp::<0, 9>() + v.age.remainder::<3>())
            .term(),
        all()
            .filter(|v| {
                v.age
                    .look_up(&PublicTable::new([(1, true), (2, false)]).unwrap())
                    .is_true()
            })
            .histogram(|v| v.city.keys_up_to::<4, _>(["a", "b"]))
            .term(),
        all().sum_between(-0.5, 9.0, |v| v.age).unwrap().term(),
        all().histogram(|v| (v.day.month(), v.time.hour())).term(),
        all()
            .histogram(|v| (v.day.weekday(), v.day.day(), v.time.minute()))
            .term(),
        all()
            .sum(|v| v.day.year().clamp::<1900, 2100>() * v.price.clamp::<0, 9>())
            .term(),
        all()
            .vector_sum(|v| privet::expr::vector((v.age, v.bill)).clip_l1::<1>())
            .term(),
        all()
            .estimate(0.95)
            .variance(|v| v.age.clamp::<0, 9>())
            .query
            .term(),
        rows::<Table<Visit, PerPerson>>()
            .filter(|v| v.smoker)
            .bound_contributions::<3>(|v| v.patient)
            .count()
            .term(),
        rows::<Table<Visit, PerPerson>>()
            .group_by(|v| v.ward)
            .bound_contributions::<3, 2>(|v| v.patient)
            .term(),
    ]
}

#[test]
fn a_plan_prints_as_it_is_written() {
    let plan = Plan::new(queries());
    let lines: Vec<String> = plan.to_string().lines().map(String::from).collect();
    assert_eq!(lines[0], "count()");
    assert_eq!(
        lines[1],
        "count(where((((smoker & (age > 40)) | !(age <= 7)) & (city in [\"Basel\", \"Ulm::a\\n\"])) \
         & (((ward == Maternity) | (bill < NaN)) | (age >= -0.0))))"
    );
    assert_eq!(
        lines[7],
        "histogram(nearest(place, [[0.0, 1.0], [2.0, 3.0]]))"
    );
    assert_eq!(
        lines[15],
        "sum(clamp(divide(age, 10), 0, 9) + remainder(age, 3), where((((day > 1969-12-31) & \
         starts_with(city, \"Ba\")) & (time < 2013-01-31T07:00:30)) & (days_since(day, date(time)) < length(city))))"
    );
    assert_eq!(lines[13], "count(where(first(3, patient)))");
    assert_eq!(
        lines[lines.len() - 2..],
        [
            "count(where(first_among(3, patient, smoker)))",
            "group_by(ward, where(first_in_each(3, 2, patient, ward)))"
        ]
    );
}

#[test]
fn every_operation_that_expressions_have_is_in_the_sample() {
    let mut seen = std::collections::BTreeSet::new();
    for query in &queries() {
        query.visit(&mut |term| {
            if let Term::Apply(op, _) = term {
                seen.insert(*op);
            }
        });
    }
    let missing: Vec<_> = Operation::ALL
        .iter()
        .filter(|op| !seen.contains(op))
        .collect();
    // A mechanism, and what a vault sends to an engine in place of its blocks.
    let unsaid = [
        &Operation::FrequentKeys,
        &Operation::Each,
        &Operation::InBlock,
    ];
    assert_eq!(missing, unsaid);
}

#[test]
fn columns_and_constants_have_types() {
    let column = |name: &'static str, kind, nullable| {
        Term::Column(Column {
            name: name.into(),
            kind,
            nullable,
        })
    };
    let query = rows::<Visit>().filter(|v| v.copay.gt(1.0)).count().term();
    let gt = Term::Apply(
        Operation::Greater,
        vec![
            column("copay", ValueKind::Float, true),
            Term::Constant(Constant::Float(1.0)),
        ],
    );
    assert_eq!(
        query,
        Term::Apply(
            Operation::Count,
            vec![Term::Apply(Operation::Where, vec![gt])]
        )
    );
    let mut kinds = Vec::new();
    let all = rows::<Visit>().filter(|v| v.ward.eq_to(Ward::Surgery) & v.city.eq_to("x"));
    all.vector_sum(|v| v.place.clip_l1::<1>())
        .term()
        .visit(&mut |term| {
            if let Term::Column(column) = term {
                kinds.push(column.kind);
            }
        });
    assert_eq!(
        kinds,
        [ValueKind::Floats(2), ValueKind::Key(2), ValueKind::Textual]
    );
}

#[test]
fn bytes_and_plans_are_one_to_one() {
    let plan = Plan::new(queries());
    assert_eq!(Plan::decode(&plan.encode()), Ok(plan.clone()));
    for (i, query) in queries().into_iter().enumerate() {
        for (j, other) in queries().into_iter().enumerate() {
            let same = Plan::new([query.clone()]).encode() == Plan::new([other]).encode();
            assert_eq!(same, i == j);
        }
    }
    // Alike on paper, and different.
    let text = Plan::new([rows::<Visit>().filter(|v| v.bill.gt(0.0)).count().term()]);
    let zero = Plan::new([rows::<Visit>().filter(|v| v.bill.gt(-0.0)).count().term()]);
    assert_ne!(text.encode(), zero.encode());
}

#[cfg(feature = "ledger")]
#[test]
fn a_fingerprint_is_the_same_on_every_machine() {
    let plan = Plan::new([rows::<Visit>().filter(|v| v.age.gt(40)).count().term()]);
    // By hand, from the format: sha256("privpln\x01" 01 083d01 083c01 080102 0103"age"00 02 28·7×00).
    let hex: String = plan
        .fingerprint()
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    assert_eq!(
        hex,
        "0ce174bc32845f81f739902c16c3a6eaedbf6ac9f495f9bf9431ce69d22e7526"
    );
}

/// Whatever bytes come, there is no panic, and what is accepted is spelled in one way.
fn check(bytes: &[u8]) -> bool {
    match Plan::decode(bytes) {
        Ok(plan) => {
            assert_eq!(plan.encode(), bytes);
            let _ = plan.to_string();
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

#[test]
fn mutated_bytes_are_refused_or_another_plan() {
    let whole = Plan::new(queries()).encode();
    for end in 0..whole.len() {
        assert!(!check(&whole[..end]), "cut off at {end}");
    }
    let mut accepted = 0;
    for place in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << bit;
            accepted += usize::from(check(&bytes));
        }
    }
    assert!(accepted > 100, "other constants are other plans");
    let mut choices = Choices::new(13);
    for _ in 0..100_000 {
        let mut bytes = whole.clone();
        for _ in 0..=choices.below(3) {
            let place = choices.below(bytes.len());
            match choices.below(4) {
                0 => bytes[place] = choices.below(256) as u8,
                1 => bytes.insert(place, choices.below(256) as u8),
                2 => drop(bytes.remove(place)),
                _ => {
                    let from = choices.below(bytes.len());
                    let part = bytes[from..].iter().take(9).copied().collect::<Vec<_>>();
                    bytes.splice(place..place, part);
                }
            }
        }
        check(&bytes);
    }
}

#[test]
fn a_decoder_has_limits() {
    let head = &Plan::default().encode()[..8];
    let plan = |tail: &[u8]| [head, tail].concat();
    assert_eq!(Plan::decode(b"something else"), Err(DecodeError::Version));
    let mut newer = plan(&[0]);
    newer[7] += 1;
    assert_eq!(Plan::decode(&newer), Err(DecodeError::Version));
    assert_eq!(Plan::decode(&plan(&[0, 0])), Err(DecodeError::Length));
    // Announced, but not there.
    let many = plan(&[0xff, 0xff, 0xff, 0xff, 0x0f]);
    assert_eq!(Plan::decode(&many), Err(DecodeError::Length));
    // Beyond 32 bits; a second spelling of one.
    assert_eq!(Plan::decode(&plan(&[0xff; 9])), Err(DecodeError::TooLarge));
    assert_eq!(Plan::decode(&plan(&[0x81, 0])), Err(DecodeError::Term));
    // A million lists, each in the next.
    let mut deep = plan(&[1]);
    for _ in 0..1_000_000 {
        deep.extend([7, 1]);
    }
    assert_eq!(Plan::decode(&deep), Err(DecodeError::TooLarge));
    // More terms than any plan has: 2^21 empty lists.
    let mut wide = plan(&[0x80, 0x80, 0x80, 0x01]);
    wide.extend([7, 0].repeat(1 << 21));
    assert_eq!(Plan::decode(&wide), Err(DecodeError::TooLarge));
    assert_eq!(
        Plan::decode(&vec![0; Plan::MAX_BYTES + 1]),
        Err(DecodeError::TooLarge)
    );
    // Operations that do not exist, and arguments that are too few.
    assert_eq!(Plan::decode(&plan(&[1, 8, 0, 0])), Err(DecodeError::Term));
    assert_eq!(Plan::decode(&plan(&[1, 8, 1, 0])), Err(DecodeError::Term));
    assert_eq!(
        Plan::decode(&plan(&[1, 8, 61, 0])).map(|p| p.to_string()),
        Ok("count()".into())
    );
}
