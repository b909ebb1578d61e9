//! A game as it counts, wherever it comes from.

use super::super::record::{GameRecord, fingerprint, number_of};
use crate::game::{Outcome, Overruns, Termination};
use crate::schedule::letters;
use kroo::game::Side;
use std::time::Duration;

/// What counts of a game. Pairs of values are South's and North's.
#[derive(Clone, Debug)]
pub struct CountedGame<'a> {
    /// Its round.
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
    /// The time used; like all below, nothing in a game of a file.
    pub time: [Duration; 2],
    /// The moves that the engines made.
    pub moves: [u64; 2],
    /// Moves that used the margin.
    pub overruns: [Overruns; 2],
    /// How often it was played again.
    pub replays: u32,
    /// The engines' own names.
    pub id_names: [Option<&'a str>; 2],
}

impl<'a> CountedGame<'a> {
    /// A game of a match.
    #[must_use]
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
            time: played.time,
            moves: Side::BOTH.map(|side| played.moves_of(side)),
            overruns: played.overruns,
            replays: played.replays,
            id_names: played.id_names.each_ref().map(Option::as_deref),
        }
    }

    /// Both engines, in the order of the list: whichever is South, and whichever is first in their pairing.
    #[must_use]
    pub fn couple(&self) -> (usize, usize) {
        let [south, north] = self.players;
        (south.min(north), south.max(north))
    }

    /// The side of the first of the couple.
    #[must_use]
    pub fn side_of_first(&self) -> Side {
        if self.players[Side::South.index()] == self.couple().0 { Side::South } else { Side::North }
    }
}
