//! The result of a game, and why it is over.

use kroo::game::{Position, Side, Verdict};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

macro_rules! terminations {
    ($($(#[$doc:meta])* $termination:ident, $name:literal;)*) => {
        /// Why a game is over; stored as its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Termination { $($(#[$doc])* #[serde(rename = $name)] $termination),* }

        impl Termination {
            /// All reasons, in the order of lists.
            pub const ALL: &[Termination] = &[$(Termination::$termination),*];

            /// The reason in a word or two, the same in every output.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Termination::$termination => $name),* }
            }
        }
    };
}

terminations! {
    /// The rules of the game ended it.
    Rules, "by the rules";
    /// The move limit was reached.
    MoveLimit, "move limit";
    /// A position was repeated too often.
    Repetition, "repetition";
    /// An engine's score was too low for too long.
    Resignation, "resignation";
    /// The scores of both engines, or of one if that is enough, were close to level for long enough.
    Agreement, "agreed draw";
    /// The endgame database knows the result.
    Endgame, "endgame";
    /// A move that the rules do not allow.
    IllegalMove, "illegal move";
    /// A `bestmove` without a move.
    NoMove, "no move";
    /// The engine exited, was killed, or closed its input or output.
    Crash, "crash";
    /// No answer, neither in time nor shortly after.
    NoAnswer, "no answer";
    /// An answer, but too late.
    TimeForfeit, "time forfeit";
    /// No answer in time, because the referee itself did not run. Such a game is played again first.
    MachineStall, "machine stall";
    /// No answer in time, because the engine was suspended, kept from a processor, or lost its shim: perhaps its opponent has done
    /// that. Such a game never counts.
    Disturbed, "disturbed";
    /// No answer, but text that the protocol does not know.
    Garbage, "garbage";
    /// The engine could not be started, or did not get ready.
    FailedToStart, "failed to start";
    /// Neither engine could be started: the game has no result.
    NeitherStarted, "neither started";
}

impl Termination {
    /// Whether an engine has ended the game by not being there: it did not start, exited, or gave no answer at all.
    #[must_use]
    pub fn is_death(self) -> bool {
        matches!(
            self,
            Termination::Crash
                | Termination::NoAnswer
                | Termination::Garbage
                | Termination::FailedToStart
                | Termination::NeitherStarted
        )
    }

    /// Whether an engine has lost the game by its own fault.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self.is_death()
            || matches!(self, Termination::IllegalMove | Termination::NoMove | Termination::TimeForfeit)
    }

    /// Whether something that an engine did, or failed to do, has ended the game: all reasons after the endgame database.
    pub fn is_by_fault(self) -> bool {
        self > Termination::Endgame
    }

    /// The reason at the beginning of a text, such as the tag `Termination` of a game file.
    pub fn said_in(text: &str) -> Option<Termination> {
        let text = text.to_ascii_lowercase();
        Termination::ALL.iter().copied().find(|reason| text.starts_with(reason.name()))
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The result of a game; journals write [`Outcome::score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Neither has.
    Draw,
    /// Nothing was played: no result.
    Void,
}

impl Outcome {
    /// The side with the larger store wins. South's store is the first.
    pub fn by_stores(stores: [u8; 2]) -> Outcome {
        match stores[Side::South.index()].cmp(&stores[Side::North.index()]) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::South),
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::Win(Side::North),
        }
    }

    /// The result of a game that its rules have ended; `None` if they have not.
    pub fn by_rules(position: &Position) -> Option<Outcome> {
        position.verdict_for(Side::South).map(|verdict| match verdict {
            Verdict::Win => Outcome::Win(Side::South),
            Verdict::Draw => Outcome::Draw,
            Verdict::Loss => Outcome::Win(Side::North),
        })
    }

    /// The half points of a side: 2, 1 or 0. Where the next pairing depends on a game without a result, it is like a draw.
    #[must_use]
    pub fn half_points(self, side: Side) -> u8 {
        match self {
            Outcome::Win(winner) if winner == side => 2,
            Outcome::Win(_) => 0,
            Outcome::Draw | Outcome::Void => 1,
        }
    }

    /// `1-0` if South has won, `0-1` if North has, `1/2-1/2`, or `*` without a result.
    #[must_use]
    pub fn score(self) -> &'static str {
        match self {
            Outcome::Win(Side::South) => "1-0",
            Outcome::Win(Side::North) => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Void => "*",
        }
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.score())
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let text = String::deserialize(deserializer)?;
        let all = [Outcome::Win(Side::South), Outcome::Win(Side::North), Outcome::Draw, Outcome::Void];
        let found = all.into_iter().find(|outcome| outcome.score() == text);
        found.ok_or_else(|| D::Error::custom("a result is 1-0, 0-1, 1/2-1/2 or *"))
    }
}
