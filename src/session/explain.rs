//! The evaluation of a position, for people.

use crate::evaluate::Weights;
use crate::game::{Board, Pit, Position, Rules, Side, Visitor};
use crate::value::CENTISEEDS;

/// Tells what a position that is not over is worth to its mover without searching, in hundredths of a seed.
///
/// A network has no terms. What can be told of a pit is what the position would lose in worth if the pit were empty.
#[must_use]
pub fn explain(position: &Position, weights: &Weights) -> Vec<String> {
    let board = position.board();
    let worth = |board| position.variant().visit(Worth(board, weights));
    let (lead, whole) = (CENTISEEDS * i32::from(board.lead()), worth(board));
    let (side, other) = (position.side(), position.side().other());
    let row = |side: Side, emptied: &dyn Fn(Pit) -> Board| {
        let pits = Pit::ALL.map(|pit| format!("{:>7}", format!("{:+}", whole - worth(emptied(pit)))));
        format!("   {:<10}{}", format!("{side}'s pits"), pits.concat())
    };
    let Board { mover: mine, other: theirs } = board;
    vec![
        format!("   {:<10}{lead:>+7}   for a lead of {} in the stores", "lead", board.lead()),
        format!("   {:<10}{:>+7}   for the pits, by the network", "network", whole - lead),
        format!("   {:<10}{whole:>+7}   hundredths of a seed for {side}, who is to move", "together"),
        "   What each pit adds, from its owner's left:".to_owned(),
        row(side, &|pit| Board { mover: mine.emptied(pit), other: theirs }),
        row(other, &|pit| Board { mover: mine, other: theirs.emptied(pit) }),
    ]
}

struct Worth<'a>(Board, &'a Weights);

impl Visitor for Worth<'_> {
    type Output = i32;

    fn visit<R: Rules>(self) -> i32 {
        self.1.centiseeds::<R>(self.0)
    }
}
