//! The solver's move ordering: moves with small proofs first.
//!
//! One sufficient move proves a gain, so the move with the smallest proof comes first. That is not the best move: a move that
//! leaves the other side two pits to choose from is proven sooner than a stronger one that leaves it six. So the score of a
//! move is a sum of terms fitted to the size of proofs. The weights have no unit; only their order counts.
//!
//! **Data.** At one cut in 4 to 64 of the proof that South gains no more than 8 from the start of `kalah` (20,000 nodes with 24
//! seeds or more), every move was searched, necessary or not, and its nodes were counted. **Fit.** The share of a move is the
//! softmax of its sum; its loss is the logarithm of its nodes, plus those of the cheapest sufficient move if it does not
//! suffice. Gradient descent minimised the mean loss.
//!
//! **Result.** The proof that South gains no more than 8 from the start, with the endgames of 20 seeds: 26.7 → 7.1 million
//! nodes, compared with ordering by moves that keep the turn, then by seeds banked. The whole start: 27.4 → 7.4 million,
//! without files 76.7 → 25.3 million. 48 positions with 36 to 41 seeds outside the data: 15.4 → 7.5 million.
//!
//! **`awari1978`** has weights of its own (`SECOND_MOVE`, `LAST_MOVE`), changed one at a time and kept if they reduced the
//! nodes of 60, later 120 positions. 131 other positions of the first six plies with 31 seeds or more: 50.6 → 29.3 million
//! nodes, including iterative deepening and the new weights of the network (which alone save 13 %), at the same nodes a second.
//!
//! **The network.** For boards with many seeds ([`EVALUATED`]) the score also has what the network expects of the move, for the
//! largest after a search of one or two turns (`DEEPER`): a move that gains more than is needed is proven sooner. Nodes on one
//! thread: `kalah` from its start 13.2 → 8.3 million, all its moves 50 → 28; eight positions of it 3.1 → 1.9, six of `kalah5`
//! 2.5 → 1.5, fourteen of `avalanche` 3.1 → 2.0, fourteen of `awari1978` 0.47 → 0.41. Three and four turns save no more.
//!
//! **Rejected.** Ordering by gain alone is far worse: seeds banked less the other side's best answer took 109 million nodes for
//! the same proof, the network's evaluation of the larger boards 24. A finer fit (each term a table, 140 to 404 numbers) has a
//! lower loss on the same data but larger trees, 8.6 to 12.3 million. Random changes of the fitted weights, kept if they saved
//! nodes, gained 4 % over 26 other positions and lost 9 % at the start.

use crate::evaluate::Weights;
use crate::game::{Board, Capture, Pit, ROW, Row, Rules};
use crate::value::CENTISEEDS;
use std::cmp::Ordering;

/// The fewest seeds with which a sowing from each pit ends in the own store (the only number except in huge pits); `NEVER`
/// where the own store gets none.
pub const fn home<R: Rules>() -> Row {
    let mut seeds = [NEVER; ROW];
    let mut pit = 0;
    while pit < ROW && R::COURSE.own_store {
        seeds[pit] = 1;
        while R::COURSE.landing(Pit::new(pit), seeds[pit]).is_some() {
            seeds[pit] += 1;
        }
        pit += 1;
    }
    Row::new(seeds, 0)
}

/// Distance to the first pit of the other side, and to its store.
const PAST_STORE: usize = ROW + 1;
pub const PAST_OTHER_ROW: usize = PAST_STORE + ROW;
/// More seeds than any pit holds.
const NEVER: u8 = 127;

/// Boards with more seeds than this are ordered with the network too; with fewer it costs more than it saves.
pub const EVALUATED: u8 = 28;
/// They must also have more seeds than this beyond the endgames. Nine positions of `kalah5` with endgames of 24 seeds took 10.8 s
/// of processor time, 12.2 without this limit.
pub const EVALUATED_BEYOND: u8 = 10;
/// Boards with more seeds than each of these numbers are searched a turn deeper for it.
const DEEPER: [u8; 2] = [30, 38];
/// The most moves of that search: a turn can have many, above all in `avalanche`.
const MOST_MOVES: usize = 5;
/// The weights of a seed that the network expects.
const EXPECTED: i32 = 1600;
const EXPECTED_WITH_SECOND_MOVE: i32 = 120;

/// Weights of a move that keeps the turn.
struct KeepingTurn {
    /// By its pit.
    pit: [i32; 6],
    /// For each seed that is sown.
    sown: i32,
    /// For each pit that the other side could sow.
    their_moves: i32,
    /// For each pit that can be sown next.
    moves: i32,
    /// For each of those that keeps the turn again.
    keepers: i32,
    /// For each seed in the own row.
    seeds: i32,
    /// For each seed of the largest capture possible next.
    capture: i32,
}

