//! Random numbers, the same on every machine: SplitMix64 for the bits, and a logarithm of our own library's making where
//! one is needed, because that of the system may differ from the next system's in its last bit.
//!
//! Every draw has a place of its own, the generation and the player it is for. So nothing of the generator needs to be
//! kept to go on with a run.

use kroo::game::split_mix;

/// The golden ratio, by 2⁶⁴: what SplitMix64 (Steele, Lea and Flood, 2014) adds at each step.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator of a player of a generation, in a run with some random seed.
    #[must_use]
    pub fn new(seed: u64, generation: u32, player: usize) -> Rng {
        let mut state = seed;
        for number in [u64::from(generation), player as u64] {
            state = split_mix(&mut state) ^ number.wrapping_mul(GOLDEN_RATIO);
        }
        Rng { state: split_mix(&mut state) }
    }

    /// Evenly from 0 up to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (split_mix(&mut self.state) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Evenly between a number and its negative.
    pub fn within(&mut self, range: f64) -> f64 {
        range * (2.0 * self.unit() - 1.0)
    }

    /// One of so many, evenly enough: of 2⁶⁴ numbers some are had once more than others.
    ///
    /// # Panics
    /// If there is none.
    pub fn one_of(&mut self, many: usize) -> usize {
        assert!(many > 0, "one of some");
        (split_mix(&mut self.state) % many as u64) as usize
    }

    /// From the standard normal distribution, by the polar method (Marsaglia and Bray, 1964).
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
