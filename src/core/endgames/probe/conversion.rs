//! Distance to conversion (DTC): converting a known result into the end of the game.
//!
//! The endgame tablebase has the result of a board, not the way to it. A side that would lose by waiting must capture some day,
//! and no search sees sixty plies ahead. If the root is in the tablebase and deepening has not found the way, the search gathers
//! the boards up to the next capture on which the attacker keeps the result, and counts backwards from their exits (retrograde
//! analysis; K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9, 1986, whose databases hold the distance to
//! conversion). Each board gets the number of plies in which the attacker can leave the database against any defence. Following
//! decreasing numbers wins; keeping the number as high as possible resists longest. The numbers also serve the following moves,
//! up to the next capture. A search that cannot gather all boards leaves the rest to the next one, whose root is among them.
//!
//! If a repetition ends the game, only a sure win is converted. Boards visited since the last capture then end the game with the
//! value of a repetition, and a side that follows decreasing numbers visits no board twice.

use super::endgames::Endgames;
use super::indexing::Indexing;
use crate::game::{Board, Cycle, Rules, Verdict};
use crate::value::{Kind, Value};
use ahash::AHashMap;
use arrayvec::ArrayVec;

/// Boards of a table at the most; each takes some 90 bytes.
pub const MAX_BOARDS: usize = 1 << 20;
/// Boards between two looks at the clock (chosen, not measured) …
pub const POLL_INTERVAL: usize = 256;
/// … and where each of their moves may have to be read from a disk.
const POLL_INTERVAL_OF_FILES: usize = 1;

const UNKNOWN: u16 = u16::MAX;
const NO_EDGE: u32 = u32::MAX;

/// A board that the game has visited since the last capture, and whether the attacker was to move there.
type Visited = (Board, bool);

/// Plies to the next capture or to the end, by board, for boards with the attacker to move and for the others.
#[derive(Debug)]
pub struct ConversionTable {
    seeds: u8,
    /// Seeds in both stores.
    stored: u8,
    /// The attacker's lead.
    lead: i8,
    /// The result that the attacker can keep: see [`result_class`].
    goal: Value,
    visited: Vec<Visited>,
    pub graph: Graph,
    /// Nodes whose moves have been followed.
    pub expanded: usize,
    /// All of them, and the plies have been counted.
    complete: bool,
    /// The search that gathers boards, and how many there were before it.
    search: Option<(u8, usize)>,
}

impl ConversionTable {
    /// The table for a board with a known result, on which one side must attack; its boards have yet to be gathered. `path` has
    /// the boards that led here, the last one last.
    pub fn new<R: Rules>(board: Board, value: Value, path: &[Board]) -> Option<ConversionTable> {
        let attacker = attacker_is_to_move::<R>(board, value)?;
        let mut graph = Graph::default();
        graph.node(key(board, attacker));
        Some(ConversionTable {
            seeds: board.seeds(),
            stored: board.mover.store() + board.other.store(),
            lead: if attacker { board.lead() } else { -board.lead() },
            goal: result_class::<R>(if attacker { value } else { value.turned() }),
            visited: with_sides(path, attacker).collect(),
            graph,
            expanded: 0,
            complete: false,
            search: None,
        })
    }

