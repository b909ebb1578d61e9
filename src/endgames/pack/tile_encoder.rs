//! Encodes a tile: finds the tree that needs the fewest bits ([`tile_coder`](kroo_core::endgames::probe::tile_coder) defines the tree).

use kroo_core::endgames::probe::tile_coder::{GROUP, RAW, Shape};
use std::cmp::Reverse;

/// Most bits of codes that represent values of the palette, and most bits of codes some of which are escapes.
const MOST_BITS: u8 = 6;
const MOST_BITS_WITH_ESCAPES: u8 = 4;
/// Most escapes of the root, and of a node behind it.
const MOST_ESCAPES: u8 = 3;
const MOST_ESCAPES_BEHIND: u8 = 1;
const MOST_NODES: usize = 7;
/// Bits of the head of a node.
const HEAD_BITS: u32 = 16;
const PALETTE_BITS: u32 = 8;

/// The code of a tile as it is made.
#[derive(Clone, Debug)]
pub struct NewCode {
    pub bytes: Vec<u8>,
    /// The same as in `Code`.
    pub middle: usize,
    pub root: u8,
}

/// The code of a tile. A value outside the root takes longer to read and counts `escape_bits` bits more.
pub fn encode(values: &[u8], escape_bits: u32) -> NewCode {
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
        debug_assert!(more < 1 << (u16::BITS - 5), "{more} values");
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

/// Looks for the tree with the fewest bits. Only the root and the last child of a node have children.
struct Search<'a> {
    /// The number of values outside the n most frequent ones, by n.
    left: &'a [u32],
    escape_bits: u32,
    best: (u32, Vec<Shape>),
    /// The nodes made already.
    shapes: Vec<Shape>,
}

impl Search<'_> {
    fn shapes(mut self) -> Vec<Shape> {
        self.last_node(0, 0);
        self.parent(MOST_ESCAPES, 0, 0);
        self.best.1
    }

    /// Goes on with a node that has children, at most `most`.
    fn parent(&mut self, most: u8, cost: u32, next: usize) {
        let room = (MOST_NODES - 1 - self.shapes.len()) as u8;
        for bits in 1..=MOST_BITS_WITH_ESCAPES {
            for escapes in 1..=most.min(room).min((1 << bits) - 1) {
                self.with(Shape { bits, escapes }, cost, next, |search, cost, next| {
                    search.children(escapes, cost, next)
                });
            }
        }
    }

    /// Adds a node that is not the last one, if it leaves something for others, and goes on.
    fn with(&mut self, shape: Shape, cost: u32, next: usize, go_on: impl FnOnce(&mut Self, u32, usize)) {
        let after = next + shape.leaves();
        let Some(&left) = self.left.get(after).filter(|&&left| left > 0) else { return };
        // Nothing in the root: a child had as many values as the tile, which its head has no room for.
        if left == self.left[0] {
            return;
        }
        let values = self.left[next] - if shape.escapes > 0 { 0 } else { left };
        let slow = if self.shapes.is_empty() { self.escape_bits * left } else { 0 };
        let palette = PALETTE_BITS * shape.leaves() as u32;
        let cost = cost + HEAD_BITS + u32::from(shape.bits) * values + palette + slow;
        if cost < self.best.0 {
            self.shapes.push(shape);
            go_on(self, cost, after);
            self.shapes.pop();
        }
    }

    /// All children that are missing, `missing` of them.
    fn children(&mut self, missing: u8, cost: u32, next: usize) {
        if missing > 1 {
            for bits in 1..=MOST_BITS_WITH_ESCAPES {
                self.with(Shape { bits, escapes: 0 }, cost, next, |search, cost, next| {
                    search.children(missing - 1, cost, next)
                });
            }
            return;
        }
        self.last_node(cost, next);
        // One node is this one.
        if self.shapes.len() + 1 < MOST_NODES {
            self.parent(MOST_ESCAPES_BEHIND, cost, next);
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
