//! The coder of packed levels: a range coder whose probabilities depend on the values beside the one that is coded.
//!
//! Values lie in tiles of 16 rows of the other side by 64 of the mover. Neighbours differ by a seed that lies one pit further,
//! so their values are close. The context of a value is the value to its left, the one above it, and whether the left one is
//! smaller or larger than the one before that. Each context has fixed probabilities, which stand in the file, so a tile is
//! decoded by itself, in some 10 µs. A context has its own probabilities if they save more bits than they take; otherwise it
//! has those of the next wider context (the left value and the one above, the left value, none).
//!
//! The coder is rANS (J. Duda, "Asymmetric numeral systems", 2013), with the probabilities in 4096ths, a state of 32 bits, and
//! words of 16 bits. It encodes backwards, so that decoding goes forwards.

use std::cmp::{Ordering, Reverse};

/// Rows of a tile, and values of each.
pub(super) const HEIGHT: usize = 16;
pub(super) const WIDTH: usize = 64;
/// Values of a tile.
pub(super) const TILE: usize = HEIGHT * WIDTH;

/// The bits of a probability.
const BITS: u32 = 12;
const ONE: u32 = 1 << BITS;
/// The least state between two symbols.
const LEAST: u32 = 1 << 16;
/// Ways in which the left value compares with the one before it: smaller, equal, larger, none is there.
const ORDERS: usize = 4;
/// Bits that an entry of a table takes in a file, about: a symbol and its probability.
const ENTRY_BITS: f64 = 20.0;

/// A table as it stands in a file: its order (0 for the widest contexts), its context, and the probability of each symbol.
type Kept = (u8, u32, Vec<(u8, u16)>);

/// Values of a level beside each other, in rows of [`WIDTH`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    pub values: [u8; TILE],
    /// Of these so many columns and rows are in use.
    pub width: usize,
    pub height: usize,
}

/// Values that occur in a level, each with a number without gaps.
#[derive(Clone, Debug)]
struct Alphabet {
    values: Vec<u8>,
    symbols: [u8; 256],
}

impl Alphabet {
    fn new(values: Vec<u8>) -> Alphabet {
        let mut symbols = [0; 256];
        for (symbol, &value) in values.iter().enumerate() {
            symbols[usize::from(value)] = symbol as u8;
        }
        Alphabet { values, symbols }
    }

    /// How many contexts there are: a neighbour may also be missing.
    fn contexts(&self) -> usize {
        (self.values.len() + 1).pow(2) * ORDERS
    }

    /// The context of a symbol by its neighbours; the number of symbols stands for one that is missing.
    #[inline]
    fn context(&self, left: usize, before: usize, up: usize) -> usize {
        let missing = self.values.len();
        let order = match left.cmp(&before) {
            _ if before == missing => 3,
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        };
        (left * (missing + 1) + up) * ORDERS + order
    }

    /// Calls a function with the symbol and the context of each place of a tile, in order.
    fn visit(&self, tile: &Tile, mut each: impl FnMut(usize, usize)) {
        let missing = self.values.len();
        let symbol = |place: usize| usize::from(self.symbols[usize::from(tile.values[place])]);
        for row in 0..tile.height {
            let (mut left, mut before) = (missing, missing);
            for place in row * WIDTH..row * WIDTH + tile.width {
                let up = if row > 0 { symbol(place - WIDTH) } else { missing };
                let own = symbol(place);
                each(own, self.context(left, before, up));
                (before, left) = (left, own);
            }
        }
    }
}

/// Counts the symbols of a level by their contexts.
#[derive(Debug)]
pub(super) struct Counts {
    alphabet: Alphabet,
    counts: Vec<Option<Box<[u32]>>>,
}

impl Counts {
    /// None yet, of a level with these values, in order.
    pub fn new(values: Vec<u8>) -> Counts {
        let alphabet = Alphabet::new(values);
        let counts = vec![None; alphabet.contexts()];
        Counts { alphabet, counts }
    }

    /// Adds a tile.
    pub fn add(&mut self, tile: &Tile) {
        let (alphabet, counts) = (&self.alphabet, &mut self.counts);
        alphabet.visit(tile, |symbol, context| {
            let zeros = || vec![0; alphabet.values.len()].into();
            counts[context].get_or_insert_with(zeros)[symbol] += 1;
        });
    }