/// Weights of a move after which the other side moves.
struct PassingTurn {
    pit: [i32; 6],
    sown: i32,
    /// If it reaches the other side's row.
    spills: i32,
    /// By the seeds that are banked, up to 3.
    banks: [i32; 4],
    /// For each seed banked beyond 3.
    more: i32,
    their_moves: i32,
    /// For each of their moves that keeps the turn, and if there is any.
    their_keepers: i32,
    they_keep: i32,
    /// For each seed of the largest capture that the other side can make.
    their_capture: i32,
    moves: i32,
    keepers: i32,
    seeds: i32,
    capture: i32,
    /// For each seed in the other side's first and last pit, and in the own ones.
    their_ends: [i32; 2],
    ends: [i32; 2],
}

const KEEPING_TURN: KeepingTurn = KeepingTurn {
    pit: [240, 1064, 384, 704, 1880, 3240],
    sown: -924,
    their_moves: 824,
    moves: -576,
    keepers: 2328,
    seeds: -120,
    capture: 266,
};

const PASSING_TURN: PassingTurn = PassingTurn {
    pit: [-1800, -656, 0, 160, 96, 1120],
    sown: -110,
    spills: 2760,
    banks: [0, 4536, 4480, 6440],
    more: 1368,
    their_moves: -2912,
    their_keepers: -1592,
    they_keep: 232,
    their_capture: 222,
    moves: -296,
    keepers: 312,
    seeds: -178,
    capture: 334,
    their_ends: [-80, -6],
    ends: [110, 188],
};

/// Weights of a move after which the same side makes its second move.
struct SecondMove {
    /// By its pit.
    pit: [i32; 6],
    /// For each seed that is banked.
    banked: i32,
    /// For each pit that the other side could sow.
    their_moves: i32,
    /// For each seed in the own row.
    seeds: i32,
    /// For each seed of the largest capture possible next.
    capture: i32,
}

/// Weights of a move that ends the turn, in games with a second move.
struct LastMove {
    pit: [i32; 6],
    banked: i32,
    /// If more than two are banked.
    many: i32,
    their_moves: i32,
    /// For each of their moves that keeps the turn, and if there is any.
    their_keepers: i32,
    they_keep: i32,
    /// For each seed in the other side's row, and for each further seed in its last pit.
    their_seeds: i32,
    their_end: i32,
    /// For each own pit that can be sown, and for each that keeps the turn.
    moves: i32,
    keepers: i32,
    /// For each seed of the largest capture that the side could make next.
    capture: i32,
}

const SECOND_MOVE: SecondMove =
    SecondMove { pit: [-5, 5, -46, -60, 64, 232], banked: 64, their_moves: -64, seeds: 8, capture: 64 };

const LAST_MOVE: LastMove = LastMove {
    pit: [15, 12, 16, 24, 32, 64],
    banked: 128,
    many: -64,
    their_moves: -96,
    their_keepers: -32,
    they_keep: -26,
    their_seeds: 5,
    their_end: -18,
    moves: 20,
    keepers: 57,
    capture: 10,
};

/// The move-ordering score of a move from `board` to `to` that banks `banks` seeds; the highest is searched first.
#[inline]
pub fn move_score<R: Rules>(board: Board, pit: Pit, to: Board, again: bool, banks: i8) -> i32 {
    if R::SECOND_MOVE {
        return score_with_second_move::<R>(pit, to, again, banks);
    }
    let sown = board.mover.pit(pit);
    if again { keeping_turn::<R>(to, pit, sown) } else { passing_turn::<R>(to.turned(), pit, sown, banks) }
}

/// The part of a move's score that comes from the gain which the network expects. The board after the move has empty stores.
pub fn expected_score<R: Rules>(weights: &Weights, to: Board, again: bool, banks: i8) -> i32 {
    let seeds = to.seeds();
    let turns = DEEPER.iter().filter(|&&limit| seeds > limit).count();
    let gain = expected_gain::<R>(weights, to, (turns, MOST_MOVES), [-UNBOUNDED, UNBOUNDED]);
    let centiseeds = i32::from(banks) * CENTISEEDS + if again { gain } else { -gain };
    let weight = if R::SECOND_MOVE { EXPECTED_WITH_SECOND_MOVE } else { EXPECTED };
    centiseeds * weight / CENTISEEDS
}

/// More than any gain, in centiseeds.
const UNBOUNDED: i32 = i16::MAX as i32;

/// The gain of the side to move that the network expects after a search, in centiseeds. Turns and moves limit the search. A gain
/// within the bounds is exact; any other is beyond the same bound as the exact one.
fn expected_gain<R: Rules>(
    weights: &Weights,
    board: Board,
    (turns, moves): (usize, usize),
    [mut at_least, at_most]: [i32; 2],
) -> i32 {
    if let Some(ending) = R::ending(board) {
        return i32::from(ending.margin()) * CENTISEEDS;
    }
    if turns == 0 || moves == 0 {
        return weights.centiseeds::<R>(board);
    }
    let mut best = None;
    for pit in R::moves(board) {
        let Some(step) = R::play(board, pit) else { continue };
        let (lead, to) = (i32::from(step.board.lead()) * CENTISEEDS, step.board.without_stores());
        let gain = if step.again {
            lead + expected_gain::<R>(weights, to, (turns, moves - 1), [at_least - lead, at_most - lead])
        } else {
            -lead
                - expected_gain::<R>(weights, to, (turns - 1, moves - 1), [-lead - at_most, -lead - at_least])
        };
        if gain >= at_most {
            return gain;
        }
        best = best.max(Some(gain));
        at_least = at_least.max(gain);
    }
    best.unwrap_or_else(|| weights.centiseeds::<R>(board))
}

