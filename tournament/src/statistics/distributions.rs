//! The normal distribution, and the beta distribution, which describes knowledge of a share.

use std::f64::consts::SQRT_2;

/// Standard deviations to each side of the mean that hold 95 % of a normal distribution: Φ(z) = 0.975.
pub const Z_95: f64 = 1.959_964;

/// The distribution function Φ: the probability of a value below `x`, in standard deviations from the mean.
pub fn cumulative(x: f64) -> f64 {
    // By `erfc`, which unlike 1 + erf keeps all digits of small probabilities.
    0.5 * libm::erfc(-x / SQRT_2)
}

/// With parameters of a larger sum, the distribution is indistinguishable from a normal one.
const NARROW: f64 = 1e6;
/// Terms of the continued fraction; it needs about the square root of the larger parameter.
const MAX_TERMS: u32 = 10_000;
/// The continued fraction has converged when a term changes it by less than this share.
const PRECISION: f64 = 1e-14;
/// Steps of the bisection, each of which halves the interval.
const STEPS: u32 = 60;

/// A beta distribution with two positive parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    pub a: f64,
    pub b: f64,
}

impl Beta {
    /// The one with this mean and variance; the variance is less than mean · (1 − mean).
    pub fn with_moments(mean: f64, variance: f64) -> Beta {
        let concentration = mean * (1.0 - mean) / variance - 1.0;
        Beta { a: mean * concentration, b: (1.0 - mean) * concentration }
    }

    /// The probability of a value below `x`, which is from 0 to 1: the regularised incomplete beta function.
    pub fn cumulative(&self, x: f64) -> f64 {
        let Beta { a, b } = *self;
        if a + b > NARROW {
            let deviation = (a * b / (a + b + 1.0)).sqrt() / (a + b);
            return cumulative((x - a / (a + b)) / deviation);
        }
        // The fraction converges quickly on this side of the mean only.
        if x > (a + 1.0) / (a + b + 2.0) {
            return 1.0 - Beta { a: b, b: a }.cumulative(1.0 - x);
        }
        let factor =
            libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * x.ln() + b * (1.0 - x).ln();
        (factor.exp() / a / self.fraction(x)).clamp(0.0, 1.0)
    }

    /// The continued fraction of the incomplete beta function (NIST Digital Library of Mathematical Functions, 8.17.22), by the
    /// method of Lentz.
    fn fraction(&self, x: f64) -> f64 {
        let Beta { a, b } = *self;
        let nonzero = |value: f64| if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value };
        let (mut value, mut numerator, mut denominator) = (1.0, 1.0, 0.0);
        for term in 1..=MAX_TERMS {
            let m = f64::from(term / 2);
            let coefficient = if term % 2 == 0 {
                m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
            } else {
                -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
            };
            denominator = 1.0 / nonzero(1.0 + coefficient * denominator);
            numerator = nonzero(1.0 + coefficient / numerator);
            let change = numerator * denominator;
            value *= change;
            if (change - 1.0).abs() < PRECISION {
                break;
            }
        }
        value
    }

    /// The value below which the distribution has this share.
    pub fn quantile(&self, share: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..STEPS {
            let middle = f64::midpoint(low, high);
            if self.cumulative(middle) < share { low = middle } else { high = middle }
        }
        f64::midpoint(low, high).clamp(f64::EPSILON, 1.0 - f64::EPSILON)
    }
}