    /// Gathers boards, up to a limit in this search, and says whether all is known.
    pub fn build<R: Rules>(
        &mut self,
        endgames: &Endgames,
        search: u8,
        max_boards: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> bool {
        let boards = self.graph.keys.len();
        let (_, before) =
            *self.search.insert(self.search.filter(|known| known.0 == search).unwrap_or((search, boards)));
        let max_boards = MAX_BOARDS.min(before.saturating_add(max_boards));
        let interval =
            if endgames.is_mapped::<R>(self.seeds) { POLL_INTERVAL_OF_FILES } else { POLL_INTERVAL };
        while !self.complete {
            let Some(&key) = self.graph.keys.get(self.expanded) else {
                self.complete = self.graph.count_backwards(stop);
                return self.complete;
            };
            if self.graph.keys.len() > max_boards || self.expanded.is_multiple_of(interval) && stop() {
                return false;
            }
            let node = (self.expanded, self.board_of(key));
            if self.graph.expand::<R>(endgames, node, self.goal, &self.visited).is_none() {
                return false;
            }
            self.expanded += 1;
        }
        true
    }

    fn board_of(&self, key: u64) -> Board {
        let Board { mover, other } = Indexing::get().board(self.seeds, key >> 1);
        let lead = if key & 1 == 1 { self.lead } else { -self.lead };
        let stored = self.stored as i8;
        let store = ((stored + lead) / 2) as u8;
        Board { mover: mover.bank(store), other: other.bank(stored as u8 - store) }
    }

    /// Whether a board with this value is in the table, and `path` has visited none of the boards ahead of it.
    pub fn covers<R: Rules>(&self, board: Board, value: Value, path: &[Board]) -> bool {
        let Some(attacker) = attacker_is_to_move::<R>(board, value) else { return false };
        let (lead, value) = if attacker { (board.lead(), value) } else { (-board.lead(), value.turned()) };
        if (self.seeds, self.lead, self.goal) != (board.seeds(), lead, result_class::<R>(value)) {
            return false;
        }
        let visited: Vec<Visited> = with_sides(path, attacker).collect();
        // An end at the time when the boards were gathered must be one now.
        if !self.visited.iter().all(|before| visited.contains(before)) {
            return false;
        }
        // A complete table without a distance for the board says that nothing can be forced from there, and so would a new one.
        let Some(ahead) = self.graph.distance(board, attacker).filter(|_| self.complete) else {
            return self.graph.contains(board, attacker);
        };
        let lies_behind =
            |&(board, attacker): &Visited| self.graph.distance(board, attacker).is_none_or(|it| it > ahead);
        visited.iter().all(lies_behind)
    }

    /// The distance to conversion after a move, in plies: as small as possible for the attacker, as large as possible for the
    /// other side. `None` if the move gives the result away, or its distance is unknown.
    pub fn distance_after<R: Rules>(
        &self,
        endgames: &Endgames,
        after: Board,
        attacker_moved: bool,
    ) -> Option<u16> {
        let value = known_value::<R>(endgames, after, !attacker_moved)?;
        if attacker_moved && result_class::<R>(value) < self.goal {
            return None;
        }
        if after.seeds() < self.seeds || R::ending(after).is_some() {
            return Some(0);
        }
        self.graph.distance(after, !attacker_moved)
    }
}

/// Whether the attacker, the side that must act to get a known result, is to move; `None` if no side must act. Even a win that
/// waiting would bring is attacked: unconverted, it counts only at move 250.
pub fn attacker_is_to_move<R: Rules>(board: Board, value: Value) -> Option<bool> {
    let wins = matches!(value.kind(), Kind::Win(_));
    let by_waiting = result_class::<R>(Value::of(&R::cycle(board)));
    let result = result_class::<R>(value);
    if R::CYCLE == Cycle::EndsGame || result == by_waiting {
        return wins.then_some(true);
    }
    Some(result > by_waiting)
}

/// The part of a value that must be kept: all of it, or the winner only.
fn result_class<R: Rules>(value: Value) -> Value {
    let verdict = match value.kind() {
        Kind::Win(_) => Verdict::Win,
        Kind::Loss(_) => Verdict::Loss,
        Kind::Estimate(_) => Verdict::Draw,
    };
    if R::LEAD_ADDS { value } else { Value::ended(verdict, 0) }
}

/// The value of a board to one of its sides; the sure part of it if it is not known exactly.
fn known_value<R: Rules>(endgames: &Endgames, board: Board, to_mover: bool) -> Option<Value> {
    let value = match R::ending(board) {
        Some(ending) => Value::of(&ending),
        None => {
            let score = endgames.probe::<R>(board, board.seeds());
            let is_sure =
                score.is_some_and(|score| if to_mover { score.proof.at_least } else { score.proof.at_most });
            if R::CYCLE == Cycle::EndsGame && !is_sure {
                return Some(Value::LEAST);
            }
            score?.value
        }
    };
    Some(if to_mover { value } else { value.turned() })
}

/// The boards between the root and the next capture.
#[derive(Debug, Default)]
pub struct Graph {
    /// Boards by their indices in the database, and whether the attacker is to move: see `key`.
    pub keys: Vec<u64>,
    nodes: NodeIndex,
    /// The moves that lead to a node form a chain: the last one found and, for each move, its origin and the one found before.
    /// This needs no sorting, which could not be interrupted.
    last_edge: Vec<u32>,
    edges: Vec<(u32, u32)>,
    /// The number of moves of a node to boards with unknown distances.
    unresolved_moves: Vec<u8>,
    pub distances: Vec<u16>,
    /// Nodes with known distances, in ascending order.
    pub resolved: Vec<u32>,
    /// How many of them have been counted back from.
    counted: usize,
}

/// The numbers of nodes by their keys, in many small maps: a single one would stop for longer than a quick move whenever it
/// grows, without a look at the clock (22 to 25 ms with room for a million boards, development build, 7,600 page faults).
#[derive(Debug)]
pub struct NodeIndex(pub Box<[AHashMap<u64, u32>]>);

/// The logarithm of the number of these maps: a map moves some 4,000 boards at the most (chosen, not measured).
pub const NODE_INDEX_BITS: u32 = 8;

impl Default for NodeIndex {
    fn default() -> NodeIndex {
        NodeIndex(vec![AHashMap::new(); 1 << NODE_INDEX_BITS].into())
    }
}

impl NodeIndex {
    fn part(key: u64) -> usize {
        // Fibonacci hashing: neighbouring boards come into different maps.
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - NODE_INDEX_BITS)) as usize
    }

    pub fn part_mut(&mut self, key: u64) -> &mut AHashMap<u64, u32> {
        &mut self.0[NodeIndex::part(key)]
    }

    pub fn get(&self, key: u64) -> Option<u32> {
        self.0[NodeIndex::part(key)].get(&key).copied()
    }
}

