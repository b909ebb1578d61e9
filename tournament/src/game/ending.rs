//! Checks that a recorded game ended as its record says, from its moves and scores.

use super::adjudication::{Adjudication, AdjudicationRules};
use super::outcome::{Outcome, Termination};
use super::played::PlayedGame;
use kroo::game::{Game, Side};

/// Derives the end of a game again, from its moves and its scores. Endgame databases are asked if they are open.
///
/// # Errors
/// A contradiction between the moves and the recorded end: result, termination or faults.
pub fn check_ending(played: &PlayedGame, rules: &AdjudicationRules) -> Result<(), String> {
    let mut adjudicator = rules.adjudicator();
    let mut game = Game::new(*played.game.start());
    for (index, &mv) in played.game.moves().iter().enumerate() {
        if index >= played.opening {
            let info = index.checked_sub(played.opening + 1).and_then(|last| played.search_info.get(last));
            if let Some(Adjudication { termination, .. }) = adjudicator.end_of(&game, info) {
                return Err(format!("its moves go on after move {index}, where it has ended: {termination}"));
            }
        }
        game.play(mv).map_err(|reason| format!("move {}, `{mv}`: {reason}", index + 1))?;
    }
    let end = adjudicator.end_of(&game, played.search_info.last());
    check_faults(played)?;
    // Without the databases it cannot be worked out.
    let may_be = |termination| {
        let few = |seeds| game.position().board().seeds() <= seeds;
        termination == Termination::Endgame && rules.endgame.is_some_and(few)
    };
    let (termination, outcome) = (played.termination, played.outcome);
    match end {
        // These end a game before its length or a repetition does.
        Some(end) if end.termination != Termination::Rules && may_be(termination) => {}
        Some(end) if end.termination != termination => {
            return Err(format!("it has ended by another reason than it says: {}", end.termination));
        }
        Some(end) if end.outcome != outcome => {
            return Err(format!("its result is {}, not {}", end.outcome.score(), outcome.score()));
        }
        None if !termination.is_by_fault() && !may_be(termination) => {
            return Err(format!("nothing in it ends it as it says: {termination}"));
        }
        _ => {}
    }
    match termination {
        Termination::Agreement if outcome != Outcome::Draw => {
            Err("it ends by a draw, and its result is none".to_owned())
        }
        Termination::Resignation | Termination::Endgame if outcome == Outcome::Void => {
            Err("it has no result, although it was played".to_owned())
        }
        _ => Ok(()),
    }
}

/// An engine is at fault in its own turn, or before the first move, and loses by it. If neither has started, the game has no
/// result.
fn check_faults(played: &PlayedGame) -> Result<(), String> {
    let (termination, outcome) = (played.termination, played.outcome);
    let (neither, by_fault) = (termination == Termination::NeitherStarted, termination.is_by_fault());
    let (none, both) = (played.faults == [false; 2], played.faults == [true; 2]);
    let side = if played.is_fault_of(Side::South) { Side::South } else { Side::North };
    let (one, to_move) = (!none && !both, played.game.position().side() == side);
    let has_moves = !played.search_info.is_empty();
    let may_be_first = matches!(termination, Termination::FailedToStart | Termination::MachineStall);
    let problems = [
        (termination == Termination::Disturbed, "a disturbed game never counts"),
        (none && by_fault, "it ends by a fault, and neither side is at fault"),
        (!none && !by_fault, "a side is at fault, and it does not end by a fault"),
        (both && !neither, "both sides are at fault"),
        (both && has_moves, "neither engine has started, and it has moves"),
        (both && outcome != Outcome::Void, "neither engine has started, and it has a result"),
        (one && neither, "only one engine has not started"),
        (one && outcome != Outcome::Win(side.other()), "the side that is at fault has not lost it"),
        (one && !to_move && (has_moves || !may_be_first), "the side that is at fault was not to move"),
    ];
    let found = problems.into_iter().find(|(is_so, _)| *is_so);
    found.map_or(Ok(()), |(_, problem)| Err(problem.to_owned()))
}
