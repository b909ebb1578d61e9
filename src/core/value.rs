//! Values of positions: estimates or game results, with their proofs.
//!
//! A [`Value`] is a point on one scale. Estimates are in its middle, in hundredths of a seed of the final difference of the
//! stores; a draw is 0. Won games are above every estimate and lost games below, each ordered by final difference: winning
//! comes first, then the margin.
//!
//! A search with a horizon mixes both, so a value alone does not show whether it is a theorem. Its [`Proof`] gives, for each side
//! of the value, whether the rules alone force it, and [`Bounds`] are the proven bounds apart from any estimate.

mod bounds;

use crate::game::{Board, Ending, LARGEST_GAME, Rules, Verdict};
pub use bounds::{Bounds, Plies, Question, UNKNOWN_PLIES};
use std::fmt;

/// Hundredths in a seed.
pub const CENTISEEDS: i32 = 100;

/// Win/draw/loss model: the score, in hundredths of a seed, at which the chance of a win is one half. Chosen by hand, like
/// `WDL_SCALE`, for all rule sets; never fitted to games.
const EVEN_WIN_SCORE: f64 = 80.0;
/// Win/draw/loss model: the scale of the logistic curve, in hundredths of a seed. The odds of a win change by a factor
/// of e for each step of this size. Chosen by hand.
const WDL_SCALE: f64 = 250.0;
/// A win with a final difference of 0; the difference in seeds is added.
const WON: i16 = 20_000;
/// Results have a greater absolute value than this, even without their lead; estimates a smaller one.
const NEAR_RESULTS: i16 = 18_500;
/// The largest estimate, in hundredths of a seed.
const LARGEST_ESTIMATE: i32 = 10_000;
/// Maximum seeds of a game that fits the scale.
const MOST_SEEDS: i32 = 80;
const _: () = {
    assert!(LARGEST_GAME as i32 <= MOST_SEEDS && MOST_SEEDS * CENTISEEDS <= LARGEST_ESTIMATE);
    assert!(LARGEST_ESTIMATE + MOST_SEEDS * CENTISEEDS < NEAR_RESULTS as i32);
    assert!((NEAR_RESULTS as i32) < WON as i32 - 2 * MOST_SEEDS);
};

/// A point on the scale of results and estimates, seen by the side to move.
///
/// | number | meaning |
/// |---|---|
/// | 19 920 to 20 080 | a won game: 20 000 plus the final difference in seeds |
/// | −10 000 to 10 000 | an estimate in hundredths of a seed; 0 is a draw as well |
/// | −20 080 to −19 920 | a lost game: −20 000 plus the final difference in seeds |
///
/// Between them are the values of [`Value::without_lead`]: an estimate may reach 18 000, a result 19 840.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i16);

/// The meaning of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A lost game with this final difference of the stores, in seeds.
    Loss(i8),
    /// An estimate in hundredths of a seed, or a draw if it is 0.
    Estimate(i32),
    /// A won game with this final difference of the stores, in seeds.
    Win(i8),
}

impl Value {
    /// A draw.
    pub const DRAW: Value = Value(0);
    /// Below all values.
    pub const LEAST: Value = Value(-32_000);
    /// Above all values.
    pub const MOST: Value = Value(32_000);

    /// An estimate, in hundredths of a seed, clamped to the scale.
    pub fn estimate(centiseeds: i32) -> Value {
        Value(centiseeds.clamp(-LARGEST_ESTIMATE, LARGEST_ESTIMATE) as i16)
    }

    /// An estimate for a board, in hundredths of a seed, clamped to what its remaining seeds allow.
    pub fn estimate_for(board: Board, centiseeds: i32) -> Value {
        let (lead, left) = in_centiseeds(board);
        Value::estimate(centiseeds.clamp(lead - left, lead + left))
    }

    /// The value as a final difference that the board allows, for reports.
    ///
    /// The search compares estimates by the chance to win, and on a board with few seeds they exceed what these can still bring.
    /// Clamping them in the search lost 16 ± 16 Elo in `awari` and 8 ± 14 in `oware` (400 games each, 5,000 nodes a move). Here
    /// an estimate is kept up to a seed before the ends of the range, and compressed beyond: the larger of two estimates stays
    /// the larger. Results are unchanged.
    #[must_use]
    pub fn within_seeds(self, board: Board) -> Value {
        let Kind::Estimate(centiseeds) = self.kind() else { return self };
        let (lead, left) = in_centiseeds(board);
        let pits = centiseeds - lead;
        let room = (left / 4).min(CENTISEEDS);
        let (in_full, excess) = (left - room, pits.abs() - (left - room));
        if excess <= 0 {
            return self;
        }
        let size = in_full + (room - 1).max(0) * excess / (excess + CENTISEEDS);
        Value::estimate(lead + size * pits.signum())
    }