fn key(board: Board, attacker: bool) -> u64 {
    Indexing::get().index(board) << 1 | u64::from(attacker)
}

impl Graph {
    /// The node of a key, which may be new.
    fn node(&mut self, key: u64) -> u32 {
        let next = self.keys.len() as u32;
        *self.nodes.part_mut(key).entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.last_edge.push(NO_EDGE);
            self.unresolved_moves.push(0);
            self.distances.push(UNKNOWN);
            next
        })
    }

    /// The next move of a node leaves the database.
    fn converts(&mut self, node: usize) {
        self.distances[node] = 1;
        self.resolved.push(node as u32);
    }

    fn contains(&self, board: Board, attacker: bool) -> bool {
        self.nodes.get(key(board, attacker)).is_some()
    }

    /// The plies from a board, if they are known.
    fn distance(&self, board: Board, attacker: bool) -> Option<u16> {
        let node = self.nodes.get(key(board, attacker))?;
        Some(self.distances[node as usize]).filter(|&plies| plies != UNKNOWN)
    }

    /// Follows the moves of a node. The attacker leaves the database as soon as that keeps the goal.
    fn expand<R: Rules>(
        &mut self,
        endgames: &Endgames,
        (from, board): (usize, Board),
        goal: Value,
        visited: &[Visited],
    ) -> Option<()> {
        let attacker = self.keys[from] & 1 == 1;
        let steps = R::moves(board).into_iter().filter_map(|pit| R::play(board, pit));
        let mut within = ArrayVec::<Board, 6>::new();
        let mut escapes = 0;
        for step in steps {
            let leaves = step.board.seeds() < board.seeds() || R::ending(step.board).is_some();
            if visited.contains(&(step.board, !attacker)) {
                let paid = Value::of(&R::cycle(step.board));
                let kept = result_class::<R>(if attacker { paid.turned() } else { paid }) >= goal;
                if attacker && kept {
                    self.converts(from);
                    return Some(());
                }
                escapes += u8::from(!attacker && !kept);
            } else if !attacker {
                within.extend((!leaves).then_some(step.board));
            } else if result_class::<R>(known_value::<R>(endgames, step.board, false)?) >= goal {
                if leaves {
                    self.converts(from);
                    return Some(());
                }
                within.push(step.board);
            }
        }
        if !attacker && within.is_empty() && escapes == 0 {
            self.converts(from);
        }
        self.unresolved_moves[from] = within.len() as u8 + escapes;
        for board in within {
            let to = self.node(key(board, !attacker)) as usize;
            let before = std::mem::replace(&mut self.last_edge[to], self.edges.len() as u32);
            self.edges.push((from as u32, before));
        }
        Some(())
    }

    /// Counts backwards from the nodes that leave the database; says whether that is done.
    fn count_backwards(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        while let Some(&node) = self.resolved.get(self.counted) {
            if self.counted.is_multiple_of(POLL_INTERVAL) && stop() {
                return false;
            }
            self.counted += 1;
            let plies = self.distances[node as usize] + 1;
            let mut next = self.last_edge[node as usize];
            while let Some(&(before, earlier)) = self.edges.get(next as usize) {
                next = earlier;
                let before = before as usize;
                self.unresolved_moves[before] -= 1;
                let known = self.keys[before] & 1 == 1 || self.unresolved_moves[before] == 0;
                if known && self.distances[before] == UNKNOWN {
                    self.distances[before] = plies;
                    self.resolved.push(before as u32);
                }
            }
        }
        true
    }
}

/// Boards that led to one where the attacker is to move or not, the last one last, and whether it was to move there.
fn with_sides(path: &[Board], attacker: bool) -> impl Iterator<Item = Visited> {
    path.iter().rev().enumerate().map(move |(back, &board)| (board, attacker ^ (back % 2 == 0)))
}
