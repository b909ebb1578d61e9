//! The normal distribution.

use std::f64::consts::SQRT_2;

/// Standard deviations to each side of the mean that hold 95 % of a normal distribution: Φ(z) = 0.975.
pub(super) const Z_95: f64 = 1.959_964;

/// The distribution function Φ: the probability of a value below `x`, in standard deviations from the mean.
pub(super) fn cumulative(x: f64) -> f64 {
    // By `erfc`, which unlike 1 + erf keeps all digits of small probabilities.
    0.5 * libm::erfc(-x / SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// The slow truth: a series (G. Marsaglia, "Evaluating the Normal Distribution", 2004).
    fn by_series(x: f64) -> f64 {
        let (mut sum, mut term, mut odd) = (x, x, 1.0);
        while term.abs() > f64::EPSILON * sum.abs() {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        0.5 + sum * (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
    }

    #[test]
    fn it_is_the_series() {
        for step in -600..=600 {
            let x = f64::from(step) / 100.0;
            assert!((cumulative(x) - by_series(x)).abs() < 1e-14, "{x}");
        }
        assert!((cumulative(Z_95) - 0.975).abs() < 1e-8);
        assert_eq!((cumulative(-40.0), cumulative(0.0), cumulative(40.0)), (0.0, 0.5, 1.0));
    }
}
