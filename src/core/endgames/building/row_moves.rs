//! Moves as tables of rows, for rule sets whose sowings may bank seeds (`kalah`, `awari1978` and `avalanche`).
//!
//! Without a capture, neither the effect of a move on the mover's row nor the side to move depends on the other row. A capture
//! depends on both: on whether the mover's row makes one possible, and on one pit of the other row. A move of a row therefore has
//! two results, with a capture and without. Its [pattern](RowMoves::met) gives, for every row that it meets, which of the two
//! applies and the row that is left. [`Rules::sow`] and [`Rules::play`] compute all of it once a row; no rule is repeated here.
//! [`Rules::play`] makes the few moves that come round to the mover's row again, and all relays, because every lap depends on
//! both rows.

use super::move_tables::FULL;
use crate::endgames::probe::indexing::{Indexing, Rows, planes};
use crate::game::{Board, Flag, Pit, ROW, Row, RuleOptions, Rules};
use std::collections::BTreeMap;

/// Bits of a rank. The largest database has 2,869,685 rows.
const RANK: u32 = 22;
/// Seeds of a sowing that cannot reach the pit where it began.
const ONE_ROUND: u8 = 12;

/// A row that a move leaves, by its rank and its seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left(u32);

impl Left {
    const CAPTURED: u32 = 1 << 31;

    fn new(row: Row, indexing: &Indexing) -> Left {
        Left(indexing.rank_row(row) as u32 | u32::from(row.seeds()) << RANK)
    }

    /// Its rank among the rows with as many seeds.
    #[inline]
    pub fn rank(self) -> usize {
        (self.0 & ((1 << RANK) - 1)) as usize
    }

    #[inline]
    pub fn seeds(self) -> u8 {
        (self.0 >> RANK & 0x3f) as u8
    }

    /// Whether the move makes a capture against this row.
    #[inline]
    pub fn is_captured(self) -> bool {
        self.0 & Left::CAPTURED != 0
    }
}

/// The side that moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Other,
    Mover,
    /// The mover, with the second move of its turn.
    MoverSecond,
}

/// The source of a move's effect on the other row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meeting {
    /// It stays as it is.
    None,
    /// By the pattern with this number.
    Pattern(u8),
    /// No table knows: [`Rules::play`] does.
    Play,
}

/// The mover's row after sowing a pit.
#[derive(Clone, Copy, Debug)]
pub struct Sown {
    pub pit: Pit,
    /// The row without a capture.
    pub plain: Left,
    /// The row after a capture.
    pub captured: Left,
    /// Seeds that fell into the other row.
    pub given: u8,
    /// Seeds that fell into the other store.
    pub theirs: u8,
    pub meeting: Meeting,
    pub next: Next,
}

/// The key of a pattern, which all moves with the same effects on the other row share: the seeds that fall there, and the place
/// where the last one fell if a capture is possible.
type Key = (u8, Option<usize>);

/// The tables for all databases up to one.
#[derive(Debug)]
pub struct RowMoves {
    /// For first moves, then for second ones if the rules have them; by the seeds of a row and its rank.
    sown: Vec<Vec<Vec<[Option<Sown>; ROW]>>>,
    /// By pattern, by the seeds of the row that it meets, and by that row's rank.
    patterns: Vec<Vec<Vec<Left>>>,
    /// The optional rules of the games that they are for.
    pub options: RuleOptions,
}

/// The most patterns: by the place of a capture in the mover's row, which gives the other row nothing; by the place of one in the
/// other row, which is that of the last seed given; and without a capture by the seeds given, at most one to each pit.
const PATTERNS: usize = 3 * ROW;

/// Bytes of the tables for databases up to `most` seeds, at most: six moves a row, and [`PATTERNS`].
pub(super) fn bytes_needed<R: Rules>(most: u8) -> u64 {
    let rows: u64 = (0..=most).map(|seeds| Indexing::get().row_count(seeds) as u64).sum();
    rows * (planes::<R>() * size_of::<[Option<Sown>; ROW]>() + PATTERNS * size_of::<Left>()) as u64
}

