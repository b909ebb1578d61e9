//! Lots to draw: random numbers that are the same everywhere for the same seed.

use crate::game::split_mix;

/// A generator of random numbers (SplitMix64).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lots {
    state: u64,
}

impl Lots {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Lots {
        let mut state = seed;
        // Seeds that lie near each other part ways with a first number that is thrown away.
        split_mix(&mut state);
        Lots { state }
    }

    /// A number below a bound, each as likely as any other.
    ///
    /// # Panics
    /// If the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is a lot to draw");
        // Numbers past the last whole multiple of the bound would favour the small ones.
        let uneven = (u64::MAX % bound + 1) % bound;
        loop {
            let number = split_mix(&mut self.state);
            if number <= u64::MAX - uneven {
                return number % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_hang_on_the_seed_and_fall_evenly() {
        let drawn = |seed| {
            let mut lots = Lots::new(seed);
            (0..6000).map(|_| lots.below(6) as usize).collect::<Vec<_>>()
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        let mut counts = [0; 6];
        drawn(1).into_iter().for_each(|lot| counts[lot] += 1);
        // 29 is the standard deviation of each.
        assert!(counts.iter().all(|count| (880..1120).contains(count)), "{counts:?}");
        let mut lots = Lots::new(0);
        assert!((0..100).all(|_| lots.below(1) == 0));
        assert!((0..100).all(|_| lots.below(u64::MAX) < u64::MAX));
    }
}
