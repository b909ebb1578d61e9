//! Refereeing one game.

use super::engine_side::{EngineFault, EngineSide};
use super::{
    Adjudication, AdjudicationRules, Adjudicator, Adjudicators, GameMoment, Outcome, PlayedGame, SearchInfo,
    Termination,
};
use crate::engine::{Stop, Stopped};
use crate::schedule::Opening;
use kroo::game::{Game, Position, Side, Verdict};
use kroo::protocol::{PositionCommand, StartPosition};
use std::time::Duration;

/// Somebody who looks on.
pub trait MoveObserver: Sync {
    /// A move has been made.
    fn moved(&self, game: &Game);
}

/// Why a game is over.
struct End {
    outcome: Outcome,
    termination: Termination,
    faults: [bool; 2],
    detail: String,
}

/// Plays a game from an opening; the seats are South's and North's.
///
/// The side to move is always the board's: the same side may move twice in a row.
///
/// # Errors
/// If play was stopped before the end.
pub fn play(
    opening: &Opening,
    seats: &mut [EngineSide<'_>; 2],
    conduct: &AdjudicationRules,
    watcher: Option<&dyn MoveObserver>,
    stop: &Stop,
) -> Result<PlayedGame, Stopped> {
    let mut game = opening.game().clone();
    let mut position = PositionCommand { start: start_of(&game), moves: game.moves().to_vec() };
    let mut told: Vec<SearchInfo> = Vec::new();
    let mut judge = conduct.judge();
    let end = loop {
        if let Some(watcher) = watcher {
            watcher.moved(&game);
        }
        if let Some(end) = end_of(&game, &mut judge, told.last()) {
            break end;
        }
        let side = game.position().side();
        let clocks = [seats[0].clock(), seats[1].clock()];
        if !told.is_empty() {
            seats[side.other().index()].ponder(&game, &position, clocks, stop);
        }
        let fault = match seats[side.index()].think(&position, clocks, stop) {
            Ok((mv, remarks)) => match game.play(mv) {
                Ok(()) => {
                    position.moves.push(mv);
                    told.push(remarks);
                    continue;
                }
                Err(reason) => {
                    let detail = format!("played `{mv}`, but {reason}");
                    EngineFault { termination: Termination::IllegalMove, detail }
                }
            },
            Err(failure) => EngineFault::in_game(failure)?,
        };
        break lost_by(side, fault);
    };
    for side in Side::BOTH.into_iter().filter(|&side| !end.faults[side.index()]) {
        seats[side.index()].rest(stop);
        seats[side.index()].show(&position, stop);
    }
    let time = [seats[0].used(), seats[1].used()];
    Ok(played(game, opening, told, time, end))
}

impl PlayedGame {
    /// A game that was lost before it began, because engines did not get ready.
    #[must_use]
    pub fn unstarted(opening: &Opening, faults: [Option<EngineFault>; 2]) -> PlayedGame {
        let end = match faults {
            [Some(fault), None] => lost_by(Side::South, fault),
            [None, Some(fault)] => lost_by(Side::North, fault),
            faults => End {
                outcome: Outcome::Draw,
                termination: Termination::NeitherStarted,
                faults: faults.each_ref().map(Option::is_some),
                detail: faults.into_iter().flatten().map(|fault| fault.detail).collect::<Vec<_>>().join("; "),
            },
        };
        played(opening.game().clone(), opening, Vec::new(), [Duration::ZERO; 2], end)
    }
}

fn played(game: Game, opening: &Opening, told: Vec<SearchInfo>, time: [Duration; 2], end: End) -> PlayedGame {
    let End { outcome, termination, faults, detail } = end;
    PlayedGame {
        game,
        opening: opening.game().moves().len(),
        told,
        outcome,
        termination,
        faults,
        detail,
        time,
    }
}

fn lost_by(side: Side, fault: EngineFault) -> End {
    let EngineFault { termination, detail } = fault;
    End {
        outcome: Outcome::Win(side.other()),
        termination,
        faults: Side::BOTH.map(|one| one == side),
        detail,
    }
}

/// Whether a game is over without anybody's fault.
fn end_of(game: &Game, judge: &mut Adjudicators, told: Option<&SearchInfo>) -> Option<End> {
    let position = game.position();
    let end = |outcome, termination| End { outcome, termination, faults: [false; 2], detail: String::new() };
    let by_rules = |verdict| match verdict {
        Verdict::Win => Outcome::Win(Side::South),
        Verdict::Draw => Outcome::Draw,
        Verdict::Loss => Outcome::Win(Side::North),
    };
    if let Some(verdict) = position.verdict_for(Side::South) {
        return Some(end(by_rules(verdict), Termination::Rules));
    }
    let mover = game.moves().last().map(|mv| mv.side);
    let ruling = judge.look(&GameMoment { game, told: mover.zip(told) });
    ruling.map(|Adjudication { outcome, termination }| end(outcome, termination))
}

/// The game's start as `position` tells it.
fn start_of(game: &Game) -> StartPosition {
    let start = game.start();
    if *start == Position::start(start.variant()) {
        StartPosition::Startpos
    } else {
        StartPosition::Fen(start.to_string())
    }
}
