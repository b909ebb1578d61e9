//! The normal distribution.

use std::f64::consts::SQRT_2;

/// Standard deviations to each side of the mean that hold 95 % of a normal distribution: Φ(z) = 0.975.
pub const Z_95: f64 = 1.959_964;

/// The distribution function Φ: the probability of a value below `x`, in standard deviations from the mean.
pub fn cumulative(x: f64) -> f64 {
    // By `erfc`, which unlike 1 + erf keeps all digits of small probabilities.
    0.5 * libm::erfc(-x / SQRT_2)
}
