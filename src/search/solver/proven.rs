//! What is proven of boards in rule sets in which nothing comes back: bounds of their gains.
//!
//! A fact is one word of the [`Table`], half of what an entry takes. It says what the side to move will bank from a
//! board on more than the other side does, at least and at most, and which move was best. Boards with empty stores are
//! numbered without gaps, and the number fits into the word beside the rest. So a fact is found by the board itself and
//! not by a hash of it: no two boards are ever taken for each other, whatever was searched.
//!
//! Facts and entries share the memory. Where their border lies depends on how much is to be solved, so a word can turn
//! up on the wrong side of it; its top bit tells what it is.

use crate::endgame::{Numbering, count};
use crate::game::{Board, Flag, Pit, Rules};
use crate::search::table::{Table, WORDS};
use once_cell::sync::OnceCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// What tells a fact from the words of an entry.
pub const FACT: u64 = 1 << 63;
/// Bits below the number of the board.
const DATA: u32 = 22;
/// Part of the number of a board whose move is the second of its turn.
const SECOND_MOVE: u64 = 1 << 40;
/// Added to gains, so that they are not negative.
const ZERO: i8 = 64;
/// Seeds of the largest game that there is room for.
const MOST_SEEDS: u8 = 48;
/// Facts of the search before are worth what took so much less work, in powers of four.
const AGE: u64 = 4;

/// What is certain of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The side to move gains no less.
    pub least: i8,
    /// It gains no more.
    pub most: i8,
    /// The move that was best, or that was enough.
    pub pit: Option<Pit>,
}

impl Fact {
    /// What the seeds alone say: nobody can gain more than is left.
    #[inline]
    pub fn of_seeds(seeds: u8) -> Fact {
        Fact { least: -(seeds as i8), most: seeds as i8, pit: None }
    }

    fn pack(self, number: u64, nodes: u64, generation: u8) -> u64 {
        let pit = self.pit.map_or(7, Pit::index) as u64;
        let work = u64::from((nodes | 1).ilog2() / 2).min(15);
        let gains = ((self.least + ZERO) as u64) << 7 | (self.most + ZERO) as u64;
        FACT | number << DATA | gains << 8 | pit << 5 | u64::from(generation & 1) << 4 | work
    }

    fn unpack(word: u64) -> Fact {
        let pit = (word >> 5 & 7) as usize;
        Fact {
            least: (word >> 15 & 127) as i8 - ZERO,
            most: (word >> 8 & 127) as i8 - ZERO,
            pit: (pit < 6).then(|| Pit::new(pit)),
        }
    }
}

/// The number of a board among all with empty stores.
#[inline]
pub fn number<R: Rules>(board: Board, seeds: u8) -> u64 {
    const { assert!(R::SEEDS <= MOST_SEEDS && (!R::SECOND_MOVE || R::SEEDS <= 36)) };
    let number = first_number(seeds) + Numbering::get().rank(board) as u64;
    if R::SECOND_MOVE && board.has(Flag::SecondMove) { number | SECOND_MOVE } else { number }
}

/// How many boards have fewer seeds.
#[inline]
fn first_number(seeds: u8) -> u64 {
    static FIRST: OnceCell<[u64; 64]> = OnceCell::new();
    let first = FIRST.get_or_init(|| {
        let mut fewer = 0;
        std::array::from_fn(|seeds| {
            let boards = if seeds as u8 <= MOST_SEEDS { count(seeds as u8) as u64 } else { 0 };
            fewer += boards;
            fewer - boards
        })
    });
    first[usize::from(seeds) % first.len()]
}

/// Where the fact about a board is, if the table has it.
#[derive(Clone, Copy)]
pub struct Shelf<'a> {
    words: &'a [AtomicU64],
    number: u64,
}

impl Shelf<'_> {
    /// Asks the memory for the words, so that they are on their way when they are needed.
    #[inline]
    pub fn touch(self) {
        std::hint::black_box(self.words[0].load(Ordering::Relaxed));
    }

    /// What is known of the board.
    #[inline]
    pub fn fact(self) -> Option<Fact> {
        let own = FACT >> DATA | self.number;
        let mut words = self.words.iter().map(|word| word.load(Ordering::Relaxed));
        words.find(|word| word >> DATA == own).map(Fact::unpack)
    }
}

impl Table {
    /// The shelf of the board with a number.
    #[inline]
    pub fn shelf(&self, number: u64) -> Shelf<'_> {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = ((u128::from(mixed) * self.fact_buckets() as u128) >> 64) as usize;
        Shelf { words: self.words_of(index), number }
    }

    /// Remembers a fact that took so many nodes to find, in place of what was known of the board or of the fact that
    /// took least.
    #[inline]
    pub fn remember_fact(&self, shelf: Shelf<'_>, fact: Fact, nodes: u64) {
        let (own, generation) = (FACT >> DATA | shelf.number, self.generation());
        let worth = |word: &&AtomicU64| {
            let word = word.load(Ordering::Relaxed);
            if word >> DATA == own || word & FACT == 0 {
                return 0;
            }
            let fresh = word >> 4 & 1 == u64::from(generation & 1);
            1 + (word & 15) + if fresh { AGE } else { 0 }
        };
        if let Some(word) = shelf.words.iter().min_by_key(worth) {
            word.store(fact.pack(shelf.number, nodes, generation), Ordering::Relaxed);
        }
    }
}

const _: () = assert!(WORDS == 8, "a shelf is a cache line");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Boards;
    use crate::game::{Awari1978, Kalah};

    #[test]
    fn numbers_have_no_gaps_across_levels() {
        let boards = (0..=5).flat_map(|seeds| Boards::with(seeds).map(move |board| (board, seeds)));
        for (expected, (board, seeds)) in boards.enumerate() {
            assert_eq!(number::<Kalah>(board, seeds), expected as u64);
        }
        let second = Board::filled(3).flag_if(Flag::SecondMove, true);
        assert_eq!(number::<Awari1978>(second, 36), number::<Awari1978>(Board::filled(3), 36) | SECOND_MOVE);
        let all = Boards::with(MOST_SEEDS).next().expect("there are boards");
        assert!(number::<Kalah>(all, MOST_SEEDS) + (count(MOST_SEEDS) as u64) < 1 << (63 - DATA));
        assert!(first_number(37) < SECOND_MOVE);
    }

    #[test]
    fn a_fact_comes_back_and_the_dearest_stay() {
        let table = Table::new(1).expect("memory");
        table.divide::<Kalah>(16);
        let fact = |gain: i8| Fact { least: -gain, most: gain, pit: Some(Pit::new(5)) };
        for gain in 0..=48 {
            let shelf = table.shelf(1 << 40 | gain);
            table.remember_fact(shelf, fact(gain as i8), gain);
            assert_eq!(shelf.fact(), Some(fact(gain as i8)));
            assert_eq!(table.shelf(gain).fact(), None);
        }
        table.clear();
        let words = table.words_of(3);
        for number in 0..9 {
            table.remember_fact(Shelf { words, number }, fact(1), 1 << (20 - 2 * number));
        }
        assert!(Shelf { words, number: 7 }.fact().is_none() && Shelf { words, number: 8 }.fact().is_some());
        assert!((0..7).all(|number| Shelf { words, number }.fact().is_some()));
        // Another rule set knows nothing of them.
        table.divide::<Awari1978>(16);
        assert!((0..9).all(|number| Shelf { words, number }.fact().is_none()));
    }
}
