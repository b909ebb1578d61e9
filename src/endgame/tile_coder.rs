//! The code of a tile of a packed level. Any value is read from it without decoding the others.
//!
//! The values of a tile are few different ones, and some of these are frequent. So a tile is a tree. Its root has a code of a
//! few bits for each value, in order. Most codes stand for a value of the tile's palette. The last one to three are escapes:
//! they say that the value is in a child, which has codes for these values only, again in order. Where it stands there is how often
//! the same escape came before, which counting bits tells. This is a wavelet tree (R. Grossi, A. Gupta, J. Vitter,
//! "High-order entropy-compressed text indexes", 2003) with few wide nodes, as in directly addressable codes (N. Brisaboa,
//! S. Ladra, G. Navarro, 2009). For each tile the tree is taken that needs the fewest bits.
//!
//! | bytes | |
//! |---|---|
//! | | the palette, backwards: the values that codes of the root stand for, of its first child, … |
//! | 2 a node but the root | bits of its codes (3 bits; 7 stands for 8), its escapes (2 bits), its values |
//! | | the codes of each node |
//!
//! Of the root there is a byte elsewhere: bits, escapes, and the nodes of the tree.
//!
//! Codes stand in groups of 64: a word with the lowest bits of all, a word with the next bits, … The words of the last group are
//! as short as its codes let them be. A node with codes of 8 bits has the values themselves.

use std::cmp::Reverse;

/// Rows of a tile, and values of each.
pub(super) const HEIGHT: usize = 32;
pub(super) const WIDTH: usize = 64;
/// Bytes that must follow the code of a tile, since words are read whole.
pub(super) const BEHIND: usize = 8;

/// Codes of a group.
const GROUP: usize = 64;
/// Bits of the codes of a node that has values instead.
const RAW: u8 = 8;
/// Most bits of codes that stand for values of the palette, and most bits of codes some of which are escapes.
const MOST_BITS: u8 = 5;
const MOST_BITS_WITH_ESCAPES: u8 = 4;
/// Most escapes of a node.
const MOST_ESCAPES: u8 = 3;
/// Bits of the head of a node.
const HEAD_BITS: u32 = 16;
/// Bits of a value of the palette.
const PALETTE_BITS: u32 = 8;

/// How a node is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// Bits of a code.
    bits: u8,
    escapes: u8,
}

impl Shape {
    /// How many codes stand for values of the palette.
    #[inline]
    fn leaves(self) -> usize {
        if self.bits == RAW { 0 } else { (1usize << self.bits).saturating_sub(usize::from(self.escapes)) }
    }

    /// Bytes of so many codes.
    #[inline]
    fn bytes(self, codes: usize) -> usize {
        usize::from(self.bits) * (codes / GROUP * 8 + (codes % GROUP).div_ceil(8))
    }

    /// Where the words of a group begin, and the bytes from one to the next.
    #[inline]
    fn group(self, group: usize, codes: usize) -> (usize, usize) {
        let whole = group < codes / GROUP;
        (usize::from(self.bits) * group * 8, if whole { 8 } else { (codes % GROUP).div_ceil(8) })
    }
}

#[inline]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().copied().map(u64::from_le_bytes)
}

/// The code of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Code<'a> {
    /// The bytes in which it stands, and [`BEHIND`] more behind it.
    pub bytes: &'a [u8],
    /// Where the palette ends and the nodes begin.
    pub middle: usize,
    /// What there is of the root elsewhere.
    pub root: u8,
}

/// How a node is made, and what else its head has.
#[inline]
fn shape(head: u16) -> (Shape, usize) {
    let bits = (head & 7) as u8;
    (
        Shape { bits: if bits == 7 { RAW } else { bits }, escapes: (head >> 3 & 3) as u8 },
        usize::from(head >> 5),
    )
}

