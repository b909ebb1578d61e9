//! The code of a tile of a packed database. Any value is read from it without decoding the others.
//!
//! A tile has few different values, and some of them are frequent. Its code is therefore a tree. The root has a code of a few
//! bits for each value, in order. Most codes represent a value of the tile's palette. The last one to three are escapes: the
//! value is in a child, which has codes for these values only, again in order. Its place there is the number of earlier values
//! with the same escape, found by counting bits. This is a wavelet tree (R. Grossi, A. Gupta, J. Vitter, "High-order
//! entropy-compressed text indexes", 2003) with few wide nodes, as in directly addressable codes (N. Brisaboa, S. Ladra, G.
//! Navarro, 2009). Each tile gets the tree that needs the fewest bits (`tile_encoder.rs`).
//!
//! | bytes | |
//! |---|---|
//! | | the palette, backwards: the values of the codes of the root, of its first child, … |
//! | 2 a node but the root | bits of its codes (3 bits; 7 means 8), its escapes (2 bits), its values |
//! | | the codes of each node |
//!
//! Of the root there is a byte elsewhere: bits, escapes, and the nodes of the tree.
//!
//! Codes are in groups of 64: a word with the lowest bits of all, a word with the next bits, … The words of the last group are
//! as short as its codes let them be. A node with codes of 8 bits has the values themselves.

use crate::prefetch::prefetch_all;

/// Rows of a tile, and values of each.
pub const HEIGHT: usize = 32;
pub const WIDTH: usize = 64;
/// Bytes that must follow the code of a tile, since words are read whole.
pub const BEHIND: usize = 8;

/// Codes of a group.
pub const GROUP: usize = 64;
/// Bits of the codes of a node that has values instead.
pub const RAW: u8 = 8;
/// The shape of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Bits of a code.
    pub bits: u8,
    pub escapes: u8,
}

impl Shape {
    /// The number of codes that represent values of the palette.
    #[inline]
    pub fn leaves(self) -> usize {
        if self.bits == RAW { 0 } else { (1usize << self.bits).saturating_sub(usize::from(self.escapes)) }
    }

    /// Bytes of `codes` codes.
    #[inline]
    fn bytes(self, codes: usize) -> usize {
        usize::from(self.bits) * (codes / GROUP * 8 + (codes % GROUP).div_ceil(8))
    }

    /// The offset of the words of a group, and the bytes from one word to the next.
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
pub struct Code<'a> {
    /// Its bytes, and [`BEHIND`] more behind it.
    pub bytes: &'a [u8],
    /// The offset between the palette and the nodes.
    pub middle: usize,
    /// The byte of the root, which is stored elsewhere.
    pub root: u8,
}

/// The shape of a node, and the other number in its head.
#[inline]
fn shape(head: u16) -> (Shape, usize) {
    let bits = (head & 7) as u8;
    (
        Shape { bits: if bits == 7 { RAW } else { bits }, escapes: (head >> 3 & 3) as u8 },
        usize::from(head >> 5),
    )
}

impl Code<'_> {
    /// The shape of the root, and the number of nodes.
    #[inline]
    fn root(&self) -> (Shape, usize) {
        let (root, nodes) = shape(u16::from(self.root));
        (root, nodes.max(1))
    }

    /// The shape of a node after the root, and the number of its values.
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

/// Has the memory fetch what [`value`] is going to read first: the code, and the palette and the heads, which are in another
/// line of the cache.
#[inline]
pub fn fetch(code: Code<'_>, values: usize, place: usize) {
    let (shape, nodes) = code.root();
    let at = code.middle + 2 * (nodes - 1) + shape.group(place / GROUP, values).0;
    for at in [at, code.middle.saturating_sub(1)] {
        code.bytes.get(at..=at).map(prefetch_all);
    }
}

/// A value of a tile with `values` values. None if that is not the code of one.
#[inline]
pub fn value(code: Code<'_>, values: usize, place: usize) -> Option<u8> {
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
pub fn decode(code: Code<'_>, values: &mut [u8]) -> bool {
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
