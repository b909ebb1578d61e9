//! The most likely distribution among those that a hypothesis allows (M. Van den Bergh, "The generalized maximum
//! likelihood ratio for the expectation value of a distribution").
//!
//! A distribution `p` over the categories is found by one multiplier: under `Σ pᵢ gᵢ = 0` the likelihood of the shares
//! `qᵢ` that were seen is greatest at `pᵢ = qᵢ / (1 + x gᵢ)`.

/// Halvings of an interval: as many as a double has use for.
const HALVINGS: usize = 80;
/// Rounds of the fixed point; four or five are usual.
const ROUNDS: usize = 50;
/// A change of a probability that does not matter.
const STILL: f64 = 1e-10;

/// Shares, of which none is 0, and the scores that belong to them, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample<const N: usize> {
    units: f64,
    shares: [f64; N],
}

impl<const N: usize> Sample<N> {
    /// From counts; what never happened is taken to have happened `never` times.
    pub fn new(counts: [u64; N], never: f64) -> Sample<N> {
        Sample::of(counts.map(|count| if count == 0 { never } else { count as f64 }))
    }

    /// From counts that need not be whole numbers.
    pub fn of(counts: [f64; N]) -> Sample<N> {
        let units = counts.iter().sum();
        Sample { units, shares: counts.map(|count| count / units) }
    }

    pub fn shares(&self) -> [f64; N] {
        self.shares
    }

    /// The logarithm of how many times likelier the sample is under one distribution than under another.
    pub fn log_ratio(&self, likelier: [f64; N], other: [f64; N]) -> f64 {
        let pairs = likelier.iter().zip(other).map(|(one, other)| (one / other).ln());
        self.units * self.shares.iter().zip(pairs).map(|(share, log)| share * log).sum::<f64>()
    }

    /// The most likely distribution with this mean, which lies between 0 and 1.
    pub fn with_mean(&self, mean: f64) -> [f64; N] {
        self.constrained(scores().map(|score| score - mean)).unwrap_or(self.shares)
    }

    /// The most likely distribution whose mean is `t` standard deviations away from ½.
    ///
    /// The constraint is no linear one, so it is laid anew around each result until nothing moves.
    pub fn with_advantage(&self, t: f64) -> [f64; N] {
        let mut found = [1.0 / N as f64; N];
        for _ in 0..ROUNDS {
            let (mean, deviation) = moments(found);
            let bend = |score: f64| 1.0 + ((score - mean) / deviation).powi(2);
            let constraint = scores().map(|score| score - 0.5 - t * deviation / 2.0 * bend(score));
            let Some(next) = self.constrained(constraint) else { break };
            let change = next.iter().zip(found).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
            found = next;
            if change < STILL {
                break;
            }
        }
        found
    }

    /// The most likely distribution under `Σ pᵢ gᵢ = 0`; `None` if all `g` have one sign, so that there is none.
    fn constrained(&self, g: [f64; N]) -> Option<[f64; N]> {
        let least = g.iter().copied().fold(f64::INFINITY, f64::min);
        let most = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least >= 0.0 || most <= 0.0 {
            return None;
        }
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        for _ in 0..HALVINGS {
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

/// Mean and standard deviation.
fn moments<const N: usize>(distribution: [f64; N]) -> (f64, f64) {
    let mean = scores::<N>().iter().zip(distribution).map(|(score, share)| score * share).sum::<f64>();
    let squares = scores::<N>().map(|score| (score - mean).powi(2));
    (mean, squares.iter().zip(distribution).map(|(square, share)| square * share).sum::<f64>().sqrt())
}
