//! The codes of a database: the thresholds that each byte represents (`probe/database.rs` has their meaning).

use super::cell::Cell;
use crate::endgames::probe::database::Database;
use crate::endgames::probe::storage::Storage;
use crate::endgames::probe::thresholds::Thresholds;
use crate::thread_pool::ThreadPool;

/// Cells that are counted or coded in one task.
const CHUNK: usize = 1 << 22;

/// The thresholds that have a code, and the codes.
#[derive(Debug)]
pub struct Coding {
    /// The thresholds by code.
    pub thresholds: Vec<Thresholds>,
    /// Whether there are thresholds without a code. Their boards go into a list.
    pub too_many: bool,
}

impl Coding {
    /// The codes for thresholds, given by their bits, with the number of boards of each.
    pub fn new(counts: &[u64], most: usize) -> Coding {
        let count = |bits: u16| counts[usize::from(bits)];
        let mut coded: Vec<u16> = (0..=u16::MAX).filter(|&bits| count(bits) > 0).collect();
        let too_many = coded.len() > most;
        if too_many {
            coded.sort_by_key(|&bits| (std::cmp::Reverse(count(bits)), bits));
            coded.truncate(most - 1);
            coded.sort_unstable();
        }
        Coding { thresholds: coded.into_iter().map(Thresholds::from_bits).collect(), too_many }
    }

    /// The code of a board with these thresholds: that behind the last one sends to the list.
    pub fn code(&self, thresholds: Thresholds) -> u8 {
        let coded = self.thresholds.binary_search_by_key(&thresholds.bits(), |coded| coded.bits());
        coded.unwrap_or(self.thresholds.len()) as u8
    }

    /// A database with at most `most` codes, from the cells of its boards, in parts that follow each other, and from the
    /// thresholds of a cell. A part is given back to the system as soon as it has been read.
    pub fn of_cells<C: Cell>(
        parts: Vec<Vec<C>>,
        thresholds: impl Fn(C) -> Thresholds,
        most: usize,
        pool: &ThreadPool,
    ) -> Database {
        let mut counts = CellCounts::new::<C>();
        parts.iter().for_each(|part| counts.add(part, pool));
        let coding = counts.coding(&thresholds, most);
        let (mut codes, mut rare) = (Vec::with_capacity(parts.iter().map(Vec::len).sum()), Vec::new());
        for part in parts {
            rare.extend(
                coding.rare(codes.len() as u64, &part).map(|(index, cell)| (index, thresholds(cell))),
            );
            let code = |chunk: &[C]| chunk.iter().map(|&cell| coding.code(cell)).collect::<Vec<u8>>();
            in_chunks(pool, &part, code).iter().for_each(|chunk| codes.extend(chunk));
        }
        Database { values: Storage::Memory(codes), thresholds: coding.thresholds, rare }
    }
}

/// The number of boards with each cell, by the cell's number.
pub struct CellCounts {
    pub boards: Vec<u64>,
}

impl CellCounts {
    /// For all that a cell can be.
    pub fn new<C: Cell>() -> CellCounts {
        CellCounts { boards: vec![0; C::NUMBERS] }
    }

    /// Counts more boards.
    pub fn add<C: Cell>(&mut self, cells: &[C], pool: &ThreadPool) {
        for counts in in_chunks(pool, cells, count) {
            self.boards.iter_mut().zip(counts).for_each(|(boards, count)| *boards += count);
        }
    }

    /// The codes of the boards that were counted, at most `most`, from the thresholds of a cell.
    pub fn coding<C: Cell>(&self, thresholds: &impl Fn(C) -> Thresholds, most: usize) -> CellCoding {
        let mut counts = vec![0; 1 << 16];
        let cells = || (0..C::NUMBERS).filter(|&number| self.boards[number] > 0).map(C::from_number);
        cells().for_each(|cell| counts[usize::from(thresholds(cell).bits())] += self.boards[cell.number()]);
        let coding = Coding::new(&counts, most);
        let mut codes = vec![0; C::NUMBERS];
        cells().for_each(|cell| codes[cell.number()] = coding.code(thresholds(cell)));
        CellCoding { thresholds: coding.thresholds, too_many: coding.too_many, codes }
    }
}

pub struct CellCoding {
    /// The thresholds by code.
    pub thresholds: Vec<Thresholds>,
    /// Whether there are thresholds without a code. Their boards go into a list.
    pub too_many: bool,
    /// By the number of a cell.
    codes: Vec<u8>,
}

impl CellCoding {
    #[inline]
    pub fn code<C: Cell>(&self, cell: C) -> u8 {
        self.codes[cell.number()]
    }

    /// Those of some cells that have no code of their own, with their indices. The first has the one that is given.
    pub fn rare<C: Cell>(&self, first: u64, cells: &[C]) -> impl Iterator<Item = (u64, C)> {
        let cells = if self.too_many { cells } else { &[] };
        let is_rare = |cell: C| usize::from(self.code(cell)) == self.thresholds.len();
        (first..).zip(cells).filter(move |&(_, &cell)| is_rare(cell)).map(|(index, &cell)| (index, cell))
    }
}

/// The number of cells with each number.
fn count<C: Cell>(cells: &[C]) -> Vec<u64> {
    let mut counts = vec![0; C::NUMBERS];
    cells.iter().for_each(|cell| counts[cell.number()] += 1);
    counts
}

/// The results of a function on the chunks of a slice.
fn in_chunks<'a, C: Sync, T: Send>(
    pool: &ThreadPool,
    cells: &'a [C],
    work: impl Fn(&'a [C]) -> T + Sync,
) -> Vec<T> {
    let chunk = |number: usize| &cells[number * CHUNK..cells.len().min((number + 1) * CHUNK)];
    pool.map(cells.len().div_ceil(CHUNK), |number| work(chunk(number)))
}
