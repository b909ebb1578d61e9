//! What happens on the board, in sentences.

use super::seats::{Person, Seats, capital};
use crate::game::{Cell, EndReason, Move, MoveEffects, MoveError, Pit, Position, Side, Verdict};

/// Tells of a game to whoever sits there.
#[derive(Clone, Copy, Debug)]
pub struct Teller {
    /// Who plays what.
    pub seats: Seats,
    /// What the engine is called.
    pub engine: &'static str,
}

/// Moves after which a game is decided by the stores, as the referee decides it.
pub const MOST_MOVES: usize = 250;

/// A number of seeds.
#[must_use]
pub fn seeds(count: u8) -> String {
    format!("{count} seed{}", if count == 1 { "" } else { "s" })
}

/// A pit as people find it: its number and its letter.
#[must_use]
pub fn pit(mv: Move) -> String {
    format!("{} ({mv})", mv.pit.index() + 1)
}

impl Teller {
    /// How a side is spoken of.
    #[must_use]
    pub fn person(&self, side: Side) -> Person {
        self.seats.person(side, self.engine)
    }

    /// What a move did.
    #[must_use]
    pub fn moved(&self, told: &MoveEffects) -> String {
        let mover = self.person(told.mv.side);
        let laps = if told.laps > 1 { format!(" in {} laps", told.laps) } else { String::new() };
        let last = match told.last {
            Cell::Pit(mv) => format!("{mv}"),
            Cell::Store(side) => format!("{} store", self.person(side).whose()),
        };
        let mut story = format!(
            "{} pit {}: {}{laps}, {} in {last}.",
            mover.does("sow"),
            pit(told.mv),
            seeds(told.seeds),
            if told.seeds == 1 { "which falls" } else { "the last" },
        );
        let captured = told.captured();
        if captured > 0 {
            story.push_str(&format!(" {} {}: {}.", mover.does("capture"), seeds(captured), places(told)));
        }
        story
    }

    /// Why a move is not allowed, by the name of the rule.
    #[must_use]
    pub fn refused(&self, mv: Move, position: &Position, error: &MoveError) -> String {
        let other = self.person(mv.side.other());
        let allowed = || numbers(&position.moves());
        match error {
            MoveError::EmptyPit => {
                format!(
                    "Pit {} is empty: only a pit with seeds can be sown. You may play {}.",
                    pit(mv),
                    allowed()
                )
            }
            MoveError::MustFeed => format!(
                "The rule of feeding: {} no seeds, so a move must give some, and pit {} gives none. You may play {}.",
                match other {
                    Person::You => "you have".to_owned(),
                    person => format!("{} has", person.name()),
                },
                pit(mv),
                allowed()
            ),
            MoveError::NeverEnding => format!(
                "The rule of the endless sowing: from pit {} it would go round for ever, so it is no move. You may \
                 play {}.",
                pit(mv),
                allowed()
            ),
            MoveError::NotYourSide { to_move } => format!("It is {to_move}'s turn."),
            MoveError::GameOver => {
                "The game is over: `new` begins another one, `undo` takes a move back.".to_owned()
            }
        }
    }

    /// Whose turn it is, and what may be played.
    #[must_use]
    pub fn turn(&self, position: &Position, again: bool) -> String {
        let (side, moves) = (position.side(), position.moves());
        let whose = match self.person(side) {
            Person::You => format!("Your turn ({side})"),
            _ => format!("{side}'s turn"),
        };
        let own = position.row(side).occupied().len() as usize;
        let limits = if own == moves.len() {
            ""
        } else if position.row(side.other()).is_bare() {
            " (the other row is empty and must be fed)"
        } else {
            " (from the others the sowing would never end)"
        };
        let numbers = numbers(&moves);
        if !again {
            return format!("{whose}: {numbers}{limits}.");
        }
        let whose = self.person(side).whose();
        let sows = self.person(side).does("sow").replacen("You", "you", 1);
        format!(
            "AGAIN? {} last seed fell into {whose} store, so {sows} once more: {numbers}{limits}.",
            capital(&whose)
        )
    }

