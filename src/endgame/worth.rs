//! What is known of a board, as two bytes that a builder can compare without knowing what they mean.
//!
//! Both bytes are the smaller the better for the side to move, and a move hands the other side's bytes back swapped
//! and subtracted from a constant of the level. What they are:
//!
//! - **Thresholds** (`awari`, [`Rules::SWEEP_WINS`]): the smallest store with which the side to move wins, and the
//!   smallest with which it does not lose.
//! - **Bounds** (`oware`): what the other side can be kept from getting more than, and what it is sure to be able to
//!   get, of the seeds in the pits.

use crate::game::{Board, Ending, Rules, Verdict};
use crate::value::{Proof, Score, Value};

/// Seeds of the game as a threshold counts them.
const ALL: i8 = 48;
/// A store with so many wins.
const MAJORITY: i8 = 25;

/// Two bytes, the smaller the better for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Worth(pub [u8; 2]);

impl Worth {
    /// Worse than anything.
    pub const WORST: Worth = Worth([u8::MAX; 2]);

    #[inline]
    pub const fn bits(self) -> u16 {
        u16::from_le_bytes(self.0)
    }

    #[inline]
    pub const fn of_bits(bits: u16) -> Worth {
        Worth(bits.to_le_bytes())
    }

    /// The better of two, byte by byte.
    #[inline]
    pub fn better(self, other: Worth) -> Worth {
        Worth([self.0[0].min(other.0[0]), self.0[1].min(other.0[1])])
    }

    /// The worth for the side that left the board to the other with a move without a capture, and back.
    #[inline]
    pub fn turned<R: Rules>(self, seeds: u8) -> Worth {
        let sum = if R::SWEEP_WINS { (ALL + 1) as u8 - seeds } else { seeds };
        Worth([sum - self.0[1], sum - self.0[0]])
    }

    /// What is certain of a board with so many seeds in its pits; nothing is said of how high a win will be.
    #[inline]
    pub fn score<R: Rules>(self, board: Board, seeds: u8) -> Option<Score> {
        let (store, left) = (board.mover.store(), seeds as i8);
        // From which store on the side to move wins, does not lose, can win, and need not lose.
        let [wins, draws, can_win, can_draw] = if R::SWEEP_WINS {
            [self.0[0], self.0[1], self.0[0], self.0[1]]
        } else {
            let [at_least, at_most] = [seeds - self.0[0], seeds - self.0[1]];
            [(25, at_least), (24, at_least), (25, at_most), (24, at_most)]
                .map(|(wanted, share)| u8::saturating_sub(wanted, share))
        };
        let (least, most) =
            (Proof { at_least: true, at_most: false }, Proof { at_least: false, at_most: true });
        if store >= wins {
            return Some(Score { value: Value::ended(Verdict::Win, board.lead() - left), proof: least });
        }
        if store < can_draw {
            return Some(Score { value: Value::ended(Verdict::Loss, board.lead() + left), proof: most });
        }
        let proof = Proof { at_least: store >= draws, at_most: store < can_win };
        (proof != Proof::NONE).then_some(Score { value: Value::DRAW, proof })
    }
}

impl Worth {
    /// The result of a board with so many seeds in its pits, if it is certain.
    pub fn result<R: Rules>(self, board: Board, seeds: u8) -> Option<Verdict> {
        self.score::<R>(board, seeds).and_then(|score| score.proven())
    }

    /// Whether nothing is left open.
    pub fn is_exact<R: Rules>(self) -> bool {
        R::SWEEP_WINS || self.0[0] == self.0[1]
    }

    /// What the side to move is sure to get of so many seeds in the pits, and what it can be kept from getting more
    /// than: the bounds.
    pub fn shares(self, seeds: u8) -> [u8; 2] {
        [seeds - self.0[0], seeds - self.0[1]]
    }
}

/// The stores that a side can have while the game goes on with so many seeds in the pits: neither has a majority.
pub(super) const fn stores(seeds: u8) -> std::ops::RangeInclusive<u8> {
    let (all, most) = (ALL as u8, MAJORITY as u8 - 1);
    let least = most.saturating_sub(seeds);
    least..=if all - seeds < most { all - seeds } else { most }
}

/// Thresholds that say the same of every store that can be: below the least of these "with any", above the largest
/// "with none".
fn thresholds(seeds: u8, [wins, draws]: [i8; 2]) -> Worth {
    let stores = stores(seeds);
    let clamped = |at: i8| at.clamp(*stores.start() as i8, *stores.end() as i8 + 1) as u8;
    Worth([clamped(wins), clamped(draws)])
}

/// What a board with so many seeds is worth as long as nothing better or worse is known: in `awari` play that never
/// ends leaves the score as it stands; in `oware` it gives each side what nobody knows, between nothing and all.
pub(super) fn unknown<R: Rules>(seeds: u8) -> Worth {
    let left = seeds as i8;
    if R::SWEEP_WINS {
        thresholds(seeds, [(ALL - left) / 2 + 1, (ALL - left + 1) / 2])
    } else {
        Worth([seeds, 0])
    }
}

/// The worth of the end of the game on a board with empty stores and so many seeds in its pits, given with what each
/// side gains by it.
pub(super) fn over<R: Rules>(seeds: u8, ending: &Ending) -> Worth {
    let (mine, theirs) = (ending.board.mover.store() as i8, ending.board.other.store() as i8);
    if !R::SWEEP_WINS {
        return Worth([theirs as u8; 2]);
    }
    // The larger store wins: s + mine > ALL - seeds - s + theirs.
    let rival = ALL - seeds as i8 + theirs - mine;
    thresholds(seeds, [rival.div_euclid(2) + 1, (rival + 1).div_euclid(2)])
}

/// The worth of a move that captures, to a side that had so many seeds in the pits before it, from what the board that
/// is left is worth to the other side.
pub(super) fn captured<R: Rules>(seeds: u8, gain: u8, rest: Worth) -> Worth {
    let [x, y] = rest.0.map(|byte| byte as i8);
    if !R::SWEEP_WINS {
        let left = (seeds - gain) as i8;
        return Worth([(left - y) as u8, (left - x) as u8]);
    }
    // 25 seeds win, and 24 draw if the other has 24 as well, which is when nothing is left; only then comes the
    // capture of everything.
    let (left, enough) = (seeds as i8, MAJORITY - gain as i8);
    let [wins, draws] = [ALL + 1 - left - y, ALL + 1 - left - x];
    thresholds(seeds, [wins.min(enough), draws.min(enough)])
}

/// The worth of a capture of all that the other side has, where that wins, to a side that had so many seeds in the
/// pits before it.
pub(super) fn swept(seeds: u8, gain: u8) -> Worth {
    // 24 each comes before the capture of everything; it needs an empty board.
    let enough = MAJORITY - gain as i8;
    thresholds(seeds, if gain == seeds { [enough, enough - 1] } else { [0, 0] })
}
