//! Opponents that know the results of the endgames, and the positions that are hardest to win against them.
//!
//! The side to move wins with no seed to spare, waiting is not enough, and the next capture is the most distant of a sample. The
//! distance to conversion is computed here independently, from the rules and the results (which [`brute`](crate::brute)
//! checks).

use crate::games::promised;
use ahash::AHashMap;
use kroo::endgames::{Endgames, Indexing, board_count};
use kroo::game::{Board, Cycle, Pit, Rules, Variant, Verdict, split_mix};
use kroo::value::Value;

/// Maximum boards gathered between two captures.
const MAX_BOARDS: usize = 150_000;

/// The value of a board for the side to move, or a draw if unproven.
pub fn known_value(variant: Variant, board: Board) -> Value {
    under_rules!(variant, R => known_value_of::<R>(board))
}

fn known_value_of<R: Rules>(board: Board) -> Value {
    if let Some(ending) = R::ending(board) {
        return promised(R::VARIANT, Value::of(&ending));
    }
    let score = Endgames::shared().probe::<R>(board, board.seeds());
    if R::CYCLE == Cycle::EndsGame {
        return Value::ended(score.and_then(|score| score.proven()).unwrap_or(Verdict::Draw), 0);
    }
    promised(R::VARIANT, score.expect("it is covered").value)
}

/// The moves of a board, the resulting boards, and the values for the side that moves.
fn children<R: Rules>(board: Board) -> impl Iterator<Item = (Pit, Board, Value)> {
    R::moves(board).into_iter().filter_map(move |pit| {
        let step = R::play(board, pit)?;
        let value = known_value_of::<R>(step.board);
        Some((pit, step.board, if step.again { value } else { value.turned() }))
    })
}

/// A board, and whether the attacker is to move.
pub type Node = (Board, bool);

/// The plies from each board to the next capture or to the end, with best play of both sides; boards from which the goal is out
/// of reach are missing. `None` if there are too many boards.
pub fn distances_to_conversion(variant: Variant, root: Node, goal: Value) -> Option<AHashMap<Node, u16>> {
    under_rules!(variant, R => distances_to_conversion_of::<R>(root, goal))
}

fn distances_to_conversion_of<R: Rules>(root: Node, goal: Value) -> Option<AHashMap<Node, u16>> {
    let leaves = |from: Board, to: Board| to.seeds() < from.seeds() || R::ending(to).is_some();
    let (mut nodes, mut numbers) = (vec![root], AHashMap::from([(root, 0)]));
    // The predecessors of each board, and its number of uncounted moves within the level.
    let (mut before, mut left, mut done) = (vec![Vec::new()], Vec::new(), Vec::new());
    while let Some(&(board, attacks)) = nodes.get(left.len()) {
        let from = left.len();
        let kept = children::<R>(board).filter(|&(_, _, value)| !attacks || value >= goal);
        let (away, within): (Vec<_>, Vec<_>) = kept.map(|(_, to, _)| to).partition(|&to| leaves(board, to));
        let is_done = if attacks { !away.is_empty() } else { within.is_empty() };
        done.push(is_done);
        left.push(within.len());
        for to in within.into_iter().filter(|_| !is_done) {
            let number = *numbers.entry((to, !attacks)).or_insert_with(|| {
                nodes.push((to, !attacks));
                before.push(Vec::new());
                nodes.len() - 1
            });
            before[number].push(from);
        }
        if nodes.len() > MAX_BOARDS {
            return None;
        }
    }
    let mut queue: Vec<usize> = (0..nodes.len()).filter(|&node| done[node]).collect();
    let mut plies: Vec<u16> = done.iter().map(|&done| u16::from(done)).collect();
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        for &from in &before[node] {
            left[from] -= 1;
            if plies[from] == 0 && (nodes[from].1 || left[from] == 0) {
                plies[from] = plies[node] + 1;
                queue.push(from);
            }
        }
    }
    Some(nodes.into_iter().zip(plies).filter(|&(_, plies)| plies > 0).collect())
}

