//! Indexing: the boards of a database are numbered without gaps, by their two rows.
//!
//! The seeds in the first one, two, … five pits of a row form a rising sequence. Rising sequences are ranked without
//! gaps by a sum of binomial coefficients, one a term: the combinatorial number system (D. H. Lehmer, "The Machine Tools
//! of Combinatorics", 1964). The index of a board in its database is, from its highest part to its lowest, the seeds in the
//! other side's row, the rank of that row, and the rank of the mover's row.
//!
//! Why two rows and not one sequence of twelve pits: a sowing changes the mover's row in a way that does not depend on
//! the other row, and the other row in a way that depends only on how far the sowing reaches. So the boards that one row
//! sows to lie side by side, in the same order as the boards it sows from, and building a database walks along rows of
//! memory (`building/value_iteration.rs`). It also takes ten terms instead of eleven.
//!
//! Indices are numbers of 64 bits, since a machine of 32 bits cannot count the boards of a large database. Of a database that
//! is in memory they are places there, and have the machine's own size ([`Indexing::rank`], [`board_count`]).

use crate::game::{Board, LARGEST_GAME, ROW, Row, Rules};
use once_cell::sync::OnceCell;

/// The most seeds of a database that has indices. Its 280 thousand million boards are more than any disk holds.
pub const MAX_SEEDS: u8 = 48;
/// The most seeds of a board that has an index: those of the largest game. The proven bounds of the solver need no databases.
pub const MAX_INDEXED_SEEDS: u8 = LARGEST_GAME;
/// Seed counts in the tables: a power of two above [`MAX_INDEXED_SEEDS`], which lets a mask replace the bounds check.
const COUNTS: usize = (MAX_INDEXED_SEEDS as usize + 1).next_power_of_two();

/// Codes that a byte can tell apart.
pub const CODES: usize = 256;

/// Bytes of each board of a database: one, or two where a turn can have a second move.
pub fn planes<R: Rules>() -> usize {
    if R::SECOND_MOVE { 2 } else { 1 }
}

/// Bytes of the values of a database.
pub fn plain_bytes<R: Rules>(seeds: u8) -> u64 {
    planes::<R>() as u64 * database_size(seeds)
}

/// The same for a database that fits into memory.
pub fn database_bytes<R: Rules>(seeds: u8) -> usize {
    plain_bytes::<R>(seeds) as usize
}

/// The tables of ranking and unranking.
#[derive(Debug)]
pub struct Indexing {
    /// By pit and by the seeds up to that pit: the term of the rank. The last pit has what is left.
    terms: [[u32; COUNTS]; ROW - 1],
    /// The number of rows, by their seeds.
    rows: [u32; MAX_INDEXED_SEEDS as usize + 1],
    /// The number of boards of a database with fewer seeds in the other side's row: by the seeds of the database and of that
    /// row.
    before: [[u64; COUNTS]; MAX_INDEXED_SEEDS as usize + 1],
}

