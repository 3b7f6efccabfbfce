//! The test of [`Covers`](super::Covers) for values: a witness for the types, and a way to look for the least ε.

use super::orders::{LOGARITHMS, ORDERS, TENS};

/// The same test for values: what [`Covers`](super::Covers) says of `e.0/e.1`, `r.0/r.1` and δ = `d.0`·10^-`d.1`.
///
/// Numbers are in the range of [`Fraction`](super::Fraction) and [`Probability`](super::Probability), so that nothing here outgrows 128 bits.
// Proved: Orders.covers_sound
pub const fn covers(e: (u64, u64), r: (u64, u64), d: (u64, u32)) -> bool {
    if d.0 == 0 || d.1 > 40 {
        return false;
    }
    if r.0 == 0 {
        return true;
    }
    let (digits, places) = spelled(d);
    let log = log_inverse(digits, places);
    let (_, unit, g, square, gain) = ORDERS[chosen(r, digits, places)];
    let unit = if unit == 3 { 1 } else { 100 };
    let (a, b) = (e.0 as u128, e.1 as u128);
    let (c, d) = (r.0 as u128, r.1 as u128);
    if gain <= log {
        b * (square * c + d * (unit * (log - gain))) <= d * (g * a)
    } else {
        b * (square * c) <= d * (g * a + b * (unit * (gain - log)))
    }
}

/// δ as three digits ddd with δ = d.dd·10^-J, and J.
const fn spelled((a, k): (u64, u32)) -> (u64, u32) {
    match a {
        1000.. => (a / 10, k.saturating_sub(3)),
        100.. => (a, k.saturating_sub(2)),
        10.. => (10 * a, k.saturating_sub(1)),
        _ => (100 * a, k),
    }
}

/// ln(1/δ) in thousandths, from above.
const fn log_inverse(digits: u64, places: u32) -> u128 {
    let (log, step, _) = two_digits(digits / 10);
    TENS[places as usize].saturating_sub(log + (digits % 10) as u128 * step / 10)
}

const fn two_digits(n: u64) -> (u128, u128, u128) {
    LOGARITHMS[(n / 10) as usize][(n % 10) as usize]
}

/// 20 lg x, from its first two digits.
const fn lg(mut x: u64) -> u128 {
    if x < 10 {
        return two_digits(10 * x).2;
    }
    let mut twenties = 20;
    while x >= 100 {
        (x, twenties) = (x / 10, twenties + 20);
    }
    two_digits(x).2 + twenties
}

