//! Charges round up and what is left rounds down, against exact rationals of any size.

use num_bigint::BigUint;

use super::*;
use crate::cost::exact::{GRID, round_down, round_up};
use crate::testing::Choices;

type Big = Ratio<BigUint>;

fn big(x: Ratio<u128>) -> Big {
    Ratio::new((*x.numer()).into(), (*x.denom()).into())
}

/// ε or ρ, and δ, in the notion of the cap, exactly.
fn exactly(price: Price, cap: Price) -> (Big, Big) {
    let main = price.epsilon().or(price.rho()).unwrap();
    let delta = big(price.delta().unwrap_or(Ratio::ZERO));
    match (price.rho(), cap.rho()) {
        (None, Some(_)) => (
            big(main) * big(main) / Ratio::from_integer(2u8.into()),
            delta,
        ),
        _ => (big(main), delta),
    }
}

/// What is reported is at most what is left, and can be spent.
fn assert_honest(sum: Spent, charged: &(Big, Big), cap: Price) {
    let left = sum.left(cap);
    let (reported, all) = (exactly(left, cap), exactly(cap, cap));
    assert!(
        &reported.0 + &charged.0 <= all.0 && &reported.1 + &charged.1 <= all.1,
        "{left} left of {cap}"
    );
    let after = sum.plus(left, cap).unwrap();
    assert!(after.within(cap), "{left} left of {cap} is refused");
}

/// A fraction that a type can write, or one that a price at run time can have.
fn fraction(choices: &mut Choices) -> Ratio<u128> {
    let numer = 1 + choices.below(1024) as u128;
    match choices.below(4) {
        0 => Ratio::new(numer, 10_u128.pow(choices.below(10) as u32)),
        1 => Ratio::new(numer, 1 + choices.below(1 << 32) as u128),
        _ => Ratio::new(numer, 1 + choices.below(1024) as u128),
    }
}

#[test]
fn a_fresh_meter_has_its_cap() {
    let nothing = Spent::default();
    let mut caps = 0;
    for denom in (1..=1024).chain((4..=9).map(|k| 10_u128.pow(k))) {
        for numer in (1..=1024).filter(|numer| *numer <= 41 || numer % 97 == 0) {
            let x = Ratio::new(numer, denom);
            let delta = Ratio::new(numer, 10_u128.pow(30));
            for cap in [Price::pure(x), Price::zcdp(x), Price::approximate(x, delta)] {
                assert_eq!(nothing.left(cap), cap);
                assert_eq!(Spent::nothing_left(cap), {
                    let all = nothing.plus(cap, cap).unwrap();
                    all.left(cap)
                });
                caps += 1;
            }
        }
    }
    assert!(caps > 100_000);
    // The cap that was found: 10^-18 more than it had.
    let cap = Price::pure(Ratio::new(41, 81));
    assert_eq!(nothing.left(cap), cap);
}

/// Random charges, until one is refused: also such as outgrow 128 bits.
#[test]
fn what_is_left_is_never_overstated_and_can_be_spent() {
    let choices = &mut Choices::new(10);
    let (mut charges, mut rounded) = (0, 0);
    for _ in 0..4_000 {
        let x = fraction(choices);
        let delta = Ratio::new(
            1 + choices.below(1024) as u128,
            10_u128.pow(6 + choices.below(25) as u32),
        );
        let cap = match choices.below(3) {
            0 => Price::pure(x),
            1 => Price::zcdp(x),
            _ => Price::approximate(x, delta),
        };
        let mut sum = Spent::default();
        let mut charged = (Big::from_integer(0u8.into()), Big::from_integer(0u8.into()));
        assert_honest(sum, &charged, cap);
        for _ in 0..12 {
            let main = fraction(choices) * Ratio::new(1, 1 << choices.below(20));
            let price = match (cap.rho(), choices.below(2)) {
                (Some(_), 0) => Price::zcdp(main),
                (None, 0) if !cap.is_pure() => {
                    Price::approximate(main, delta * Ratio::new(1, 2 + choices.below(30) as u128))
                }
                _ => Price::pure(main),
            };
            let Some(after) = sum.plus(price, cap).filter(|after| after.within(cap)) else {
                continue;
            };
            sum = after;
            let (main, delta) = exactly(price, cap);
            charged = (charged.0 + main, charged.1 + delta);
            rounded += u32::from(big(sum.main) > charged.0);
            assert!(big(sum.main) >= charged.0 && big(sum.delta) >= charged.1);
            assert_honest(sum, &charged, cap);
            charges += 1;
        }
    }
    assert!(charges > 10_000 && rounded > 1_000, "{charges} {rounded}");
}

