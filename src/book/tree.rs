//! The selection of a book's positions: a tree that grows from the start by drop-out expansion (T. Lincke, "Strategies for the
//! Automatic Construction of Opening Books", Computers and Games 2000).
//!
//! The book side plays its best move, or one that is hardly worse. The other side plays any move, but good ones are more
//! likely. So a position has an expansion cost for each side that may have the book: a cost for each ply, plus the losses of
//! the moves to the position. Losses of the book side have a higher weight, and never exceed the width. The position with the
//! lowest cost is expanded next: all its moves are made, and the resulting positions are searched. The value of a position is
//! that of its best move, so a better value found deep in the tree changes costs up to the start.

use super::{Key, StoredEntry, key};
use crate::game::{Pit, Position, Side};
use crate::value::{Kind, Value};
use ahash::AHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

// The weights of the expansion cost are our choice; Lincke leaves them to the game.

/// Cost of a ply, in hundredths of a seed.
const PLY_COST: u32 = 30;
/// Weight of a loss of the book side.
const BOOK_SIDE_WEIGHT: u32 = 3;
/// Maximum cost of a move's loss, in hundredths of a seed: blunders are answered in the book too, but late.
const LARGEST_LOSS: i32 = 1_000;
/// Bonus of a proven win, and malus of a proven loss, in hundredths of a seed.
const WIN_BONUS: i32 = 1_500;

/// The value of a searched position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchedValue {
    pub value: Value,
    /// Plies of the search.
    pub depth: u8,
    /// Whether the result is proven, so that the book can end here.
    pub proven: bool,
}

/// A position of the tree, with South to move.
pub struct Node {
    position: Position,
    /// Plies from the start.
    plies: u16,
    searched: Option<SearchedValue>,
    /// The value of the search, or of the best move after expansion.
    pub value: Value,
    /// Plies from here to the end of the searches behind the value.
    depth: u8,
    /// All moves, after expansion.
    pub moves: Vec<Edge>,
}

/// A move.
pub struct Edge {
    pit: Pit,
    target: Target,
}

/// The value of a move for the side that makes it.
#[derive(Clone, Copy, Debug)]
pub struct MoveValue {
    pub value: Value,
    /// Plies after the move to the end of the searches behind the value.
    pub depth: u8,
}

/// The destination of a move.
#[derive(Clone, Copy)]
enum Target {
    /// The end of the game, with its value for the side that moved.
    End(Value),
    /// Another position, perhaps with the same side to move.
    Node { index: usize, again: bool },
}

/// The tree; a position on several lines is one node.
pub struct BookTree {
    pub nodes: Vec<Node>,
    known: AHashMap<Key, usize>,
    /// Maximum loss of a move of the book side, in hundredths of a seed.
    width: i32,
    most_plies: u16,
    /// Whether the book continues where the result is proven.
    expands_proven: bool,
}

impl BookTree {
    pub fn new(start: &Position, width: i32, most_plies: u16, expands_proven: bool) -> BookTree {
        let mut tree =
            BookTree { nodes: Vec::new(), known: AHashMap::new(), width, most_plies, expands_proven };
        tree.add(start, 0);
        tree
    }

    fn add(&mut self, position: &Position, plies: u16) -> usize {
        let next = self.nodes.len();
        let index = *self.known.entry(key(position)).or_insert(next);
        if index == next {
            let position = seen_by_south(position);
            let value = Value::DRAW;
            self.nodes.push(Node { position, plies, searched: None, value, depth: 0, moves: Vec::new() });
        }
        index
    }

    pub fn position(&self, index: usize) -> &Position {
        &self.nodes[index].position
    }

    pub fn set_value(&mut self, index: usize, searched: SearchedValue) {
        let node = &mut self.nodes[index];
        (node.searched, node.value, node.depth) = (Some(searched), searched.value, searched.depth);
    }

    /// Expands a position: makes all its moves.
    pub fn expand(&mut self, index: usize) {
        let Node { position, plies, .. } = self.nodes[index];
        for mv in position.moves() {
            let next = position.play(mv).expect("a move of the list is legal");
            let again = next.side() == position.side();
            let target = match next.verdict() {
                Some(verdict) => {
                    let value = Value::ended(verdict, next.board().lead());
                    Target::End(if again { value } else { value.turned() })
                }
                None => Target::Node { index: self.add(&next, plies + 1), again },
            };
            self.nodes[index].moves.push(Edge { pit: mv.pit, target });
        }
    }

    /// The positions but the start that have not been searched, in the order of their creation.
    pub fn unsearched(&self) -> Vec<usize> {
        (1..self.nodes.len()).filter(|&index| self.nodes[index].searched.is_none()).collect()
    }

    /// The number of expanded positions.
    pub fn expanded(&self) -> usize {
        self.nodes.iter().filter(|node| !node.moves.is_empty()).count()
    }

