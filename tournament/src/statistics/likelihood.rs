//! The most likely distribution among those that a hypothesis allows (M. Van den Bergh, "The Generalized Maximum Likelihood
//! Ratio for the Expectation Value of a Distribution"; hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf).
//!
//! A hypothesis is a constraint `Σ pᵢ gᵢ = 0` on the probabilities `pᵢ` of the categories. Under it, the likelihood of the shares
//! `qᵢ` that were seen is greatest at `pᵢ = qᵢ / (1 + x gᵢ)`, where `x` is the multiplier that fulfils the constraint.

/// Bisections for the multiplier: enough to exhaust the 53 bits of a double in an interval that is wide or near 0.
const BISECTIONS: usize = 80;
/// The most iterations of the fixed point. Four or five are usual.
const MAX_ITERATIONS: usize = 50;
/// The fixed point is reached when no probability changes by more than this.
const TOLERANCE: f64 = 1e-10;

/// The shares of the categories, all above 0. Category `i` of `N` has the score `i / (N − 1)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample<const N: usize> {
    /// How many games, or pairs of games.
    units: f64,
    shares: [f64; N],
}

impl<const N: usize> Sample<N> {
    /// From counts. A category without any result counts `unseen` times.
    pub fn new(counts: [u64; N], unseen: f64) -> Sample<N> {
        Sample::of(counts.map(|count| if count == 0 { unseen } else { count as f64 }))
    }

    /// From counts that need not be whole numbers.
    pub fn of(counts: [f64; N]) -> Sample<N> {
        let units = counts.iter().sum();
        Sample { units, shares: counts.map(|count| count / units) }
    }

    /// The shares of the categories.
    pub fn shares(&self) -> [f64; N] {
        self.shares
    }

    /// The logarithm of the likelihood ratio of the sample under two distributions.
    pub fn log_likelihood_ratio(&self, numerator: [f64; N], denominator: [f64; N]) -> f64 {
        let logarithms = numerator.iter().zip(denominator).map(|(one, other)| (one / other).ln());
        self.units * self.shares.iter().zip(logarithms).map(|(share, log)| share * log).sum::<f64>()
    }

    /// The most likely distribution with this mean, which is between 0 and 1.
    pub fn with_mean(&self, mean: f64) -> [f64; N] {
        self.constrained(scores().map(|score| score - mean)).unwrap_or(self.shares)
    }

    /// The most likely distribution with a mean `t` standard deviations above ½.
    ///
    /// This constraint is not linear. It is linearised at each result until nothing changes: with the mean μ and the deviation σ
    /// of the last result, `gᵢ = aᵢ − ½ − tσ/2 (1 + ((aᵢ − μ)/σ)²)` for the score `aᵢ`.
    pub fn with_t_value(&self, t: f64) -> [f64; N] {
        let mut found = [1.0 / N as f64; N];
        for _ in 0..MAX_ITERATIONS {
            let (mean, deviation) = moments(found);
            let bend = |score: f64| 1.0 + ((score - mean) / deviation).powi(2);
            let constraint = scores().map(|score| score - 0.5 - t * deviation / 2.0 * bend(score));
            let Some(next) = self.constrained(constraint) else { break };
            let change = next.iter().zip(found).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
            found = next;
            if change < TOLERANCE {
                break;
            }
        }
        found
    }

    /// The most likely distribution under `Σ pᵢ gᵢ = 0`; `None` if all `g` have one sign: then none satisfies it.
    fn constrained(&self, g: [f64; N]) -> Option<[f64; N]> {
        let least = g.iter().copied().fold(f64::INFINITY, f64::min);
        let most = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least >= 0.0 || most <= 0.0 {
            return None;
        }
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        for _ in 0..BISECTIONS {
            let x = (low + high) / 2.0;
            let slope: f64 = self.shares.iter().zip(g).map(|(share, g)| share * g / (1.0 + x * g)).sum();
            if slope > 0.0 { low = x } else { high = x }
        }
        let x = (low + high) / 2.0;
        let mut found = self.shares;
        found.iter_mut().zip(g).for_each(|(share, g)| *share /= 1.0 + x * g);
        Some(found)
    }
}

/// The scores of the categories.
fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|index| index as f64 / (N - 1) as f64)
}

/// The mean and the standard deviation of the score.
fn moments<const N: usize>(distribution: [f64; N]) -> (f64, f64) {
    let mean = scores::<N>().iter().zip(distribution).map(|(score, share)| score * share).sum::<f64>();
    let squares = scores::<N>().map(|score| (score - mean).powi(2));
    (mean, squares.iter().zip(distribution).map(|(square, share)| square * share).sum::<f64>().sqrt())
}