impl Code<'_> {
    /// How the root is made, and how many nodes there are.
    #[inline]
    fn root(&self) -> (Shape, usize) {
        let (root, nodes) = shape(u16::from(self.root));
        (root, nodes.max(1))
    }

    /// How a node behind the root is made, and how many values it has.
    #[inline]
    fn node(&self, node: usize) -> Option<(Shape, usize)> {
        let head = self.bytes.get(self.middle + 2 * (node - 1)..)?.first_chunk()?;
        Some(shape(u16::from_le_bytes(*head)))
    }

    /// A value of the palette.
    #[inline]
    fn palette(&self, number: usize) -> Option<u8> {
        self.bytes.get(self.middle.checked_sub(1 + number)?).copied()
    }
}

/// Among the first `place` codes, how many are the same as one. `bytes` begins with the codes of the node.
#[inline]
fn same_before(shape: Shape, bytes: &[u8], codes: usize, place: usize, code: usize) -> Option<usize> {
    match shape.bits {
        1 => same_before_with::<1>(shape, bytes, codes, place, code),
        2 => same_before_with::<2>(shape, bytes, codes, place, code),
        3 => same_before_with::<3>(shape, bytes, codes, place, code),
        _ => same_before_with::<4>(shape, bytes, codes, place, code),
    }
}

#[inline]
fn same_before_with<const BITS: usize>(
    shape: Shape,
    bytes: &[u8],
    codes: usize,
    place: usize,
    code: usize,
) -> Option<usize> {
    // The bits of the code that are 0, to be turned around.
    let turned: [u64; BITS] = std::array::from_fn(|bit| if code >> bit & 1 == 0 { u64::MAX } else { 0 });
    let same = |words: [u64; BITS]| {
        words.iter().zip(turned).fold(u64::MAX, |all, (word, turned)| all & (word ^ turned))
    };
    let group = place / GROUP;
    let mut sum = 0;
    for words in bytes.get(..group * 8 * BITS)?.as_chunks::<8>().0.as_chunks::<BITS>().0 {
        sum += same(words.map(u64::from_le_bytes)).count_ones();
    }
    let (at, step) = shape.group(group, codes);
    let mut words = [0; BITS];
    for (bit, last) in words.iter_mut().enumerate() {
        *last = word(bytes, at + bit * step)?;
    }
    sum += (same(words) & ((1 << (place % GROUP)) - 1)).count_ones();
    Some(sum as usize)
}

/// A value of a tile with so many values. None if that is not the code of one.
#[inline]
pub(super) fn value(code: Code<'_>, values: usize, place: usize) -> Option<u8> {
    let (mut shape, nodes) = code.root();
    // Of the node: its number, its values, the place among these, its first child, its codes, its part of the palette.
    let (mut node, mut values, mut place) = (0, values, place);
    let (mut child, mut start, mut palette) = (1, code.middle + 2 * (nodes - 1), 0);
    loop {
        let (at, step) = shape.group(place / GROUP, values);
        let mut own = 0;
        for bit in 0..usize::from(shape.bits) {
            own |= ((word(code.bytes, start + at + bit * step)? >> (place % GROUP) & 1) as usize) << bit;
        }
        if shape.bits == RAW {
            return Some(own as u8);
        }
        let leaves = shape.leaves();
        if own < leaves {
            return code.palette(palette + own);
        }
        place = same_before(shape, code.bytes.get(start..)?, values, place, own)?;
        let to = child + own - leaves;
        // Past this node and the children that are not meant.
        while node < to {
            (start, palette) = (start + shape.bytes(values), palette + shape.leaves());
            (node, child) = (node + 1, child + usize::from(shape.escapes));
            (shape, values) = code.node(node)?;
        }
    }
}

/// All values of a tile, as many as there is room for; false if these are not the bytes of one.
pub(super) fn decode(code: Code<'_>, values: &mut [u8]) -> bool {
    decode_nodes(code, values).is_some()
}

