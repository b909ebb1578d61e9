//! Databases of rule sets without cycles (`kalah`, `awari1978` and `avalanche`): one pass over the boards in topological order,
//! each after its successors.
//!
//! A move either banks a seed and leads to a lower database, or sows inside the mover's row towards the store. The latter never
//! raises a sum of the row's first pits and lowers at least one, so the rank of the row falls and the other row stays. Two rows
//! with the ranks a and b make two boards, one for each side to move: that of a leads to (b, a′) with a′ < a, that of b to (a,
//! b′) with b′ < b. Both are known once all pairs with smaller ranks are. Blocks of pairs are done diagonal by diagonal, the
//! blocks of a diagonal in parallel.
//!
//! Within a block, the moves of a row are looked up once ([`super::row_moves`]) and tried against all rows of the other side: a
//! board costs a few reads a move, most of them sequential. Rows without seeds, and moves that are in no table, go through
//! [`Rules::play`]; in a test each board does.
//!
//! A value that is not known yet says so. So the checkpoint of a database is its current values, in any mixture, and a resumed
//! build skips the blocks that are known.

use super::checkpoint::Checkpoint;
use super::lower_databases::LowerDatabases;
use super::row_moves::{Left, Meeting, Next, RowMoves, Sown, bytes_needed};
use super::row_offers::{Banked, Columns, Met, Offer, ValueSlice};
use crate::endgames::building::watched::{BuildStatus, WatchedPool};
use crate::endgames::probe::database::Database;
use crate::endgames::probe::indexing::{Indexing, Rows, board_count, database_bytes, plain_bytes, planes};
use crate::game::{Board, Flag, Pit, Row, Rules};
use crate::thread_pool::Stopped;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Rows of a side that a block has: 4096 pairs, a tenth of a millisecond of work.
const WIDTH: usize = 64;
/// No gain: the value is not known yet.
const UNKNOWN: i8 = i8::MIN;

/// Builds the `seeds`-seed database.
pub(super) fn build_database<R: Rules>(
    seeds: u8,
    lower: LowerDatabases<'_>,
    moves: &RowMoves,
    pool: &mut WatchedPool<'_>,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Database, Stopped> {
    let state = DatabaseState {
        seeds,
        below: (0..seeds).map(|seeds| lower.bytes(seeds)).collect(),
        indexing: Indexing::get(),
        moves,
        gains: (0..database_bytes::<R>(seeds)).map(|_| AtomicU8::new(UNKNOWN as u8)).collect(),
    };
    // The row with fewer seeds comes first; the boards of both sides to move are done together.
    let pairs: Vec<Pairs> = (0..=seeds / 2).map(|fewer| Pairs::new(fewer, seeds - fewer)).collect();
    let diagonals = pairs.iter().map(|pairs| pairs.blocks(0) + pairs.blocks(1) - 1).max().unwrap_or(0);
    let loaded = checkpoint.load(&mut |from, saved| {
        state.gains[from..].iter().zip(saved).for_each(|(gain, &saved)| gain.store(saved, Relaxed));
    });
    let read = |from: usize, block: &mut [u8]| {
        block.iter_mut().zip(&state.gains[from..]).for_each(|(byte, gain)| *byte = gain.load(Relaxed));
        true
    };
    checkpoint.save_during(&read, &mut || {
        (0..diagonals).try_for_each(|diagonal| {
            let blocks: Vec<Block<'_>> = pairs.iter().flat_map(|pairs| pairs.diagonal(diagonal)).collect();
            let status = BuildStatus { seeds, iteration: diagonal as u32, ..BuildStatus::default() };
            pool.run(status, blocks.len(), |index| {
                if loaded == 0 || !state.is_known::<R>(&blocks[index]) {
                    state.evaluate_block::<R>(&blocks[index]);
                }
            })
        })
    })?;
    Ok(Database::of_gains(state.gains.into_iter().map(AtomicU8::into_inner).collect()))
}