/// The score in `awari1978`, where a turn has at most two moves and a side without seeds ends the game.
fn score_with_second_move<R: Rules>(pit: Pit, to: Board, again: bool, banks: i8) -> i32 {
    let home = const { home::<R>() };
    let moves = |row: Row| row.occupied().len() as i32;
    let banks = i32::from(banks);
    if again {
        let Board { mover: own, other } = to;
        return SECOND_MOVE.pit[pit.index()]
            + SECOND_MOVE.banked * banks
            + SECOND_MOVE.their_moves * moves(other)
            + SECOND_MOVE.seeds * i32::from(own.seeds())
            + SECOND_MOVE.capture * largest_capture::<R>(own, other);
    }
    let Board { mover: own, other } = to.turned();
    let theirs = other.like(home).len() as i32;
    LAST_MOVE.pit[pit.index()]
        + LAST_MOVE.banked * banks
        + if banks > 2 { LAST_MOVE.many } else { 0 }
        + LAST_MOVE.their_moves * moves(other)
        + LAST_MOVE.their_keepers * theirs
        + if theirs > 0 { LAST_MOVE.they_keep } else { 0 }
        + LAST_MOVE.their_seeds * i32::from(other.seeds())
        + LAST_MOVE.their_end * i32::from(other.pit(Pit::ALL[5]))
        + LAST_MOVE.moves * moves(own)
        + LAST_MOVE.keepers * own.like(home).len() as i32
        + LAST_MOVE.capture * largest_capture::<R>(own, other)
}

fn keeping_turn<R: Rules>(to: Board, pit: Pit, sown: u8) -> i32 {
    let home = const { home::<R>() };
    let (own, other) = (to.mover, to.other);
    KEEPING_TURN.pit[pit.index()]
        + KEEPING_TURN.sown * i32::from(sown)
        + KEEPING_TURN.their_moves * other.occupied().len() as i32
        + KEEPING_TURN.moves * own.occupied().len() as i32
        + KEEPING_TURN.keepers * own.like(home).len() as i32
        + KEEPING_TURN.seeds * i32::from(own.seeds())
        + KEEPING_TURN.capture * largest_capture::<R>(own, other)
}

fn passing_turn<R: Rules>(after: Board, pit: Pit, sown: u8, banks: i8) -> i32 {
    let home = const { home::<R>() };
    let (own, other) = (after.mover, after.other);
    let (banks, theirs) = (banks.max(0) as usize, other.like(home).len() as i32);
    let more = banks.saturating_sub(3);
    let ends = |row: Row, [first, last]: [i32; 2]| {
        first * i32::from(row.pit(Pit::ALL[0])) + last * i32::from(row.pit(Pit::ALL[5]))
    };
    PASSING_TURN.pit[pit.index()]
        + PASSING_TURN.sown * i32::from(sown)
        + if sown > home.pit(pit) { PASSING_TURN.spills } else { 0 }
        + PASSING_TURN.banks[banks - more]
        + PASSING_TURN.more * more as i32
        + PASSING_TURN.their_moves * other.occupied().len() as i32
        + PASSING_TURN.their_keepers * theirs
        + if theirs > 0 { PASSING_TURN.they_keep } else { 0 }
        + PASSING_TURN.their_capture * largest_capture::<R>(other, own)
        + PASSING_TURN.moves * own.occupied().len() as i32
        + PASSING_TURN.keepers * own.like(home).len() as i32
        + PASSING_TURN.seeds * i32::from(own.seeds())
        + PASSING_TURN.capture * largest_capture::<R>(own, other)
        + ends(other, PASSING_TURN.their_ends)
        + ends(own, PASSING_TURN.ends)
}

/// The seeds of the largest capture of a side without going round, including the capturing seed, where the last seed captures
/// the pit opposite.
#[inline]
pub fn largest_capture<R: Rules>(own: Row, other: Row) -> i32 {
    let other_row = match R::CAPTURE {
        Capture::OwnOpposite => false,
        Capture::AnyOpposite => true,
        _ => return 0,
    };
    let mut largest = 0;
    for pit in own.occupied() {
        let end = pit.index() + usize::from(own.pit(pit));
        let taken = if end < ROW {
            let end = Pit::new(end);
            if own.pit(end) == 0 { other.pit(end.opposite()) } else { 0 }
        } else if other_row && (PAST_STORE..PAST_OTHER_ROW).contains(&end) {
            let end = Pit::new(end - PAST_STORE);
            let opposite = end.opposite();
            // The opposite pit after the sowing: emptied, or one seed richer.
            match opposite.index().cmp(&pit.index()) {
                _ if other.pit(end) > 0 => 0,
                Ordering::Less => own.pit(opposite),
                Ordering::Equal => 0,
                Ordering::Greater => own.pit(opposite) + 1,
            }
        } else {
            0
        };
        largest = largest.max(if taken > 0 { taken + 1 } else { 0 });
    }
    i32::from(largest)
}