impl Indexing {
    /// The one table, made when first asked for.
    #[inline]
    pub fn get() -> &'static Indexing {
        static TABLE: OnceCell<Indexing> = OnceCell::new();
        TABLE.get_or_init(Indexing::new)
    }

    fn new() -> Indexing {
        let rows: [u32; MAX_INDEXED_SEEDS as usize + 1] =
            std::array::from_fn(|seeds| binomial(seeds + ROW - 1, ROW - 1) as u32);
        let mut before = [[0; COUNTS]; MAX_INDEXED_SEEDS as usize + 1];
        for (seeds, before) in before.iter_mut().enumerate() {
            for other in 0..=seeds {
                before[other + 1] = before[other] + u64::from(rows[other]) * u64::from(rows[seeds - other]);
            }
        }
        let terms =
            std::array::from_fn(|pit| std::array::from_fn(|seeds| binomial(seeds + pit, pit + 1) as u32));
        Indexing { terms, rows, before }
    }

    /// The index of a board in its database, whatever its stores hold.
    #[inline]
    pub fn index(&self, board: Board) -> u64 {
        let (mover, other) = (board.mover.seeds(), board.other.seeds());
        self.before[usize::from(mover + other)][usize::from(other) % COUNTS]
            + self.rank_row(board.other) as u64 * self.row_count(mover) as u64
            + self.rank_row(board.mover) as u64
    }

    /// The same as a place in memory, for a database that is there.
    #[inline]
    pub fn rank(&self, board: Board) -> usize {
        self.index(board) as usize
    }

    /// The rank of a row among those with as many seeds, whatever its store holds.
    #[inline]
    pub fn rank_row(&self, row: Row) -> usize {
        let sums = row.sums();
        let mut rank = 0;
        for (terms, sum) in self.terms.iter().zip(sums) {
            rank += terms[usize::from(sum) % COUNTS];
        }
        rank as usize
    }

    /// The number of rows with `seeds` seeds.
    #[inline]
    pub fn row_count(&self, seeds: u8) -> usize {
        self.rows[usize::from(seeds)] as usize
    }

    /// The index of the first board of the `seeds`-seed database with `other` seeds in the other side's row.
    #[inline]
    pub fn first_index(&self, seeds: u8, other: u8) -> usize {
        self.before[usize::from(seeds)][usize::from(other) % COUNTS] as usize
    }

    /// The board of a database with this index, with empty stores.
    ///
    /// # Panics
    /// If the database has no such index.
    pub fn board(&self, seeds: u8, index: u64) -> Board {
        assert!(index < database_size(seeds), "a database of {seeds} seeds has no board {index}");
        let before = &self.before[usize::from(seeds)];
        let other = (1..=seeds).find(|&other| index < before[usize::from(other)]);
        let other = other.map_or(seeds, |next| next - 1);
        let rest = index - before[usize::from(other)];
        let movers = self.row_count(seeds - other) as u64;
        Board {
            mover: self.unrank_row(seeds - other, (rest % movers) as usize),
            other: self.unrank_row(other, (rest / movers) as usize),
        }
    }

    /// The board at a place of a database in memory.
    ///
    /// # Panics
    /// If the database has no such place.
    pub fn unrank(&self, seeds: u8, index: usize) -> Board {
        self.board(seeds, index as u64)
    }

    pub fn unrank_row(&self, seeds: u8, mut rank: usize) -> Row {
        let (mut pits, mut left) = ([0; ROW], seeds);
        for pit in (1..ROW).rev() {
            let terms = &self.terms[pit - 1];
            let below = (0..=left).rev().find(|&sum| terms[usize::from(sum)] as usize <= rank);
            let below = below.expect("the first term is 0");
            rank -= terms[usize::from(below)] as usize;
            (pits[pit], left) = (left - below, below);
        }
        pits[0] = left;
        Row::new(pits, 0)
    }
}

/// The number of boards of the `seeds`-seed database: the ways to put `seeds` seeds into twelve pits.
pub fn database_size(seeds: u8) -> u64 {
    binomial(usize::from(seeds) + 2 * ROW - 1, 2 * ROW - 1)
}

/// The same for a database that fits into memory.
pub fn board_count(seeds: u8) -> usize {
    database_size(seeds) as usize
}

fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |product, i| product * (n as u64 - i) / (i + 1))
}

/// All rows with the same number of seeds and an empty store, in the order of their ranks.
#[derive(Clone, Debug)]
pub struct Rows {
    next: Option<[u8; ROW]>,
}

impl Rows {
    pub fn with(seeds: u8) -> Rows {
        let mut pits = [0; ROW];
        pits[ROW - 1] = seeds;
        Rows { next: Some(pits) }
    }

    pub fn from(row: Row) -> Rows {
        Rows { next: Some(row.pits()) }
    }
}

impl Iterator for Rows {
    type Item = Row;

    #[inline]
    fn next(&mut self) -> Option<Row> {
        let pits = self.next?;
        // One seed of the first pit that can give one goes to the pit before it, with all seeds of the first pit.
        self.next = (1..ROW).find(|&pit| pits[pit] > 0).map(|pit| {
            let mut next = pits;
            next[0] = 0;
            next[pit] -= 1;
            next[pit - 1] = pits[0] + 1;
            next
        });
        Some(Row::new(pits, 0))
    }
}

/// The boards of a database with empty stores, in the order of their indices.
#[derive(Clone, Debug)]
pub struct Boards {
    seeds: u8,
    /// Seeds of the other side's row.
    other: u8,
    others: Rows,
    row: Option<Row>,
    movers: Rows,
}

impl Boards {
    pub fn with(seeds: u8) -> Boards {
        Boards::from(seeds, 0)
    }

    /// The boards of a database from an index on.
    ///
    /// # Panics
    /// If the database has no such index.
    pub fn from(seeds: u8, index: usize) -> Boards {
        let Board { mover, other } = Indexing::get().unrank(seeds, index);
        let mut others = Rows::from(other);
        let row = others.next();
        Boards { seeds, other: other.seeds(), others, row, movers: Rows::from(mover) }
    }
}

impl Iterator for Boards {
    type Item = Board;

    #[inline]
    fn next(&mut self) -> Option<Board> {
        loop {
            let other = self.row?;
            if let Some(mover) = self.movers.next() {
                return Some(Board { mover, other });
            }
            self.row = self.others.next();
            if self.row.is_none() && self.other < self.seeds {
                self.other += 1;
                self.others = Rows::with(self.other);
                self.row = self.others.next();
            }
            self.movers = Rows::with(self.seeds - self.other);
        }
    }
}
