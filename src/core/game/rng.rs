//! Random numbers, reproducible from a seed on every machine.

/// The next number of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA
/// 2014).
#[inline]
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Shuffles (Fisher and Yates, 1938), with [`split_mix`] from this state on.
pub fn shuffle<T>(items: &mut [T], state: &mut u64) {
    for last in (1..items.len()).rev() {
        let other = split_mix(state) % (last as u64 + 1);
        items.swap(last, other as usize);
    }
}

/// A random number generator (SplitMix64).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut state = seed;
        // The first number is discarded: neighbouring seeds then begin differently.
        split_mix(&mut state);
        Rng { state }
    }

    /// A uniform number below a bound.
    ///
    /// # Panics
    /// If the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below 0");
        // Numbers past the last whole multiple of the bound would favour small results.
        let uneven = (u64::MAX % bound + 1) % bound;
        loop {
            let number = split_mix(&mut self.state);
            if number <= u64::MAX - uneven {
                return number % bound;
            }
        }
    }
}