/// An opponent that knows the results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expert {
    /// Attacks the shortest way.
    Attacks,
    /// Resists longest.
    Resists,
    /// Returns to earlier positions, or resists longest.
    Circles,
}

impl Expert {
    /// Its move on a board that is not over. `known` holds the distances that it has computed, `seen` the boards of the game.
    pub fn choose(
        self,
        variant: Variant,
        board: Board,
        known: &mut AHashMap<Node, u16>,
        seen: &[Board],
    ) -> Pit {
        under_rules!(variant, R => self.choose_by::<R>(board, known, seen))
    }

    fn choose_by<R: Rules>(self, board: Board, known: &mut AHashMap<Node, u16>, seen: &[Board]) -> Pit {
        let attacks = self == Expert::Attacks;
        let goal = known_value_of::<R>(board);
        if R::CYCLE != Cycle::Impossible && !known.contains_key(&(board, attacks)) {
            let goal = if attacks { goal } else { goal.turned() };
            known.extend(distances_to_conversion_of::<R>((board, attacks), goal).unwrap_or_default());
        }
        let order = |&(_, to, kept): &(Pit, Board, Value)| {
            let plies = if to.seeds() < board.seeds() || R::ending(to).is_some() {
                0
            } else {
                i32::from(known.get(&(to, !attacks)).copied().unwrap_or(1000))
            };
            let again = self == Expert::Circles && seen.contains(&to);
            (kept, again, if attacks { -plies } else { plies })
        };
        children::<R>(board).max_by_key(order).expect("a move").0
    }
}

/// A random board, with the other seeds divided evenly between the stores.
pub fn any_board(variant: Variant, seeds: u8, random: &mut u64) -> Board {
    under_rules!(variant, R => any_board_of::<R>(seeds, random))
}

fn any_board_of<R: Rules>(seeds: u8, random: &mut u64) -> Board {
    let board = Indexing::get().unrank(seeds, (split_mix(random) % board_count(seeds) as u64) as usize);
    let store = (R::SEEDS - seeds) / 2;
    with_store::<R>(board, store)
}

fn with_store<R: Rules>(board: Board, store: u8) -> Board {
    let rest = R::SEEDS - board.seeds() - store;
    Board { mover: board.mover.bank(store), other: board.other.bank(rest) }
}

/// The smallest store with which the side to move wins; where the lead only adds, that of equal stores.
fn barely<R: Rules>(board: Board) -> Option<Board> {
    if R::ending(board).is_some() {
        return None;
    }
    if R::LEAD_ADDS {
        return Some(board).filter(|&board| known_value_of::<R>(board) > Value::DRAW);
    }
    let (seeds, bare) = (board.seeds(), board.without_stores());
    let wins = |&store: &u8| known_value_of::<R>(with_store::<R>(bare, store)) > Value::DRAW;
    (24 - seeds..=24).find(wins).map(|store| with_store::<R>(bare, store))
}

/// The boards of a random sample that are hardest to win (or, with the other side to move, to hold), with the plies to the next
/// capture.
pub fn hardest(variant: Variant, seeds: u8, samples: usize, number: usize) -> Vec<(Board, u16)> {
    under_rules!(variant, R => hardest_of::<R>(seeds, samples, number))
}

fn hardest_of<R: Rules>(seeds: u8, samples: usize, number: usize) -> Vec<(Board, u16)> {
    assert!(Endgames::shared().build::<R>(seeds, &mut || false));
    let mut random = u64::from(seeds);
    let hard = (0..samples).filter_map(|_| {
        let board = barely::<R>(any_board_of::<R>(seeds, &mut random))?;
        let goal = known_value_of::<R>(board);
        // Otherwise waiting would be enough.
        if promised(R::VARIANT, Value::of(&R::cycle(board))) >= goal {
            return None;
        }
        let plies = distances_to_conversion_of::<R>((board, true), goal)?;
        Some((board, plies[&(board, true)]))
    });
    let mut hard: Vec<(Board, u16)> = hard.collect();
    hard.sort_by_key(|&(_, plies)| std::cmp::Reverse(plies));
    hard.truncate(number);
    hard
}
