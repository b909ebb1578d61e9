//! The codes of a level: which thresholds a byte stands for (`level.rs` says what for).

use super::cell::Cell;
use super::level::{Codes, EndgameLevel};
use super::thresholds::Thresholds;
use std::thread;

/// The thresholds that have a code, and the codes.
#[derive(Debug)]
pub(super) struct Coding {
    /// The thresholds that the codes stand for, in order.
    pub thresholds: Vec<Thresholds>,
    /// Whether there are others, whose boards go into a list.
    pub too_many: bool,
}

impl Coding {
    /// The codes for thresholds, given by their bits, of which so many boards have each.
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

    /// A level with at most so many codes, from the cells of its boards, in parts that follow each other, and from the
    /// thresholds that a cell stands for. A part is given back to the system as soon as it has been read.
    pub fn of_cells<C: Cell>(
        parts: Vec<Vec<C>>,
        thresholds: impl Fn(C) -> Thresholds,
        most: usize,
        threads: usize,
    ) -> EndgameLevel {
        let mut boards = vec![0u64; C::NUMBERS];
        for part in &parts {
            for counts in in_chunks(threads, part, count) {
                boards.iter_mut().zip(counts).for_each(|(boards, count)| *boards += count);
            }
        }
        let mut counts = vec![0; 1 << 16];
        let cells = || (0..C::NUMBERS).filter(|&number| boards[number] > 0).map(C::from_number);
        cells().for_each(|cell| counts[usize::from(thresholds(cell).bits())] += boards[cell.number()]);
        let coding = Coding::new(&counts, most);
        let mut code_of = vec![0; C::NUMBERS];
        cells().for_each(|cell| code_of[cell.number()] = coding.code(thresholds(cell)));
        let (mut codes, mut rare) = (Vec::with_capacity(parts.iter().map(Vec::len).sum()), Vec::new());
        for part in parts {
            if coding.too_many {
                let is_rare = |cell: C| usize::from(code_of[cell.number()]) == coding.thresholds.len();
                let indexed = (codes.len() as u64..).zip(&part).filter(|&(_, &cell)| is_rare(cell));
                rare.extend(indexed.map(|(index, &cell)| (index, thresholds(cell))));
            }
            let code = |chunk: &[C]| chunk.iter().map(|cell| code_of[cell.number()]).collect::<Vec<u8>>();
            in_chunks(threads, &part, code).iter().for_each(|chunk| codes.extend(chunk));
        }
        EndgameLevel { codes: Codes::Built(codes), thresholds: coding.thresholds, rare }
    }
}

/// How many of the cells have each number.
fn count<C: Cell>(cells: &[C]) -> Vec<u64> {
    let mut counts = vec![0; C::NUMBERS];
    cells.iter().for_each(|cell| counts[cell.number()] += 1);
    counts
}

/// What a function makes of the parts of a slice, one for each thread.
fn in_chunks<'a, C: Sync, T: Send>(
    threads: usize,
    cells: &'a [C],
    work: impl Fn(&'a [C]) -> T + Sync,
) -> Vec<T> {
    let length = cells.len().div_ceil(threads.max(1)).max(1);
    if cells.len() <= length {
        return vec![work(cells)];
    }
    let work = &work;
    thread::scope(|scope| {
        // Where the system starts no more threads, the calling one does the work.
        let start = |chunk: &'a [C]| {
            let helper = thread::Builder::new().spawn_scoped(scope, move || work(chunk));
            helper.map_err(|_| work(chunk))
        };
        let started: Vec<_> = cells.chunks(length).map(start).collect();
        started
            .into_iter()
            .map(|done| done.map_or_else(|made| made, |helper| helper.join().expect("no thread panics")))
            .collect()
    })
}
