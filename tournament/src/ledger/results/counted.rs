//! A game as it counts, wherever it comes from.

use super::super::record::{GameRecord, fingerprint, number_of};
use crate::game::{Outcome, PlayedGame, Termination};
use crate::schedule::letters;
use kroo::game::Side;

/// What counts of a game. Pairs of values are South's and North's.
#[derive(Clone, Debug)]
pub struct CountedGame<'a> {
    pub round: u64,
    /// The engine that has a bye in this round.
    pub bye: Option<usize>,
    /// What both games of a pair have in common.
    pub pair: u64,
    /// The engines, by their places.
    pub players: [usize; 2],
    /// Its result.
    pub outcome: Outcome,
    /// The seeds in the stores at the end, if they are known.
    pub stores: Option<[u8; 2]>,
    /// Its moves, the opening's included.
    pub plies: u64,
    /// Why it ended, if that is known.
    pub termination: Option<Termination>,
    /// Who lost it by a fault.
    pub faults: [bool; 2],
    /// A number that only the same game has.
    pub fingerprint: u64,
    /// The same for its opening, if that is known.
    pub opening: Option<u64>,
    /// What else is known of a game that was played here; nothing of one of a file.
    pub played: Option<&'a PlayedGame>,
}

impl<'a> CountedGame<'a> {
    /// A game of a match.
    pub fn of(record: &'a GameRecord) -> CountedGame<'a> {
        let GameRecord { scheduled, played, .. } = record;
        let (game, players) = (&played.game, scheduled.players);
        let (start, moves) = (game.start().to_string(), game.moves());
        CountedGame {
            round: scheduled.pairing.round,
            bye: scheduled.bye,
            pair: scheduled.pair,
            players,
            outcome: played.outcome,
            stores: Some(played.stores()),
            plies: moves.len() as u64,
            termination: Some(played.termination),
            faults: Side::BOTH.map(|side| played.is_fault_of(side)),
            fingerprint: fingerprint(players, &start, moves.iter().copied()),
            opening: Some(number_of((&start, letters(&moves[..played.opening])))),
            played: Some(played),
        }
    }

    /// Both engines, in the order of the list: whichever is South, and whichever is first in their pairing.
    pub fn couple(&self) -> (usize, usize) {
        let [south, north] = self.players;
        (south.min(north), south.max(north))
    }

    /// The side of the first of the couple.
    pub fn side_of_first(&self) -> Side {
        if self.players[Side::South.index()] == self.couple().0 { Side::South } else { Side::North }
    }
}
