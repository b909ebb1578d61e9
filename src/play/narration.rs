//! The narration: effects of moves, in sentences.

use super::sides::{HumanSides, Notation, Subject, capital};
use crate::game::{
    Cell, EndReason, Game, Move, MoveEffects, MoveError, Pit, Position, Side, Variant, Verdict,
};
use crate::printable::{MAX_WORD, clipped};
use crate::protocol::Ending;
use std::borrow::Cow;

/// Writes the sentences for the person.
#[derive(Clone, Copy, Debug)]
pub struct Narrator {
    pub humans: HumanSides,
    /// The name of the engine's player.
    pub engine: &'static str,
    pub notation: Notation,
}

/// A number of seeds, in words.
pub fn seeds(count: u8) -> String {
    format!("{count} seed{}", if count == 1 { "" } else { "s" })
}

impl Narrator {
    /// How sentences name the player of a side.
    pub fn subject(&self, side: Side) -> Subject {
        self.humans.subject(side, self.engine)
    }

    pub fn moved(&self, effects: &MoveEffects) -> String {
        let mover = self.subject(effects.mv.side);
        let laps = if effects.laps > 1 { format!(" in {} laps", effects.laps) } else { String::new() };
        let last = match effects.last {
            Cell::Pit(mv) => format!("{mv}"),
            Cell::Store(side) => format!("{} store", self.subject(side).possessive()),
        };
        let mut text = format!(
            "{} pit {}: {}{laps}, {} in {last}.",
            mover.does("sow"),
            self.notation.pit(effects.mv),
            seeds(effects.seeds),
            if effects.seeds == 1 { "which lands" } else { "the last" },
        );
        let captured = effects.captured();
        if captured > 0 {
            text.push_str(&format!(" {} {}: {}.", mover.does("capture"), seeds(captured), captures(effects)));
        }
        text
    }

    /// Why a move is refused, with the name of the rule.
    pub fn refused(&self, mv: Move, position: &Position, error: &MoveError) -> String {
        let legal = || self.notation.pits(&position.moves());
        let pit = self.notation.pit(mv);
        match error {
            MoveError::EmptyPit => {
                format!(
                    "Pit {pit} is empty, and only a pit with seeds can be sown. You may play {}.",
                    legal()
                )
            }
            MoveError::MustFeed => {
                let other = self.subject(mv.side.other());
                format!(
                    "The feeding rule: {} no seeds, so you must play a move that gives {} some. Pit {pit} gives none. You \
                     may play {}.",
                    other.does_within("have"),
                    other.name(),
                    legal()
                )
            }
            MoveError::NeverEnding => format!(
                "The rule of endless sowing: a sowing from pit {pit} would never end, so it is not a legal move. You may \
                 play {}.",
                legal()
            ),
            MoveError::NotYourSide { to_move } => format!("It is {to_move}'s turn."),
            MoveError::GameOver => {
                "The game is over. `new` starts another one, `undo` takes a move back.".to_owned()
            }
        }
    }

    /// The side to move and its legal pits.
    pub fn turn(&self, position: &Position, again: bool) -> String {
        let (side, moves) = (position.side(), position.moves());
        let own = position.row(side).occupied().len() as usize;
        let reason = if own == moves.len() {
            ""
        } else if position.row(side.other()).is_bare() {
            " (the other row is empty and must be fed)"
        } else {
            " (a sowing from the others would never end)"
        };
        let (player, pits) = (self.subject(side), self.notation.pits(&moves));
        if again {
            let whose = player.possessive();
            return format!(
                "AGAIN? {} last seed landed in {whose} store, so {} again: {pits}{reason}.",
                capital(&whose),
                player.does_within("sow")
            );
        }
        match player {
            Subject::You => format!("Your turn ({side}): {pits}{reason}."),
            _ => format!("{side}'s turn: {pits}{reason}."),
        }
    }

    /// Why the game is over, and its winner. `awarded` is what each side got of the seeds left on the board, South's first.
    /// `termination` is the reason in the game file, if the game comes from one.
    pub fn ended(&self, end: Ending, awarded: [u8; 2], game: &Game, termination: Option<&str>) -> String {
        let position = game.position();
        if end.is_settled() {
            return format!("The game is over. {}", self.settled(end, end.south(position), termination));
        }
        let awarded: Vec<String> = Side::BOTH
            .into_iter()
            .filter(|side| awarded[side.index()] > 0)
            .map(|side| format!("{} to {}", seeds(awarded[side.index()]), self.subject(side).name()))
            .collect();
        let left = position.board().seeds();
        let rest = match (awarded.is_empty(), left) {
            (false, _) => format!(" The seeds left on the board go to the stores: {}.", awarded.join(", ")),
            (true, 0) => String::new(),
            (true, 1) => " The seed left on the board counts for neither side.".to_owned(),
            (true, _) => format!(" The {} left on the board count for neither side.", seeds(left)),
        };
        let reason = self.reason(end, game);
        let result = self.result(end.south(position), position);
        format!("The game is over. {reason}{rest} {result}")
    }

