//! Euclid's algorithm, for numbers that are values.

/// The greatest common divisor.
pub const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
