//! Refereeing one game.

use super::adjudication::{Adjudication, AdjudicationRules};
use super::engine_side::{EngineFault, EngineSide};
use super::outcome::{Outcome, Termination};
use super::played::PlayedGame;
use super::searches::SearchInfo;
use crate::engine::{Stopped, position_of};
use crate::schedule::Opening;
use kroo::game::{Game, Side};
use std::time::Duration;

/// Plays a game from an opening; the sides are South and North.
///
/// The side to move is always the board's: a side may move twice in a row. An observer is shown every position.
pub fn play(
    opening: &Opening,
    sides: &mut [EngineSide<'_>; 2],
    rules: &AdjudicationRules,
    observer: Option<&dyn Fn(&Game)>,
) -> Result<PlayedGame, Stopped> {
    let mut game = opening.game().clone();
    let mut position = position_of(&game);
    let mut search_info: Vec<SearchInfo> = Vec::new();
    let mut adjudicator = rules.adjudicator();
    let end = loop {
        if let Some(observer) = observer {
            observer(&game);
        }
        if let Some(Adjudication { outcome, termination }) = adjudicator.end_of(&game, search_info.last()) {
            break PlayedGame { outcome, termination, ..PlayedGame::begun(opening) };
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
        break PlayedGame::begun(opening).lost_by(side, fault);
    };
    for side in Side::BOTH.into_iter().filter(|&side| !end.faults[side.index()]) {
        sides[side.index()].stop_pondering();
        sides[side.index()].show(&position);
    }
    let time = [sides[0].used, sides[1].used];
    let overruns = [sides[0].overruns, sides[1].overruns];
    Ok(PlayedGame { game, search_info, time, overruns, ..end })
}

impl PlayedGame {
    /// A game without a move of the engines, because one or both did not get ready.
    pub fn not_started(opening: &Opening, faults: [Option<EngineFault>; 2]) -> PlayedGame {
        let begun = PlayedGame::begun(opening);
        match faults {
            [Some(fault), None] => begun.lost_by(Side::South, fault),
            [None, Some(fault)] => begun.lost_by(Side::North, fault),
            faults => PlayedGame {
                faults: faults.each_ref().map(Option::is_some),
                detail: faults.into_iter().flatten().map(|fault| fault.detail).collect::<Vec<_>>().join("; "),
                ..begun
            },
        }
    }

    /// A game before the first move of an engine, as if neither had started.
    fn begun(opening: &Opening) -> PlayedGame {
        PlayedGame {
            game: opening.game().clone(),
            opening: opening.game().moves().len(),
            search_info: Vec::new(),
            outcome: Outcome::Void,
            termination: Termination::NeitherStarted,
            faults: [false; 2],
            detail: String::new(),
            time: [Duration::ZERO; 2],
            overruns: Default::default(),
            replays: 0,
            id_names: Default::default(),
            last_words: Default::default(),
        }
    }

    fn lost_by(self, side: Side, EngineFault { termination, detail }: EngineFault) -> PlayedGame {
        let (outcome, faults) = (Outcome::Win(side.other()), Side::BOTH.map(|one| one == side));
        PlayedGame { outcome, termination, faults, detail, ..self }
    }
}
