//! A prover for `ayoayo`: whether the side to move gains as much as it needs, by lines that all end.
//!
//! Depth-first proof-number search (df-pn: A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications", 2002)
//! over boards with endgames below them. A side that needs something proves it by one move, and refutes it by all. The numbers of
//! a board begin with the network's estimate of the needed gain. A board that repeats on the path counts as unprovable there, and
//! results that depend on that are not kept. Every kept result was therefore proven by lines that end: it does not depend on the
//! path.

use super::strategy::{Strategy, key};
use super::{Certificate, pits};
use crate::endgames::{Endgames, Indexing};
use crate::evaluate::Weights;
use crate::game::{Ayoayo, Board, Rules, Variant};
use std::sync::Arc;

/// The number of a refuted claim.
const NEVER: u32 = 1 << 30;
/// Numbers from here on rest on the path.
const OF_PATH: u32 = 1 << 24;
/// Entries of a slot of the table.
const WAYS: usize = 4;
/// Missing hundredths of a seed of gain that make a proof e times as hard.
const SCALE: f64 = 300.0;
/// The increase of a board's numbers by each seed above the endgames.
const PER_SEED: f64 = 0.5;

/// Proof and disproof number of a claim. One of them is 0 if it is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Numbers {
    reached: u32,
    held: u32,
}

const REACHED: Numbers = Numbers { reached: 0, held: NEVER };
const IS_HELD: Numbers = Numbers { reached: NEVER, held: 0 };

impl Numbers {
    fn of(is_reached: bool) -> Numbers {
        if is_reached { REACHED } else { IS_HELD }
    }

    fn is_decided(self) -> bool {
        self.reached == 0 || self.held == 0
    }

    fn rests_on_path(self) -> bool {
        !self.is_decided() && (self.reached >= OF_PATH || self.held >= OF_PATH)
    }

    fn turned(self) -> Numbers {
        Numbers { reached: self.held, held: self.reached }
    }
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    /// Nodes that it took.
    work: u32,
    /// The proven lower bound of the board's gain.
    at_least: i8,
    at_most: i8,
    /// The need that the numbers are about.
    need: i8,
    numbers: Numbers,
}

/// A move: the board after it with empty stores, and what its mover needs to spoil the claim.
#[derive(Clone, Copy, Debug)]
struct Child {
    pit: u8,
    board: Board,
    need: i8,
}

/// A prover and its table.
pub(super) struct Prover<'a> {
    endgames: &'a Endgames,
    endgame_seeds: u8,
    weights: Arc<Weights>,
    table: Vec<Entry>,
    path: Vec<Board>,
    /// Boards whose moves were made.
    pub(super) nodes: u64,
    report: &'a mut dyn FnMut(u64),
}

