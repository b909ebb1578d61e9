//! What a rule set is.

use super::sow::{Course, Sowing};
use super::{About, Board, Pit, Pits, ROW, Variant};

/// The rules of one game. Nothing else in the crate knows a rule.
///
/// A move is two steps, and each is asked for alone only where somebody wants to see it: [`Rules::sow`], then
/// [`Rules::capture`]. All boards are seen from the side to move. A board that is over has an [`Ending`];
/// [`Rules::moves`] and [`Rules::play`] are only for boards that are not.
pub trait Rules: Copy + Send + Sync + 'static {
    /// The name in the table of rule sets.
    const VARIANT: Variant;
    /// Names, sentences for people, and what was made for the rule set.
    const ABOUT: About;
    /// Seeds in a pit at the usual start.
    const SEEDS_A_PIT: u8;
    /// The least and the most seeds in a pit at the start of a game.
    const SEEDS_RANGE: [u8; 2] = [Self::SEEDS_A_PIT; 2];
    /// The numbers of seeds in a pit, beside the usual one, that have a place of their own in lists of rule sets.
    const LISTED_SEEDS: &[u8] = &[];
    /// Whether a set-up may have any number of seeds up to [`Rules::MOST_SEEDS`], and not only those of the start.
    const ANY_SET_UP: bool = false;
    /// Whether a side can be to move twice in a row.
    const MOVES_AGAIN: bool;
    /// Whether a turn knows a second move that a position has to tell, `S2` or `N2`.
    const SECOND_MOVE: bool = false;
    /// Whether a capture of everything wins whatever the stores hold.
    const SWEEP_WINS: bool = false;
    /// Whether the final difference is the lead and what the pits alone decide: nothing ends early because of what
    /// the stores hold.
    const LEAD_ADDS: bool;
    /// How seeds are sown.
    const COURSE: Course;
    /// Which seeds a sowing captures.
    const CAPTURE: Capture;
    /// What happens when a position comes back.
    const CYCLE: Cycle;

    /// With two and this many plies for each seed in the pits left to play, a move limit changes no result: every side that
    /// can win, or hold the game, has done so, or does so at the limit. Found by counting back from the limit on all boards
    /// with up to 9 to 13 seeds, and taken to hold for larger boards. The default is the largest of the rule sets here.
    const PLIES_A_SEED: u16 = 16;

    /// Seeds in the usual game.
    const SEEDS: u8 = 12 * Self::SEEDS_A_PIT;
    /// A store with this many has more than the other can get in the usual game.
    const MAJORITY: u8 = Self::SEEDS / 2 + 1;
    /// Seeds in the largest game.
    const MOST_SEEDS: u8 = 12 * Self::SEEDS_RANGE[1];
    /// Room for each count of seeds that a pit can hold, 0 included: a power of two.
    const ROOM: usize = (Self::MOST_SEEDS as usize + 1).next_power_of_two();

    /// The moves that the rules allow, but for those that only sowing shows to be illegal: see [`Rules::sow`].
    fn moves(board: Board) -> Pits;

    /// The sowing of a pit, or `None` if it never ends, which makes the move illegal.
    ///
    /// It may be asked of any board, whoever is to move and even if the game is over.
    fn sow(board: Board, pit: Pit) -> Option<Sowing>;

    /// What a sowing captures, and who is to move then.
    fn capture(sowing: Sowing) -> Step;

    /// The board after a move, or `None` if the sowing never ends.
    #[inline]
    fn play(board: Board, pit: Pit) -> Option<Step> {
        Self::sow(board, pit).map(Self::capture)
    }

    /// How the game has ended if it has, without trying moves.
    fn ending(board: Board) -> Option<Ending>;

    /// How a game ends whose side to move has seeds but no move that [`Rules::play`] accepts.
    fn stuck(board: Board) -> Ending {
        Ending::by_stores(board)
    }

    /// The result when a board comes back, or of play that never ends: see [`Cycle`].
    fn cycle(board: Board) -> Ending {
        Ending::by_stores(board)
    }

    /// How many moves a side has that is not over.
    #[inline]
    fn count_moves(board: Board) -> u32 {
        Self::moves(board).len()
    }
}

/// Which seeds a sowing captures, as far as those want to know who look at a board without making its moves. The rule
/// itself, with all that it depends on, is [`Rules::capture`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Where the last seed makes two or three in the other's row, these, and those of the run of twos and threes
    /// before it.
    TwosAndThrees,
    /// Where the last seed falls into an empty pit of the mover's own, what lies opposite.
    OwnOpposite,
    /// Where the last seed falls into an empty pit of either row, what lies opposite.
    AnyOpposite,
    /// Something else.
    Other,
}

/// What a rule set makes of play that goes round in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycle {
    /// No position can come back: every move carries seeds nearer to a store, or into one.
    Impossible,
    /// The game goes on, and if it never ends the stores decide as they stand. So a position has the same value
    /// however it was reached.
    ScoreStands,
    /// The second occurrence of a position since the last capture ends the game, so its value depends on the moves
    /// before.
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

    /// The board, seen by the side that has moved.
    #[must_use]
    #[inline]
    pub const fn seen_by_mover(self) -> Board {
        if self.again { self.board } else { self.board.turned() }
    }
}

/// A game that is over, seen by the side that would be to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The board with all seeds in the stores that the rules award at the end.
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

    /// The end of a game that a store with more than half of the seeds decides, or two stores with half each; `None`
    /// if there is neither. Half of the seeds and more is a lead of more than what is left in the pits.
    #[must_use]
    #[inline]
    pub const fn by_majority<R: Rules>(board: Board) -> Option<Ending> {
        // No store decides before it has half of the smallest game, which is quicker to see than what is left.
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
    #[must_use]
    pub const fn margin(&self) -> i8 {
        self.board.lead()
    }
}
