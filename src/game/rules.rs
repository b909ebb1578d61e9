//! What a rule set is.

use super::{Board, Course, Pit, Pits, Prey, Variant};

/// The rules of one game. Nothing else in the crate knows a rule.
///
/// All boards are seen from the side to move. A board that is over has an [`Ending`]; [`Rules::moves`] and
/// [`Rules::play`] are only for boards that are not.
pub trait Rules: Copy + Send + Sync + 'static {
    /// The name in the table of rule sets.
    const VARIANT: Variant;
    /// Seeds in a pit at the start.
    const SEEDS_A_PIT: u8;
    /// Whether a side can be to move twice in a row.
    const MOVES_AGAIN: bool;
    /// Whether a turn knows a second move that a position has to tell, `S2` or `N2`.
    const SECOND_MOVE: bool = false;
    /// Whether a capture of everything wins whatever the stores hold.
    const SWEEP_WINS: bool = false;
    /// Whether the final difference is the lead and what the pits alone decide: nothing ends early because of what
    /// the stores hold.
    const LEAD_ADDS: bool;
    /// Which cells a sowing passes by; where sowing is by relay, its first lap.
    const COURSE: Course;
    /// What happens when a position comes back.
    const CYCLE: Cycle;

    /// Seeds in the game.
    const SEEDS: u8 = 12 * Self::SEEDS_A_PIT;
    /// A store with this many has more than the other can get.
    const MAJORITY: u8 = Self::SEEDS / 2 + 1;

    /// The moves that the rules allow, but for those that only sowing shows to be illegal: see [`Rules::play`].
    fn moves(board: Board) -> Pits;

    /// The board after a move, or `None` if the sowing never ends, which makes the move illegal.
    fn play(board: Board, pit: Pit) -> Option<Step>;

    /// The seeds that a move takes out of the other's pits, each count in the byte of its pit; 0 if it takes none.
    ///
    /// It is asked of any board, whoever is to move and even if the game is over, and says nothing about whether the
    /// move is legal.
    fn taken(board: Board, pit: Pit) -> u64;

    /// What the mover could take in one legal move, were the game not over: see [`Rules::taken`].
    #[inline]
    fn prey(board: Board) -> Prey {
        Prey::of_moves::<Self>(board, Self::moves(board).filter(|pit| Self::play(board, pit).is_some()))
    }

    /// How the game has ended if it has, without trying moves.
    fn ending(board: Board) -> Option<Ending>;

    /// How a game ends whose side to move has seeds but no move that [`Rules::play`] accepts.
    fn stuck(board: Board) -> Ending {
        Ending::by_stores(board)
    }

    /// What a board is worth when it comes back, or in play that never ends: see [`Cycle`].
    fn cycle(board: Board) -> Ending {
        Ending::by_stores(board)
    }

    /// The sowing of a move alone, for those who tell what happens; `None` if it never ends.
    fn sown(board: Board, pit: Pit) -> Option<Sown> {
        Some(super::sow::by_hand(board, pit, Self::COURSE))
    }

    /// How many moves a side has that is not over.
    #[inline]
    fn count_moves(board: Board) -> u32 {
        Self::moves(board).len()
    }
}

/// What a rule set makes of play that goes round in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycle {
    /// No position can come back: every move brings seeds nearer to a store, or in one.
    Impossible,
    /// The game goes on, and if it never ends the stores decide as they stand. So a position has the same worth
    /// however it was reached.
    ScoreStands,
    /// The second occurrence of a position since the last capture ends the game, so its worth depends on the way.
    EndsGame,
}

/// A move made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The board, seen by the side that is to move now.
    pub board: Board,
    /// Whether that is the side that just moved.
    pub again: bool,
}

impl Step {
    /// The turn passes: the board given still shows the side that has moved.
    #[must_use]
    #[inline]
    pub const fn passing(board: Board) -> Step {
        Step { board: board.turned(), again: false }
    }
}

/// A sowing done, and nothing captured yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown {
    /// The board, seen by the side that sows.
    pub board: Board,
    /// Where the last seed fell, counted from the sower's left: his pits, his store, the other's pits, its store.
    pub last: u8,
    /// Sowings one after the other.
    pub laps: u32,
}

/// A game that is over, seen by the side that would be to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The board with all seeds handed out that the rules hand out.
    pub board: Board,
    /// Who has won.
    pub verdict: Verdict,
}

/// A result, seen by a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The other side has won.
    Loss,
    /// Nobody has won.
    Draw,
    /// The side has won.
    Win,
}

impl Verdict {
    /// The result for the other side.
    #[must_use]
    pub const fn turned(self) -> Verdict {
        match self {
            Verdict::Loss => Verdict::Win,
            Verdict::Draw => Verdict::Draw,
            Verdict::Win => Verdict::Loss,
        }
    }
}

impl Ending {
    /// The larger store wins, level is a draw.
    #[must_use]
    pub const fn by_stores(board: Board) -> Ending {
        let verdict = match board.lead() {
            0 => Verdict::Draw,
            1.. => Verdict::Win,
            _ => Verdict::Loss,
        };
        Ending { board, verdict }
    }

    /// The final difference of the stores, seen by the side that would be to move.
    #[must_use]
    pub const fn margin(&self) -> i8 {
        self.board.lead()
    }
}

/// The end of a game in which more than half the seeds decide, and 24 each.
#[inline]
pub(super) const fn majority(board: Board, majority: u8) -> Option<Ending> {
    let (mine, theirs) = (board.mover.store(), board.other.store());
    if mine >= majority || theirs >= majority || mine == majority - 1 && theirs == mine {
        return Some(Ending::by_stores(board));
    }
    None
}