fn decode_nodes(code: Code<'_>, values: &mut [u8]) -> Option<()> {
    struct Node {
        shape: Shape,
        codes: Vec<u8>,
        next: usize,
        child: usize,
        palette: usize,
    }
    let (_, count) = code.root();
    let mut nodes: Vec<Node> = Vec::with_capacity(count);
    let (mut child, mut start, mut palette) = (1, code.middle + 2 * (count - 1), 0);
    for number in 0..count {
        let (shape, size) = if number == 0 { (code.root().0, values.len()) } else { code.node(number)? };
        let mut codes = vec![0; size];
        for (group, codes) in codes.chunks_mut(GROUP).enumerate() {
            let (at, step) = shape.group(group, size);
            for bit in 0..usize::from(shape.bits) {
                let word = word(code.bytes, start + at + bit * step)?;
                codes
                    .iter_mut()
                    .enumerate()
                    .for_each(|(place, own)| *own |= ((word >> place & 1) as u8) << bit);
            }
        }
        nodes.push(Node { shape, codes, next: 0, child, palette });
        child += usize::from(shape.escapes);
        (start, palette) = (start + shape.bytes(size), palette + shape.leaves());
    }
    for value in values {
        let mut number = 0;
        *value = loop {
            let node = nodes.get_mut(number)?;
            let own = *node.codes.get(node.next)?;
            node.next += 1;
            if node.shape.bits == RAW {
                break own;
            }
            let (own, leaves) = (usize::from(own), node.shape.leaves());
            if own < leaves {
                break code.palette(node.palette + own)?;
            }
            number = node.child + own - leaves;
        };
    }
    Some(())
}

/// The code of a tile as it is made.
#[derive(Clone, Debug)]
pub(super) struct NewCode {
    pub bytes: Vec<u8>,
    /// The same as in [`Code`].
    pub middle: usize,
    pub root: u8,
}

/// The code of a tile. So many bits count for a value that is not in the root, since it takes longer to read.
pub(super) fn encode(values: &[u8], escape_bits: u32) -> NewCode {
    let mut counts = [0u32; 256];
    values.iter().for_each(|&value| counts[usize::from(value)] += 1);
    let mut palette: Vec<u8> = (0..=u8::MAX).filter(|&value| counts[usize::from(value)] > 0).collect();
    palette.sort_by_key(|&value| (Reverse(counts[usize::from(value)]), value));
    let mut left: Vec<u32> = vec![0; palette.len() + 1];
    for (rank, &value) in palette.iter().enumerate().rev() {
        left[rank] = left[rank + 1] + counts[usize::from(value)];
    }
    let shapes =
        Search { left: &left, escape_bits, best: (u32::MAX, Vec::new()), shapes: Vec::new() }.shapes();
    let parents = parents(&shapes);
    // By value: its node and its code there.
    let mut places = [(0, 0); 256];
    let mut next = 0;
    let mut in_palette = 0;
    for (node, shape) in shapes.iter().enumerate() {
        let own =
            if shape.bits == RAW { palette.len() - next } else { shape.leaves().min(palette.len() - next) };
        for (code, &value) in palette[next..next + own].iter().enumerate() {
            places[usize::from(value)] = (node, if shape.bits == RAW { value } else { code as u8 });
        }
        next += own;
        in_palette += if shape.bits == RAW { 0 } else { own };
    }
    let mut codes: Vec<Vec<u8>> = vec![Vec::new(); shapes.len()];
    for &value in values {
        let (mut node, code) = places[usize::from(value)];
        codes[node].push(code);
        while node > 0 {
            let (parent, escape) = parents[node];
            codes[parent].push(escape);
            node = parent;
        }
    }
    let head = |shape: &Shape, more: usize| {
        let bits = if shape.bits == RAW { 7 } else { shape.bits };
        u16::from(bits) | u16::from(shape.escapes) << 3 | (more as u16) << 5
    };
    let mut bytes: Vec<u8> = palette[..in_palette].iter().rev().copied().collect();
    for (shape, codes) in shapes.iter().zip(&codes).skip(1) {
        bytes.extend(head(shape, codes.len()).to_le_bytes());
    }
    for (shape, codes) in shapes.iter().zip(&codes) {
        for group in codes.chunks(GROUP) {
            for bit in 0..shape.bits {
                let word =
                    (group.iter().rev()).fold(0u64, |word, code| word << 1 | u64::from(code >> bit & 1));
                bytes.extend(&word.to_le_bytes()[..group.len().div_ceil(8)]);
            }
        }
    }
    NewCode { bytes, middle: in_palette, root: head(&shapes[0], shapes.len()) as u8 }
}

