//! The principal variation, collected on the way up.

use super::order::PLIES;
use crate::game::Pit;
use arrayvec::ArrayVec;

/// A line of moves.
pub type Line = ArrayVec<Pit, PLIES>;

/// The best line found so far below each ply of the path.
pub struct Variation {
    lines: Vec<Line>,
}

impl Variation {
    /// No lines.
    pub fn new() -> Variation {
        Variation { lines: vec![Line::new(); PLIES + 1] }
    }

    /// Forgets the line below a ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// A move, and the line below it, become the line of this ply.
    pub fn lead_with(&mut self, ply: usize, pit: Pit) {
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