impl<'a> Prover<'a> {
    /// A prover over endgames that are there up to `endgame_seeds` seeds, with a table of 2^`bits` entries of 32 bytes. `report`
    /// is called at each node with their number.
    pub(super) fn new(
        endgames: &'a Endgames,
        endgame_seeds: u8,
        bits: u32,
        report: &'a mut dyn FnMut(u64),
    ) -> Prover<'a> {
        Prover {
            endgames,
            endgame_seeds,
            weights: Weights::built_in(Variant::Ayoayo),
            table: vec![Entry::default(); 1 << bits],
            path: Vec::new(),
            nodes: 0,
            report,
        }
    }

    /// Whether the side to move gains at least `need`; `None` if that depends on play without end.
    pub(super) fn gains(&mut self, board: Board, need: i8) -> Option<bool> {
        let board = board.without_stores();
        let known = self.known(board, need).unwrap_or_else(|| self.search(board, need, NEVER, NEVER));
        known.is_decided().then_some(known.reached == 0)
    }

    /// The gain of the side to move, from a guess up or down; `None` if it depends on play without end.
    pub(super) fn gain(&mut self, board: Board, guess: i8) -> Option<i8> {
        let mut gain = guess;
        if self.gains(board, gain)? {
            while self.gains(board, gain + 1)? {
                gain += 1;
            }
            return Some(gain);
        }
        gain -= 1;
        while !self.gains(board, gain)? {
            gain -= 1;
        }
        Some(gain)
    }

    /// The numbers that are certain without a search.
    fn known(&self, board: Board, need: i8) -> Option<Numbers> {
        let seeds = board.seeds();
        if need.unsigned_abs() > seeds {
            return Some(Numbers::of(need < 0));
        }
        let gain = match Ayoayo::ending(board) {
            Some(ending) => ending.board.lead(),
            None if seeds <= self.endgame_seeds => self.gain_in_endgames(board),
            None => {
                let entry = self.entry(board)?;
                let decided = entry.at_least >= need || entry.at_most < need;
                return decided.then(|| Numbers::of(entry.at_least >= need));
            }
        };
        Some(Numbers::of(gain >= need))
    }

    /// The gain of a board in the endgames.
    fn gain_in_endgames(&self, board: Board) -> i8 {
        let database = self.endgames.database::<Ayoayo>(board.seeds()).expect("the endgames are there");
        database.gain(Indexing::get().rank(board), board.seeds())
    }

    /// The numbers of a claim, from the table or the network.
    fn numbers(&self, board: Board, need: i8) -> Numbers {
        if let Some(known) = self.known(board, need) {
            return known;
        }
        if let Some(entry) = self.entry(board).filter(|entry| entry.need == need) {
            return entry.numbers;
        }
        let missing = f64::from(need) * 100.0 - 50.0 - f64::from(self.weights.centiseeds::<Ayoayo>(board));
        let factor = (missing / SCALE).clamp(-6.0, 6.0).exp();
        let size = 1.0 + PER_SEED * f64::from(board.seeds() - self.endgame_seeds);
        Numbers { reached: (size * factor).max(1.0) as u32, held: (size / factor).max(1.0) as u32 }
    }

    /// Searches a claim until it is decided or a number reaches its limit.
    fn search(&mut self, board: Board, need: i8, reached_limit: u32, held_limit: u32) -> Numbers {
        self.nodes += 1;
        (self.report)(self.nodes);
        let nodes_before = self.nodes;
        let children = children(board, need);
        if children.is_empty() {
            return Numbers::of(need <= 0);
        }
        let mut numbers: Vec<Numbers> = children.iter().map(|child| self.of_child(child)).collect();
        self.path.push(board);
        let found = loop {
            let (found, best, second) = sum_up(&numbers);
            let done = found.reached >= reached_limit || found.held >= held_limit;
            if found.is_decided() || done || found.reached >= OF_PATH && found.held >= OF_PATH {
                break found;
            }
            let open = numbers.iter().filter(|child| child.held > 0).count() as u32;
            let reached = reached_limit.min(second.saturating_add(1 + second / 4));
            let held = held_limit.saturating_sub(open - 1).max(1);
            numbers[best] = self.search(children[best].board, children[best].need, held, reached).turned();
        };
        self.path.pop();
        if !found.rests_on_path() {
            self.keep(board, need, found, (self.nodes - nodes_before + 1) as u32);
        }
        found
    }

    /// The numbers of a claim by way of a move.
    fn of_child(&self, child: &Child) -> Numbers {
        let numbers = self.numbers(child.board, child.need);
        let seeds = child.board.seeds();
        let mut since_capture = self.path.iter().rev().take_while(|before| before.seeds() == seeds);
        if !numbers.is_decided() && since_capture.any(|before| *before == child.board) {
            return Numbers { reached: OF_PATH, held: OF_PATH };
        }
        numbers.turned()
    }

    fn slot(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29) as usize & (self.table.len() - 1) & !(WAYS - 1)
    }

    fn entry(&self, board: Board) -> Option<&Entry> {
        let key = key(board);
        let slot = self.slot(key);
        self.table[slot..slot + WAYS].iter().find(|entry| entry.key == key)
    }

    /// Keeps a result; the entry of the slot with the least work gives way.
    fn keep(&mut self, board: Board, need: i8, found: Numbers, work: u32) {
        let key = key(board);
        let slot = self.slot(key);
        let ways = &mut self.table[slot..slot + WAYS];
        let own = ways.iter().position(|entry| entry.key == key);
        let place = own.unwrap_or_else(|| (0..WAYS).min_by_key(|&way| ways[way].work).unwrap_or(0));
        let entry = &mut ways[place];
        if own.is_none() {
            let seeds = board.seeds() as i8;
            // No claim has this need, so the numbers are about none yet.
            *entry = Entry { key, at_least: -seeds, at_most: seeds, need: i8::MIN, ..Entry::default() };
        }
        entry.work = entry.work.saturating_add(work);
        match found {
            REACHED => entry.at_least = entry.at_least.max(need),
            IS_HELD => entry.at_most = entry.at_most.min(need - 1),
            _ => (entry.need, entry.numbers) = (need, found),
        }
    }

    /// The certificate of a board's gain; `None` if that cannot be proven.
    pub(super) fn certificate(&mut self, board: Board, gain: i8) -> Option<Certificate> {
        let board = board.without_stores();
        let mut strategy = Strategy::default();
        for need in [gain, gain + 1] {
            if self.is_inner(board, need) {
                strategy.node(board, need);
            }
        }
        let mut next = 0;
        while next < strategy.nodes.len() {
            self.expand(&mut strategy, next)?;
            next += 1;
        }
        strategy.rank();
        let records = strategy.records(self.endgame_seeds)?;
        Some(Certificate { endgame_seeds: self.endgame_seeds, start: pits(board), value: gain, records })
    }

    /// Whether a claim needs a record.
    fn is_inner(&self, board: Board, need: i8) -> bool {
        board.seeds() > self.endgame_seeds
            && need.unsigned_abs() <= board.seeds()
            && Ayoayo::ending(board).is_none()
            && !children(board, need).is_empty()
    }

    /// Adds the claims that a node rests on: those of all moves, or of every move that is known to prove it.
    fn expand(&mut self, strategy: &mut Strategy, node: usize) -> Option<()> {
        let (board, need) = (strategy.nodes[node].board, strategy.nodes[node].need);
        let reached = self.gains(board, need)?;
        let mut children = children(board, need);
        if reached {
            let proves = |child: &Child| self.known(child.board, child.need) == Some(IS_HELD);
            let proven: Vec<Child> = children.iter().copied().filter(proves).collect();
            if proven.is_empty() {
                // The claim of the move was lost from the table: it is proven again.
                let held = |child: &Child| self.gains(child.board, child.need) == Some(false);
                children.retain(held);
            } else {
                children = proven;
            }
            // A move that needs no record is proof enough.
            if let Some(&leaf) = children.iter().find(|child| !self.is_inner(child.board, child.need)) {
                children = vec![leaf];
            }
        }
        let mut rests_on = Vec::new();
        for child in children {
            let inner = self.is_inner(child.board, child.need);
            rests_on.push((child.pit, inner.then(|| strategy.node(child.board, child.need))));
        }
        strategy.nodes[node].reached = reached;
        strategy.nodes[node].rests_on = rests_on;
        Some(())
    }
}

