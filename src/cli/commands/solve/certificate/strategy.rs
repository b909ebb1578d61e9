//! The claims that a proof rests on, and their ranks.

use super::{HELD, Records, pits};
use crate::endgames::Indexing;
use crate::game::Board;
use std::collections::HashMap;

/// The claims of a certificate, before they are ranked.
#[derive(Default)]
pub(super) struct Strategy {
    pub nodes: Vec<Node>,
    places: HashMap<(u64, i8), u32>,
}

pub(super) struct Node {
    pub board: Board,
    pub need: i8,
    pub reached: bool,
    /// Moves, and the nodes after them that need records.
    pub rests_on: Vec<(u8, Option<u32>)>,
    rank: Option<u16>,
}

impl Strategy {
    pub fn node(&mut self, board: Board, need: i8) -> u32 {
        let next = self.nodes.len() as u32;
        let place = *self.places.entry((key(board), need)).or_insert(next);
        if place == next {
            self.nodes.push(Node { board, need, reached: false, rests_on: Vec::new(), rank: None });
        }
        place
    }

    /// Gives each node the round in which all that it depends on is proven.
    pub fn rank(&mut self) {
        for rank in 0.. {
            let proven: Vec<bool> =
                self.nodes.iter().map(|node| node.rank.is_none() && self.is_proven(node)).collect();
            if !proven.contains(&true) {
                return;
            }
            for (node, _) in self.nodes.iter_mut().zip(proven).filter(|(_, proven)| *proven) {
                node.rank = Some(rank);
            }
        }
    }

    fn is_proven(&self, node: &Node) -> bool {
        let ranked =
            |(_, next): &(u8, Option<u32>)| next.is_none_or(|next| self.nodes[next as usize].rank.is_some());
        if node.reached { node.rests_on.iter().any(ranked) } else { node.rests_on.iter().all(ranked) }
    }

    /// The records that the first two nodes rest on, each with its move of the lowest rank.
    pub fn records(&self, endgame_seeds: u8) -> Option<Records> {
        let mut records = Records::new();
        let mut to_do: Vec<u32> = (0..self.nodes.len().min(2) as u32).collect();
        while let Some(place) = to_do.pop() {
            let node = &self.nodes[place as usize];
            let claim = (pits(node.board), node.need);
            if node.board.seeds() <= endgame_seeds || records.contains_key(&claim) {
                continue;
            }
            let rank_of = |next: Option<u32>| next.map_or(Some(0), |next| self.nodes[next as usize].rank);
            let mut pit = HELD;
            let mut rests_on = node.rests_on.clone();
            if node.reached {
                let ranked = rests_on.into_iter().filter(|&(_, next)| rank_of(next).is_some());
                let best = ranked.min_by_key(|&(_, next)| rank_of(next).zip(Some(next.is_some())))?;
                (pit, rests_on) = (best.0, vec![best]);
            }
            records.insert(claim, (pit, node.rank?));
            to_do.extend(rests_on.into_iter().filter_map(|(_, next)| next));
        }
        Some(records)
    }
}

/// A key of a board that no other board shares.
pub(super) fn key(board: Board) -> u64 {
    Indexing::get().index(board) << 7 | u64::from(board.seeds())
}
