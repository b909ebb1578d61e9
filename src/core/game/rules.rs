//! The interface of a rule set.

#[cfg(doc)]
use super::RuleOptions;
use super::sow::{Course, Sowing};
use super::{About, Board, OptionalRules, Pit, Pits, ROW, Variant};

/// The rules of one game; nothing else in the crate implements any.
///
/// A move is two steps, [`Rules::sow`] and [`Rules::capture`], which are called separately only to show them. All boards are
/// seen by the side to move. A finished board has an [`Ending`]; [`Rules::moves`] and [`Rules::play`] are only for unfinished
/// ones.
pub trait Rules: Copy + Send + Sync + 'static {
    /// The name in the table of rule sets.
    const VARIANT: Variant;
    /// Names, explanations and data.
    const ABOUT: About;
    /// Seeds in a pit at the usual start.
    const SEEDS_A_PIT: u8;
    /// The least and the most seeds in a pit at the start of a game.
    const SEEDS_RANGE: [u8; 2] = [Self::SEEDS_A_PIT; 2];
    /// Unusual numbers of seeds in a pit that lists of rule sets name separately.
    const LISTED_SEEDS: &[u8] = &[];
    /// Whether a set-up may have any number of seeds up to [`Rules::MOST_SEEDS`], not only those of the start.
    const ANY_SET_UP: bool = false;
    /// The optional rules, if there are any. Boards of games with them are flagged: see [`RuleOptions`].
    const OPTIONAL: Option<OptionalRules> = None;
    /// Whether a side can be to move twice in a row.
    const MOVES_AGAIN: bool;
    /// Whether a turn can have a second move that a position must mark, `S2` or `N2`.
    const SECOND_MOVE: bool = false;
    /// Whether a capture of everything wins whatever the stores hold.
    const SWEEP_WINS: bool = false;
    /// Whether the final difference is the lead plus a term of the pits alone: the stores never end the game early.
    const LEAD_ADDS: bool;
    /// How seeds are sown.
    const COURSE: Course;
    /// Which seeds a sowing captures.
    const CAPTURE: Capture;
    /// The effect of repetitions.
    const CYCLE: Cycle;

    /// A move limit changes no result if at least two plies plus this many for each seed in the pits are left: every side that
    /// can win or draw has done so by then, or does so at the limit. Found by counting back from the limit on all boards with
    /// up to 9 to 13 seeds, and assumed for larger boards. `None` if it is unknown: then a database or the solver proves nothing
    /// of a game with a move limit.
    const PLIES_A_SEED: Option<u16>;

    /// Seeds in the usual game.
    const SEEDS: u8 = 12 * Self::SEEDS_A_PIT;
    /// Seeds in a store that are more than half in the usual game.
    const MAJORITY: u8 = Self::SEEDS / 2 + 1;
    /// Seeds in the largest game.
    const MOST_SEEDS: u8 = 12 * Self::SEEDS_RANGE[1];
    /// Counts of seeds that a pit can hold, 0 included, rounded up to a power of two.
    const ROOM: usize = (Self::MOST_SEEDS as usize + 1).next_power_of_two();

    /// The legal moves, and those that only sowing shows to be illegal: see [`Rules::sow`].
    fn moves(board: Board) -> Pits;

    /// The sowing of a pit, or `None` if it never ends, which makes the move illegal.
    ///
    /// Any board is allowed, whichever side is to move and even if the game is over.
    fn sow(board: Board, pit: Pit) -> Option<Sowing>;

    /// The captures of a sowing, and the next side to move.
    fn capture(sowing: Sowing) -> Step;

    /// The board after a move, or `None` if the sowing never ends.
    #[inline]
    fn play(board: Board, pit: Pit) -> Option<Step> {
        Self::sow(board, pit).map(Self::capture)
    }

    /// How the game ended, if it did, without trying moves.
    fn ending(board: Board) -> Option<Ending>;

    /// How a game ends if the side to move has seeds but [`Rules::play`] accepts none of its moves.
    fn stuck(board: Board) -> Ending {
        Ending::by_stores(board)
    }

    /// The result of a repetition, or of endless play: see [`Cycle`].
    fn cycle(board: Board) -> Ending {
        Ending::by_stores(board)
    }

    /// The number of legal moves of an unfinished board.
    #[inline]
    fn count_moves(board: Board) -> u32 {
        Self::moves(board).len()
    }
}

/// Which seeds a sowing captures, simplified for code that examines a board without making moves. [`Rules::capture`] is the
/// exact rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// If the last seed makes two or three in the other's row, those and the run of twos and threes before it.
    TwosAndThrees,
    /// If the last seed falls into an empty pit of the mover's own, the seeds opposite.
    OwnOpposite,
    /// If the last seed falls into an empty pit of either row, the seeds opposite.
    AnyOpposite,
    /// Something else.
    Other,
}

/// How a rule set treats cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycle {
    /// Positions cannot repeat: every move carries seeds nearer to a store, or into one.
    Impossible,
    /// The game continues, and if it never ends, the current stores decide. So a position's value does not depend on its past.
    ScoreStands,
    /// The second occurrence of a position since the last capture ends the game: a position's value depends on earlier moves.
    EndsGame,
}

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The board, seen by the next side to move.
    pub board: Board,
    /// Whether the same side moves again.
    pub again: bool,
}

impl Step {
    /// Passes the turn on a board seen by the side that has moved.
    #[inline]
    pub const fn passing(board: Board) -> Step {
        Step { board: board.turned(), again: false }
    }

    /// The board, seen by the side that moved.
    #[must_use]
    #[inline]
    pub const fn seen_by_mover(self) -> Board {
        if self.again { self.board } else { self.board.turned() }
    }
}

/// A finished game, seen by the side that would be to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The board, with awarded seeds in the stores.
    pub board: Board,
    /// The result.
    pub verdict: Verdict,
}

/// A result, seen by a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The other side has won.
    Loss,
    /// Neither side has won.
    Draw,
    /// The side has won.
    Win,
}

impl Verdict {
    /// The word for it: `win`, `draw` or `loss`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Loss => "loss",
            Verdict::Draw => "draw",
            Verdict::Win => "win",
        }
    }

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
    /// The end by stores: the larger one wins, equal ones draw.
    pub const fn by_stores(board: Board) -> Ending {
        let verdict = match board.lead() {
            0 => Verdict::Draw,
            1.. => Verdict::Win,
            _ => Verdict::Loss,
        };
        Ending { board, verdict }
    }

    /// The end of a game by a store with more than half of the seeds, or by two stores with half each; `None` if neither
    /// exists. A majority is a lead greater than the seeds left in the pits.
    #[inline]
    pub const fn by_majority<R: Rules>(board: Board) -> Option<Ending> {
        // A store below half of the smallest game decides nothing; this test is faster than counting the pits.
        let least = R::SEEDS_RANGE[0] * ROW as u8;
        if board.mover.store() < least && board.other.store() < least {
            return None;
        }
        let left = board.seeds();
        if board.lead().unsigned_abs() > left || left == 0 {
            return Some(Ending::by_stores(board));
        }
        None
    }

    /// The final difference of the stores in seeds, seen by the side that would be to move.
    pub const fn margin(&self) -> i8 {
        self.board.lead()
    }
}