/// The moves of a board, each with the gain that the other side needs to spoil the claim.
fn children(board: Board, need: i8) -> Vec<Child> {
    let moves = Ayoayo::moves(board).into_iter();
    let child = |pit| {
        let step = Ayoayo::play(board, pit)?;
        let gained = step.seen_by_mover().lead();
        Some(Child { pit: pit.index() as u8, board: step.board.without_stores(), need: gained - need + 1 })
    };
    moves.filter_map(child).collect()
}

/// The numbers of a claim from those of its moves, the move that is nearest to a proof, and the number of the next.
fn sum_up(children: &[Numbers]) -> (Numbers, usize, u32) {
    let (mut best, mut first, mut second) = (0, u32::MAX, u32::MAX);
    for (index, child) in children.iter().enumerate() {
        if child.reached < first {
            (best, first, second) = (index, child.reached, first);
        } else {
            second = second.min(child.reached);
        }
    }
    let open = children.iter().filter(|child| child.held > 0).count() as u32;
    let hardest = children.iter().map(|child| child.held).max().unwrap_or(0);
    // The hardest move and the number of the others: boards that several moves lead to would be counted twice in a sum.
    let found = match (first, open) {
        (0, _) => REACHED,
        (_, 0) => IS_HELD,
        (reached, open) => Numbers { reached, held: (hardest + open - 1).min(NEVER) },
    };
    (found, best, second)
}
