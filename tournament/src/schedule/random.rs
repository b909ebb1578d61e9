//! Openings of random moves.

use super::Opening;
use ahash::AHashSet;
use kroo::game::{Game, Position, Side, Variant, split_mix};

/// Lines tried before it is taken that no other opening is left.
const TRIES: usize = 2_000;

/// Openings of a number of random moves, none twice while there are others left.
///
/// The moves come from SplitMix64, so a seed means the same openings everywhere. Two lines that lead to the same
/// position count as one opening.
#[derive(Clone, Debug)]
pub struct RandomOpenings {
    variant: Variant,
    plies: u32,
    state: u64,
    /// Marks of those dealt, small enough to keep hundreds of thousands.
    dealt: AHashSet<u64>,
}

impl RandomOpenings {
    /// Openings of a variant with so many moves; `None` if games of that length can hardly be found.
    #[must_use]
    pub fn new(variant: Variant, plies: u32, seed: u64) -> Option<RandomOpenings> {
        let openings = RandomOpenings { variant, plies, state: seed, dealt: AHashSet::new() };
        openings.clone().try_deal().map(|_| openings)
    }

    /// What they depend on.
    pub(super) fn description(&self) -> String {
        format!("{} {} {} {}", self.variant, self.plies, self.state, self.dealt.len())
    }

    /// The next opening.
    pub fn deal(&mut self) -> Opening {
        if let Some(opening) = self.try_deal() {
            return opening;
        }
        self.dealt.clear();
        loop {
            if let Some(opening) = self.try_deal() {
                return opening;
            }
        }
    }

    /// An opening that has not been dealt.
    fn try_deal(&mut self) -> Option<Opening> {
        (0..TRIES).find_map(|_| self.line().filter(|opening| self.dealt.insert(key(opening))))
    }

    /// A random line, if the game goes on after it.
    fn line(&mut self) -> Option<Opening> {
        let mut game = Game::new(Position::start(self.variant));
        for _ in 0..self.plies {
            let moves = game.position().moves();
            if moves.is_empty() {
                return None;
            }
            let drawn = split_mix(&mut self.state) % moves.len() as u64;
            game.play(moves[drawn as usize]).ok()?;
        }
        Opening::new(game).ok()
    }
}

/// What makes two openings the same, mixed into a number that is the same everywhere.
fn key(opening: &Opening) -> u64 {
    let position = opening.game().position();
    let rows = Side::BOTH.map(|side| position.row(side).bits());
    rows.into_iter().fold(position.side().index() as u64, |mixed, row| split_mix(&mut (mixed ^ row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_opening_twice_before_all_are_dealt() {
        let mut openings = RandomOpenings::new(Variant::Awari, 1, 7).expect("one move can be made");
        for _ in 0..3 {
            let dealt: AHashSet<_> = (0..6).map(|_| key(&openings.deal())).collect();
            assert_eq!(dealt.len(), 6);
        }
    }

    #[test]
    fn a_seed_means_the_same_lines_everywhere() {
        let mut openings = RandomOpenings::new(Variant::Oware, 4, 1).expect("four moves can be made");
        let lines: Vec<String> = (0..4).map(|_| openings.deal().to_string()).collect();
        assert_eq!(lines, ["FbAa", "DcAe", "AeDa", "CeEf"]);
    }

    #[test]
    fn no_opening_is_over() {
        let mut openings = RandomOpenings::new(Variant::Awari1978, 12, 3).expect("long lines exist");
        for _ in 0..200 {
            assert_eq!(openings.deal().game().position().verdict(), None);
        }
        assert!(RandomOpenings::new(Variant::Awari1978, 5_000, 3).is_none());
    }
}
