//! The principal variation, collected on the way up (a triangular table: each ply has the best line below it).

use super::ordering::MAX_PLY;
use crate::game::Pit;
use arrayvec::ArrayVec;

/// A line of moves.
pub type Line = ArrayVec<Pit, MAX_PLY>;

/// The best line found so far below each ply of the path. Lines are allocated as the search deepens.
#[derive(Default)]
pub struct PrincipalVariation {
    lines: Vec<Line>,
}

impl PrincipalVariation {
    /// Clears the line below a ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        match self.lines.get_mut(ply) {
            Some(line) => line.clear(),
            None => self.lines.resize_with(ply + 1, Line::new),
        }
    }

    /// Sets the line of this ply to a move and the line below it.
    pub fn update(&mut self, ply: usize, pit: Pit) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(pit);
        let room = line.remaining_capacity();
        line.extend(below[0].iter().copied().take(room));
    }

    /// The line from the root.
    pub fn line(&self) -> &Line {
        &self.lines[0]
    }
}
