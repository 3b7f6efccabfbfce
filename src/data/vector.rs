//! What is computed of the vector of one row, by loops and by programs alike.

/// The most coordinates of a vector that is clipped, or that a program reads.
pub(crate) const MOST_COORDINATES: usize = 1024;

/// The greatest norm on the grid: its square, times any dimension up to 1024, fits 64 bits.
pub(crate) const MOST_STEPS: i128 = 1 << 26;

/// Which norm is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Norm {
    L1,
    L2,
}

#[inline(always)]
fn tame(x: f64) -> f64 {
    const HUGE: f64 = 1e100;
    let x = if x.is_nan() { 0.0 } else { x };
    let x = if x > HUGE { HUGE } else { x };
    if x < -HUGE { -HUGE } else { x }
}

/// Clips a vector to a norm of `limit` steps, `grid` of them per unit: in floating point first, rounded
/// towards zero, then in integers.
#[inline(always)]
pub(crate) fn clip(norm: Norm, vector: &[f64], grid: i64, limit: i64, steps: &mut [i64]) {
    let tamed = || vector.iter().map(|x| tame(*x));
    let length = match norm {
        Norm::L1 => tamed().map(f64::abs).sum::<f64>(),
        Norm::L2 => tamed().map(|x| x * x).sum::<f64>().sqrt(),
    };
    let length = length * grid as f64;
    let factor = if length > limit as f64 {
        limit as f64 / length
    } else {
        1.0
    };
    // A coordinate is at most the norm; the cast saturates and the clamp rules out the rest.
    for (step, x) in steps.iter_mut().zip(tamed()) {
        *step = ((x * grid as f64 * factor) as i64).clamp(-limit, limit);
    }
    let whole = match norm {
        Norm::L1 => steps.iter().map(|z| z.abs()).sum(),
        Norm::L2 => {
            let squares = steps.iter().map(|z| z.unsigned_abs() * z.unsigned_abs());
            let square: u64 = squares.sum();
            let root = square.isqrt();
            (root + u64::from(root * root < square)) as i64
        }
    };
    // PRIVACY: `whole` is the norm in integers, rounded up. Coordinate by coordinate |z·limit/whole| rounds
    // down, so that the norm of the result is at most norm(z)·limit/whole, and that is at most `limit`.
    let (up, down) = if whole > limit {
        (limit, whole)
    } else {
        (1, 1)
    };
    for step in steps {
        *step = *step * up / down;
    }
}

/// The place of the nearest centre; the first of equally near ones.
#[inline(always)]
pub(crate) fn nearest<'a>(vector: &[f64], centres: impl Iterator<Item = &'a [f64]>) -> i64 {
    let (mut nearest, mut least) = (0, f64::INFINITY);
    for (index, centre) in centres.enumerate() {
        let mut distance = 0.0;
        for (x, c) in vector.iter().zip(centre) {
            distance += (x - c) * (x - c);
        }
        let nearer = distance < least;
        nearest = if nearer { index as i64 } else { nearest };
        least = if nearer { distance } else { least };
    }
    nearest
}

/// The scalar product with public weights.
#[inline(always)]
pub(crate) fn dot(vector: &[f64], weights: &[f64]) -> f64 {
    vector.iter().zip(weights).map(|(x, w)| x * w).sum()
}
