//! The value of a position without searching: the lead, and what a small network adds to it.
//!
//! # Why a network
//! The value of a pit depends on what lies where its sowing ends, and a sum of hand-made counts does not see that. The
//! network sees fourteen features of a board, one row of a table each ([`Features`]); the rows are added up, clipped,
//! squared and weighed ([`Network`], in the manner of NNUE). That costs about what six hand-made terms with a look for
//! the best capture did. A rule set without a network of its own counts the lead alone.
//!
//! # What was measured
//! Games in pairs with sides swapped, 6 random plies, fixed nodes a move; the error is that of 95 %.
//!
//! | tried | in | Elo |
//! |---|---|---|
//! | network with 32 hidden units, first data, against the hand-made terms | `oware` | +552 ± 130 |
//! | the same | `awari` | +604 ± 169 |
//! | the same | `kalah` | +153 ± 38 |
//! | the same | `ayoayo` | +70 ± 26 |
//! | the same | `awari1978` | +23 ± 23 |
//! | a pit's row chosen by what its sowing would meet, against by its seeds alone | `oware` | +63 ± 31 |
//! | data made with the first network added, against the first data alone | `oware` | +116 ± 31 |
//! | the same | `awari` | +83 ± 40 |
//! | the same | `kalah` | +17 ± 22 |
//! | the same | `ayoayo` | +20 ± 17 |
//! | the same | `awari1978` | −2 ± 10 |
//! | 64 hidden units in place of 32, the same data | `oware` | +67 ± 33 |
//! | data with results from endgame files (2.3 million positions), against the weights before | `awari` | +156 ± 54 |
//! | the same by games without files (2.5 million) | `oware` | +174 ± 50 |
//! | the same with files | `kalah` | +32 ± 22 |
//! | the same with files | `ayoayo` | +12 ± 16 |
//! | data made with that network added | `awari` | +39 ± 30 |
//! | the same, with files | `oware` | +46 ± 31 |
//! | 128 hidden units in place of 64, the same data (2.6 million); 0.81 of the nodes a second | `awari` | +24 ± 27 |
//! | data made with that network added, from level openings of six plies | `kalah`, `ayoayo` | +10 ± 14, +8 ± 13 (800 games each) |
//! | 2.1 million positions with files, against 0.9 million of games by the terms and the first network | `awari1978` | +1 ± 6 (1,000 games); solved with 0.87 of the nodes |
//! | the game's result counts for 0.6 in place of 0.3 | `awari`, `oware` | 0 ± 30, −48 ± 32 |
//! | data made with these weights added, 14.4 and 12.2 million positions together, from level openings of six plies | `awari`, `oware` | +58 ± 32, +80 ± 28 (400 games each) |
//! | data made with that network added, 20.6 and 17.2 million together, from level openings; left out in `awari`, see `src/tuning/README.md` | `awari`, `oware` | +32 ± 29, +15 ± 27 (400 games each) |
//! | the same with a sigmoid scale for each file of data, against 14.4 million, from level openings | `awari` | +41 ± 30 (400 games) |
//! | the same, 100,000 nodes | `awari` | +48 ± 28 (400 games) |
//! | the same, seven random plies | `oware` | +16 ± 16 (710 games) |
//! | 128 hidden units in place of 64, 14.4 and 12.2 million positions; 41,000 nodes against 50,000, as it has 0.82 and 0.85 of the nodes a second | `awari`, `oware` | +32 ± 30, +6 ± 27 (400 games each) |
//! | the same, 82,000 nodes against 100,000, eight random plies | `awari`, `oware` | +13 ± 23, +4 ± 24 (288 and 248 games; SPRT nElo 0, 30 undecided): left out |
//! | the margin of what files say counts for 0.2 (5.6 million positions), from level openings | `awari` | −44 ± 40 (220 games) |
//! | a second layer of 8, 16 and 32 clipped sums for each bucket, beside the first (2.1 million positions of today's weights, 8 epochs) | `awari` | the loss of validation 0.02207, 0.02194 and 0.02195 in place of 0.02228; 128 hidden units in place of 64 0.02174, 256 0.02138 |
//! | eight output buckets in place of four (5.6 million positions) | `awari`, `oware` | the loss of validation 0.02293 in place of 0.02288, 0.02208 in both |
//!
//! A second layer of 16 sums costs as many multiplications as 64 more hidden units additions, and is worth less of the loss; those 64
//! were left out, so it was not played.
//!
//! The second layer is of 2026-11-25; the other rows from "data with results from endgame files" on are of 2026-11-23, at 20,000 nodes a
//! move, 150 or 200 games each, eight random plies, unless they say otherwise.
//!
//! Instructions a node over a search of 60,000 nodes from the start, for the network with 64 hidden units and for the
//! hand-made terms: 1159 and 1155 in `oware`, 1150 and 1123 in `awari`, 1048 and 897 in `kalah`, 1734 and 1415 in
//! `ayoayo`, 991 and 887 in `awari1978`.
//!
//! At equal time, which is to say with so many more nodes for the hand-made terms, the network of commit 7f68e55
//! against these terms, untuned as they were; 300 games each:
//!
//! | rule set | nodes a move | Elo |
//! |---|---|---|
//! | `oware` | 4000 against 4250 | +625 ± 131 |
//! | `awari` | 4000 against 4300 | +662 ± 133 |
//! | `kalah` | 4000 against 4900 | +161 ± 33 |
//! | `ayoayo` | 4000 against 5200 | +54 ± 22 |
//! | `awari1978` | 4000 against 4750 | +14 ± 13 |
//!
//! Terms that were tuned were tried later: 24 counts a board, each with a weight that grows or falls with the seeds on
//! the board. They are the lead, seeds, pits that can be sown, pits of one and of two seeds and their longest run, the
//! best capture of either side and all of its captures, landings that the row reaches, moves that stay inside it, moves
//! that keep the turn, kroos and those that would end in the other's row, the distance from starving, and who is to
//! move. The weights were fitted to the expected result as the network's are, on 150,000 positions (`kroo datagen
//! --nodes 500 --seed 11`, a twentieth of them kept for validation; the network has seen 6 to 11 times as many). A node
//! took as long as with the network (0.96 to 1.01 of its processor time, on a busy machine and without optimisation at
//! link time), so equal nodes are about equal time. The terms against the network, 4000 nodes a move:
//!
//! | rule set | games | Elo of the terms |
//! |---|---|---|
//! | `awari` | 200 | −203 ± 51 |
//! | `kalah` | 200 | −63 ± 30 |
//! | `awari1978` | 200 | −14 ± 16 |
//!
//! # What it must not see
//! In `ayoayo`, `awari1978` and `kalah` nothing ends the game but the seeds in the pits, so the network sees these
//! alone, and the values of equal pits with different leads differ by the leads alone. In `awari` and `oware` a store of
//! 25 wins, so there it sees both stores.
mod features;
mod network;
mod weights;

use crate::game::{Board, Rules, Step};
use crate::value::Value;
pub use features::{Features, INPUTS, sees_stores};
pub use network::{
    Accumulator, CENTISEEDS_AN_OUTPUT, HIDDEN, LARGEST_OUTPUT, Network, OUTPUT_BUCKETS, QA, QB, output_bucket,
};
pub use weights::{EvalFault, EvalFileError, Weights};

/// The value of a board that is not over, for its mover.
#[must_use]
#[inline]
pub fn evaluate<R: Rules>(board: Board, weights: &Weights) -> Value {
    Value::estimate(weights.centiseeds::<R>(board))
}

/// The seeds that a step put into the store of the side that made it.
#[must_use]
#[inline]
pub fn gain(before: Board, step: Step) -> u8 {
    let row = if step.again { step.board.mover } else { step.board.other };
    row.store() - before.mover.store()
}
