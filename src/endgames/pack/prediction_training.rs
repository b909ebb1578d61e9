//! Learns weights, profiles and orders from a database, and writes its tiles with them.
//!
//! The weights are those with which a sum of five comes nearest to the first threshold of a board, by stochastic gradient
//! descent over some two million boards. The profiles are found like the means of clusters (S. Lloyd, "Least Squares
//! Quantization in PCM", 1982): each tile of a sample joins the profile that describes it with the fewest bits, then each
//! profile counts the values of its tiles. The same database gives the same bytes on the same machine, on any number of
//! threads.

use kroo_core::endgames::probe::indexing::{Indexing, board_count};
use kroo_core::endgames::probe::prediction::{
    CAPTURE_SIZES, CLASSES, HALF_ROWS, Prediction, RowFeatures, StripRows, UNIT, Weights, places,
};
use kroo_core::endgames::probe::tiling::{Strip, Tiling};
use kroo_core::game::split_mix;
use kroo_core::thread_pool::Stopped;

/// Boards that the weights are learned from, and how often.
const SAMPLES: usize = 2_000_000;
const EPOCHS: usize = 6;
/// Most profiles, and how often they change.
pub const MOST_PROFILES: usize = 64;
const ROUNDS: usize = 6;
/// Boards from which on a class of a profile has an order of its own.
const FEWEST_OF_A_CLASS: u32 = 200;
/// Parts of a bit.
const BIT: f64 = 256.0;

/// By value.
type Counts = [u32; 256];
/// The number of times that a class and a value occur together; they share 16 bits, the class first.
type Pairs = Vec<(u16, u32)>;

/// The amount of training data, and the size of the result.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Boards of a database that is worth it; what has to be learned takes some 10 KB at least.
    pub fewest_boards: usize,
    pub boards_of_a_profile: usize,
    /// Most tiles that profiles are learned from.
    pub tiles: usize,
}

impl Effort {
    pub const FULL: Effort = Effort { fewest_boards: 100_000, boards_of_a_profile: 500_000, tiles: 16_000 };
}

/// Writes tiles with what has been learned.
#[derive(Debug)]
pub struct Packer {
    pub prediction: Prediction,
    /// By order and value: the place in the order, and what it costs in parts of a bit.
    places: Vec<[u8; 256]>,
    costs: Vec<[u32; 256]>,
}