    fn reason(&self, end: Ending, game: &Game) -> String {
        let (player, position) = (|side: Side| self.subject(side), game.position());
        match end {
            Ending::Rules(EndReason::Majority(side)) => {
                format!("{} {}, more than half.", player(side).does("have"), seeds(position.store(side)))
            }
            Ending::Rules(EndReason::Halves) => "Each store holds half of the seeds.".to_owned(),
            Ending::Rules(EndReason::Swept(side)) => format!(
                "{} every seed in {} row, which wins at once whatever the stores hold.",
                player(side.other()).does("capture"),
                player(side).possessive()
            ),
            Ending::Rules(EndReason::Bare(side)) => {
                format!("{} row is empty.", capital(&player(side).possessive()))
            }
            Ending::Rules(EndReason::CannotFeed(side)) => format!(
                "{} row is empty, and {} no move that gives it seeds.",
                capital(&player(side.other()).possessive()),
                player(side).does_within("have")
            ),
            Ending::Rules(EndReason::Stuck(side)) => {
                format!("{} seeds, but every sowing of them would go on for ever.", player(side).does("have"))
            }
            Ending::Rules(EndReason::Repetition) => {
                "This position has occurred before, with no capture since: the game is going round in circles."
                    .to_owned()
            }
            Ending::SetUp => "The position that was set up is already decided.".to_owned(),
            Ending::MoveLimit => {
                format!("{} moves have been made, so the stores decide.", game.moves().len())
            }
            _ => String::new(),
        }
    }

    /// The sentences for an end that is not by the rules. They omit the stores, which did not decide it.
    fn settled(&self, end: Ending, south: Verdict, termination: Option<&str>) -> String {
        let winner = match south {
            Verdict::Win => Some(Side::South),
            Verdict::Draw => None,
            Verdict::Loss => Some(Side::North),
        };
        let result = winner.map_or("A draw".to_owned(), |side| self.subject(side).does("win"));
        match end {
            Ending::Resignation(loser) => format!("{}. {result}.", self.subject(loser).does("resign")),
            Ending::Time(loser) => {
                format!("{} time ran out. {result}.", capital(&self.subject(loser).possessive()))
            }
            Ending::Agreement => "The players agreed to a draw.".to_owned(),
            _ => match termination.filter(|text| !text.is_empty()) {
                Some(text) => format!("The game file says: {}. {result}.", clipped(text, MAX_WORD)),
                None => format!("{result}, as the game file says."),
            },
        }
    }

    fn result(&self, south: Verdict, position: &Position) -> String {
        let score = |side: Side| format!("{} to {}", position.store(side), position.store(side.other()));
        let winner = match south {
            Verdict::Draw => return format!("A draw, {}.", score(Side::South)),
            Verdict::Win => Side::South,
            Verdict::Loss => Side::North,
        };
        format!("{}, {}.", self.subject(winner).does("win"), score(winner))
    }
}

/// The captured seeds by pit: `2 from c, 3 from d`.
fn captures(effects: &MoveEffects) -> String {
    let all = Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| Move { side, pit }));
    let seeds = |mv: &Move| effects.taken[mv.side.index()][mv.pit.index()];
    let taken: Vec<String> =
        all.filter(|mv| seeds(mv) > 0).map(|mv| format!("{} from {mv}", seeds(&mv))).collect();
    taken.join(", ")
}

/// The rules in a few sentences for beginners (`docs/rules.md` is exact), a paragraph each: sowing in general, sowing in this
/// game, capturing, ending, and the move limit, if any.
pub fn rules(variant: Variant, move_limit: usize) -> Vec<Cow<'static, str>> {
    let limit = (move_limit > 0).then(|| {
        format!(
            "A game that is not over after {move_limit} moves ends there: the stores decide, and seeds in the pits count for neither side."
        )
    });
    variant.rules().into_iter().map(Cow::Borrowed).chain(limit.map(Cow::Owned)).collect()
}
