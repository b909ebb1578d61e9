//! Which values a board of `awari` or `oware` is likely to have, from the board alone.
//!
//! The value of a board depends on what can be captured at once, which two neighbouring boards do not have in common. So boards
//! fall into classes: by a sum of weights, which estimates the value roughly, and by the largest capture. A packed database has
//! some dozens of profiles, each of which has the values in order for each class, the most likely first. A tile has the profile
//! that fits it best, and its code has the place of a board's value in this order (`tile_coder.rs`). That makes small places
//! frequent: 3.9 → 3.2 bits a position in `awari` with 20 seeds, 4.7 → 3.9 in `oware`. Nothing here is a rule: a class may be
//! as wrong as it likes, and every value is still written as it is.
//!
//! The weights and the orders are learned from the database that is packed (`prediction_training.rs`), and its file has them:
//!
//! | bytes | |
//! |---|---|
//! | 2 each | weights by what both sides can capture, 16 by 16, in sixteenths of a seed |
//! | 2 each | weights by the first three pits of the mover's row, by the last three, and the same of the other row, 512 each |
//! | 2, 2 | profiles, values of an order |
//! | 2 each | by profile and class: the number of its order |
//! | | the orders |

use super::indexing::{Indexing, Rows};
use super::tiling::Strip;
use crate::game::{ROW, Row};

/// Classes of boards: `ESTIMATES` by `CAPTURES`.
pub const CLASSES: usize = ESTIMATES * CAPTURES;
const ESTIMATES: usize = 32;
const CAPTURES: usize = 4;
/// Parts of a seed.
pub const UNIT: i16 = 16;
/// Sizes of a capture that the weights distinguish, 0 seeds and the largest included; a larger capture counts as the largest.
pub const CAPTURE_SIZES: usize = 16;
/// Halves of a row, three pits each, that the weights distinguish. More than seven seeds of a pit count as seven.
pub const HALF_ROWS: usize = 512;

/// The features of a row that the estimates need.
#[derive(Clone, Copy, Debug)]
pub struct RowFeatures {
    /// The first three pits and the last three, three bits each.
    halves: [u16; 2],
    /// The other side's pits in which one of its sowings ends, as bytes of ones.
    reach: u64,
    /// By pit: the seeds that a sowing of the other side captures that ends there. Laps are left out of both.
    chains: u64,
}

/// By pits as bits, the same as bytes of ones.
const SPREAD: [u64; 1 << ROW] = {
    let mut spread = [0; 1 << ROW];
    let mut bits = 0;
    while bits < spread.len() {
        let mut pit = 0;
        while pit < ROW {
            spread[bits] |= (0xff * (bits as u64 >> pit & 1)) << (8 * pit);
            pit += 1;
        }
        bits += 1;
    }
    spread
};

impl RowFeatures {
    #[inline]
    pub fn new(row: Row) -> RowFeatures {
        const ONES: u64 = 0x0101_0101_0101;
        let pits = row.bits() & (0xff * ONES);
        let many = (pits + 0x78 * ONES) >> 7 & ONES;
        let few = (pits | (7 * many)) & (7 * ONES);
        let half = |few: u64| (few & 7 | few >> 5 & 0o70 | few >> 10 & 0o700) as u16;
        let (mut ends, mut chains, mut chain) = (0u64, 0, 0);
        for pit in 0..ROW {
            let seeds = pits >> (8 * pit) & 0xff;
            ends |= 1 << ((pit as u64 + seeds) & 63);
            chain = if seeds == 1 || seeds == 2 { chain + seeds + 1 } else { 0 };
            chains |= chain.min(CAPTURE_SIZES as u64 - 1) << (8 * pit);
        }
        RowFeatures {
            halves: [half(few), half(few >> 24)],
            reach: SPREAD[(ends >> ROW) as usize % SPREAD.len()],
            chains,
        }
    }

    /// The most that a side captures with one sowing, from its row and the other one.
    #[inline]
    fn captures(self, other: RowFeatures) -> usize {
        let chains = self.reach & other.chains;
        (0..ROW).fold(0, |most, pit| most.max(chains >> (8 * pit) & 0xff)) as usize
    }
}

/// The weights of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By what the mover can capture, and then by what the other side can.
    pub captures: [i16; CAPTURE_SIZES * CAPTURE_SIZES],
    pub halves: [[i16; HALF_ROWS]; 4],
}

/// Which weights are those of a board: of [`Weights::captures`], and of each of [`Weights::halves`].
#[inline]
pub fn places(mover: RowFeatures, other: RowFeatures) -> (usize, [usize; 4]) {
    let captures = mover.captures(other) * CAPTURE_SIZES + other.captures(mover);
    let [[first, second], [third, fourth]] =
        [mover.halves, other.halves].map(|halves| halves.map(usize::from));
    (captures, [first, second, third, fourth])
}

