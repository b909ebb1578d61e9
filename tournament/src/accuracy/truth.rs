//! The values of a position's moves by the endgame files.

use kroo::endgame::Endgames;
use kroo::game::{Board, Cycle, Move, Pit, Position, Row, Rules, Verdict, Visitor};
use kroo::value::{CENTISEEDS, Value};

/// The values of a position's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    pub moves: Vec<MoveTruth>,
}

/// The value of a move for the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTruth {
    mv: Move,
    /// The result with best play afterwards.
    result: Verdict,
    /// In half seeds. Where seeds tell the margin that is one number. Where a game ends as soon as it is won, files know only
    /// the winner; then it is 0 to 2 for a loss, a draw and a win, for each pair of stores with which the game goes on.
    pub worth: Vec<i32>,
}

impl Truth {
    /// The values by the files; `None` if they do not have all of them, or if the past of the position may change it (`oware`).
    #[must_use]
    pub fn of(position: &Position, endgames: &Endgames) -> Option<Truth> {
        position.variant().visit(Judge { position, endgames })
    }

    /// The best result that a move keeps.
    #[must_use]
    pub fn best_result(&self) -> Verdict {
        self.moves.iter().map(|mv| mv.result).max().unwrap_or(Verdict::Loss)
    }

    /// The result after a move; `None` if it is not legal.
    #[must_use]
    pub fn result(&self, mv: Move) -> Option<Verdict> {
        self.moves.iter().find(|truth| truth.mv == mv).map(|truth| truth.result)
    }

    /// Half seeds that a move gives away; `None` if it is not legal. Where files know only the winner, that is how many seeds
    /// more the mover would need in its store to be as well off, on average of winning and drawing.
    #[must_use]
    pub fn half_seeds_given(&self, mv: Move) -> Option<u32> {
        let played = self.moves.iter().find(|truth| truth.mv == mv)?;
        let best = |at: usize| self.moves.iter().map(|truth| truth.worth[at]).max().unwrap_or_default();
        Some(played.worth.iter().enumerate().map(|(at, &worth)| best(at).abs_diff(worth)).sum())
    }

    /// The legal moves.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().map(|truth| truth.mv)
    }
}

struct Judge<'a> {
    position: &'a Position,
    endgames: &'a Endgames,
}

impl Visitor for Judge<'_> {
    type Output = Option<Truth>;

    fn visit<R: Rules>(self) -> Option<Truth> {
        if R::CYCLE == Cycle::EndsGame {
            return None;
        }
        let board = self.position.board();
        let judged = |mv: Move| {
            let value = self.after::<R>(board, mv.pit)?;
            let worth = if R::LEAD_ADDS {
                vec![value.centiseeds() / CENTISEEDS]
            } else {
                let boards = with_open_stores::<R>(board);
                boards
                    .map(|board| Some(verdict(self.after::<R>(board, mv.pit)?) as i32))
                    .collect::<Option<_>>()?
            };
            Some(MoveTruth { mv, result: verdict(value), worth })
        };
        let moves = self.position.moves().into_iter().map(judged).collect::<Option<_>>()?;
        Some(Truth { moves })
    }
}

impl Judge<'_> {
    /// The value of a board for the side to move after a move.
    fn after<R: Rules>(&self, board: Board, pit: Pit) -> Option<Value> {
        let step = R::play(board, pit)?;
        let value = match R::ending(step.board) {
            Some(ending) => Value::of(&ending),
            None => {
                let score = self.endgames.probe::<R>(step.board, step.board.seeds())?;
                score.proven()?;
                score.value
            }
        };
        Some(if step.again { value } else { value.turned() })
    }
}

/// The result that a value of the files or of the rules tells.
fn verdict(value: Value) -> Verdict {
    match value.cmp(&Value::DRAW) {
        std::cmp::Ordering::Less => Verdict::Loss,
        std::cmp::Ordering::Equal => Verdict::Draw,
        std::cmp::Ordering::Greater => Verdict::Win,
    }
}

/// The board with all pairs of stores with which neither side has more than half of the seeds.
pub fn with_open_stores<R: Rules>(board: Board) -> impl Iterator<Item = Board> {
    let stored = R::SEEDS - board.seeds();
    let most = (R::MAJORITY - 1).min(stored);
    let row = |row: Row, store: u8| Row::new(row.pits(), store);
    (stored - most..=most)
        .map(move |store| Board { mover: row(board.mover, store), other: row(board.other, stored - store) })
}
