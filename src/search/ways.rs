//! Ways to bring a known result about.
//!
//! The endgames say who wins, not how. A side that would lose by waiting has to make its captures some day, and nobody
//! sees sixty plies ahead. So where the root is covered and deepening has not found the way, the boards between here
//! and the next capture are gathered, those that the attacker keeps the result with, and counted backwards: each gets
//! the plies in which the attacker can leave the level, against any defence. Going down these numbers wins; staying as
//! high as possible resists longest. They serve the following moves too, up to the next capture.

use crate::endgame::Endgames;
use crate::game::{Board, Rules, Verdict};
use crate::value::{Kind, Value};
use ahash::AHashMap;

/// Plies to the next capture or to the end, by board, for boards with the attacker to move and for the others.
#[derive(Debug)]
pub struct Ways {
    seeds: u8,
    /// The lead and the worth that the attacker has.
    lead: i8,
    goal: Value,
    plies: [AHashMap<Board, u16>; 2],
}

/// Not known yet.
const UNKNOWN: u16 = u16::MAX;

/// The result and who has to work for it: `Some(true)` if that is the side to move, `None` if waiting is enough.
pub fn attacks<R: Rules>(board: Board, worth: Value) -> Option<bool> {
    let stands = class::<R>(Value::of(&R::cycle(board)));
    let worth = class::<R>(worth);
    (worth != stands).then_some(worth > stands)
}

/// What has to be kept of a value: all of it, or who wins.
fn class<R: Rules>(value: Value) -> Value {
    let verdict = match value.kind() {
        Kind::Win(_) => Verdict::Win,
        Kind::Loss(_) => Verdict::Loss,
        Kind::Estimate(_) => Verdict::Draw,
    };
    if R::LEAD_ADDS { value } else { Value::ended(verdict, 0) }
}

/// What a board is worth to one of its sides.
fn worth<R: Rules>(endgames: &Endgames, board: Board, mover: bool) -> Option<Value> {
    let value = match R::ending(board) {
        Some(ending) => Value::of(&ending),
        None => endgames.probe::<R>(board, board.seeds())?.value,
    };
    Some(if mover { value } else { value.turned() })
}

/// The boards between the root and the next capture.
struct Graph {
    /// A board, and whether the attacker is to move.
    nodes: Vec<(Board, bool)>,
    numbers: AHashMap<(Board, bool), u32>,
    /// From which node to which.
    edges: Vec<(u32, u32)>,
    /// Moves of a defender that lead to boards whose plies are not known.
    open: Vec<u8>,
    plies: Vec<u16>,
}

impl Graph {
    fn number(&mut self, board: Board, attacker: bool) -> u32 {
        let next = self.nodes.len() as u32;
        *self.numbers.entry((board, attacker)).or_insert_with(|| {
            self.nodes.push((board, attacker));
            self.open.push(0);
            self.plies.push(UNKNOWN);
            next
        })
    }

    /// Follows the moves of a node. The attacker leaves the level as soon as that keeps the goal.
    fn expand<R: Rules>(&mut self, endgames: &Endgames, from: u32, goal: Value) -> Option<()> {
        let (board, attacker) = self.nodes[from as usize];
        let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
        let mut within = arrayvec::ArrayVec::<Board, 6>::new();
        for step in steps {
            let leaves = step.board.seeds() < board.seeds() || R::ending(step.board).is_some();
            if !attacker {
                within.extend((!leaves).then_some(step.board));
            } else if class::<R>(worth::<R>(endgames, step.board, false)?) >= goal {
                if leaves {
                    self.plies[from as usize] = 1;
                    return Some(());
                }
                within.push(step.board);
            }
        }
        if !attacker && within.is_empty() {
            self.plies[from as usize] = 1;
        }
        self.open[from as usize] = within.len() as u8;
        for board in within {
            let to = self.number(board, !attacker);
            self.edges.push((from, to));
        }
        Some(())
    }

    /// Counts backwards from the nodes that leave the level.
    fn count(&mut self) {
        self.edges.sort_unstable_by_key(|edge| edge.1);
        let mut queue: Vec<u32> =
            (0..self.nodes.len() as u32).filter(|&node| self.plies[node as usize] != UNKNOWN).collect();
        let mut next = 0;
        while next < queue.len() {
            let node = queue[next];
            next += 1;
            let plies = self.plies[node as usize] + 1;
            let first = self.edges.partition_point(|edge| edge.1 < node);
            for index in first..self.edges.len() {
                let (before, to) = self.edges[index];
                if to != node {
                    break;
                }
                let before = before as usize;
                self.open[before] -= 1;
                let known = self.nodes[before].1 || self.open[before] == 0;
                if known && self.plies[before] == UNKNOWN {
                    self.plies[before] = plies;
                    queue.push(before as u32);
                }
            }
        }
    }
}

impl Ways {
    /// The ways from a board that the endgames cover, whose worth they know, and on which somebody has to attack.
    /// `None` if there are more boards than that on the way, or it was stopped.
    pub fn find<R: Rules>(
        endgames: &Endgames,
        board: Board,
        value: Value,
        most: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Ways> {
        let attacker = attacks::<R>(board, value)?;
        let goal = class::<R>(if attacker { value } else { value.turned() });
        let mut graph = Graph {
            nodes: Vec::new(),
            numbers: AHashMap::new(),
            edges: Vec::new(),
            open: Vec::new(),
            plies: Vec::new(),
        };
        graph.number(board, attacker);
        let mut node = 0;
        while node < graph.nodes.len() {
            if graph.nodes.len() > most || node % 256 == 0 && stop() {
                return None;
            }
            graph.expand::<R>(endgames, node as u32, goal)?;
            node += 1;
        }
        graph.count();
        let mut plies = [AHashMap::new(), AHashMap::new()];
        for (&(board, attacker), &count) in graph.nodes.iter().zip(&graph.plies) {
            if count != UNKNOWN {
                plies[usize::from(!attacker)].insert(board, count);
            }
        }
        let lead = if attacker { board.lead() } else { -board.lead() };
        Some(Ways { seeds: board.seeds(), lead, goal, plies })
    }

    /// Whether they tell of a board with this worth.
    pub fn tell_of<R: Rules>(&self, board: Board, value: Value) -> bool {
        let Some(attacker) = attacks::<R>(board, value) else { return false };
        let (lead, value) = if attacker { (board.lead(), value) } else { (-board.lead(), value.turned()) };
        (self.seeds, self.lead, self.goal) == (board.seeds(), lead, class::<R>(value))
            && self.plies[usize::from(!attacker)].contains_key(&board)
    }

    /// The plies after a move to the next capture or to the end: as few as possible for the attacker, as many as possible
    /// for the other side. `None` if the move gives the result away, or is not known.
    pub fn plies_after<R: Rules>(
        &self,
        endgames: &Endgames,
        after: Board,
        attacker_moved: bool,
    ) -> Option<u16> {
        let value = worth::<R>(endgames, after, !attacker_moved)?;
        if attacker_moved && class::<R>(value) < self.goal {
            return None;
        }
        if after.seeds() < self.seeds || R::ending(after).is_some() {
            return Some(0);
        }
        self.plies[usize::from(attacker_moved)].get(&after).copied()
    }
}