impl Weights {
    /// The class of a board.
    #[inline]
    fn class(&self, mover: RowFeatures, other: RowFeatures) -> usize {
        let (captures, halves) = places(mover, other);
        let sum = (self.halves.iter().zip(halves))
            .fold(i32::from(self.captures[captures]), |sum, (weights, place)| {
                sum + i32::from(weights[place])
            });
        let estimate = (sum + i32::from(UNIT / 2)).div_euclid(i32::from(UNIT)).clamp(0, ESTIMATES as i32 - 1);
        // Nothing, two or three seeds, up to five, more.
        let capture = [0, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3][captures / CAPTURE_SIZES];
        estimate as usize * CAPTURES + capture
    }

    fn all(&self) -> impl Iterator<Item = &i16> {
        self.captures.iter().chain(self.halves.iter().flatten())
    }
}

/// The prediction of a packed database: with it, the values of tiles are coded as places in an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    pub weights: Weights,
    /// By profile and class: the number of its order.
    pub order_of: Vec<u16>,
    /// Values of an order.
    pub symbols: usize,
    pub orders: Vec<u8>,
}

impl Prediction {
    /// The class of a board.
    #[inline]
    pub fn class(&self, mover: RowFeatures, other: RowFeatures) -> usize {
        self.weights.class(mover, other)
    }

    /// The order that a profile has for a class. None if there is no such profile.
    #[inline]
    pub fn order(&self, profile: u8, class: usize) -> Option<&[u8]> {
        let order = *self.order_of.get(usize::from(profile) * CLASSES + class)?;
        self.orders.get(usize::from(order) * self.symbols..)?.get(..self.symbols)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let profiles = (self.order_of.len() / CLASSES) as u16;
        let mut bytes: Vec<u8> = self.weights.all().flat_map(|weight| weight.to_le_bytes()).collect();
        [profiles, self.symbols as u16].into_iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        self.order_of.iter().for_each(|order| bytes.extend(order.to_le_bytes()));
        bytes.extend(&self.orders);
        bytes
    }

    /// None if these are not the bytes of one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Prediction> {
        let (mut words, _) = bytes.as_chunks::<2>();
        let mut next = |count: usize| {
            words.split_off(..count).map(|words| words.iter().copied().map(u16::from_le_bytes))
        };
        let weight = |word: u16| word as i16;
        let captures: Vec<i16> = next(CAPTURE_SIZES * CAPTURE_SIZES)?.map(weight).collect();
        let halves: Vec<i16> = next(4 * HALF_ROWS)?.map(weight).collect();
        let sizes: Vec<u16> = next(2)?.collect();
        let [profiles, symbols] = *sizes.as_array()?;
        let order_of: Vec<u16> = next(usize::from(profiles) * CLASSES)?.collect();
        let orders =
            bytes.get(2 * (CAPTURE_SIZES * CAPTURE_SIZES + 4 * HALF_ROWS + 2 + order_of.len())..)?.to_vec();
        let mut chunks = halves.as_chunks::<HALF_ROWS>().0.iter().copied();
        let weights = Weights {
            captures: *captures.as_array()?,
            halves: std::array::from_fn(|_| chunks.next().unwrap_or([0; HALF_ROWS])),
        };
        let symbols = usize::from(symbols);
        let sound = (1..=256).contains(&symbols)
            && orders.len().is_multiple_of(symbols)
            && order_of.iter().all(|&order| usize::from(order) < orders.len() / symbols);
        sound.then_some(Prediction { weights, order_of, symbols, orders })
    }
}

/// The features of the rows of a strip of tiles.
pub struct StripRows {
    lines: Vec<RowFeatures>,
    columns: Vec<RowFeatures>,
}

impl StripRows {
    pub fn new(strip: &Strip, seeds: u8) -> StripRows {
        let features = |rows: Rows, count| rows.take(count).map(RowFeatures::new).collect();
        let first = Indexing::get().unrank_row(strip.other, strip.line);
        StripRows {
            lines: features(Rows::from(first), strip.lines()),
            columns: features(Rows::with(seeds - strip.other), usize::MAX),
        }
    }

    /// The classes of the boards of a tile.
    pub fn classes(&self, weights: &Weights, strip: &Strip, right: usize) -> Vec<u8> {
        let columns = &self.columns[strip.columns_of(right)];
        let classes = |line| columns.iter().map(move |&column| weights.class(column, line) as u8);
        self.lines.iter().flat_map(|&line| classes(line)).collect()
    }

    /// Replaces the places in a tile with a profile by values. Returns false if there is no such place.
    pub fn to_values(
        &self,
        prediction: &Prediction,
        profile: u8,
        strip: &Strip,
        right: usize,
        tile: &mut [u8],
    ) -> bool {
        let classes = self.classes(&prediction.weights, strip, right);
        tile.iter_mut().zip(classes).all(|(value, class)| {
            let order = prediction.order(profile, usize::from(class));
            let found = order.and_then(|order| order.get(usize::from(*value)).copied());
            found.map(|found| *value = found).is_some()
        })
    }
}
