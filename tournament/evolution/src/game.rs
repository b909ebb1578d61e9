//! One game between two evolved players.
//!
//! Both choose by the position alone, so a game with a repeated position is cyclic: its stores at the move limit are the current
//! ones, and the rest need not be played.

use kroo::game::{Board, Cycle, Position, Rules, Side, Step, Verdict, came_back};
use kroo::players::evolved::{Evaluator, Minimax, legal_pits};

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// South's result.
    pub verdict: Verdict,
    /// The stores, South's first.
    pub stores: [u8; 2],
    /// Moves of both sides; the limit if the game reached it or would have.
    pub moves: u32,
    /// Whether the stores decided at the move limit.
    pub at_limit: bool,
}

/// The conditions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Search depth in plies.
    pub depth: u8,
    /// Moves of both sides together after which the stores decide.
    pub limit: u32,
}

/// A chooser of moves.
pub trait Chooser<R: Rules> {
    /// The index of a legal pit, given the boards since the last capture, the current one last.
    fn choose(&mut self, line: &[Board], side: Side) -> kroo::game::Pit;

    /// Whether the choice depends on the position alone: a repetition then proves the game cyclic.
    fn is_memoryless(&self) -> bool {
        true
    }
}

/// A player of six weights.
#[derive(Debug)]
pub struct Evolved<'a> {
    /// Its weights.
    pub evaluator: &'a Evaluator,
    /// Search depth in plies.
    pub depth: u8,
    /// Memory for its searches.
    pub room: &'a mut Minimax,
}

impl<R: Rules> Chooser<R> for Evolved<'_> {
    fn choose(&mut self, line: &[Board], _: Side) -> kroo::game::Pit {
        let board = *line.last().expect("the line ends with the board itself");
        let pits = legal_pits::<R>(board);
        if let [only] = pits[..] {
            return only;
        }
        let chosen =
            self.room.choose::<R>(self.evaluator, line, &pits, self.depth, &mut |_| false, &mut |_| {});
        chosen.expect("an uninterrupted search chooses").pit
    }
}

/// Plays a game from the start.
pub fn play<R: Rules>(players: [&mut dyn Chooser<R>; 2], limit: u32, start: Position) -> Outcome {
    let [south, north] = players;
    let certain = south.is_memoryless() && north.is_memoryless();
    let (mut board, mut side) = (start.board(), start.side());
    let mut line = vec![board];
    for moves in 0..limit {
        if let Some(ending) = Position::new::<R>(board, side).verdict() {
            return ended(Position::new::<R>(board, side), ending, moves);
        }
        let chooser: &mut dyn Chooser<R> = match side {
            Side::South => &mut *south,
            Side::North => &mut *north,
        };
        let Step { board: after, again } =
            R::play(board, chooser.choose(&line, side)).expect("a player chooses among legal moves");
        side = if again { side } else { side.other() };
        if after.seeds() != board.seeds() {
            line.clear();
        }
        let back = R::ending(after).is_none() && came_back(&line, line.len(), after).is_some();
        if back && R::CYCLE == Cycle::EndsGame {
            let ending = R::cycle(after);
            return ended(Position::new::<R>(after, side).ended(ending), ending.verdict, moves + 1);
        }
        board = after;
        line.push(board);
        if back && certain && R::CYCLE == Cycle::ScoreStands {
            break;
        }
    }
    let position = Position::new::<R>(board, side);
    match position.verdict() {
        Some(verdict) => ended(position, verdict, limit),
        None => {
            let stores = Side::BOTH.map(|side| position.store(side));
            let verdict = match stores[0].cmp(&stores[1]) {
                std::cmp::Ordering::Greater => Verdict::Win,
                std::cmp::Ordering::Equal => Verdict::Draw,
                std::cmp::Ordering::Less => Verdict::Loss,
            };
            Outcome { verdict, stores, moves: limit, at_limit: true }
        }
    }
}

fn ended(position: Position, verdict: Verdict, moves: u32) -> Outcome {
    let verdict = if position.side() == Side::South { verdict } else { verdict.turned() };
    Outcome { verdict, stores: Side::BOTH.map(|side| position.store(side)), moves, at_limit: false }
}