    /// The value of a finished game with a final difference of the stores, in seeds.
    #[inline]
    pub const fn ended(verdict: Verdict, margin: i8) -> Value {
        match verdict {
            Verdict::Loss => Value(margin as i16 - WON),
            Verdict::Draw => Value::DRAW,
            Verdict::Win => Value(margin as i16 + WON),
        }
    }

    /// The value of a game that is over.
    #[inline]
    pub const fn of(ending: &Ending) -> Value {
        Value::ended(ending.verdict, ending.margin())
    }

    /// The meaning of the value.
    #[must_use]
    pub const fn kind(self) -> Kind {
        if self.0 > NEAR_RESULTS {
            Kind::Win((self.0 - WON) as i8)
        } else if self.0 < -NEAR_RESULTS {
            Kind::Loss((self.0 + WON) as i8)
        } else {
            Kind::Estimate(self.0 as i32)
        }
    }

    /// The actual or expected final difference of the stores, in hundredths of a seed.
    #[must_use]
    pub const fn centiseeds(self) -> i32 {
        match self.kind() {
            Kind::Estimate(centiseeds) => centiseeds,
            Kind::Win(margin) | Kind::Loss(margin) => margin as i32 * CENTISEEDS,
        }
    }

    /// The actual or expected final difference of the stores, rounded to seeds.
    #[must_use]
    pub const fn rounded_seeds(self) -> i8 {
        (self.centiseeds() + CENTISEEDS / 2).div_euclid(CENTISEEDS) as i8
    }

    /// The displayed value, in hundredths of a seed: at least one seed for a win, at most minus one for a loss. In `awari` a
    /// side can win with fewer seeds than the other, and there and in `oware` often only the winner is known. Clients that read
    /// only the number, as GUIs and referees do to adjudicate games, must not mistake a win for a loss.
    #[must_use]
    pub fn shown_centiseeds(self) -> i32 {
        match self.kind() {
            Kind::Win(_) => self.centiseeds().max(CENTISEEDS),
            Kind::Loss(_) => self.centiseeds().min(-CENTISEEDS),
            Kind::Estimate(centiseeds) => centiseeds,
        }
    }

    /// The displayed value, in seeds.
    #[must_use]
    pub fn shown_seeds(self) -> i32 {
        self.shown_centiseeds() / CENTISEEDS
    }

    /// The value seen by the other side.
    #[must_use]
    #[inline]
    pub const fn turned(self) -> Value {
        Value(-self.0)
    }

    /// The value raised by hundredths of a seed, within the ends of the scale.
    #[must_use]
    pub fn shifted(self, centiseeds: i32) -> Value {
        let ends = i32::from(Value::LEAST.0)..=i32::from(Value::MOST.0);
        Value((i32::from(self.0) + centiseeds).clamp(*ends.start(), *ends.end()) as i16)
    }

    /// The next higher value.
    #[must_use]
    #[inline]
    pub const fn next(self) -> Value {
        Value(self.0 + 1)
    }

    /// The value without the lead, for rule sets with an additive lead: see [`Rules::LEAD_ADDS`].
    ///
    /// Results and estimates stay distinct. An unproven draw counts as an estimate.
    #[must_use]
    #[inline]
    pub const fn without_lead(self, proof: Proof, lead: i8) -> Value {
        match self.kind() {
            Kind::Estimate(0) if proof.at_least || proof.at_most => Value(WON - lead as i16),
            Kind::Estimate(centiseeds) => Value((centiseeds - lead as i32 * CENTISEEDS) as i16),
            Kind::Win(margin) | Kind::Loss(margin) => Value(WON + (margin - lead) as i16),
        }
    }

    /// Undoes [`Value::without_lead`].
    #[must_use]
    #[inline]
    pub fn with_lead(self, lead: i8) -> Value {
        match self.kind() {
            Kind::Estimate(centiseeds) => Value::estimate(centiseeds + i32::from(lead) * CENTISEEDS),
            Kind::Win(margin) | Kind::Loss(margin) => by_margin(margin + lead),
        }
    }

