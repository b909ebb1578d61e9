//! Minimax to a fixed depth, with the choices of plain minimax but far fewer nodes.
//!
//! Plain minimax evaluates the end of every line by f, always from the player's own view, whichever side is to move, and
//! chooses the first of the moves with the greatest value. These techniques preserve its choice:
//!
//! - **Alpha–beta.** A minimax value is the f of one of the ends, copied unchanged: bounds are compared exactly, without
//!   rounding. At the root a pit before the best one must only equal it, and a later pit must exceed it: the first of equals wins
//!   in any search order.
//! - **Move ordering.** Iterative deepening by two plies, because f is one player's view and values after its own moves are
//!   similar; in a node the hash move, then by f of the stores alone. Ordering by the whole of f took 1.3 to 1.7 times the
//!   instructions; killers, history and null windows (principal variation search) gained nothing.
//! - **A table**, whose entries count only with exactly the remaining depth. That is plain minimax's value wherever the
//!   position occurs, unless a repetition ends the game (`oware`): there the table is off.
//! - **Lazy evaluation.** The stores bound f, and the stores with the first two terms bound it closer, which is often enough.

use super::terms::{Evaluator, Terms};
use crate::game::{Board, Cycle, Pit, Rules, came_back};
use arrayvec::ArrayVec;

/// Entries of the table: few enough for a core's cache (chosen, not measured).
const TABLE_SIZE: usize = 1 << 12;
/// From this depth on a node probes the table (chosen, not measured).
const MIN_TABLE_DEPTH: u8 = 2;
/// Nodes between polls for a stop (chosen, not measured).
const POLL_INTERVAL: u64 = 1024;

/// The choice of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    pub pit: Pit,
    /// Its minimax value: f at the end of the line.
    pub value: f64,
}

/// The search, with a table that is reused; that changes no choice.
#[derive(Debug)]
pub struct Minimax {
    table: Vec<Entry>,
    /// The search that wrote the entries.
    search: u32,
    /// Maximum nodes of a search.
    pub node_limit: u64,
}

impl Default for Minimax {
    fn default() -> Minimax {
        Minimax { table: vec![Entry::default(); TABLE_SIZE], search: 0, node_limit: u64::MAX }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    board: Board,
    value: f64,
    search: u32,
    depth: u8,
    /// Whether the player is to move.
    own: bool,
    bound: Bound,
    best: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Bound {
    #[default]
    Exact,
    Lower,
    Upper,
}

/// Called regularly with the node count; returns whether to stop.
pub type Stop<'a> = &'a mut dyn FnMut(u64) -> bool;

/// The result of a completed depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Plies searched.
    pub depth: u8,
    /// The choice at that depth.
    pub choice: Choice,
    /// Nodes since the search began.
    pub nodes: u64,
}

impl Minimax {
    /// Chooses among some of the legal moves of an unfinished board.
    ///
    /// `line` has the boards since the last capture, the current one last; it is used only in rule sets where a repetition ends
    /// the game. Each completed depth is reported, the last one with depth `depth`. Returns the choice of the last completed
    /// depth, possibly less than `depth` after a stop; `None` if none was completed.
    ///
    /// # Panics
    /// If there are no moves to choose among, or the depth is 0.
    pub fn choose<R: Rules>(
        &mut self,
        evaluator: &Evaluator,
        line: &[Board],
        pits: &[Pit],
        depth: u8,
        stop: Stop<'_>,
        report: &mut dyn FnMut(Iteration),
    ) -> Option<Choice> {
        assert!(depth > 0 && !pits.is_empty(), "something to choose, and a move to look ahead");
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.table.fill(Entry::default());
            self.search = 1;
        }
        let board = *line.last().expect("the line ends with the board itself");
        let mut search = Search::<R> {
            evaluator,
            minimax: self,
            path: if R::CYCLE == Cycle::EndsGame { line.to_vec() } else { Vec::new() },
            nodes: 0,
            stop,
            next_poll: POLL_INTERVAL,
            stopped: false,
            rules: std::marker::PhantomData,
        };
        let mut order: ArrayVec<Pit, 6> = pits.iter().copied().collect();
        let mut found = None;
        for depth in (2 - depth % 2..=depth).step_by(2) {
            let choice = search.root(board, &mut order, depth);
            if search.stopped {
                break;
            }
            report(Iteration { depth, choice, nodes: search.nodes });
            found = Some(choice);
        }
        found
    }
}

