//! A cache of unpacked tiles that many threads read without a lock.
//!
//! A slot has a tag and the values of a tile. Who fills it makes the tag odd first, and even with another version at the end; who
//! reads looks at the tag before and after (H. Boehm, "Can seqlocks get along with programming language memory models?", 2012).
//! All words are atomic, so there is no `unsafe`, and a value that was read while another was written is not taken for anything.

use super::context_coder::TILE;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Bytes of a word, and words of a slot.
const WORD: usize = size_of::<u64>();
const WORDS: usize = TILE / WORD;
/// Most slots: 256 MiB, of which memory is taken as they are used. A level with fewer tiles, up to 22 seeds, has a slot for each,
/// so that none is unpacked twice. With a quarter of them `kalah` from the start with 20 seeds took twice as long.
const SLOTS: usize = 1 << 18;
/// Bits of a tag below its version: the tile, from 1, and whether the slot is being filled.
const TILE_BITS: u32 = 40;
const FILLING: u64 = 1;

/// Unpacked tiles of a level.
#[derive(Debug)]
pub(super) struct TileCache {
    tags: Box<[AtomicU64]>,
    words: Box<[AtomicU64]>,
}

impl TileCache {
    /// An empty cache for a level with so many tiles. Memory is not touched before it is used; where there is none, nothing is
    /// kept.
    pub fn new(tiles: usize) -> TileCache {
        TileCache::with_slots(tiles.min(SLOTS))
    }

    fn with_slots(slots: usize) -> TileCache {
        let words = bytemuck::try_zeroed_slice_box(slots * WORDS).unwrap_or_default();
        TileCache { tags: (0..words.len() / WORDS).map(|_| AtomicU64::new(0)).collect(), words }
    }

    #[inline]
    fn slot(&self, tile: usize) -> usize {
        if tile < self.tags.len() { tile } else { tile % self.tags.len().max(1) }
    }

    /// A value of a tile, if the tile is there.
    #[inline]
    pub fn get(&self, tile: usize, place: usize) -> Option<u8> {
        let slot = self.slot(tile);
        let tag = self.tags.get(slot)?;
        let before = tag.load(Ordering::Acquire);
        if before & ((1 << TILE_BITS) - 1) != (tile as u64 + 1) << 1 {
            return None;
        }
        let word = self.words[slot * WORDS + place / WORD].load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let value = word.to_le_bytes()[place % WORD];
        (tag.load(Ordering::Relaxed) == before).then_some(value)
    }

    /// Keeps a tile, unless its slot is being filled.
    pub fn put(&self, tile: usize, values: &[u8; TILE]) {
        let slot = self.slot(tile);
        let Some(tag) = self.tags.get(slot) else { return };
        let before = tag.load(Ordering::Relaxed);
        let version = ((before >> TILE_BITS) + 1) << TILE_BITS;
        let free = before & FILLING == 0;
        if !free
            || tag.compare_exchange(before, version | FILLING, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        for (word, bytes) in self.words[slot * WORDS..][..WORDS].iter().zip(values.as_chunks::<WORD>().0) {
            word.store(u64::from_le_bytes(*bytes), Ordering::Relaxed);
        }
        tag.store(version | (tile as u64 + 1) << 1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn values(tile: usize) -> [u8; TILE] {
        std::array::from_fn(|place| (tile * 31 + place) as u8)
    }

    /// Few slots, many tiles and threads: whatever is found is right.
    #[test]
    fn what_is_found_was_put() {
        let cache = TileCache::with_slots(3);
        assert_eq!(cache.get(0, 0), None);
        let found: usize = thread::scope(|scope| {
            let work = |start: usize| {
                let cache = &cache;
                move || {
                    let mut found = 0;
                    for round in 0..20_000 {
                        let (tile, place) = ((round * 7 + start) % 9, round * 13 % TILE);
                        match cache.get(tile, place) {
                            Some(value) => {
                                assert_eq!(value, values(tile)[place]);
                                found += 1;
                            }
                            None if round % 3 == 0 => cache.put(tile, &values(tile)),
                            None => {}
                        }
                    }
                    found
                }
            };
            let threads = [0, 1, 2].map(|start| scope.spawn(work(start)));
            threads.into_iter().map(|thread| thread.join().expect("right values")).sum()
        });
        assert!(found > 0);
        assert_eq!(TileCache::with_slots(0).get(5, 5), None);
        TileCache::with_slots(0).put(5, &values(5));
    }
}