/// Bytes of memory that building the `seeds`-seed database takes: its values and the moves.
pub(super) fn memory_needed<R: Rules>(seeds: u8) -> u64 {
    plain_bytes::<R>(seeds) + bytes_needed::<R>(seeds)
}

/// All rows with two counts of seeds.
struct Pairs {
    seeds: [u8; 2],
    rows: [Vec<Row>; 2],
}

/// Two stretches of rows, by their ranks: a task of the thread pool.
struct Block<'a> {
    pairs: &'a Pairs,
    ranks: [Range<usize>; 2],
}

impl Pairs {
    fn new(one: u8, other: u8) -> Pairs {
        let seeds = [one, other];
        Pairs { seeds, rows: seeds.map(|seeds| Rows::with(seeds).collect()) }
    }

    fn blocks(&self, which: usize) -> usize {
        self.rows[which].len().div_ceil(WIDTH)
    }

    /// The blocks of a diagonal. Where both rows have as many seeds, a block and its mirror image have the same boards.
    fn diagonal(&self, diagonal: usize) -> impl Iterator<Item = Block<'_>> {
        let [rows, mut columns] = [0, 1].map(|which| self.blocks(which));
        if self.seeds[0] == self.seeds[1] {
            columns = columns.min(diagonal / 2 + 1);
        }
        let ranks =
            |which: usize, block: usize| block * WIDTH..self.rows[which].len().min((block + 1) * WIDTH);
        ((diagonal + 1).saturating_sub(rows)..columns.min(diagonal + 1))
            .map(move |column| Block { pairs: self, ranks: [ranks(0, diagonal - column), ranks(1, column)] })
    }
}

/// The best gains of the boards that one row makes with a stretch of others.
type Best = [i8; WIDTH];

/// A database that is being built.
pub struct DatabaseState<'a> {
    pub seeds: u8,
    /// The values of the databases below.
    pub below: Vec<Cow<'a, [u8]>>,
    pub indexing: &'static Indexing,
    pub moves: &'a RowMoves,
    /// By the index of a board: its gain; then the same for second moves.
    pub gains: Vec<AtomicU8>,
}

