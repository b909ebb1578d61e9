//! Reproducible random numbers: SplitMix64, and a portable logarithm, because logarithms of system libraries may differ in the
//! last bit.
//!
//! Each player of each generation has its own generator: a resumed run needs no saved state.

use kroo::game::split_mix;

/// The increment of SplitMix64 (Steele, Lea and Flood, 2014): 2⁶⁴ divided by the golden ratio.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator of a player in a generation.
    pub fn new(seed: u64, generation: u32, player: usize) -> Rng {
        let mut state = seed;
        for number in [u64::from(generation), player as u64] {
            state = split_mix(&mut state) ^ number.wrapping_mul(GOLDEN_RATIO);
        }
        Rng { state: split_mix(&mut state) }
    }

    /// A uniform number from 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (split_mix(&mut self.state) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A uniform number between a number and its negative.
    pub fn within(&mut self, range: f64) -> f64 {
        range * (2.0 * self.unit() - 1.0)
    }

    /// A number below `many`, nearly uniform.
    ///
    /// # Panics
    /// If `many` is 0.
    pub fn one_of(&mut self, many: usize) -> usize {
        assert!(many > 0, "one of some");
        (split_mix(&mut self.state) % many as u64) as usize
    }

    /// A standard normal number, by the polar method (Marsaglia and Bray, 1964).
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (self.within(1.0), self.within(1.0));
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * libm::log(square) / square).sqrt();
            }
        }
    }
}