    /// Why the game is over, and who has won.
    #[must_use]
    pub fn ended(&self, end: Ended, handed: [u8; 2], position: &Position) -> String {
        let person = |side: Side| self.person(side);
        let reason = match end {
            Ended::Rules(EndReason::Majority(side)) => {
                format!("{} {}, more than half.", person(side).does("have"), seeds(position.store(side)))
            }
            Ended::Rules(EndReason::Halves) => "Each store holds half of the seeds.".to_owned(),
            Ended::Rules(EndReason::Swept(side)) => format!(
                "{} every seed in {} row, which wins at once whatever the stores hold.",
                person(side.other()).does("capture"),
                person(side).whose()
            ),
            Ended::Rules(EndReason::Bare(side)) => {
                format!("{} row is empty.", capital(&person(side).whose()))
            }
            Ended::Rules(EndReason::CannotFeed(side)) => format!(
                "{} row is empty, and {} no move that gives it seeds.",
                capital(&person(side.other()).whose()),
                match person(side) {
                    Person::You => "you have".to_owned(),
                    person => format!("{} has", person.name()),
                }
            ),
            Ended::Rules(EndReason::Stuck(side)) => {
                format!("{} seeds, but no sowing of them would end.", person(side).does("have"))
            }
            Ended::Rules(EndReason::Repetition) => {
                "The position has been there before since the last capture: the game goes round in circles."
                    .to_owned()
            }
            Ended::SetUp => "The position is one where nobody can play on.".to_owned(),
            Ended::MoveLimit => format!("{MOST_MOVES} moves have been made, so the stores decide."),
            Ended::Resigned(side) => format!("{}.", person(side).does("resign")),
        };
        let handed: Vec<String> = Side::BOTH
            .into_iter()
            .filter(|side| handed[side.index()] > 0)
            .map(|side| format!("{} to {}", seeds(handed[side.index()]), person(side).name()))
            .collect();
        let left = position.board().seeds();
        let rest = match (handed.is_empty(), left) {
            _ if matches!(end, Ended::Resigned(_)) => String::new(),
            (false, _) => format!(" What lay on the board goes to the stores: {}.", handed.join(", ")),
            (true, 0) => String::new(),
            (true, 1) => " The seed left on the board counts for nobody.".to_owned(),
            (true, _) => format!(" The {} left on the board count for nobody.", seeds(left)),
        };
        format!("The game is over. {reason}{rest} {}", self.result(end.verdict(position), position))
    }

    fn result(&self, south: Verdict, position: &Position) -> String {
        let score = |side: Side| format!("{} to {}", position.store(side), position.store(side.other()));
        let winner = match south {
            Verdict::Draw => return format!("A draw, {}.", score(Side::South)),
            Verdict::Win => Side::South,
            Verdict::Loss => Side::North,
        };
        format!("{}, {}.", self.person(winner).does("win"), score(winner))
    }
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// A rule ended it.
    Rules(EndReason),
    /// It was over when it was set up.
    SetUp,
    /// It went on for too long.
    MoveLimit,
    /// This side gave it up.
    Resigned(Side),
}

impl Ended {
    /// Who has won, as South sees it.
    #[must_use]
    pub fn verdict(self, position: &Position) -> Verdict {
        match (self, position.verdict_for(Side::South)) {
            (Ended::Resigned(Side::South), _) => Verdict::Loss,
            (Ended::Resigned(Side::North), _) => Verdict::Win,
            (_, Some(verdict)) => verdict,
            (_, None) => match position.store(Side::South).cmp(&position.store(Side::North)) {
                std::cmp::Ordering::Less => Verdict::Loss,
                std::cmp::Ordering::Equal => Verdict::Draw,
                std::cmp::Ordering::Greater => Verdict::Win,
            },
        }
    }

    /// The same in the words of the game file.
    #[must_use]
    pub fn termination(self) -> &'static str {
        match self {
            Ended::Rules(_) | Ended::SetUp => "by the rules",
            Ended::MoveLimit => "move limit",
            Ended::Resigned(_) => "resignation",
        }
    }
}

/// What was captured where: `2 from c, 3 from d`.
fn places(told: &MoveEffects) -> String {
    let all = Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| Move { side, pit }));
    let seeds = |mv: &Move| told.taken[mv.side.index()][mv.pit.index()];
    let taken: Vec<String> =
        all.filter(|mv| seeds(mv) > 0).map(|mv| format!("{} from {mv}", seeds(&mv))).collect();
    taken.join(", ")
}

/// The numbers of pits: `1 2 5`.
#[must_use]
pub fn numbers(moves: &[Move]) -> String {
    let numbers: Vec<String> = moves.iter().map(|mv| (mv.pit.index() + 1).to_string()).collect();
    format!("{} {}", if moves.len() == 1 { "pit" } else { "pits" }, numbers.join(" "))
}