/// By node: its parent and the escape that leads to it.
fn parents(shapes: &[Shape]) -> Vec<(usize, u8)> {
    let mut parents = vec![(0, 0)];
    for (node, shape) in shapes.iter().enumerate() {
        parents.extend((0..shape.escapes).map(|escape| (node, shape.leaves() as u8 + escape)));
    }
    parents
}

/// Looks for the tree with the fewest bits. Only the root and its last child have children.
struct Search<'a> {
    /// How many values are not among the most frequent ones, by how many of those there are.
    left: &'a [u32],
    escape_bits: u32,
    best: (u32, Vec<Shape>),
    /// The nodes so far.
    shapes: Vec<Shape>,
}

impl Search<'_> {
    fn shapes(mut self) -> Vec<Shape> {
        self.last_node(0, 0);
        for bits in 1..=MOST_BITS_WITH_ESCAPES {
            for escapes in 1..=MOST_ESCAPES.min((1 << bits) - 1) {
                self.with(Shape { bits, escapes }, 0, 0, |search, cost, next| {
                    search.children(escapes, cost, next)
                });
            }
        }
        self.best.1
    }

    /// Adds a node that is not the last one, if it leaves something for others, and goes on.
    fn with(&mut self, shape: Shape, cost: u32, next: usize, go_on: impl FnOnce(&mut Self, u32, usize)) {
        let after = next + shape.leaves();
        let Some(&left) = self.left.get(after).filter(|&&left| left > 0) else { return };
        let values = self.left[next] - if shape.escapes > 0 { 0 } else { left };
        let slow = if self.shapes.is_empty() { self.escape_bits * left } else { 0 };
        let cost =
            cost + HEAD_BITS + u32::from(shape.bits) * values + PALETTE_BITS * shape.leaves() as u32 + slow;
        if cost < self.best.0 {
            self.shapes.push(shape);
            go_on(self, cost, after);
            self.shapes.pop();
        }
    }

    /// The children of the root, so many.
    fn children(&mut self, missing: u8, cost: u32, next: usize) {
        if missing == 1 {
            self.last_node(cost, next);
        }
        for bits in 1..=MOST_BITS_WITH_ESCAPES {
            let shape = Shape { bits, escapes: u8::from(missing == 1) };
            self.with(shape, cost, next, |search, cost, next| match missing {
                1 => search.last_node(cost, next),
                _ => search.children(missing - 1, cost, next),
            });
        }
    }

    /// A node for all values that are left.
    fn last_node(&mut self, cost: u32, next: usize) {
        let symbols = self.left.len() - 1 - next;
        let bits = symbols.next_power_of_two().trailing_zeros();
        let few = u8::try_from(bits).ok().filter(|&bits| bits <= MOST_BITS);
        let in_palette = few.map(|few| (few, PALETTE_BITS * symbols as u32));
        for (bits, palette) in in_palette.into_iter().chain([(RAW, 0)]) {
            let cost = cost + HEAD_BITS + u32::from(bits) * self.left[next] + palette;
            if cost < self.best.0 {
                let mut shapes = self.shapes.clone();
                shapes.push(Shape { bits, escapes: 0 });
                self.best = (cost, shapes);
            }
        }
    }
}

#[cfg(test)]
mod tests;