    /// The tables with which these counts take the fewest bits, each context compared with the next wider one.
    pub fn tables(&self) -> Tables {
        let symbols = self.alphabet.values.len();
        let mut kept: Vec<Kept> = Vec::new();
        let mut chosen = vec![0; self.counts.len()];
        for (order, width) in widths(symbols).into_iter().enumerate() {
            for (context, counts) in self.counts.chunks(width).enumerate() {
                let mut sum = vec![0u64; symbols];
                for counts in counts.iter().flatten() {
                    sum.iter_mut().zip(counts).for_each(|(sum, &count)| *sum += u64::from(count));
                }
                if order > 0 && sum.iter().all(|&count| count == 0) {
                    continue;
                }
                let table = table(&sum);
                let parent = chosen[context * width];
                let saved = || cost(&sum, &kept[parent].2) - cost(&sum, &table);
                if order == 0 || saved() > ENTRY_BITS * (table.len() + 1) as f64 {
                    chosen[context * width..][..counts.len()].fill(kept.len());
                    kept.push((order as u8, context as u32, table));
                }
            }
        }
        Tables::new(self.alphabet.clone(), kept).expect("tables as they are made")
    }
}

/// How many of the narrowest contexts a context has, from the widest to the narrowest.
fn widths(symbols: usize) -> [usize; 4] {
    [(symbols + 1).pow(2) * ORDERS, (symbols + 1) * ORDERS, ORDERS, 1]
}

/// Probabilities from counts, the largest first: symbols and 4096ths. Each symbol that occurs has one at least.
fn table(counts: &[u64]) -> Vec<(u8, u16)> {
    let all: u64 = counts.iter().sum::<u64>().max(1);
    let part = |count: u64| ((count * u64::from(ONE) + all / 2) / all).max(1) as u16;
    let occurs = |&(_, &count): &(usize, &u64)| count > 0;
    let mut table: Vec<(u8, u16)> = counts
        .iter()
        .enumerate()
        .filter(occurs)
        .map(|(symbol, &count)| (symbol as u8, part(count)))
        .collect();
    if table.is_empty() {
        table.push((0, ONE as u16));
    }
    table.sort_by_key(|&(symbol, part)| (Reverse(part), symbol));
    // What rounding has made too much or too little goes to the largest that can take it.
    let mut over = table.iter().map(|&(_, part)| i32::from(part)).sum::<i32>() - ONE as i32;
    while over != 0 {
        for (_, part) in &mut table {
            let less = over.min(i32::from(*part) / 2);
            *part = (i32::from(*part) - less) as u16;
            over -= less;
        }
    }
    table.sort_by_key(|&(symbol, part)| (Reverse(part), symbol));
    table
}

/// The bits that symbols with these counts take with a table.
fn cost(counts: &[u64], table: &[(u8, u16)]) -> f64 {
    let bits = |&(symbol, part): &(u8, u16)| {
        counts[usize::from(symbol)] as f64 * (f64::from(BITS) - f64::from(part).log2())
    };
    table.iter().map(bits).sum()
}

/// The probability of a symbol: the 4096ths before it, and its own.
#[derive(Clone, Copy, Debug)]
struct Share {
    from: u16,
    part: u16,
    symbol: u8,
    value: u8,
}

/// The probabilities of a level's values.
#[derive(Debug)]
pub(super) struct Tables {
    alphabet: Alphabet,
    /// Order, context and probabilities of each table, as they stand in a file.
    kept: Vec<Kept>,
    /// By context, where its table begins in the list of shares.
    starts: Vec<u32>,
    shares: Vec<Share>,
}

impl Tables {
    fn new(alphabet: Alphabet, kept: Vec<Kept>) -> Option<Tables> {
        let widths = widths(alphabet.values.len());
        let (mut starts, mut shares) = (vec![u32::MAX; alphabet.contexts()], Vec::new());
        for (order, context, table) in &kept {
            let width = *widths.get(usize::from(*order))?;
            let from = (*context as usize).checked_mul(width)?;
            starts.get_mut(from..from.checked_add(width)?)?.fill(shares.len() as u32);
            let mut sum = 0;
            for &(symbol, part) in table {
                let value = *alphabet.values.get(usize::from(symbol))?;
                shares.push(Share { from: sum as u16, part, symbol, value });
                sum += u32::from(part);
                if part == 0 || sum > ONE {
                    return None;
                }
            }
            if sum != ONE {
                return None;
            }
        }
        (!starts.contains(&u32::MAX)).then_some(Tables { alphabet, kept, starts, shares })
    }