/// Learns a prediction from the values of the `seeds`-seed database. `targets` has a number of seeds for each value that there
/// is. None if the database is too small for a prediction to pay off. `stop` is asked now and then.
pub fn train(
    values: &[u8],
    tiling: &Tiling,
    (seeds, targets): (u8, &[u8]),
    effort: Effort,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Option<Packer>, Stopped> {
    if values.len() < effort.fewest_boards || values.len() != board_count(seeds) {
        return Ok(None);
    }
    let mut go_on = || if stop() { Err(Stopped) } else { Ok(()) };
    let weights = weights(values, seeds, targets, &mut go_on)?;
    let step = tiling.tiles().div_ceil(effort.tiles);
    let mut tiles: Vec<Pairs> = Vec::new();
    for strip in tiling.strips() {
        go_on()?;
        let wanted = strip.tiles.start.next_multiple_of(step)..strip.tiles.end;
        if wanted.is_empty() {
            continue;
        }
        let rows = StripRows::new(&strip, seeds);
        for tile in wanted.step_by(step) {
            let right = tile - strip.tiles.start;
            let classes = rows.classes(&weights, &strip, right);
            tiles.push(pairs(&classes, &strip.cut(right, &values[strip.indices.clone()])));
        }
    }
    let profiles = (values.len() / effort.boards_of_a_profile).clamp(1, MOST_PROFILES);
    let mut chosen = by_means(&tiles, targets, profiles);
    let mut packer = Packer::of_counts(&weights, &tiles, &chosen, profiles, targets.len());
    for _ in 0..ROUNDS {
        go_on()?;
        chosen = tiles.iter().map(|tile| packer.profile(tile)).collect();
        packer = Packer::of_counts(&weights, &tiles, &chosen, profiles, targets.len());
    }
    Ok(Some(packer))
}

/// The weights with which a sum comes nearest to the targets.
fn weights(
    values: &[u8],
    seeds: u8,
    targets: &[u8],
    go_on: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Weights, Stopped> {
    let mut random = 1;
    let boards = values.len() as u64;
    let indices: Vec<usize> = (0..SAMPLES).map(|_| (split_mix(&mut random) % boards) as usize).collect();
    // They are read in the order of the file, which may be larger than the memory.
    let mut order: Vec<u32> = (0..SAMPLES as u32).collect();
    order.sort_unstable_by_key(|&sample| indices[sample as usize]);
    let mut samples = vec![(0u16, [0u16; 4], 0u8); SAMPLES];
    for (number, sample) in order.into_iter().map(|sample| sample as usize).enumerate() {
        if number.is_multiple_of(SAMPLES / 16) {
            go_on()?;
        }
        let board = Indexing::get().unrank(seeds, indices[sample]);
        let target = targets.get(usize::from(values[indices[sample]])).copied().unwrap_or_default();
        let (captures, halves) = places(RowFeatures::new(board.mover), RowFeatures::new(board.other));
        samples[sample] = (captures as u16, halves.map(|half| half as u16), target);
    }
    let (mut captures, mut halves) = ([0f32; CAPTURE_SIZES * CAPTURE_SIZES], [[0f32; HALF_ROWS]; 4]);
    for rate in (0..EPOCHS).map(|epoch| 0.01 * 0.7f32.powi(epoch as i32)) {
        go_on()?;
        for &(capture, places, target) in &samples {
            let (capture, places) = (usize::from(capture), places.map(usize::from));
            let sum =
                (halves.iter().zip(places)).fold(captures[capture], |sum, (half, place)| sum + half[place]);
            let step = rate * (f32::from(target) - sum);
            captures[capture] += step;
            halves.iter_mut().zip(places).for_each(|(half, place)| half[place] += step);
        }
    }
    let rounded = |weight: f32| (weight * f32::from(UNIT)).round() as i16;
    Ok(Weights { captures: captures.map(rounded), halves: halves.map(|half| half.map(rounded)) })
}

fn pairs(classes: &[u8], values: &[u8]) -> Pairs {
    let mut counts = vec![0u32; CLASSES << 8];
    let mut found = Vec::new();
    for (&class, &value) in classes.iter().zip(values) {
        let pair = u16::from(class) << 8 | u16::from(value);
        if counts[usize::from(pair)] == 0 {
            found.push(pair);
        }
        counts[usize::from(pair)] += 1;
    }
    found.into_iter().map(|pair| (pair, counts[usize::from(pair)])).collect()
}

/// A profile for each tile, by the mean of its values: as many tiles for each.
fn by_means(tiles: &[Pairs], targets: &[u8], profiles: usize) -> Vec<u8> {
    let mean = |tile: &Pairs| {
        let target =
            |value: u16| u64::from(targets.get(usize::from(value & 255)).copied().unwrap_or_default());
        let (sum, boards) = tile.iter().fold((0, 0), |(sum, boards), &(pair, count)| {
            (sum + target(pair) * u64::from(count), boards + u64::from(count))
        });
        (sum << 16) / boards.max(1)
    };
    let mut order: Vec<usize> = (0..tiles.len()).collect();
    order.sort_by_key(|&tile| (mean(&tiles[tile]), tile));
    let mut chosen = vec![0; tiles.len()];
    for (place, &tile) in order.iter().enumerate() {
        chosen[tile] = (place * profiles / tiles.len()) as u8;
    }
    chosen
}

impl Packer {
    /// The orders of the counted values, from tiles and the profiles that these have.
    fn of_counts(
        weights: &Weights,
        tiles: &[Pairs],
        chosen: &[u8],
        profiles: usize,
        symbols: usize,
    ) -> Packer {
        let mut counts = vec![[0u32; 256]; profiles * CLASSES];
        for (tile, &profile) in tiles.iter().zip(chosen) {
            for &(pair, count) in tile {
                counts[usize::from(profile) * CLASSES + usize::from(pair >> 8)][usize::from(pair & 255)] +=
                    count;
            }
        }
        let mut packer = Packer {
            prediction: Prediction {
                weights: weights.clone(),
                order_of: Vec::new(),
                symbols,
                orders: Vec::new(),
            },
            places: Vec::new(),
            costs: Vec::new(),
        };
        for classes in counts.chunks(CLASSES) {
            let mut all = [0u32; 256];
            classes.iter().flatten().zip((0..256).cycle()).for_each(|(count, value)| all[value] += count);
            let of_all = packer.add(&all, None);
            for counts in classes {
                let own = counts.iter().sum::<u32>() >= FEWEST_OF_A_CLASS;
                let order = if own { packer.add(counts, Some(&all)) } else { of_all };
                packer.prediction.order_of.push(order);
            }
        }
        packer
    }

    /// Adds an order: the most frequent value first, where rare ones are as frequent as among all. Returns its number.
    fn add(&mut self, counts: &Counts, all: Option<&Counts>) -> u16 {
        let symbols = self.prediction.symbols;
        let sum = |counts: &Counts| f64::from(counts.iter().sum::<u32>());
        let of_all = all.map(|all| (all, sum(all).max(1.0)));
        let weight = |value: usize| {
            let expected = of_all.map_or(1.0 / symbols as f64, |(all, sum)| {
                (f64::from(all[value]) + 0.1) / (sum + 0.1 * symbols as f64)
            });
            (f64::from(counts[value]) + 2.0 * expected) / (sum(counts) + 2.0)
        };
        let mut costs = [u32::MAX; 256];
        (0..symbols).for_each(|value| costs[value] = (-weight(value).log2() * BIT).round() as u32);
        let mut order: Vec<u8> = (0..symbols).map(|value| value as u8).collect();
        order.sort_by_key(|&value| (costs[usize::from(value)], value));
        let mut places = [0; 256];
        order.iter().enumerate().for_each(|(place, &value)| places[usize::from(value)] = place as u8);
        self.prediction.orders.extend(order);
        self.places.push(places);
        self.costs.push(costs);
        self.places.len() as u16 - 1
    }

    /// The profile that describes a tile with the fewest bits.
    fn profile(&self, tile: &Pairs) -> u8 {
        let mut best = (u64::MAX, 0);
        for (profile, order_of) in self.prediction.order_of.chunks(CLASSES).enumerate() {
            let mut cost = 0;
            for &(pair, count) in tile {
                let order = usize::from(order_of[usize::from(pair >> 8)]);
                cost += u64::from(self.costs[order][usize::from(pair & 255)]) * u64::from(count);
                if cost >= best.0 {
                    break;
                }
            }
            best = best.min((cost, profile as u8));
        }
        best.1
    }

    /// The profile of a tile, and the places of its values.
    pub fn places(&self, rows: &StripRows, strip: &Strip, right: usize, tile: &[u8]) -> (u8, Vec<u8>) {
        let classes = rows.classes(&self.prediction.weights, strip, right);
        let profile = self.profile(&pairs(&classes, tile));
        let order_of = &self.prediction.order_of[usize::from(profile) * CLASSES..][..CLASSES];
        let place = |(&class, &value): (&u8, &u8)| {
            self.places[usize::from(order_of[usize::from(class)])][usize::from(value)]
        };
        (profile, classes.iter().zip(tile).map(place).collect())
    }
}
