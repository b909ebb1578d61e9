//! The command `eval`: the evaluation of a position, for people.

use crate::evaluate::{Weights, evaluate};
use crate::game::{Board, Pit, Position, Side};
use crate::under;
use crate::value::CENTISEEDS;

/// The static evaluation of an unfinished position, in hundredths of a seed for the side to move.
///
/// A network has no terms to list; instead, each pit is listed with the fall of the evaluation when it is emptied.
pub fn describe(position: &Position, weights: &Weights) -> Vec<String> {
    let board = position.board();
    let evaluate = |board| {
        let value = under!(position.variant(), R => evaluate::<R>(board, weights));
        value.within_seeds(board).centiseeds()
    };
    let (lead, total) = (CENTISEEDS * i32::from(board.lead()), evaluate(board));
    let (side, other) = (position.side(), position.side().other());
    let row = |side: Side, emptied: &dyn Fn(Pit) -> Board| {
        let pits = Pit::ALL.map(|pit| format!("{:>7}", format!("{:+}", total - evaluate(emptied(pit)))));
        format!("   {:<10}{}", format!("{side}'s pits"), pits.concat())
    };
    let Board { mover: mine, other: theirs } = board;
    vec![
        format!("   {:<10}{lead:>+7}   for a lead of {} in the stores", "lead", board.lead()),
        format!("   {:<10}{:>+7}   for the pits, by the network", "network", total - lead),
        format!("   {:<10}{total:>+7}   hundredths of a seed for {side}, the side to move", "total"),
        "   What each pit adds, from its owner's left:".to_owned(),
        row(side, &|pit| Board { mover: mine.emptied(pit), other: theirs }),
        row(other, &|pit| Board { mover: mine, other: theirs.emptied(pit) }),
    ]
}