#[test]
fn rounding_down_never_rounds_up() {
    let edge = u128::MAX / GRID;
    let denominators = [
        3,
        7,
        edge - 1,
        edge,
        edge + 1,
        edge << 7,
        u128::MAX / 2,
        u128::MAX,
    ];
    for denom in denominators {
        for numer in [1, denom / 3, denom / 2, denom - 1] {
            let x = Ratio::new(numer, denom);
            let (down, up) = (round_down(x, GRID).unwrap(), round_up(x, GRID).unwrap());
            assert!(Ratio::new(down, GRID) <= x, "{x}");
            assert!(up - down <= 4, "{x}");
        }
    }
    assert_eq!(round_down(Ratio::new(1, 4), GRID), Some(GRID / 4));
    assert_eq!(round_down(Ratio::new(9, 4), GRID), Some(GRID * 9 / 4));
}

#[test]
fn sums_are_exact_while_they_fit() {
    let cap = Price::pure(Ratio::new(3, 10));
    let tenth = Price::pure(Ratio::new(1, 10));
    let mut sum = Spent::default();
    for _ in 0..3 {
        sum = sum.plus(tenth, cap).unwrap();
        assert!(sum.within(cap));
    }
    assert_eq!(sum.main, Ratio::new(3, 10));
    assert_eq!(sum.left(cap), Price::pure(Ratio::ZERO));
    assert!(
        !sum.plus(Price::pure(Ratio::new(1, 1_000_000)), cap)
            .unwrap()
            .within(cap)
    );
}

#[test]
fn sums_off_the_grid_are_exact_too() {
    let third = Ratio::new(1, 3);
    let two_thirds = add_up(third, third).unwrap();
    assert_eq!(add_up(two_thirds, third), Some(1.into()));
    // Over a shared denominator nothing outgrows 128 bits.
    let tiny = Ratio::new(1, 1 << 100);
    assert_eq!(add_up(tiny, tiny), Some(Ratio::new(1, 1 << 99)));
}

#[test]
fn what_is_left_is_reported_in_the_notion_of_the_cap() {
    let left = |spent, cap| Spent::default().plus(spent, cap).unwrap().left(cap);
    let (third, half) = (Ratio::new(1, 3), Ratio::new(1, 2));
    // One denominator: exact.
    let spent = Price::pure(third);
    assert_eq!(
        left(spent, Price::pure(Ratio::new(2, 3))),
        Price::pure(third)
    );
    // Two: exact while they fit.
    let sixth = Ratio::new(1, 6);
    assert_eq!(left(spent, Price::pure(half)), Price::pure(sixth));
    assert_eq!(
        left(Price::zcdp(third), Price::zcdp(half)),
        Price::zcdp(sixth)
    );
    let price = |epsilon, a| Price::approximate(epsilon, Ratio::new(a, 1_000_000));
    assert_eq!(left(price(third, 1), price(half, 3)), price(sixth, 2));
    // On the grid, the rounding against the spender.
    let edge = Ratio::new(1, u128::MAX);
    let below_half = Ratio::new(GRID / 2 - 1, GRID);
    assert_eq!(
        left(Price::pure(edge), Price::pure(half)),
        Price::pure(below_half)
    );
    // More than the cap leaves nothing, over one denominator and over two.
    let nothing = Price::pure(Ratio::ZERO);
    assert_eq!(left(Price::pure(half), Price::pure(third)), nothing);
    assert_eq!(
        left(Price::pure(Ratio::new(2, 3)), Price::pure(third)),
        nothing
    );
}