impl DatabaseState<'_> {
    /// The index of the first board with these seeds in both rows and this rank of the other row.
    #[inline]
    fn first(&self, mover: u8, other: u8, rank: usize) -> usize {
        self.indexing.first_index(mover + other, other) + rank * self.indexing.row_count(mover)
    }

    /// Whether the values of a block came from a checkpoint.
    fn is_known<R: Rules>(&self, block: &Block<'_>) -> bool {
        let ([one, other], [ranks, others]) = (block.pairs.seeds, &block.ranks);
        let known = |from: usize, ranks: &Range<usize>| {
            let values = &self.gains[from + ranks.start..from + ranks.end];
            values.iter().all(|gain| gain.load(Relaxed) as i8 != UNKNOWN)
        };
        (0..planes::<R>()).map(|plane| plane * self.gains.len() / planes::<R>()).all(|plane| {
            ranks.clone().all(|rank| known(plane + self.first(other, one, rank), others))
                && others.clone().all(|rank| known(plane + self.first(one, other, rank), ranks))
        })
    }

    fn evaluate_block<R: Rules>(&self, block: &Block<'_>) {
        let ([one, other], [ranks, others]) = (block.pairs.seeds, &block.ranks);
        let [rows, other_rows] = &block.pairs.rows;
        if one == 0 {
            for (&mover, &other) in
                rows.iter().flat_map(|row| other_rows[others.clone()].iter().map(move |other| (row, other)))
            {
                let board = Board { mover, other }.with_options(self.moves.options);
                self.evaluate::<R>(board);
                self.evaluate::<R>(board.turned());
            }
            return;
        }
        let columns: Vec<Columns<'_>> = (0..planes::<R>())
            .map(|plane| {
                let offers = |column: usize| {
                    let offers = self.offers(plane > 0, [other, one], others.start + column);
                    offers.map(move |offer| (column, offer))
                };
                Columns::new((0..others.len()).flat_map(offers))
            })
            .collect();
        for rank in ranks.clone() {
            for (plane, columns) in columns.iter().enumerate() {
                let gains = &self.gains[plane * board_count(self.seeds)..];
                let board = |mover: Row, other: Row| {
                    let board = Board { mover, other }.with_options(self.moves.options);
                    board.flag_if(Flag::SecondMove, plane > 0)
                };
                // This row to move, then the others.
                let mut best = [UNKNOWN; WIDTH];
                for offer in self.offers(plane > 0, [one, other], rank) {
                    self.take_offer(&offer, others.start, &mut best[..others.len()], |at, pit| {
                        self.played::<R>(board(rows[rank], other_rows[others.start + at]), pit)
                    });
                }
                let first = self.first(one, other, others.start) + rank;
                let stride = self.indexing.row_count(one);
                for (gain, best) in gains[first..].iter().step_by(stride).zip(&best[..others.len()]) {
                    gain.store(*best as u8, Relaxed);
                }
                let mut best = [UNKNOWN; WIDTH];
                self.take_columns(columns, rank, &mut best, |at, pit| {
                    self.played::<R>(board(other_rows[others.start + at], rows[rank]), pit)
                });
                let first = self.first(other, one, rank) + others.start;
                for (gain, best) in gains[first..].iter().zip(&best[..others.len()]) {
                    gain.store(*best as u8, Relaxed);
                }
            }
        }
    }

    /// The values that the moves of a row offer. `seeds` are the seeds of this row and of the rows on the other side.
    fn offers(&self, second: bool, seeds: [u8; 2], rank: usize) -> impl Iterator<Item = Offer<'_>> {
        self.moves.moves(second, seeds[0], rank).map(move |sown| self.offer_of(sown, seeds[1]))
    }

    fn offer_of(&self, sown: Sown, other: u8) -> Offer<'_> {
        let (mine, theirs) = (sown.plain, other + sown.given);
        let database = mine.seeds() + theirs;
        let lead = self.lead(&sown, database);
        // The index of the first value with this row on the other side; below, the one with this row to move.
        let passed = self.first(theirs, mine.seeds(), mine.rank());
        let below = |from: usize| &self.below[usize::from(database)][from..];
        match (sown.meeting, sown.next) {
            (Meeting::Play, _) => Offer::Played(sown.pit),
            (Meeting::None, Next::Other) if database == self.seeds => Offer::Inside(passed),
            (Meeting::None, Next::Other) => {
                Offer::Banked(Banked { values: below(passed), stride: 1, lead, again: false })
            }
            (Meeting::None, next) => {
                let plane = if next == Next::MoverSecond { board_count(database) } else { 0 };
                let values = below(plane + self.first(mine.seeds(), other, 0) + mine.rank());
                let stride = self.indexing.row_count(mine.seeds());
                Offer::Banked(Banked { values, stride, lead, again: true })
            }
            (Meeting::Pattern(pattern), _) => {
                let values = if database == self.seeds {
                    ValueSlice::Here(&self.gains[passed..])
                } else {
                    ValueSlice::Below(below(passed))
                };
                Offer::Met(Met { sown, rows: self.moves.met(pattern, other), values, lead })
            }
        }
    }

    /// The lead after a move that leaves `left` seeds.
    #[inline]
    fn lead(&self, sown: &Sown, left: u8) -> i8 {
        (self.seeds - left) as i8 - 2 * sown.theirs as i8
    }

    /// The value that a capture offers. It banks at least one seed.
    #[inline]
    fn captured(&self, sown: &Sown, row: Left) -> i8 {
        let (mine, theirs) = (sown.captured, row.seeds());
        let database = mine.seeds() + theirs;
        let index = self.first(theirs, mine.seeds(), mine.rank()) + row.rank();
        self.lead(sown, database) - self.below[usize::from(database)][index] as i8
    }

    /// Improves the best so far by the offers of a row's move against other rows, which begin with a rank. `played` makes a move
    /// against one of them.
    #[inline]
    fn take_offer(&self, offer: &Offer<'_>, from: usize, best: &mut [i8], played: impl Fn(usize, Pit) -> i8) {
        match offer {
            Offer::Inside(first) => {
                for (best, gain) in best.iter_mut().zip(&self.gains[first + from..]) {
                    *best = (*best).max(-(gain.load(Relaxed) as i8));
                }
            }
            Offer::Banked(banked) => {
                for (rank, best) in (from..).zip(best) {
                    *best = (*best).max(banked.offer(rank));
                }
            }
            Offer::Met(met) => {
                // The captures are put aside: a processor cannot tell where they are.
                let (mut captures, mut count) = ([0; WIDTH], 0);
                let rows = &met.rows[from..from + best.len()];
                for (at, (best, row)) in best.iter_mut().zip(rows).enumerate() {
                    captures[count % WIDTH] = at;
                    count += usize::from(row.is_captured());
                    let offer = met.lead - met.values.get(if row.is_captured() { 0 } else { row.rank() });
                    *best = if row.is_captured() { *best } else { offer.max(*best) };
                }
                for &at in &captures[..count] {
                    best[at] = best[at].max(self.captured(&met.sown, rows[at]));
                }
            }
            &Offer::Played(pit) => {
                for (at, best) in best.iter_mut().enumerate() {
                    *best = (*best).max(played(at, pit));
                }
            }
        }
    }

    /// Improves the best so far by the offers of the moves of a block's rows against the row with this rank. `played` makes a
    /// move of one of them.
    #[inline]
    fn take_columns(
        &self,
        columns: &Columns<'_>,
        rank: usize,
        best: &mut Best,
        played: impl Fn(usize, Pit) -> i8,
    ) {
        let mut take = |column: usize, offer: i8| {
            let best = &mut best[column % WIDTH];
            *best = (*best).max(offer);
        };
        for &(column, first) in &columns.inside {
            take(column, -(self.gains[first + rank].load(Relaxed) as i8));
        }
        for (column, banked) in &columns.banked {
            take(*column, banked.offer(rank));
        }
        for (column, met) in &columns.met {
            let row = met.rows[rank];
            if row.is_captured() {
                take(*column, self.captured(&met.sown, row));
            } else {
                take(*column, met.lead - met.values.get(row.rank()));
            }
        }
        for &(column, pit) in &columns.played {
            take(column, played(column, pit));
        }
    }

    /// Writes the gain of a board, and of the same board in a second move.
    fn evaluate<R: Rules>(&self, board: Board) {
        let index = self.indexing.rank(board);
        self.gains[index].store(self.best_gain::<R>(board) as u8, Relaxed);
        if R::SECOND_MOVE {
            let second = self.best_gain::<R>(board.flag_if(Flag::SecondMove, true));
            self.gains[index + self.gains.len() / 2].store(second as u8, Relaxed);
        }
    }

    /// The gain of a board with empty stores: the best that its moves offer.
    pub fn best_gain<R: Rules>(&self, board: Board) -> i8 {
        if let Some(ending) = R::ending(board) {
            return ending.margin();
        }
        R::moves(board).into_iter().map(|pit| self.played::<R>(board, pit)).fold(UNKNOWN, i8::max)
    }

    /// The value that a move offers, found by making it.
    fn played<R: Rules>(&self, board: Board, pit: Pit) -> i8 {
        let step = R::play(board, pit).expect("every sowing ends");
        let (lead, rest) = (step.board.lead(), self.gain::<R>(step.board));
        if step.again { lead + rest } else { -lead - rest }
    }

    fn gain<R: Rules>(&self, board: Board) -> i8 {
        let seeds = board.seeds();
        let index = self.indexing.rank(board);
        if seeds == self.seeds {
            return self.gains[index].load(Relaxed) as i8;
        }
        let second = R::SECOND_MOVE && board.has(Flag::SecondMove);
        self.below[usize::from(seeds)][if second { index + board_count(seeds) } else { index }] as i8
    }
}
