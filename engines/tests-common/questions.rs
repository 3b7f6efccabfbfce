//! Questions of every shape that a plan can run, with random constants.
#![allow(dead_code)]

use privet::Date;
use privet::expr::vector;
use privet::prelude::*;
use privet::query::PerPerson;
use privet::testing::{Asked, Choices};

use super::visits::{Visit, WARDS, Ward, date, integer, moment, real};

/// A question, twice: for a pass, and as data.
pub struct Question {
    pub asked: Asked<Visit>,
    pub term: privet::plan::Term,
}

/// Every question here, with constants of its own.
#[rustfmt::skip]
pub fn questions(c: &mut Choices) -> Vec<Question> {
    let mut questions = Vec::new();
    macro_rules! ask {
        ($($query:expr;)*) => {$(
            let query = $query;
            questions.push(Question { asked: Asked::new(&query), term: query.term() });
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
        all().sum(|v| -v.age.clamp::<0, 120>());
        all().sum(|v| (100 - v.age).clamp::<-500, 500>());
        all().sum(|v| (2.5 * v.bill + 1.0).clamp::<-500, 500>());
        all().histogram(|v| (v.ward, v.smoker));
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
        all().filter(|v| v.smoker).vector_sum(|v| v.place.grid::<1000>().clip_l1::<2>());
        all().filter(|v| v.age.gt(i)).vector_sum(|v| vector((v.age, v.bill, v.copay.or(x))).grid::<100>().clip_l2::<9>());
        all().vector_sum(|v| v.place.scaled(v.place.dot([x, 0.5]).logistic() - v.bill).clip_l2::<1>());
        all().vector_sums(|v| v.last, |v| v.place.clip_l1::<30>());
        all().vector_sums(|v| v.place.nearest([[x, y], [0.0, 9.0]]), |v| v.place.clip_l2::<100>());
        all().histogram(|v| v.place.nearest([[y, 0.0], [x, 1.0], [0.0, 0.0]]));
        all().sum(|v| v.place.dot([x, -0.5]).clamp::<-9, 9>());
        of_each().bound_contributions::<1>(|v| v.patient).count();
        of_each().bound_contributions::<3>(|v| v.patient).filter(|v| v.smoker).sum(|v| v.age.clamp::<0, 120>());
        of_each().bound_contributions::<20>(|v| v.patient).histogram(|v| v.ward);
        of_each().bound_contributions::<2>(|v| v.patient).vector_sums(|v| v.ward, |v| v.place.clip_l2::<3>());
        of_each().bound_contributions::<5>(|v| v.patient).estimate(0.9).mean(|v| v.copay.grid::<3>().clamp::<2, 40>()).query;
        fixed().mean(|v| v.age.clamp::<0, 120>());
        fixed().variance(|v| v.bill.grid::<10>().clamp::<-9, 100>());
    }
    questions
}
