//! Openings of random moves.

use super::opening::Opening;
use ahash::AHashSet;
use kroo::game::{Game, Position, Side, Variant, split_mix};
use std::collections::BTreeSet;

/// Random lines tried for a new opening. If none of them is new, none is left.
const MAX_TRIES: usize = 2_000;
/// The most openings that are counted: with more of them the same game hardly comes twice by chance.
const MAX_COUNTED: usize = 1_000;

/// Openings of a number of random moves, none twice as long as others are left.
///
/// SplitMix64 draws the moves: a seed gives the same openings everywhere. Two lines to the same position count as one opening.
#[derive(Clone, Debug)]
pub struct RandomOpenings {
    variant: Variant,
    plies: u32,
    state: u64,
    /// Hashes of the openings used, small enough to keep hundreds of thousands.
    used: AHashSet<u64>,
}

impl RandomOpenings {
    /// Openings of `plies` moves; `None` if games of a rule set are over before.
    pub fn new(variant: Variant, plies: u32, seed: u64) -> Option<RandomOpenings> {
        let openings = RandomOpenings { variant, plies, state: seed, used: AHashSet::new() };
        openings.clone().try_next().map(|_| openings)
    }

    /// Everything that they depend on.
    pub(super) fn description(&self) -> String {
        format!("{} {} {} {}", self.variant, self.plies, self.state, self.used.len())
    }

    /// How many different positions they lead to, if those are few.
    pub(super) fn distinct(&self) -> Option<u64> {
        let mut level = BTreeSet::from([Position::start(self.variant).to_string()]);
        for _ in 0..self.plies {
            let mut next = BTreeSet::new();
            for text in &level {
                let position = Position::parse(self.variant, text).ok()?;
                let after = position.moves().into_iter().filter_map(|mv| position.play(mv).ok());
                next.extend(after.map(|position| position.to_string()));
            }
            level = next;
            if level.len() > MAX_COUNTED {
                return None;
            }
        }
        let goes_on = |text: &&String| {
            Position::parse(self.variant, text).is_ok_and(|position| position.verdict().is_none())
        };
        Some(level.iter().filter(goes_on).count() as u64)
    }

    pub fn next_opening(&mut self) -> Opening {
        if let Some(opening) = self.try_next() {
            return opening;
        }
        self.used.clear();
        loop {
            if let Some(opening) = self.try_next() {
                return opening;
            }
        }
    }

    /// An opening that has not been used.
    fn try_next(&mut self) -> Option<Opening> {
        (0..MAX_TRIES).find_map(|_| self.line().filter(|opening| self.used.insert(hash(opening))))
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

/// A hash of an opening's position that is the same everywhere.
fn hash(opening: &Opening) -> u64 {
    let position = opening.game().position();
    let rows = Side::BOTH.map(|side| position.row(side).bits());
    rows.into_iter().fold(position.side().index() as u64, |mixed, row| split_mix(&mut (mixed ^ row)))
}