    /// The value's representation in a table.
    #[must_use]
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0 as u16
    }

    /// The value of a representation.
    #[inline]
    pub const fn from_bits(bits: u16) -> Value {
        Value(bits as i16)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

/// The lead of a board and the seeds in its pits, in hundredths of a seed.
#[inline]
fn in_centiseeds(board: Board) -> (i32, i32) {
    (i32::from(board.lead()) * CENTISEEDS, i32::from(board.seeds()) * CENTISEEDS)
}

/// The least and the greatest final value that a board's seeds allow.
///
/// No side gains more than the seeds left. Where a capture of everything wins whatever the score, seeds bound the margin but
/// not the winner.
#[inline]
pub fn within_reach<R: Rules>(board: Board) -> (Value, Value) {
    let (lead, left) = (board.lead(), board.seeds() as i8);
    if R::SWEEP_WINS {
        return (Value::ended(Verdict::Loss, lead - left), Value::ended(Verdict::Win, lead + left));
    }
    (by_margin(lead - left), by_margin(lead + left))
}

/// The value of a game that the stores decide, by their difference.
#[inline]
pub const fn by_margin(margin: i8) -> Value {
    match margin {
        0 => Value::DRAW,
        1.. => Value::ended(Verdict::Win, margin),
        _ => Value::ended(Verdict::Loss, margin),
    }
}

/// Which bounds of a value the rules force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// The side to move can get at least the value against any play.
    pub at_least: bool,
    /// The other side can limit it to at most the value.
    pub at_most: bool,
}

impl Proof {
    /// Neither bound is proven.
    pub const NONE: Proof = Proof { at_least: false, at_most: false };
    /// Both bounds are proven.
    pub const EXACT: Proof = Proof { at_least: true, at_most: true };
    /// Only the lower bound is proven.
    pub const AT_LEAST: Proof = Proof { at_least: true, at_most: false };
    /// Only the upper bound is proven.
    pub const AT_MOST: Proof = Proof { at_least: false, at_most: true };

    /// The proof of the value seen by the other side.
    #[must_use]
    #[inline]
    pub const fn turned(self) -> Proof {
        Proof { at_least: self.at_most, at_most: self.at_least }
    }

    /// The part of a value that is still proven if it is reported as `told`: a higher one is no lower bound, a lower one no upper bound.
    #[must_use]
    pub fn of_moved(self, value: Value, told: Value) -> Proof {
        Proof { at_least: self.at_least && told <= value, at_most: self.at_most && told >= value }
    }

    /// Whether both bounds are proven.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.at_least && self.at_most
    }
}

/// A value with its proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The value.
    pub value: Value,
    /// Its proven bounds.
    pub proof: Proof,
}

impl Score {
    /// The result under best play, if proven.
    #[must_use]
    pub const fn proven(self) -> Option<Verdict> {
        match self.value.kind() {
            Kind::Win(_) if self.proof.at_least => Some(Verdict::Win),
            Kind::Loss(_) if self.proof.at_most => Some(Verdict::Loss),
            Kind::Estimate(0) if self.proof.is_exact() => Some(Verdict::Draw),
            _ => None,
        }
    }

    /// The win or loss that the search found, proven or not.
    #[must_use]
    pub fn found(self) -> Option<Verdict> {
        match self.value.kind() {
            Kind::Win(_) if self.proven().is_none() => Some(Verdict::Win),
            Kind::Loss(_) if self.proven().is_none() => Some(Verdict::Loss),
            _ => None,
        }
    }

    /// The same score for the other side.
    #[must_use]
    pub const fn turned(self) -> Score {
        Score { value: self.value.turned(), proof: self.proof.turned() }
    }

    /// The chances of win, draw and loss in thousandths; 1000 only for a proven result.
    #[must_use]
    pub fn chances(self) -> [u16; 3] {
        match self.proven() {
            Some(Verdict::Win) => return [1000, 0, 0],
            Some(Verdict::Draw) => return [0, 1000, 0],
            Some(Verdict::Loss) => return [0, 0, 1000],
            None => {}
        }
        let win_chance = |centiseeds: f64| 1.0 / (1.0 + (-(centiseeds - EVEN_WIN_SCORE) / WDL_SCALE).exp());
        let expected = match self.value.kind() {
            Kind::Estimate(centiseeds) => f64::from(centiseeds),
            Kind::Win(_) => f64::INFINITY,
            Kind::Loss(_) => f64::NEG_INFINITY,
        };
        let thousandths = |chance: f64| ((chance * 1000.0) as u16).clamp(1, 998);
        let (win, loss) = (thousandths(win_chance(expected)), thousandths(win_chance(-expected)));
        [win, 1000 - win - loss, loss]
    }
}