impl RowMoves {
    /// The tables for databases of up to `most` seeds, for games with these optional rules.
    pub fn new<R: Rules>(most: u8, options: RuleOptions) -> RowMoves {
        // A sample of each pattern, the first one, which has the fewest seeds.
        let mut samples: BTreeMap<Key, (u8, Board, Pit)> = BTreeMap::new();
        let mut tables = |second: bool| -> Vec<Vec<[Option<Sown>; ROW]>> {
            let mut of_row = |row: Row| {
                let board = Board { mover: row, other: FULL }.with_options(options);
                let board = board.flag_if(Flag::SecondMove, second);
                Pit::ALL.map(|pit| sown::<R>(board, pit, &mut samples))
            };
            (0..=most).map(|seeds| Rows::with(seeds).map(&mut of_row).collect()).collect()
        };
        let sown = (0..planes::<R>()).map(|plane| tables(plane > 0)).collect();
        assert!(samples.len() <= PATTERNS, "{} patterns", samples.len());
        let mut patterns = vec![Vec::new(); samples.len()];
        for &(number, board, pit) in samples.values() {
            let others = 0..=most - board.mover.seeds();
            patterns[usize::from(number)] = others.map(|seeds| pattern::<R>(board, pit, seeds)).collect();
        }
        RowMoves { sown, patterns, options }
    }

    /// The moves of a row, given by its seeds and its rank.
    #[inline]
    pub fn moves(&self, second: bool, seeds: u8, rank: usize) -> impl Iterator<Item = Sown> {
        self.sown[usize::from(second)][usize::from(seeds)][rank].into_iter().flatten()
    }

    /// The rows that a pattern makes of those with `seeds` seeds, by the rank of these.
    #[inline]
    pub fn met(&self, pattern: u8, seeds: u8) -> &[Left] {
        &self.patterns[usize::from(pattern)][usize::from(seeds)]
    }
}

/// The mover's row after sowing a pit; none if the move is not legal. `board` has a full row on the other side.
fn sown<R: Rules>(board: Board, pit: Pit, samples: &mut BTreeMap<Key, (u8, Board, Pit)>) -> Option<Sown> {
    if !R::moves(board).contains(pit) {
        return None;
    }
    let indexing = Indexing::get();
    if R::COURSE.relay {
        let plain = Left::new(board.mover, indexing);
        let meeting = Meeting::Play;
        return Some(Sown { pit, plain, captured: plain, given: 0, theirs: 0, meeting, next: Next::Other });
    }
    let bare = Board { other: board.other.bared(), ..board };
    let sowing = R::sow(board, pit)?.board;
    let steps = [R::play(board, pit)?, R::play(bare, pit)?];
    let plain = Left::new(sowing.mover, indexing);
    let [full, empty] = steps.map(|step| Left::new(step.seen_by_mover().mover, indexing));
    let captured = if full == plain { empty } else { full };
    let given = sowing.other.seeds() - board.other.seeds();
    let theirs = sowing.other.store();
    let landing = R::COURSE.landing(pit, board.mover.pit(pit));
    let next = match (steps[0].again, steps[0].board.has(Flag::SecondMove)) {
        (false, _) => Next::Other,
        (true, false) => Next::Mover,
        (true, true) => Next::MoverSecond,
    };
    let comes_round = board.mover.pit(pit) > ONE_ROUND || given > 0 && landing.is_some_and(|cell| cell < ROW);
    let either = full != plain && empty != plain;
    let inside = given == 0 && captured == plain;
    let meeting = if comes_round || either || !inside && next != Next::Other {
        Meeting::Play
    } else if inside {
        Meeting::None
    } else {
        let number = samples.len() as u8;
        let key = (given, landing.filter(|_| captured != plain));
        Meeting::Pattern(samples.entry(key).or_insert((number, board, pit)).0)
    };
    Some(Sown { pit, plain, captured, given, theirs, meeting, next })
}

/// The rows that a move makes of those with `seeds` seeds.
fn pattern<R: Rules>(sample: Board, pit: Pit, seeds: u8) -> Vec<Left> {
    let indexing = Indexing::get();
    let plain = R::sow(sample, pit).expect("a single lap ends").board.mover;
    let met = |other: Row| {
        let after = R::play(Board { other, ..sample }, pit).expect("a single lap ends").seen_by_mover();
        let captured = after.mover.pits() != plain.pits();
        Left(Left::new(after.other, indexing).0 | if captured { Left::CAPTURED } else { 0 })
    };
    Rows::with(seeds).map(met).collect()
}
