//! Refereeing one game.

use super::adjudication::{Adjudication, AdjudicationRules, Adjudicator, Adjudicators, GameMoment};
use super::engine_side::{EngineFault, EngineSide};
use super::outcome::{Outcome, Termination};
use super::played::PlayedGame;
use super::searches::SearchInfo;
use crate::engine::{Stopped, position_of};
use crate::schedule::Opening;
use kroo::game::{Game, Side};
use std::time::Duration;

/// An observer of every position of a game.
pub trait MoveObserver: Sync {
    /// The game begins, or a move has been made.
    fn moved(&self, game: &Game);
}

/// How a game has ended.
struct GameEnd {
    outcome: Outcome,
    termination: Termination,
    faults: [bool; 2],
    detail: String,
}

/// Plays a game from an opening; the sides are South and North.
///
/// The side to move is always the board's: a side may move twice in a row.
///
/// # Errors
/// If the match was stopped before the end of the game.
pub fn play(
    opening: &Opening,
    sides: &mut [EngineSide<'_>; 2],
    rules: &AdjudicationRules,
    observer: Option<&dyn MoveObserver>,
) -> Result<PlayedGame, Stopped> {
    let mut game = opening.game().clone();
    let mut position = position_of(&game);
    let mut search_info: Vec<SearchInfo> = Vec::new();
    let mut adjudicators = rules.adjudicators();
    let end = loop {
        if let Some(observer) = observer {
            observer.moved(&game);
        }
        if let Some(end) = end_of(&game, &mut adjudicators, search_info.last()) {
            break end;
        }
        let side = game.position().side();
        let clocks = [sides[0].clock, sides[1].clock];
        if !search_info.is_empty() {
            sides[side.other().index()].ponder(&game, &position, clocks);
        }
        let [south, north] = &mut *sides;
        let (own, rival) = if side == Side::South { (south, north) } else { (north, south) };
        let fault = match own.search(&position, clocks, rival) {
            Ok((mv, info)) => match game.play(mv) {
                Ok(()) => {
                    position.moves.push(mv);
                    search_info.push(info);
                    continue;
                }
                Err(reason) => {
                    let detail = format!("played `{mv}`, but {reason}");
                    EngineFault { termination: Termination::IllegalMove, detail }
                }
            },
            Err(error) => EngineFault::in_game(error)?,
        };
        break lost_by(side, fault);
    };
    for side in Side::BOTH.into_iter().filter(|&side| !end.faults[side.index()]) {
        sides[side.index()].stop_pondering();
        sides[side.index()].show(&position);
    }
    let time = [sides[0].used, sides[1].used];
    let overruns = [sides[0].overruns, sides[1].overruns];
    Ok(PlayedGame { overruns, ..played(game, opening, search_info, time, end) })
}

impl PlayedGame {
    /// A game without a move of the engines, because one or both did not get ready.
    pub fn not_started(opening: &Opening, faults: [Option<EngineFault>; 2]) -> PlayedGame {
        let end = match faults {
            [Some(fault), None] => lost_by(Side::South, fault),
            [None, Some(fault)] => lost_by(Side::North, fault),
            faults => GameEnd {
                outcome: Outcome::Void,
                termination: Termination::NeitherStarted,
                faults: faults.each_ref().map(Option::is_some),
                detail: faults.into_iter().flatten().map(|fault| fault.detail).collect::<Vec<_>>().join("; "),
            },
        };
        played(opening.game().clone(), opening, Vec::new(), [Duration::ZERO; 2], end)
    }
}

fn played(
    game: Game,
    opening: &Opening,
    search_info: Vec<SearchInfo>,
    time: [Duration; 2],
    end: GameEnd,
) -> PlayedGame {
    let GameEnd { outcome, termination, faults, detail } = end;
    let opening = opening.game().moves().len();
    PlayedGame {
        game,
        opening,
        search_info,
        outcome,
        termination,
        faults,
        detail,
        time,
        overruns: Default::default(),
        replays: 0,
        id_names: Default::default(),
        last_words: Default::default(),
    }
}

fn lost_by(side: Side, fault: EngineFault) -> GameEnd {
    let EngineFault { termination, detail } = fault;
    let faults = Side::BOTH.map(|one| one == side);
    GameEnd { outcome: Outcome::Win(side.other()), termination, faults, detail }
}

/// The end of a game that is over, by its rules or by adjudication.
fn end_of(game: &Game, adjudicators: &mut Adjudicators, last: Option<&SearchInfo>) -> Option<GameEnd> {
    let end =
        |outcome, termination| GameEnd { outcome, termination, faults: [false; 2], detail: String::new() };
    if let Some(outcome) = Outcome::by_rules(game.position()) {
        return Some(end(outcome, Termination::Rules));
    }
    let mover = game.moves().last().map(|mv| mv.side);
    let adjudication = adjudicators.look(&GameMoment { game, last: mover.zip(last) });
    adjudication.map(|Adjudication { outcome, termination }| end(outcome, termination))
}
