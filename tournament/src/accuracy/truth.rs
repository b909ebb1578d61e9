//! What the endgame files say of the moves of a position.

use kroo::endgame::Endgames;
use kroo::game::{Board, Cycle, Move, Pit, Position, Row, Rules, Verdict, Visitor};
use kroo::value::{CENTISEEDS, Value};

/// What each move of a position is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    moves: Vec<MoveTruth>,
}

/// What a move is worth, for the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MoveTruth {
    mv: Move,
    /// The result with best play afterwards.
    result: Verdict,
    /// In half seeds. Where seeds tell the margin that is one number. Where a game ends as soon as it is won, files know only
    /// who wins; then it is 0 to 2 for a loss, a draw and a win, for each pair of stores with which the game goes on.
    worth: Vec<i32>,
}

impl Truth {
    /// What the files say; `None` if they do not know it all, or if the past of the position may change it (`oware`).
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

    /// Half seeds that a move gives away; `None` if it is not legal. Where files know only who wins, that is how many seeds
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
    /// What a board is worth to the side to move if it makes a move.
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
fn with_open_stores<R: Rules>(board: Board) -> impl Iterator<Item = Board> {
    let stored = R::SEEDS - board.seeds();
    let most = (R::MAJORITY - 1).min(stored);
    let row = |row: Row, store: u8| Row::new(row.pits(), store);
    (stored - most..=most)
        .map(move |store| Board { mover: row(board.mover, store), other: row(board.other, stored - store) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kroo::game::{Awari, Kalah, Rng, Variant};

    /// A position with few seeds whose game goes on, at random.
    fn drawn(variant: Variant, rng: &mut Rng, all: u8) -> Position {
        loop {
            let seeds = 2 + rng.below(4) as u8;
            let mut pits = [0; 12];
            (0..seeds).for_each(|_| pits[rng.below(12) as usize] += 1);
            let store = rng.below(u64::from(all - seeds) + 1) as u8;
            let numbers = pits.into_iter().chain([store, all - seeds - store]);
            let text: String = numbers.map(|number| format!("{number}-")).collect();
            let position = Position::parse(variant, &format!("{text}S"));
            if let Some(position) = position.ok().filter(|position| position.verdict().is_none()) {
                return position;
            }
        }
    }

    /// The best of its moves is what the files say of a position itself, which they were not asked.
    #[test]
    fn the_best_move_is_worth_what_the_position_is() {
        let endgames = Endgames::new();
        assert!(endgames.build::<Awari>(5, &mut || false) && endgames.build::<Kalah>(5, &mut || false));
        let mut rng = Rng::new(3);
        let mut wrong = 0;
        for round in 0..400 {
            let variant = [Variant::Awari, Variant::Kalah][round % 2];
            let position = drawn(variant, &mut rng, 48);
            let (board, seeds) = (position.board(), position.board().seeds());
            let truth = Truth::of(&position, &endgames).expect("few seeds");
            let score = match variant {
                Variant::Awari => endgames.probe::<Awari>(board, seeds),
                _ => endgames.probe::<Kalah>(board, seeds),
            };
            let score = score.expect("few seeds");
            assert_eq!(Some(truth.best_result()), score.proven(), "{position}");
            let given: Vec<u32> = truth.moves().filter_map(|mv| truth.half_seeds_given(mv)).collect();
            if variant == Variant::Kalah {
                assert!(given.contains(&0), "{position}: {truth:?}");
                let best = truth.moves.iter().map(|mv| mv.worth[0]).max();
                assert_eq!(best, Some(score.value.centiseeds() / CENTISEEDS), "{position}");
            } else {
                for (at, board) in with_open_stores::<Awari>(board).enumerate() {
                    let known = endgames.probe::<Awari>(board, seeds).and_then(|score| score.proven());
                    let best = truth.moves.iter().map(|mv| mv.worth[at]).max();
                    assert_eq!(best, known.map(|verdict| verdict as i32), "{position}, pair {at}");
                }
            }
            wrong += truth.moves().filter(|&mv| truth.result(mv) != Some(truth.best_result())).count();
        }
        assert!(wrong > 20, "{wrong}");
    }

    #[test]
    fn a_move_that_gives_the_game_away_is_found() {
        let endgames = Endgames::new();
        endgames.build::<Awari>(3, &mut || false);
        // F captures two and wins by the majority; A does not.
        let position =
            Position::parse(Variant::Awari, "1-0-0-0-0-1-1-0-0-0-0-0-23-22-S").expect("a position");
        let truth = Truth::of(&position, &endgames).expect("three seeds");
        let [a, f] = ['A', 'F'].map(|letter| Move::from_letter(letter).expect("a pit's letter"));
        assert_eq!((truth.best_result(), truth.result(f)), (Verdict::Win, Some(Verdict::Win)));
        assert_eq!(truth.half_seeds_given(f), Some(0));
        assert!(truth.half_seeds_given(a) > Some(0), "{truth:?}");
        assert_eq!(truth.result(Move::from_letter('B').expect("a pit's letter")), None);
        assert_eq!(Truth::of(&position, &Endgames::new()), None);
        let oware = Position::parse(Variant::Oware, "1-0-0-0-0-1-1-0-0-0-0-0-23-22-S").expect("a position");
        assert_eq!(Truth::of(&oware, &endgames), None);
    }
}
