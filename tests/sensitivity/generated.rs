// Written by `PRIVET_OVERWRITE=1 cargo test --test sensitivity expressions`.
#[test]
#[allow(unused_parens, clippy::double_parens)]
fn random_expressions_0() {
    few(rows::<Fixed>().filter(|r| r.flag).sum(|r| (r.real * 0.5 + 1.0).clamp::<-7, 13>().times::<3>().times::<-3>()));
    few(rows::<Fixed>().sum(|r| (r.real.clamp::<-20, 0>() + r.small.clamp::<-11, -2>())));
    few(rows::<Row>().filter(|r| r.int.le(-1)).sum(|r| (r.real * 0.5 + 1.0).clamp::<13, 30>()));
    few(rows::<Row>().distinct(|r| r.small.clamp::<10, 22>()));
    few(rows::<Fixed>().sum(|r| ((r.real * 0.5 + 1.0).clamp::<-16, -1>() * (r.int * r.int - 3).clamp::<3, 4>())));
    few(rows::<Row>().filter(|r| !r.int.le(-1)).sum(|r| (r.int * r.int - 3).clamp::<-25, -18>().square()));
    few(rows::<Row>().filter(|r| !r.int.one_of([0, 1, 100])).sum(|r| (r.maybe.or(3.5).clamp::<-7, 22>() + r.real.clamp::<-3, 4>()).square()));
    few(rows::<Fixed>().sum(|r| (r.int.clamp::<-19, 0>() + (r.real * 0.5 + 1.0).clamp::<-22, -6>())));
    few(rows::<Row>().filter(|r| ((r.real.gt(r.int) | r.int.le(-1)) & (r.maybe.is_null() & r.int.le(-1)))).sum(|r| r.real.grid::<4>().clamp::<-19, 2>().times::<3>()));
    few(rows::<Fixed>().filter(|r| (r.int.le(-1) & r.int.le(-1))).histogram(|r| r.maybe.or(3.5).clamp::<-3, -3>()));
    few(rows::<Fixed>().filter(|r| r.maybe.is_null()).histogram(|r| (r.real * 0.5 + 1.0).clamp::<-23, -12>()));
    few(rows::<Row>().filter(|r| r.maybe.is_null()).sum(|r| ((r.int * r.int - 3).clamp::<-4, 5>().plus::<-10>() - ((r.int * r.int - 3).clamp::<-22, 3>() - (r.real * 0.5 + 1.0).clamp::<12, 23>()))));
    few(rows::<Fixed>().filter(|r| r.int.le(-1)).sum(|r| (((r.real * 0.5 + 1.0).clamp::<2, 11>() - (r.real * 0.5 + 1.0).clamp::<-16, -11>()) * r.small.clamp::<11, 16>())));
    few(rows::<Fixed>().histogram(|r| r.maybe.or(3.5).clamp::<-7, 21>()));
    few(rows::<Fixed>().filter(|r| ((r.maybe.is_null() | r.int.gt(0)) & !r.maybe.is_null())).sum(|r| r.maybe.or(3.5).clamp::<5, 33>().square().times::<0>()));
    few(rows::<Row>().filter(|r| (r.real.lt(0.5) & r.real.lt(0.5))).sum(|r| (r.real * 0.5 + 1.0).clamp::<-5, 1>()));
    few(rows::<Fixed>().sum(|r| r.int.clamp::<12, 33>()));
    few(rows::<Fixed>().sum(|r| r.small.clamp::<11, 31>()));
    few(rows::<Fixed>().histogram(|r| r.real.clamp::<-7, 1>()));
    few(rows::<Fixed>().sum(|r| (r.int.clamp::<-24, 5>() * r.real.grid::<4>().clamp::<-19, 6>())));
    few(rows::<Row>().filter(|r| (r.real.lt(0.5) | r.flag)).histogram(|r| r.small.clamp::<13, 29>()));
    few(rows::<Fixed>().filter(|r| r.real.gt(r.int)).sum(|r| ((r.int * r.int - 3).clamp::<-25, -4>() + r.real.grid::<4>().clamp::<-25, -17>())));
    few(rows::<Row>().sum(|r| r.int.clamp::<-7, 4>().plus::<-4>()));
    few(rows::<Fixed>().distinct(|r| r.real.grid::<4>().clamp::<7, 21>()));
    few(rows::<Fixed>().filter(|r| ((r.maybe.is_null() | r.int.gt(0)) & (r.maybe.or(2.0).gt(1.0) | r.small.ge(7)))).histogram(|r| r.maybe.or(3.5).clamp::<3, 8>()));
}
#[test]
#[allow(unused_parens, clippy::double_parens)]
fn random_expressions_1() {
    few(rows::<Row>().histogram(|r| r.real.grid::<4>().clamp::<5, 5>()));
    few(rows::<Fixed>().filter(|r| (r.real.gt(r.int) | r.small.ge(7))).sum(|r| r.int.clamp::<-11, 17>()));
    few(rows::<Row>().histogram(|r| r.int.clamp::<-6, 14>()));
    few(rows::<Row>().sum(|r| (r.int * r.int - 3).clamp::<-6, -4>()));
    few(rows::<Fixed>().filter(|r| (r.real.lt(0.5) & r.text.eq_to("a"))).sum(|r| r.small.clamp::<-3, 4>().times::<0>()));
    few(rows::<Row>().sum(|r| ((r.real * 0.5 + 1.0).clamp::<4, 33>() - r.small.clamp::<-16, 5>()).times::<-3>()));
    few(rows::<Fixed>().filter(|r| ((r.small.ge(7) | r.flag) & !r.maybe.is_null())).sum(|r| (r.int * r.int - 3).clamp::<8, 26>().plus::<-5>()));
    few(rows::<Fixed>().sum(|r| r.maybe.or(3.5).clamp::<-2, 10>().plus::<3>()));
    few(rows::<Fixed>().sum(|r| (r.int * r.int - 3).clamp::<-6, 18>()));
    few(rows::<Fixed>().sum(|r| r.int.clamp::<-1, 4>()));
    few(rows::<Row>().filter(|r| !(r.flag & r.real.gt(r.int))).sum(|r| (r.real.clamp::<-13, 0>() + r.real.clamp::<-5, 24>())));
    few(rows::<Row>().filter(|r| ((r.flag | r.real.lt(0.5)) & (r.small.ge(7) & r.maybe.or(2.0).gt(1.0)))).sum(|r| ((r.int * r.int - 3).clamp::<-1, 23>().times::<0>() * (r.real * 0.5 + 1.0).clamp::<0, 6>())));
    few(rows::<Row>().filter(|r| r.maybe.or(2.0).gt(1.0)).sum(|r| (r.maybe.or(3.5).clamp::<-6, 4>() - r.real.grid::<4>().clamp::<14, 34>())));
    few(rows::<Fixed>().filter(|r| r.flag).sum(|r| r.small.clamp::<-9, -5>()));
    few(rows::<Fixed>().filter(|r| r.flag).distinct(|r| r.real.grid::<4>().clamp::<-20, -19>()));
    few(rows::<Fixed>().sum(|r| (r.int * r.int - 3).clamp::<-5, 23>()));
    few(rows::<Fixed>().filter(|r| r.int.le(-1)).sum(|r| r.int.clamp::<0, 5>().plus::<-9>().square()));
    few(rows::<Fixed>().sum(|r| ((r.int * r.int - 3).clamp::<1, 4>() * r.real.clamp::<-15, 13>())));
    few(rows::<Row>().filter(|r| (r.maybe.or(2.0).gt(1.0) & r.small.ge(7))).sum(|r| ((r.int * r.int - 3).clamp::<-3, 15>() - r.maybe.or(3.5).clamp::<-19, -11>())));
    few(rows::<Row>().filter(|r| (!r.real.lt(0.5) & !r.int.le(-1))).sum(|r| (r.real.grid::<4>().clamp::<-17, 4>() * r.real.clamp::<-19, -5>())));
    few(rows::<Fixed>().filter(|r| !r.int.one_of([0, 1, 100])).histogram(|r| r.real.clamp::<-14, -7>()));
    few(rows::<Row>().filter(|r| r.maybe.or(2.0).gt(1.0)).sum(|r| r.int.clamp::<5, 24>().square()));
    few(rows::<Fixed>().filter(|r| !r.real.lt(0.5)).sum(|r| r.maybe.or(3.5).clamp::<-5, -5>()));
    few(rows::<Fixed>().histogram(|r| r.int.clamp::<4, 31>()));
    few(rows::<Fixed>().filter(|r| (r.maybe.is_null() & r.real.gt(r.int))).sum(|r| r.real.clamp::<-7, -1>()));
}
#[test]
#[allow(unused_parens, clippy::double_parens)]
fn random_expressions_2() {
    few(rows::<Fixed>().filter(|r| !!r.small.ge(7)).sum(|r| r.maybe.or(3.5).clamp::<3, 21>()));
    few(rows::<Fixed>().filter(|r| ((r.int.one_of([0, 1, 100]) & r.text.eq_to("a")) & (r.int.gt(0) | r.maybe.or(2.0).gt(1.0)))).histogram(|r| (r.real * 0.5 + 1.0).clamp::<13, 14>()));
    few(rows::<Fixed>().sum(|r| (r.real * 0.5 + 1.0).clamp::<-7, 12>().times::<0>()));
    few(rows::<Fixed>().filter(|r| r.maybe.is_null()).sum(|r| (r.int * r.int - 3).clamp::<13, 34>().plus::<2>()));
    few(rows::<Fixed>().histogram(|r| (r.real * 0.5 + 1.0).clamp::<-4, -3>()));
    few(rows::<Row>().sum(|r| ((r.real.clamp::<8, 26>() * (r.real * 0.5 + 1.0).clamp::<-5, 7>()) + (r.real.clamp::<2, 18>() + r.int.clamp::<-19, -5>()))));
    few(rows::<Fixed>().sum(|r| (r.real.clamp::<-3, 18>().times::<3>() - r.real.clamp::<8, 11>())));
    few(rows::<Fixed>().distinct(|r| (r.real * 0.5 + 1.0).clamp::<-7, -2>()));
    few(rows::<Row>().filter(|r| !r.int.le(-1)).histogram(|r| r.real.clamp::<-16, 8>()));
    few(rows::<Fixed>().filter(|r| r.text.eq_to("a")).sum(|r| (r.small.clamp::<-17, 1>() + (r.int * r.int - 3).clamp::<5, 27>())));
    few(rows::<Row>().sum(|r| r.real.grid::<4>().clamp::<-8, -2>()));
    few(rows::<Fixed>().filter(|r| ((r.real.lt(0.5) & r.int.one_of([0, 1, 100])) & !r.flag)).histogram(|r| r.real.grid::<4>().clamp::<-22, -16>()));
    few(rows::<Fixed>().sum(|r| (r.real * 0.5 + 1.0).clamp::<-17, -16>().times::<-2>()));
    few(rows::<Row>().filter(|r| r.real.lt(0.5)).sum(|r| r.int.clamp::<11, 28>()));
    few(rows::<Row>().filter(|r| r.int.le(-1)).sum(|r| r.small.clamp::<-11, -9>()));
    few(rows::<Fixed>().distinct(|r| r.int.clamp::<-19, -8>()));
    few(rows::<Row>().filter(|r| ((r.maybe.or(2.0).gt(1.0) & r.small.ge(7)) & (r.real.lt(0.5) & r.int.one_of([0, 1, 100])))).sum(|r| ((r.small.clamp::<-24, -14>() + r.real.grid::<4>().clamp::<-20, -15>()) - r.small.clamp::<-11, 15>().times::<-4>())));
    few(rows::<Row>().filter(|r| r.small.ge(7)).sum(|r| r.int.clamp::<13, 39>()));
    few(rows::<Fixed>().filter(|r| (r.text.eq_to("a") | r.small.ge(7))).sum(|r| r.real.grid::<4>().clamp::<2, 8>()));
    few(rows::<Fixed>().filter(|r| r.real.lt(0.5)).sum(|r| (r.real.clamp::<-16, -13>() - r.real.grid::<4>().clamp::<5, 11>()).square()));
    few(rows::<Fixed>().filter(|r| (!r.text.eq_to("a") | (r.maybe.is_null() & r.real.gt(r.int)))).sum(|r| r.maybe.or(3.5).clamp::<-14, -1>()));
    few(rows::<Row>().histogram(|r| (r.int * r.int - 3).clamp::<6, 7>()));
    few(rows::<Row>().sum(|r| (r.int * r.int - 3).clamp::<-21, -20>()));
    few(rows::<Fixed>().filter(|r| !!r.small.ge(7)).sum(|r| ((r.real * 0.5 + 1.0).clamp::<-20, -4>() + r.int.clamp::<-11, 0>()).times::<0>()));
    few(rows::<Row>().filter(|r| (r.maybe.or(2.0).gt(1.0) & r.maybe.or(2.0).gt(1.0))).sum(|r| r.int.clamp::<-10, 0>()));
}
#[test]
#[allow(unused_parens, clippy::double_parens)]
fn random_expressions_3() {
    few(rows::<Fixed>().sum(|r| (r.real * 0.5 + 1.0).clamp::<-21, -13>()));
    few(rows::<Row>().sum(|r| (r.int * r.int - 3).clamp::<-25, -1>().square().square()));
    few(rows::<Fixed>().filter(|r| !r.small.ge(7)).sum(|r| ((r.maybe.or(3.5).clamp::<-15, -4>() * r.real.clamp::<12, 40>()) + ((r.real * 0.5 + 1.0).clamp::<6, 6>() * r.real.grid::<4>().clamp::<-15, 12>()))));
    few(rows::<Fixed>().sum(|r| r.int.clamp::<-3, 2>()));
    few(rows::<Row>().filter(|r| ((r.int.gt(0) | r.real.gt(r.int)) | (r.text.eq_to("a") & r.int.gt(0)))).distinct(|r| (r.real * 0.5 + 1.0).clamp::<-20, -1>()));
    few(rows::<Row>().sum(|r| r.maybe.or(3.5).clamp::<-19, -1>()));
    few(rows::<Row>().filter(|r| !r.text.eq_to("a")).sum(|r| (r.maybe.or(3.5).clamp::<-4, 19>() * (r.int * r.int - 3).clamp::<-8, 17>()).times::<2>()));
    few(rows::<Row>().filter(|r| (r.int.one_of([0, 1, 100]) | r.maybe.is_null())).distinct(|r| (r.int * r.int - 3).clamp::<13, 33>()));
    few(rows::<Row>().filter(|r| ((r.small.ge(7) | r.maybe.or(2.0).gt(1.0)) & (r.flag | r.int.le(-1)))).sum(|r| r.real.clamp::<-10, 14>()));
    few(rows::<Row>().filter(|r| (!r.maybe.is_null() | !r.real.lt(0.5))).sum(|r| r.small.clamp::<5, 10>().times::<1>()));
    few(rows::<Fixed>().filter(|r| (r.small.ge(7) | r.int.one_of([0, 1, 100]))).histogram(|r| r.int.clamp::<6, 31>()));
    few(rows::<Fixed>().filter(|r| (r.real.lt(0.5) | r.text.eq_to("a"))).distinct(|r| r.small.clamp::<3, 24>()));
    few(rows::<Fixed>().filter(|r| (r.flag & r.maybe.is_null())).distinct(|r| r.int.clamp::<-10, 13>()));
    few(rows::<Fixed>().sum(|r| r.real.grid::<4>().clamp::<2, 11>()));
    few(rows::<Fixed>().filter(|r| (r.maybe.is_null() & r.maybe.is_null())).distinct(|r| r.real.grid::<4>().clamp::<7, 12>()));
    few(rows::<Fixed>().filter(|r| r.real.lt(0.5)).sum(|r| ((r.real.clamp::<-9, 9>() - r.int.clamp::<1, 28>()) * r.int.clamp::<-24, -24>())));
    few(rows::<Row>().filter(|r| (r.maybe.is_null() & r.real.gt(r.int))).sum(|r| (r.real * 0.5 + 1.0).clamp::<-21, 5>().times::<-1>().square()));
    few(rows::<Fixed>().filter(|r| r.flag).sum(|r| r.real.clamp::<-1, 26>().times::<3>()));
    few(rows::<Fixed>().filter(|r| r.int.gt(0)).sum(|r| (r.small.clamp::<12, 26>() - r.real.clamp::<-11, 14>())));
    few(rows::<Fixed>().filter(|r| r.int.one_of([0, 1, 100])).sum(|r| ((r.int * r.int - 3).clamp::<14, 38>() + r.maybe.or(3.5).clamp::<0, 4>()).plus::<-6>()));
    few(rows::<Fixed>().filter(|r| ((r.real.gt(r.int) & r.small.ge(7)) & (r.maybe.or(2.0).gt(1.0) & r.int.one_of([0, 1, 100])))).distinct(|r| r.int.clamp::<14, 16>()));
    few(rows::<Row>().distinct(|r| (r.int * r.int - 3).clamp::<1, 24>()));
    few(rows::<Row>().filter(|r| (r.maybe.is_null() & r.int.gt(0))).sum(|r| r.maybe.or(3.5).clamp::<-4, -3>().square().times::<-3>()));
    few(rows::<Fixed>().histogram(|r| r.real.grid::<4>().clamp::<8, 34>()));
    few(rows::<Row>().filter(|r| (r.int.le(-1) | r.int.le(-1))).sum(|r| r.maybe.or(3.5).clamp::<-20, -20>()));
}
#[test]
#[allow(unused_parens, clippy::double_parens)]
fn random_expressions_4() {
    few(rows::<Fixed>().filter(|r| r.int.one_of([0, 1, 100])).histogram(|r| (r.int * r.int - 3).clamp::<-16, 6>()));
    few(rows::<Row>().sum(|r| (r.int.clamp::<-1, 16>() + r.real.grid::<4>().clamp::<-12, 17>())));
    few(rows::<Fixed>().filter(|r| !(r.maybe.or(2.0).gt(1.0) | r.int.gt(0))).distinct(|r| r.real.clamp::<-15, 8>()));
    few(rows::<Fixed>().filter(|r| r.real.gt(r.int)).sum(|r| (r.int.clamp::<-1, 2>() + (r.real.clamp::<-16, -9>() + r.int.clamp::<-13, 7>()))));
    few(rows::<Row>().filter(|r| r.real.gt(r.int)).sum(|r| (r.int * r.int - 3).clamp::<2, 2>().square()));
    few(rows::<Row>().histogram(|r| r.real.clamp::<-12, 9>()));
    few(rows::<Row>().filter(|r| ((r.maybe.is_null() | r.int.le(-1)) & (r.flag | r.text.eq_to("a")))).distinct(|r| (r.real * 0.5 + 1.0).clamp::<5, 8>()));
    few(rows::<Row>().sum(|r| ((r.int * r.int - 3).clamp::<10, 11>() + r.real.grid::<4>().clamp::<0, 8>()).square()));
    few(rows::<Fixed>().filter(|r| (!r.maybe.is_null() & !r.real.lt(0.5))).sum(|r| ((r.int * r.int - 3).clamp::<-18, -1>().plus::<-9>() + (r.real * 0.5 + 1.0).clamp::<8, 12>().times::<-3>())));
    few(rows::<Fixed>().distinct(|r| (r.int * r.int - 3).clamp::<-21, -2>()));
    few(rows::<Fixed>().filter(|r| (r.small.ge(7) | r.int.le(-1))).distinct(|r| r.real.clamp::<-9, 20>()));
    few(rows::<Fixed>().filter(|r| !r.int.le(-1)).sum(|r| (r.real * 0.5 + 1.0).clamp::<-13, -8>()));
    few(rows::<Row>().filter(|r| ((r.real.lt(0.5) & r.maybe.is_null()) & (r.real.lt(0.5) | r.int.le(-1)))).histogram(|r| (r.real * 0.5 + 1.0).clamp::<-23, -12>()));
    few(rows::<Fixed>().filter(|r| r.real.gt(r.int)).distinct(|r| (r.real * 0.5 + 1.0).clamp::<-18, -7>()));
    few(rows::<Row>().filter(|r| !r.real.lt(0.5)).sum(|r| r.small.clamp::<-7, 9>()));
    few(rows::<Fixed>().sum(|r| (r.int.clamp::<-22, -14>().plus::<-8>() * r.maybe.or(3.5).clamp::<-16, -6>())));
    few(rows::<Row>().filter(|r| ((r.small.ge(7) & r.int.gt(0)) | !r.maybe.is_null())).sum(|r| (r.real.grid::<4>().clamp::<11, 12>() + r.maybe.or(3.5).clamp::<-14, 2>())));
    few(rows::<Fixed>().filter(|r| r.real.gt(r.int)).distinct(|r| r.real.grid::<4>().clamp::<11, 12>()));
    few(rows::<Fixed>().filter(|r| (r.small.ge(7) & r.int.one_of([0, 1, 100]))).distinct(|r| r.real.grid::<4>().clamp::<-15, -2>()));
    few(rows::<Row>().filter(|r| ((r.real.gt(r.int) | r.int.gt(0)) | (r.flag | r.text.eq_to("a")))).distinct(|r| r.real.grid::<4>().clamp::<-23, -17>()));
    few(rows::<Fixed>().sum(|r| r.small.clamp::<7, 27>()));
    few(rows::<Row>().filter(|r| r.int.one_of([0, 1, 100])).sum(|r| (r.real * 0.5 + 1.0).clamp::<2, 8>()));
    few(rows::<Row>().filter(|r| (r.int.one_of([0, 1, 100]) | r.text.eq_to("a"))).sum(|r| (r.int * r.int - 3).clamp::<6, 29>().plus::<2>().square()));
    few(rows::<Fixed>().filter(|r| r.real.lt(0.5)).sum(|r| (r.real.grid::<4>().clamp::<1, 15>() + (r.int * r.int - 3).clamp::<-16, -8>())));
    few(rows::<Row>().sum(|r| r.maybe.or(3.5).clamp::<13, 17>().plus::<-3>()));
}
#[test]
#[allow(unused_parens, clippy::double_parens)]
fn random_expressions_5() {
    few(rows::<Fixed>().filter(|r| !!r.small.ge(7)).sum(|r| r.int.clamp::<-19, -12>()));
    few(rows::<Row>().sum(|r| r.real.grid::<4>().clamp::<-24, -5>()));
    few(rows::<Row>().sum(|r| (r.int * r.int - 3).clamp::<-24, -19>()));
    few(rows::<Fixed>().filter(|r| !r.flag).sum(|r| (r.small.clamp::<-2, 21>() * (r.real * 0.5 + 1.0).clamp::<-8, 11>())));
    few(rows::<Row>().filter(|r| r.flag).sum(|r| r.int.clamp::<1, 6>()));
    few(rows::<Fixed>().filter(|r| !!r.maybe.is_null()).sum(|r| r.small.clamp::<0, 13>()));
    few(rows::<Row>().filter(|r| !r.real.gt(r.int)).sum(|r| r.maybe.or(3.5).clamp::<0, 10>()));
    few(rows::<Row>().filter(|r| ((r.maybe.is_null() & r.real.lt(0.5)) | !r.small.ge(7))).distinct(|r| r.maybe.or(3.5).clamp::<13, 16>()));
    few(rows::<Fixed>().filter(|r| (r.maybe.or(2.0).gt(1.0) | r.int.le(-1))).sum(|r| r.int.clamp::<-11, -6>()));
    few(rows::<Fixed>().filter(|r| r.real.lt(0.5)).histogram(|r| r.real.clamp::<-3, 0>()));
    few(rows::<Fixed>().filter(|r| r.maybe.or(2.0).gt(1.0)).sum(|r| r.maybe.or(3.5).clamp::<-25, -12>()));
    few(rows::<Row>().filter(|r| !(r.maybe.or(2.0).gt(1.0) & r.int.gt(0))).distinct(|r| r.small.clamp::<6, 10>()));
    few(rows::<Fixed>().filter(|r| r.int.le(-1)).sum(|r| ((r.real * 0.5 + 1.0).clamp::<-19, -12>().plus::<8>() + ((r.real * 0.5 + 1.0).clamp::<-19, -9>() + r.real.clamp::<-4, 24>()))));
    few(rows::<Fixed>().filter(|r| r.small.ge(7)).sum(|r| (r.real.grid::<4>().clamp::<3, 23>() * (r.real * 0.5 + 1.0).clamp::<-23, -19>())));
    few(rows::<Fixed>().histogram(|r| r.int.clamp::<-2, 4>()));
    few(rows::<Row>().sum(|r| r.real.grid::<4>().clamp::<-8, 10>()));
    few(rows::<Row>().sum(|r| ((r.int * r.int - 3).clamp::<7, 8>() + r.maybe.or(3.5).clamp::<3, 8>()).plus::<8>()));
    few(rows::<Row>().filter(|r| (r.int.le(-1) & r.maybe.or(2.0).gt(1.0))).sum(|r| (r.real * 0.5 + 1.0).clamp::<-18, 0>()));
    few(rows::<Fixed>().filter(|r| r.real.lt(0.5)).distinct(|r| (r.real * 0.5 + 1.0).clamp::<-15, -14>()));
    few(rows::<Fixed>().sum(|r| r.real.clamp::<7, 16>().times::<2>()));
    few(rows::<Row>().filter(|r| ((r.text.eq_to("a") & r.text.eq_to("a")) & (r.real.gt(r.int) | r.int.gt(0)))).distinct(|r| (r.int * r.int - 3).clamp::<-18, 9>()));
    few(rows::<Fixed>().filter(|r| (!r.small.ge(7) | (r.small.ge(7) | r.int.one_of([0, 1, 100])))).sum(|r| r.small.clamp::<-20, -18>()));
    few(rows::<Fixed>().filter(|r| r.small.ge(7)).sum(|r| ((r.int * r.int - 3).clamp::<13, 15>().times::<-2>() + ((r.int * r.int - 3).clamp::<-5, 10>() + (r.real * 0.5 + 1.0).clamp::<-2, 17>()))));
    few(rows::<Row>().filter(|r| !r.int.le(-1)).sum(|r| (r.real * 0.5 + 1.0).clamp::<11, 13>()));
    few(rows::<Row>().filter(|r| r.real.lt(0.5)).sum(|r| (r.int * r.int - 3).clamp::<11, 11>()));
}
