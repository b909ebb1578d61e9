//! Which positions a book is to know: the tree that grows from the start, one move of all its moves at a time.
//!
//! Whoever owns the book plays its best move, or one that is hardly worse; the other side plays anything, a good move
//! more likely than a bad one. So each position has a price for each owner: a fee a ply, and what the moves to it gave
//! away, those of the owner counted more and not at all above a margin. The cheapest position that is not yet opened
//! is opened next: all its moves are made, and each position behind them is searched (the idea is Lincke's drop-out
//! expansion, "Strategies for the automatic construction of opening books", 2000). A position is worth what its best
//! move is, so a better value found deep down changes what is cheap from there up to the start.

use super::{Entry, Key, key};
use crate::game::{Pit, Position, Side};
use crate::value::{Kind, Value};
use ahash::AHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// What a ply costs, in hundredths of a seed.
const FEE: u32 = 30;
/// How much more what the owner gives away counts than what the other side does.
const OWNER: u32 = 3;
/// What a move costs at the most: blunders are answered in the book too, but late.
const BLUNDER: i32 = 1_000;
/// How far a won game lies above an estimate, in hundredths of a seed.
const DECIDED: i32 = 1_500;

/// What a search has found of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub value: Value,
    pub depth: u8,
    /// Whether the result is certain, and the book need go no further.
    pub proven: bool,
}

/// A position of the tree, and what is known of it.
struct Node {
    position: Position,
    plies: u16,
    found: Option<Found>,
    /// What it is worth, its opened moves taken in.
    value: Value,
    depth: u8,
    moves: Vec<Branch>,
}

struct Branch {
    pit: Pit,
    to: To,
}

/// Where a move leads.
#[derive(Clone, Copy)]
enum To {
    /// The end of the game, with its value for the side that moved.
    End(Value),
    /// Another position, perhaps with the same side to move.
    Node { index: usize, again: bool },
}

/// The tree.
pub(super) struct Tree {
    nodes: Vec<Node>,
    known: AHashMap<Key, usize>,
    /// A price beyond which the owner does not go for one of his own moves.
    width: i32,
    most_plies: u16,
}

impl Tree {
    pub fn new(start: &Position, width: i32, most_plies: u16) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), known: AHashMap::new(), width, most_plies };
        tree.add(start, 0);
        tree
    }

    fn add(&mut self, position: &Position, plies: u16) -> usize {
        let next = self.nodes.len();
        let index = *self.known.entry(key(position)).or_insert(next);
        if index == next {
            let position = seen_by_south(position);
            let value = Value::DRAW;
            self.nodes.push(Node { position, plies, found: None, value, depth: 0, moves: Vec::new() });
        }
        index
    }

    pub fn position(&self, index: usize) -> &Position {
        &self.nodes[index].position
    }

    pub fn set_found(&mut self, index: usize, found: Found) {
        let node = &mut self.nodes[index];
        (node.found, node.value, node.depth) = (Some(found), found.value, found.depth);
    }

    /// Makes all moves of a position.
    pub fn open(&mut self, index: usize) {
        let Node { position, plies, .. } = self.nodes[index];
        for mv in position.moves() {
            let next = position.play(mv).expect("a move of the list is legal");
            let again = next.side() == position.side();
            let to = match next.verdict() {
                Some(verdict) => {
                    let value = Value::ended(verdict, next.board().lead());
                    To::End(if again { value } else { value.turned() })
                }
                None => To::Node { index: self.add(&next, plies + 1), again },
            };
            self.nodes[index].moves.push(Branch { pit: mv.pit, to });
        }
    }

    /// The positions that nothing is known of, in the order in which they came up.
    pub fn unsearched(&self) -> Vec<usize> {
        (1..self.nodes.len()).filter(|&index| self.nodes[index].found.is_none()).collect()
    }

    /// How many positions have been opened.
    pub fn opened(&self) -> usize {
        self.nodes.iter().filter(|node| !node.moves.is_empty()).count()
    }

    /// Takes the values of opened moves in, from the youngest position to the start.
    pub fn take_in(&mut self) {
        for index in (0..self.nodes.len()).rev() {
            let best =
                self.nodes[index].moves.iter().map(|branch| self.worth(branch)).max_by_key(|worth| worth.0);
            if let Some((value, depth)) = best {
                (self.nodes[index].value, self.nodes[index].depth) = (value, depth.saturating_add(1));
            }
        }
    }

    /// What a move is worth to the side that makes it, and how far that was looked at.
    fn worth(&self, branch: &Branch) -> (Value, u8) {
        match branch.to {
            To::End(value) => (value, 0),
            To::Node { index, again } => {
                let node = &self.nodes[index];
                (if again { node.value } else { node.value.turned() }, node.depth)
            }
        }
    }

    /// The cheapest positions that can be opened, the very cheapest first.
    pub fn cheapest(&self, count: usize) -> Vec<usize> {
        let price = self.prices();
        let open = |index: &usize| {
            let node = &self.nodes[*index];
            let settled = node.found.is_some_and(|found| found.proven);
            node.moves.is_empty() && !settled && node.plies < self.most_plies && price[*index].is_some()
        };
        let mut all: Vec<usize> = (0..self.nodes.len()).filter(open).collect();
        all.sort_by_key(|&index| (price[index], index));
        all.truncate(count);
        all
    }

    /// The least price of each position, whoever owns the book; none where the owner would not go (Dijkstra, 1959).
    fn prices(&self) -> Vec<Option<u32>> {
        let mut least = vec![[None; 2]; self.nodes.len()];
        let mut waiting = BinaryHeap::from([Reverse((0, 0, 0)), Reverse((0, 0, 1))]);
        while let Some(Reverse((price, index, owner))) = waiting.pop() {
            if least[index][owner].is_some() {
                continue;
            }
            least[index][owner] = Some(price);
            let node = &self.nodes[index];
            for branch in &node.moves {
                let To::Node { index, again } = branch.to else { continue };
                let loss = (points(node.value) - points(self.worth(branch).0)).clamp(0, BLUNDER);
                if owner == 1 && loss > self.width {
                    continue;
                }
                let loss = loss as u32 * if owner == 1 { OWNER } else { 1 };
                waiting.push(Reverse((price + FEE + loss, index, if again { owner } else { 1 - owner })));
            }
        }
        least.into_iter().map(|[other, owner]| other.into_iter().chain(owner).min()).collect()
    }

    /// The positions that have been opened, with their moves, as a book keeps them.
    pub fn entries(&self) -> BTreeMap<Key, Entry> {
        let opened = self.nodes.iter().filter(|node| !node.moves.is_empty());
        let entry = |node: &Node| Entry {
            depth: node.depth,
            moves: node.moves.iter().map(|branch| (branch.pit, self.worth(branch).0)).collect(),
        };
        opened.map(|node| (key(&node.position), entry(node))).collect()
    }
}

/// A value on a scale on which it can be told how much is given away.
fn points(value: Value) -> i32 {
    match value.kind() {
        Kind::Estimate(centiseeds) => centiseeds,
        Kind::Win(_) => value.centiseeds() + DECIDED,
        Kind::Loss(_) => value.centiseeds() - DECIDED,
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