struct Search<'a, R> {
    evaluator: &'a Evaluator,
    minimax: &'a mut Minimax,
    /// The boards of the game and of the searched line, where repetitions matter.
    path: Vec<Board>,
    nodes: u64,
    stop: Stop<'a>,
    /// Nodes at which to poll for a stop.
    next_poll: u64,
    stopped: bool,
    rules: std::marker::PhantomData<R>,
}

#[derive(Clone, Copy)]
struct Child {
    board: Board,
    again: bool,
    pit: Pit,
    /// Its move-ordering score: f of the stores after it, seen by the mover.
    score: f64,
}

impl<R: Rules> Search<'_, R> {
    /// Counts a node, if the limit allows another.
    #[inline]
    fn count(&mut self) {
        if self.nodes == self.minimax.node_limit {
            self.stopped = true;
        } else {
            self.nodes += 1;
        }
    }

    /// The first of the best moves of the root. `order` is left as a good one for the next depth.
    fn root(&mut self, board: Board, order: &mut ArrayVec<Pit, 6>, depth: u8) -> Choice {
        let mut best: Option<Choice> = None;
        for index in 0..order.len() {
            let pit = order[index];
            let step = R::play(board, pit).expect("a legal move can be played");
            let alpha = best.map_or(f64::NEG_INFINITY, |best| {
                if pit < best.pit { best.value.next_down() } else { best.value }
            });
            let value = self.after(step.board, step.again, true, alpha, f64::INFINITY, depth);
            if self.stopped {
                break;
            }
            if value > alpha {
                best = Some(Choice { pit, value });
                order[..=index].rotate_right(1);
            }
        }
        best.unwrap_or(Choice { pit: order[0], value: f64::NEG_INFINITY })
    }

    /// The value of a move for the side that made it; `own` is whether that is the player.
    #[inline]
    fn after(&mut self, board: Board, again: bool, own: bool, alpha: f64, beta: f64, depth: u8) -> f64 {
        if R::CYCLE == Cycle::EndsGame {
            return self.after_on_path(board, own, alpha, beta, depth);
        }
        if again {
            self.node(board, own, alpha, beta, depth - 1)
        } else {
            -self.node(board, !own, -beta, -alpha, depth - 1)
        }
    }

    /// The same where a repetition ends the game.
    fn after_on_path(&mut self, board: Board, own: bool, alpha: f64, beta: f64, depth: u8) -> f64 {
        let seeds = board.seeds();
        let quiet = self.path.iter().rev().take_while(|before| before.seeds() == seeds).count();
        if R::ending(board).is_none() && came_back(&self.path, quiet, board).is_some() {
            self.count();
            return -self.exact(R::cycle(board).board, !own);
        }
        self.path.push(board);
        let value = -self.node(board, !own, -beta, -alpha, depth - 1);
        self.path.pop();
        value
    }

    /// A bound of a board's value for its mover, exact between alpha and beta.
    fn node(&mut self, board: Board, own: bool, alpha: f64, beta: f64, depth: u8) -> f64 {
        self.count();
        if let Some(ending) = R::ending(board) {
            return self.exact(ending.board, own);
        }
        if depth == 0 {
            return self.leaf(board, own, alpha, beta);
        }
        if self.nodes >= self.next_poll {
            self.next_poll = self.nodes + POLL_INTERVAL;
            self.stopped |= (self.stop)(self.nodes);
        }
        if self.stopped {
            return alpha;
        }
        if depth == 1 && R::CYCLE != Cycle::EndsGame {
            return self.frontier(board, own, alpha, beta);
        }
        if depth < MIN_TABLE_DEPTH || R::CYCLE == Cycle::EndsGame {
            return self.moves(board, own, alpha, beta, depth, None).0;
        }
        let index = table_index(board);
        let entry = self.minimax.table[index];
        let known = entry.search == self.minimax.search && entry.board == board && entry.own == own;
        if known && entry.depth == depth {
            match entry.bound {
                Bound::Exact => return entry.value,
                Bound::Lower if entry.value >= beta => return entry.value,
                Bound::Upper if entry.value <= alpha => return entry.value,
                _ => {}
            }
        }
        let (value, best) = self.moves(board, own, alpha, beta, depth, known.then_some(entry.best));
        let bound = match value {
            value if value >= beta => Bound::Lower,
            value if value <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        if !self.stopped {
            let search = self.minimax.search;
            self.minimax.table[index] = Entry { board, value, search, depth, own, bound, best };
        }
        value
    }

    /// The best of the last moves of a line.
    #[inline]
    fn frontier(&mut self, board: Board, own: bool, mut alpha: f64, beta: f64) -> f64 {
        let mut best = f64::NEG_INFINITY;
        let mut stuck = true;
        for pit in R::moves(board) {
            let Some(step) = R::play(board, pit) else { continue };
            stuck = false;
            self.count();
            let value = if step.again {
                self.end(step.board, own, alpha, beta)
            } else {
                -self.end(step.board, !own, -beta, -alpha)
            };
            if value > best {
                best = value;
                if value >= beta {
                    return best;
                }
                alpha = alpha.max(value);
            }
        }
        if stuck { self.exact(R::stuck(board).board, own) } else { best }
    }

    #[inline]
    fn end(&self, board: Board, own: bool, alpha: f64, beta: f64) -> f64 {
        let board = R::ending(board).map_or(board, |ending| ending.board);
        self.leaf(board, own, alpha, beta)
    }

    /// The best of a node's moves, and its pit.
    #[inline]
    fn moves(
        &mut self,
        board: Board,
        own: bool,
        mut alpha: f64,
        beta: f64,
        depth: u8,
        first: Option<u8>,
    ) -> (f64, u8) {
        let mut best = (f64::NEG_INFINITY, 0);
        let moves = self.ordered(board, own, first);
        if moves.is_empty() {
            return (self.exact(R::stuck(board).board, own), 0);
        }
        for Child { board, again, pit, .. } in moves {
            let value = self.after(board, again, own, alpha, beta, depth);
            if value > best.0 {
                best = (value, pit.index() as u8);
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The moves of a node by descending score.
    #[inline]
    fn ordered(&self, board: Board, own: bool, first: Option<u8>) -> ArrayVec<Child, 6> {
        let mut moves = ArrayVec::<Child, 6>::new();
        for pit in R::moves(board) {
            let Some(step) = R::play(board, pit) else { continue };
            let score = if first == Some(pit.index() as u8) {
                f64::INFINITY
            } else {
                let value = self.evaluator.of_stores(step.board, own == step.again);
                if own { value } else { -value }
            };
            let at = moves.iter().position(|other| other.score < score).unwrap_or(moves.len());
            moves.insert(at, Child { board: step.board, again: step.again, pit, score });
        }
        moves
    }

    /// f of a board at the end of a line, for its mover.
    #[inline]
    fn exact(&self, board: Board, own: bool) -> f64 {
        let value = self.evaluator.value(Terms::of::<R>(board, own));
        if own { value } else { -value }
    }

    /// The same, or a bound outside alpha and beta.
    #[inline]
    fn leaf(&self, board: Board, own: bool, alpha: f64, beta: f64) -> f64 {
        if own {
            self.evaluator.within::<R>(board, own, alpha, beta)
        } else {
            -self.evaluator.within::<R>(board, own, -beta, -alpha)
        }
    }
}

#[inline]
fn table_index(board: Board) -> usize {
    let mixed = (board.mover.bits() ^ board.other.bits().rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize % TABLE_SIZE
}

/// The legal moves of a board that is not over, from the mover's left.
pub fn legal_pits<R: Rules>(board: Board) -> ArrayVec<Pit, 6> {
    R::moves(board).into_iter().filter(|&pit| R::play(board, pit).is_some()).collect()
}