#[test]
fn sums_that_outgrow_128_bits_only_ever_round_up() {
    let cap = Price::pure(1024.into());
    let mut sum = Spent::default();
    let mut truth = 0.0;
    // The product of the first 40 or so primes is far beyond 128 bits.
    for prime in (3u128..1000).filter(|p| (2..*p).all(|d| p % d != 0)) {
        sum = sum.plus(Price::pure(Ratio::new(1, prime)), cap).unwrap();
        truth += 1.0 / prime as f64;
        let spent = *sum.main.numer() as f64 / *sum.main.denom() as f64;
        assert!(
            spent > truth - 1e-12 && spent < truth + 1e-12,
            "{spent} {truth}"
        );
    }
}

#[test]
fn rounding_up_never_rounds_down() {
    for (n, d) in [
        (1, 3),
        (u128::MAX / 2 - 1, u128::MAX / 2),
        (1, u128::MAX),
        (5, 7),
    ] {
        let x = Ratio::new(n, d);
        let up = round_up(x, GRID).unwrap();
        assert!(Ratio::new(up, GRID) >= x, "{x}");
        assert!(Ratio::new(up.saturating_sub(2), GRID) <= x, "{x}");
    }
    assert_eq!(round_up(Ratio::new(1, 4), GRID), Some(GRID / 4));
}

/// Found by an attack: denominators that end just below the largest that can be multiplied.
#[test]
fn rounding_up_does_not_wrap_at_the_edge() {
    let edge = u128::MAX / GRID;
    for shift in [0, 1, 7, 45] {
        for denom in [edge - 2, edge - 1, edge, edge + 1] {
            let denom = (denom << shift) | ((1 << shift) - 1);
            for numer in [1, denom / 2, denom - 2, denom - 1] {
                let x = Ratio::new_raw(numer, denom);
                let up = round_up(x, GRID).unwrap();
                assert!(up <= GRID, "{x}");
                assert!(Ratio::new(up, GRID) >= Ratio::new(numer, denom), "{x}");
            }
        }
    }
}

#[test]
fn a_sum_never_goes_down() {
    // The price lists of the attack, which wrapped a sum of 0.999… to 10^-18.
    let lists: [&[(u128, u128)]; 2] = [
        &[
            (1931225228, 2866048529),
            (373492077, 4055706103),
            (95162048, 2439584479),
            (82361, 422205),
            (1, 1_000_000_002),
        ],
        &[
            (87090869, 284151759),
            (5501169, 41091487),
            (475552924, 1025385197),
            (95849882, 1000000000),
            (1, 1_000_000_002),
        ],
    ];
    let cap = Price::pure(1.into());
    let mut sum = Spent::default();
    for &(numer, denom) in lists.iter().copied().flatten() {
        let after = sum
            .plus(Price::pure(Ratio::new(numer, denom)), cap)
            .unwrap();
        assert!(after.main > sum.main, "{} after {}", after.main, sum.main);
        sum = after;
    }
    assert!(!sum.within(cap));
}

#[test]
fn a_pure_price_in_a_zcdp_cap_is_half_its_square() {
    let cap = Price::zcdp(Ratio::new(1, 8));
    let sum = Spent::default()
        .plus(Price::pure(Ratio::new(1, 2)), cap)
        .unwrap();
    assert_eq!(sum.main, Ratio::new(1, 8));
    assert!(sum.within(cap));
    let delta = Price::approximate(Ratio::new(1, 2), Ratio::new(1, 1000));
    assert!(Spent::default().plus(delta, cap).is_none());
    let pure = Price::pure(1.into());
    assert!(
        Spent::default()
            .plus(Price::zcdp(Ratio::new(1, 2)), pure)
            .is_none()
    );
}

#[cfg(feature = "ledger")]
#[test]
fn two_sums_add_and_a_sum_is_a_price() {
    let cap = Price::pure(2.into());
    let third = Spent::default()
        .plus(Price::pure(Ratio::new(1, 3)), cap)
        .unwrap();
    let both = third.and(third).unwrap();
    assert_eq!(both.price(cap), Price::pure(Ratio::new(2, 3)));
    let cap = Price::approximate(1.into(), Ratio::new(1, 100));
    let spent = Spent::default().plus(cap, cap).unwrap();
    let twice = Price::approximate(2.into(), Ratio::new(1, 50));
    assert_eq!(spent.and(spent).unwrap().price(cap), twice);
}