    /// Backs values up, each position after all those that its moves lead to.
    ///
    /// By a longer line, a move may lead to an older position, so the order of creation is not enough: depth-first search gives
    /// the right one. In a cycle, a position has its previous value.
    pub fn back_up(&mut self) {
        for index in self.ends_first() {
            let moves = self.nodes[index].moves.iter();
            let best = moves.map(|edge| self.value_of(edge)).max_by_key(|best| best.value);
            if let Some(MoveValue { value, depth }) = best {
                (self.nodes[index].value, self.nodes[index].depth) = (value, depth.saturating_add(1));
            }
        }
    }

    /// All positions, each after those that its moves lead to, except in cycles.
    fn ends_first(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut seen = vec![false; self.nodes.len()];
        // A position, with the number of its moves followed.
        let mut path = vec![(0, 0)];
        seen[0] = true;
        while let Some((index, followed)) = path.last_mut() {
            let next = self.nodes[*index].moves.get(*followed);
            *followed += 1;
            match next.map(|edge| edge.target) {
                Some(Target::Node { index, .. }) if !std::mem::replace(&mut seen[index], true) => {
                    path.push((index, 0))
                }
                Some(_) => {}
                None => {
                    order.push(*index);
                    path.pop();
                }
            }
        }
        order
    }

    /// The value of a move.
    pub fn value_of(&self, edge: &Edge) -> MoveValue {
        match edge.target {
            Target::End(value) => MoveValue { value, depth: 0 },
            Target::Node { index, again } => {
                let Node { value, depth, .. } = self.nodes[index];
                MoveValue { value: if again { value } else { value.turned() }, depth }
            }
        }
    }

    /// The next positions to expand, lowest cost first.
    pub fn next_to_expand(&self, count: usize) -> Vec<usize> {
        let costs = self.expansion_costs();
        let can_be_expanded = |index: &usize| {
            let node = &self.nodes[*index];
            let proven = !self.expands_proven && node.searched.is_some_and(|searched| searched.proven);
            node.moves.is_empty() && !proven && node.plies < self.most_plies && costs[*index].is_some()
        };
        let mut all: Vec<usize> = (0..self.nodes.len()).filter(can_be_expanded).collect();
        all.sort_by_key(|&index| (costs[index], index));
        all.truncate(count);
        all
    }

    /// The lowest expansion cost of each position, whichever side has the book (shortest paths; Dijkstra, 1959). `None` if the
    /// book side would never go there.
    fn expansion_costs(&self) -> Vec<Option<u32>> {
        let mut least = vec![[None; 2]; self.nodes.len()];
        let mut waiting = BinaryHeap::from([Reverse((0, 0, 0)), Reverse((0, 0, 1))]);
        // The last number is 1 if the side to move has the book, otherwise 0.
        while let Some(Reverse((cost, index, has_book))) = waiting.pop() {
            if least[index][has_book].is_some() {
                continue;
            }
            least[index][has_book] = Some(cost);
            let node = &self.nodes[index];
            for edge in &node.moves {
                let Target::Node { index, again } = edge.target else { continue };
                let loss = (points(node.value) - points(self.value_of(edge).value)).clamp(0, LARGEST_LOSS);
                if has_book == 1 && loss > self.width {
                    continue;
                }
                let loss = loss as u32 * if has_book == 1 { BOOK_SIDE_WEIGHT } else { 1 };
                let next = if again { has_book } else { 1 - has_book };
                waiting.push(Reverse((cost + PLY_COST + loss, index, next)));
            }
        }
        least.into_iter().map(|costs| costs.into_iter().flatten().min()).collect()
    }

    /// The expanded positions with their moves, as entries of a book.
    pub fn entries(&self) -> BTreeMap<Key, StoredEntry> {
        let expanded = self.nodes.iter().filter(|node| !node.moves.is_empty());
        let entry = |node: &Node| StoredEntry {
            depth: node.depth,
            moves: node.moves.iter().map(|edge| (edge.pit, self.value_of(edge).value)).collect(),
        };
        expanded.map(|node| (key(&node.position), entry(node))).collect()
    }
}

/// A value in hundredths of a seed, on a scale that measures losses.
fn points(value: Value) -> i32 {
    match value.kind() {
        Kind::Estimate(centiseeds) => centiseeds,
        Kind::Win(_) => value.centiseeds() + WIN_BONUS,
        Kind::Loss(_) => value.centiseeds() - WIN_BONUS,
    }
}

/// The same position with South to move.
fn seen_by_south(position: &Position) -> Position {
    let mut fields = position.fields();
    if fields.side == Side::North {
        fields.pits.reverse();
        fields.stores.reverse();
        fields.side = Side::South;
    }
    fields.position(position.variant()).expect("a position seen from the other side is one")
}