    /// The bytes of a tile; none if it has values that were not counted.
    pub fn encode(&self, tile: &Tile) -> Option<Vec<u8>> {
        let mut shares = Vec::with_capacity(TILE);
        self.alphabet.visit(tile, |symbol, context| {
            let table = &self.shares[self.starts[context] as usize..];
            let mut passed = table.iter().take_while(|share| u32::from(share.from) < ONE);
            let is_last = |share: &Share| u32::from(share.from) + u32::from(share.part) == ONE;
            let found = passed.find(|share| usize::from(share.symbol) == symbol || is_last(share));
            shares.push(found.filter(|share| usize::from(share.symbol) == symbol).copied());
        });
        let (mut state, mut words) = (LEAST, Vec::new());
        for share in shares.into_iter().rev() {
            let Share { from, part, .. } = share?;
            let (from, part) = (u32::from(from), u32::from(part));
            if u64::from(state) >= u64::from(part) << (32 - BITS) {
                words.push(state as u16);
                state >>= 16;
            }
            state = ((state / part) << BITS) + state % part + from;
        }
        let mut bytes = state.to_le_bytes().to_vec();
        words.iter().rev().for_each(|word| bytes.extend(word.to_le_bytes()));
        Some(bytes)
    }

    /// The values of a tile with so many columns and rows; none if these are not the bytes of one.
    pub fn decode(&self, bytes: &[u8], width: usize, height: usize) -> Option<Tile> {
        let (state, words) = bytes.split_first_chunk()?;
        let mut state = u32::from_le_bytes(*state);
        let mut words = words.chunks_exact(2).map(|word| u32::from(u16::from_le_bytes([word[0], word[1]])));
        let missing = self.alphabet.values.len();
        let mut tile = Tile { values: [0; TILE], width, height };
        // The symbols of the row above.
        let mut above = [missing as u16; WIDTH];
        for row in 0..height {
            let (mut left, mut before) = (missing, missing);
            let line = &mut tile.values[row * WIDTH..][..width];
            for (value, up) in line.iter_mut().zip(&mut above) {
                let context = self.alphabet.context(left, before, usize::from(*up));
                let slot = state & (ONE - 1);
                let table = &self.shares[self.starts[context] as usize..];
                let holds = |share: &&Share| slot < u32::from(share.from) + u32::from(share.part);
                let share = table.iter().find(holds)?;
                state = u32::from(share.part) * (state >> BITS) + slot - u32::from(share.from);
                if state < LEAST {
                    state = state << 16 | words.next()?;
                }
                (*value, *up) = (share.value, u16::from(share.symbol));
                (before, left) = (left, usize::from(share.symbol));
            }
        }
        (state == LEAST && words.next().is_none()).then_some(tile)
    }

    /// The tables as they stand in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.alphabet.values.len() as u16).to_le_bytes().to_vec();
        bytes.extend(&self.alphabet.values);
        for (order, context, table) in &self.kept {
            bytes.push(*order);
            bytes.extend(context.to_le_bytes());
            bytes.extend((table.len() as u16).to_le_bytes());
            for &(symbol, part) in table {
                bytes.push(symbol);
                if part < 128 {
                    bytes.push(part as u8);
                } else {
                    bytes.extend([128 | (part & 127) as u8, (part >> 7) as u8]);
                }
            }
        }
        bytes
    }

    /// The tables of a file; none if they are not sound.
    pub fn from_bytes(bytes: &[u8]) -> Option<Tables> {
        let (symbols, rest) = bytes.split_first_chunk()?;
        let symbols = usize::from(u16::from_le_bytes(*symbols));
        let (values, mut rest) = rest.split_at_checked(symbols)?;
        if symbols > 256 || !values.is_sorted_by(|one, other| one < other) {
            return None;
        }
        let mut kept = Vec::new();
        while let Some((&order, after)) = rest.split_first() {
            let (context, after) = after.split_first_chunk()?;
            let (entries, mut after) = after.split_first_chunk()?;
            let mut table = Vec::new();
            for _ in 0..u16::from_le_bytes(*entries) {
                let (&[symbol, low], next) = after.split_first_chunk()?;
                let (part, next) = match (low < 128, next) {
                    (true, _) => (u16::from(low), next),
                    (false, [high, next @ ..]) => (u16::from(low & 127) | u16::from(*high) << 7, next),
                    (false, []) => return None,
                };
                table.push((symbol, part));
                after = next;
            }
            kept.push((order, u32::from_le_bytes(*context), table));
            rest = after;
        }
        Tables::new(Alphabet::new(values.to_vec()), kept)
    }
}

#[cfg(test)]
mod tests;
