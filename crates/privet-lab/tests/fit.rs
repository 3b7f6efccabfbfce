//! The code of `privet` follows the laws that the exact checks are about, output by output.
#![forbid(unsafe_code)]

use std::hash::Hash;

use privet::local::{One, person};
use privet::noise::{GaussianVariance, LaplaceScale, gaussian, laplace};
use privet::prelude::*;
use privet::{Domain, Simulation};
use privet_lab::audit::draws_or;
use privet_lab::exact::Law;
use privet_lab::laws::{
    AboveThreshold, Choice, CoinFlips, DiscreteGaussian, DiscreteLaplace, FewAbove, FrequentKey,
    LaplaceVector, OneHot, RandomizedResponse, Rule,
};
use privet_lab::{Coins, Error, fit};

const USUAL: u64 = 1_000_000;

#[derive(Record, Clone)]
struct Row {
    number: i64,
    ward: Ward,
    city: String,
}

#[derive(Category, Clone, Copy)]
enum Ward {
    Surgery,
    Maternity,
    Oncology,
}

/// Compares a mechanism on public data with a law.
fn follows<L: Law, In: Domain, Out: 'static, C>(
    law: &L,
    input: &L::Input,
    mechanism: &Mechanism<In, Out, C>,
    data: impl privet::load::Source<In>,
    output: impl Fn(Out) -> L::Output,
) -> Result<(), Error>
where
    L::Output: Hash + Eq,
{
    let mut simulation = Simulation::<In>::of_public(data, 5)?;
    let mut failure = None;
    let mut last = None;
    let misfits = fit(law, input, draws_or(USUAL), 0, |coins: &mut Coins| {
        match simulation.run(mechanism) {
            Ok(out) => last = Some(output(out)),
            Err(error) => {
                coins.fail();
                failure = Some(error);
            }
        }
        // Only a failure at the very first draw leaves nothing to show.
        last.clone()
            .unwrap_or_else(|| law.outputs(input, input)[0].clone())
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    assert_eq!(misfits?, Vec::<String>::new(), "{}", mechanism.name());
    Ok(())
}

fn table(surgery: usize, maternity: usize) -> Vec<Row> {
    let surgery = vec![
        Row {
            number: 3,
            ward: Ward::Surgery,
            city: "Ulm".into(),
        };
        surgery
    ];
    let maternity = vec![
        Row {
            number: 1,
            ward: Ward::Maternity,
            city: "Bonn".into(),
        };
        maternity
    ];
    [surgery, maternity].concat()
}

#[test]
fn additive_noise() -> Result<(), Error> {
    let count = || rows::<Row>().count();
    let law = DiscreteLaplace {
        scale: (2, 1),
        sensitivity: 1,
        reach: 40,
    };
    follows(
        &law,
        &3,
        &count().laplace::<Eps<1, 2>>(),
        table(2, 1),
        |n| n,
    )?;
    let law = DiscreteLaplace {
        scale: (4, 3),
        sensitivity: 1,
        reach: 40,
    };
    follows(
        &law,
        &0,
        &count().laplace::<Eps<3, 4>>(),
        table(0, 0),
        |n| n,
    )?;
    let law = DiscreteGaussian::new((4, 1), 1, 40);
    follows(
        &law,
        &3,
        &count().gaussian::<Rho<1, 8>>(),
        table(2, 1),
        |n| n,
    )?;
    let law = CoinFlips { reach: 40 };
    follows(&law, &0, &count().coin_flips(), table(0, 0), |n| n)?;
    // Two of the three cells, noise in bulk.
    let law = LaplaceVector {
        scale: (1, 1),
        reach: 10,
    };
    let wards = rows::<Row>().histogram(|r| r.ward).laplace::<Eps<1, 1>>();
    follows(&law, &(1, 0), &wards, table(1, 0), |cells| {
        (cells[0], cells[1])
    })
}

#[test]
fn samplers_at_other_scales() -> Result<(), Error> {
    let draws = draws_or(USUAL);
    for (num, den) in [(1, 3), (10, 1), (30, 7)] {
        let law = DiscreteLaplace {
            scale: (num, den),
            sensitivity: 0,
            reach: 12 * num / den + 9,
        };
        let (n, d) = (num as u64, den as u64);
        let scale = LaplaceScale::new(n.into(), d).ok_or(Error::Noise)?;
        let one =
            |coins: &mut Coins| laplace(coins.entropy(), scale).map_or(i64::MAX, |x| x as i64);
        assert!(fit(&law, &0, draws, 1, one)?.is_empty());
        assert!(fit(&law, &0, draws, 2, |coins| coins.laplace(n, d))?.is_empty());
        assert!(
            fit(&law, &0, draws, 3, |coins| coins
                .laplace_constant_time(n, d))?
            .is_empty()
        );
        let law = DiscreteGaussian::new((num, den), 0, 30);
        let variance = GaussianVariance::new(n.into(), d).ok_or(Error::Noise)?;
        let one =
            |coins: &mut Coins| gaussian(coins.entropy(), variance).map_or(i64::MAX, |x| x as i64);
        assert!(fit(&law, &0, draws, 4, one)?.is_empty());
        assert!(fit(&law, &0, draws, 5, |coins| coins.gaussian(n, d))?.is_empty());
        assert!(
            fit(&law, &0, draws, 6, |coins| coins
                .gaussian_constant_time(n, d))?
            .is_empty()
        );
    }
    Ok(())
}

#[test]
fn choices() -> Result<(), Error> {
    let wards = || rows::<Row>().histogram(|r| r.ward);
    let law = |rule, rate| Choice {
        rule,
        rate,
        pairs: Vec::new(),
    };
    let (scores, data) = (vec![2, 1, 0], || table(2, 1));
    let exponential = law(Rule::Exponential, (1, 1));
    follows(
        &exponential,
        &scores,
        &wards().choose::<Eps<1, 1>>(),
        data(),
        |place| place,
    )?;
    let noisy = law(Rule::NoisyMax, (1, 1));
    follows(
        &noisy,
        &scores,
        &wards().noisy_max::<Eps<1, 1>>(),
        data(),
        |place| place,
    )?;
    // Rows 1, 3, 3 among 0..=3: losses of the median, by hand, in halves of a row.
    let median = rows::<Row>()
        .histogram(|r| r.number.clamp::<0, 3>())
        .median::<Eps<2, 1>>();
    let law = law(Rule::Exponential, (1, 1));
    follows(&law, &vec![-3, -1, -1, 0], &median, data(), |value| {
        value as usize
    })
}

#[test]
fn above_threshold() -> Result<(), Error> {
    let law = AboveThreshold {
        answers: 3,
        threshold: 1,
        of_threshold: (2, 1),
        of_answer: (4, 1),
    };
    let queries = [3, 2, 0].map(|k| rows::<Row>().filter(move |r| r.number.gt(k)).count());
    let first = Mechanism::<_, _, Eps<1, 1>>::first_above(1, queries);
    follows(&law, &vec![0, 1, 1], &first, table(1, 0), |place| place)?;
    let queries = [3, 2, 0].map(|k| rows::<Row>().filter(move |r| r.number.gt(k)).count());
    let few = Mechanism::<_, _, Eps<1, 1>>::first_few_above::<2, _>(1, queries);
    let law = FewAbove { one: law, most: 2 };
    follows(&law, &vec![0, 1, 1], &few, table(1, 0), |places| places)
}

#[test]
fn frequent_keys() -> Result<(), Error> {
    // The threshold at ε = 1/2, δ = 1/100, as in `exact.rs`.
    let law = FrequentKey {
        scale: (2, 1),
        threshold: 11,
        most: 0,
        reach: 40,
    };
    let keys = rows::<Row>().frequent_keys::<Approx<Eps<1, 2>, Delta<1, 2>>, _>(|r| r.city);
    for count in [0, 1, 11, 14] {
        follows(&law, &(count as i64), &keys, table(count, 0), |named| {
            named.get("Ulm").copied()
        })?;
    }
    Ok(())
}

#[test]
fn the_largest_of_a_few_answers() -> Result<(), Error> {
    let law = Choice {
        rule: Rule::Exponential,
        rate: (1, 2),
        pairs: Vec::new(),
    };
    let above = [0, 2, 3].map(|k| rows::<Row>().filter(move |r| r.number.gt(k)).count());
    let largest: Mechanism<_, usize, Eps<1, 1>> = Mechanism::largest(above);
    follows(&law, &vec![3, 2, 0], &largest, table(2, 1), |place| place)
}

#[test]
fn responses() -> Result<(), Error> {
    let law = RandomizedResponse::new(2, 1, 1);
    let bit = person::<bool>().respond::<Eps<1, 1>>();
    follows(&law, &1, &bit, One::new(true), usize::from)?;
    let law = RandomizedResponse::new(3, 1, 2);
    let ward = person::<Ward>().respond::<Eps<1, 2>>();
    follows(&law, &2, &ward, One::new(Ward::Oncology), |place| place)?;
    let law = RandomizedResponse::by_gamma(1, 4);
    let bit = person::<bool>().respond_by_gamma::<1, 4, Eps<11, 10>>();
    follows(&law, &1, &bit, One::new(true), usize::from)?;
    // One hash function, so that a value has one bucket: found as the one that is set most.
    let report = person::<u32>().sketch::<1, 4, Eps<1, 1>>();
    let mut simulation = Simulation::of_public(One::new(7u32), 1)?;
    let mut set = [0; 4];
    for _ in 0..10_000 {
        for (count, bit) in set.iter_mut().zip(simulation.run(&report)?.bits) {
            *count += u32::from(bit);
        }
    }
    let bucket = (0..4).max_by_key(|bucket| set[*bucket]).unwrap_or(0);
    let law = OneHot {
        buckets: 4,
        odds: (1, 2),
    };
    let bits = |bits: Vec<bool>| (0..4).filter(|i| bits[*i]).map(|i| 1u32 << i).sum();
    follows(&law, &bucket, &report, One::new(7u32), |report| {
        bits(report.bits)
    })
}
