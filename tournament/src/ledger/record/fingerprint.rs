//! When two games are the same: a game that repeats another one move by move is no new evidence.

use ahash::RandomState;
use kroo::game::Move;
use std::hash::Hash;

/// A number for a game that only the same game has: by its engines on their sides, its start and its moves. It may differ in
/// another version, and is never stored.
pub fn fingerprint(sides: impl Hash, start: impl Hash, moves: impl Iterator<Item = Move>) -> u64 {
    let moves: Vec<u8> = moves.map(|mv| mv.letter() as u8).collect();
    number_of((sides, start, moves))
}

/// A number for a value, the same for equal values.
pub fn number_of(value: impl Hash) -> u64 {
    RandomState::with_seeds(1, 2, 3, 4).hash_one(value)
}
