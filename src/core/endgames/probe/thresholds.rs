//! The known value of a board, as two bytes that a builder can compare without knowing their meaning.
//!
//! | byte | thresholds (`awari`, [`Rules::SWEEP_WINS`]) | bounds (`oware`) |
//! |---|---|---|
//! | 0 | the smallest store with which the side to move wins | the most seeds in the pits that the other side can get |
//! | 1 | the smallest store with which it does not lose | the least seeds in the pits that the other side is sure of |
//!
//! Both bytes are the smaller the better for the side to move. A move hands the other side's bytes back swapped and
//! subtracted from a constant of the database. As 16 bits, byte 0 is the lower one.

use crate::game::{Board, Ending, Rules, Verdict};
use crate::value::{Proof, Score, Value};
use std::ops::RangeInclusive;

/// Thresholds or bounds: two bytes, the smaller the better for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thresholds(pub [u8; 2]);

impl Thresholds {
    /// Worse than anything.
    pub const WORST: Thresholds = Thresholds([u8::MAX; 2]);

    #[inline]
    pub const fn bits(self) -> u16 {
        u16::from_le_bytes(self.0)
    }

    #[inline]
    pub const fn from_bits(bits: u16) -> Thresholds {
        Thresholds(bits.to_le_bytes())
    }

    /// The better of two, byte by byte.
    #[inline]
    pub fn better(self, other: Thresholds) -> Thresholds {
        Thresholds([self.0[0].min(other.0[0]), self.0[1].min(other.0[1])])
    }

    /// The same for the side that left the board to the other with a move without a capture, and back.
    #[inline]
    pub fn turned<R: Rules>(self, seeds: u8) -> Thresholds {
        let sum = Thresholds::most::<R>(seeds);
        Thresholds([sum - self.0[1], sum - self.0[0]])
    }

    /// The largest that a byte can be on a board with `seeds` seeds.
    #[inline]
    pub const fn most<R: Rules>(seeds: u8) -> u8 {
        if R::SWEEP_WINS { R::SEEDS + 1 - seeds } else { seeds }
    }

    /// The certain score of a board with `seeds` seeds in its pits. The margin of a win is left open.
    #[inline]
    pub fn score<R: Rules>(self, board: Board, seeds: u8) -> Option<Score> {
        let (store, left) = (board.mover.store(), seeds as i8);
        // From which store on the side to move wins, does not lose, can win, and can avoid a loss.
        let [wins, draws, can_win, can_draw] = if R::SWEEP_WINS {
            [self.0[0], self.0[1], self.0[0], self.0[1]]
        } else {
            let [at_least, at_most] = self.shares(seeds);
            let half = R::SEEDS / 2;
            [(R::MAJORITY, at_least), (half, at_least), (R::MAJORITY, at_most), (half, at_most)]
                .map(|(wanted, share)| u8::saturating_sub(wanted, share))
        };
        let (least, most) = (Proof::AT_LEAST, Proof::AT_MOST);
        if store >= wins {
            return Some(Score { value: Value::ended(Verdict::Win, board.lead() - left), proof: least });
        }
        if store < can_draw {
            return Some(Score { value: Value::ended(Verdict::Loss, board.lead() + left), proof: most });
        }
        let proof = Proof { at_least: store >= draws, at_most: store < can_win };
        (proof != Proof::NONE).then_some(Score { value: Value::DRAW, proof })
    }

    /// The result of a board with `seeds` seeds in its pits, if it is certain.
    pub fn result<R: Rules>(self, board: Board, seeds: u8) -> Option<Verdict> {
        self.score::<R>(board, seeds).and_then(|score| score.proven())
    }

    /// Whether nothing is left open.
    pub fn is_exact<R: Rules>(self) -> bool {
        R::SWEEP_WINS || self.0[0] == self.0[1]
    }

    /// Bounds, seen by the side to move: of the `seeds` seeds in the pits, the least that it is sure of, and the most that
    /// it can get.
    #[inline]
    pub fn shares(self, seeds: u8) -> [u8; 2] {
        [seeds - self.0[0], seeds - self.0[1]]
    }
}

/// The stores that a side can have while the game goes on with `seeds` seeds in the pits: neither side has a majority.
pub fn open_stores<R: Rules>(seeds: u8) -> RangeInclusive<u8> {
    let most = R::MAJORITY - 1;
    most.saturating_sub(seeds)..=most.min(R::SEEDS - seeds)
}

/// Thresholds that say the same for every store that can be. Those below the least store mean "with any", those above
/// the largest "with none".
fn clamped<R: Rules>(seeds: u8, [wins, draws]: [i8; 2]) -> Thresholds {
    let stores = open_stores::<R>(seeds);
    let clamped = |at: i8| at.clamp(*stores.start() as i8, *stores.end() as i8 + 1) as u8;
    Thresholds([clamped(wins), clamped(draws)])
}

/// The value of a board with `seeds` seeds as long as nothing better or worse is known. In `awari` play that never ends
/// leaves the score as it is. In `oware` it gives each side something between nothing and everything.
pub fn of_endless_play<R: Rules>(seeds: u8) -> Thresholds {
    if R::SWEEP_WINS {
        let rest = R::SEEDS as i8 - seeds as i8;
        clamped::<R>(seeds, [rest / 2 + 1, (rest + 1) / 2])
    } else {
        Thresholds([seeds, 0])
    }
}

/// The end of the game on a board with empty stores and `seeds` seeds in its pits, given with what each side gains by it.
pub fn of_ending<R: Rules>(seeds: u8, ending: &Ending) -> Thresholds {
    let (mine, theirs) = (ending.board.mover.store() as i8, ending.board.other.store() as i8);
    if !R::SWEEP_WINS {
        return Thresholds([theirs as u8; 2]);
    }
    // The larger store wins: store + mine > SEEDS - seeds - store + theirs.
    let rival = R::SEEDS as i8 - seeds as i8 + theirs - mine;
    clamped::<R>(seeds, [rival.div_euclid(2) + 1, (rival + 1).div_euclid(2)])
}

/// A move that captures, with `seeds` seeds in the pits before it, from the value of the board that is left to the
/// other side.
pub fn of_capture<R: Rules>(seeds: u8, captured: u8, rest: Thresholds) -> Thresholds {
    let [x, y] = rest.0.map(|byte| byte as i8);
    if !R::SWEEP_WINS {
        let left = (seeds - captured) as i8;
        return Thresholds([(left - y) as u8, (left - x) as u8]);
    }
    // A majority wins. Half draws if the other side has half as well, which is when nothing is left; only then comes the
    // capture of everything.
    let (all, left, enough) = (R::SEEDS as i8, seeds as i8, R::MAJORITY as i8 - captured as i8);
    let [wins, draws] = [all + 1 - left - y, all + 1 - left - x];
    clamped::<R>(seeds, [wins.min(enough), draws.min(enough)])
}

/// A capture of all that the other side has, where that wins, with `seeds` seeds in the pits before it.
pub fn of_sweep<R: Rules>(seeds: u8, captured: u8) -> Thresholds {
    // Half each comes before the capture of everything; it needs an empty board.
    let enough = R::MAJORITY as i8 - captured as i8;
    clamped::<R>(seeds, if captured == seeds { [enough, enough - 1] } else { [0, 0] })
}