/// The number of the order for ρ and δ.
const fn chosen(r: (u64, u64), digits: u64, places: u32) -> usize {
    let inverse = lg(r.1) + 80 - lg(r.0);
    let both = 40 * places as u128 + 220 - 2 * two_digits(digits / 10).2;
    let key = 2 * (both - inverse.saturating_sub(80)) / 10;
    (inverse + ORDERS[key as usize].0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(g: f64) -> f64 {
        g.ln_1p() + g * (1.0 / g).ln_1p()
    }

    /// The bounds are on the right side and close. `proofs/coq/OrderTables.v` proves the first.
    #[test]
    fn tables_are_bounds() {
        for (n, (_, unit, g, square, h)) in ORDERS.into_iter().enumerate() {
            let scale = 10_u128.pow(unit);
            assert!(g * (scale + g) <= square * scale, "order {n}");
            assert!(1000 * square * scale <= 1002 * g * (scale + g), "order {n}");
            let truth = 1000.0 * gain(g as f64 / scale as f64);
            assert!((0.0..1.0).contains(&(truth - h as f64)), "order {n}");
        }
        for n in 100..1000 {
            let truth = 1000.0 * (n as f64 / 100.0).ln();
            let (log, step, _) = two_digits(n / 10);
            let bound = (log + (n % 10) as u128 * step / 10) as f64;
            assert!(
                bound <= truth && truth < bound + 3.0,
                "{n}: {bound} {truth}"
            );
        }
        for (k, ten) in TENS.into_iter().enumerate() {
            let truth = 1000.0 * k as f64 * 10_f64.ln();
            assert!((0.0..=1.0).contains(&(ten as f64 - truth)), "{k}");
        }
    }

    fn best(rho: f64, log: f64) -> f64 {
        let at = |u: f64| rho * (1.0 + u.exp()) + (log - gain(u.exp())) / u.exp();
        let (mut low, mut high) = (-9.0, 16.0);
        while high - low > 1e-9 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if at(a) < at(b) { high = b } else { low = a }
        }
        at(low)
    }

    /// The least ε that is accepted, as a real number: from the inequality at the order that the table has.
    fn least(r: (u64, u64), d: (u64, u32)) -> f64 {
        let (digits, places) = spelled(d);
        let (_, unit, g, square, gain) = ORDERS[chosen(r, digits, places)];
        let (g, square) = (g as f64, square as f64);
        let owed = log_inverse(digits, places) as f64 - gain as f64;
        let owed = owed * if unit == 3 { 1.0 } else { 100.0 };
        ((square * r.0 as f64 / r.1 as f64 + owed) / g).max(0.0)
    }

    /// The points of a grid, and random ones: ρ as a numerator and a denominator, δ as its digits and places.
    fn points() -> Vec<((u64, u64), (u64, u32))> {
        let denominators = [
            1,
            2,
            3,
            8,
            80,
            97,
            625,
            1000,
            1021,
            10_u64.pow(5),
            10_u64.pow(7),
            10_u64.pow(9),
        ];
        let mut points = Vec::new();
        for places in 1..=30 {
            for a in [1, 2, 3, 9, 10, 15, 99, 101, 123, 456, 999, 1000, 1024] {
                for den in denominators {
                    for num in [
                        1, 2, 3, 5, 7, 10, 17, 31, 64, 100, 177, 316, 562, 1000, 1024,
                    ] {
                        points.push(((num, den), (a, places)));
                    }
                }
            }
        }
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for _ in 0..100_000 {
            let den = match below(3) {
                0 => 10_u64.pow(below(10) as u32),
                _ => 1 + below(1024),
            };
            // With a whole part, one time in three.
            let num = match below(3) {
                0 if den <= 1024 => 1 + below(1023 * den),
                _ => 1 + below(1024),
            };
            let places = match below(2) {
                0 => 2 + below(8),
                _ => 1 + below(30),
            };
            points.push(((num, den), (1 + below(1024), places as u32)));
        }
        points.retain(|&(_, (a, places))| places > 3 || a < 10_u64.pow(places));
        points
    }

    /// Close to the best order, everywhere; and never worse than the conversion that came before,
    /// ε ≥ ρ + 2 √(ρ K · 175/76).
    #[test]
    fn close_to_the_best_order() {
        let (mut tried, mut worst, mut near): (u32, f64, f64) = (0, 0.0, 0.0);
        for ((num, den), (a, places)) in points() {
            let log = f64::from(places) * 10_f64.ln() - (a as f64).ln();
            let rho = num as f64 / den as f64;
            let (got, best) = (least((num, den), (a, places)), best(rho, log));
            if best > 1024.0 {
                continue;
            }
            tried += 1;
            assert!(
                got >= best - 1e-9 * best.abs().max(1.0),
                "{num}/{den} {a}e-{places}"
            );
            let before = rho + 2.0 * (rho * f64::from(places) * 175.0 / 76.0).sqrt();
            assert!(
                got <= before,
                "{num}/{den} {a}e-{places}: {got}, before {before}"
            );
            // δ up to one in a hundred, and an ε that is not nearly zero.
            if log >= 4.6 && best >= rho.sqrt() {
                worst = worst.max(got / best - 1.0);
            } else if log >= 4.6 {
                near = near.max((got - best.max(0.0)) / rho.sqrt());
            }
        }
        println!(
            "{tried} points: at most {worst:.4} above the best order, or {near:.4} of the root of ρ"
        );
        assert!(tried > 150_000, "{tried}");
        assert!(worst < 0.01, "{worst}");
        assert!(near < 0.03, "{near}");
    }

    /// T counts with discrete Gaussian noise of σ = 20 cost ρ = T/800; δ is one in a million.
    #[test]
    fn what_a_budget_buys() {
        // The tight ε (privacy-loss distribution; `benches/peers`) and that of the best order.
        for (t, rho, tight, best_order) in [
            (10, (1, 80), 0.6481, 0.7003),
            (100, (1, 8), 2.2543, 2.4191),
            (1000, (5, 4), 8.3061, 8.8459),
        ] {
            let least = (1..=1024)
                .flat_map(|den| {
                    let fits = |num: &u64| covers((*num, den), rho, (1, 6));
                    let num = (0..=1024).find(fits)?;
                    Some((num as f64 / den as f64, num, den))
                })
                .fold((f64::INFINITY, 0, 1), |a, b| if b.0 < a.0 { b } else { a });
            let above = least.0 / tight - 1.0;
            println!(
                "T = {t}: ε = {}/{} = {:.4}, {:.2} % above tight",
                least.1,
                least.2,
                least.0,
                100.0 * above
            );
            assert!(least.0 <= 1.002 * best_order, "{least:?}");
            assert!(above < 0.081, "{least:?}");
        }
    }
}
