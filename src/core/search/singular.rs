//! Singular extension (T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions", 1988; in today's form from chess
//! programs since about 2009): whether the table's move of a node is better than all others by a margin, and so how deep
//! it is searched.
//!
//! The others are searched half as deep, with an empty window a margin below the table's value. What that finds decides:
//!
//! | the others | the table's move |
//! |---|---|
//! | none comes near its value by far, in a node with an empty window | two plies deeper (double extension, as in chess programs since about 2020) |
//! | none comes near its value | a ply deeper: the node stands or falls with it |
//! | one comes near, and the table's value less the margin beats beta, in a node with an empty window | not searched: two moves cut off (multi-cut, Y. Björnsson and T. Marsland, 2001) |
//! | one comes near, and the table's value beats beta | a ply less deep: some move is likely to cut off |
//! | one comes near, or there is none | as deep as ever |
//!
//! It is for `awari` and `oware`: `tests/bench/experiments.csv` has the matches.

use super::frame::{Frame, MoveLoop, Window};
use super::parameters::{extends_singular_moves, margin_of_two_plies, min_singular_depth, singular_margin};
use super::reductions::is_estimate;
use super::result::NodeResult;
use super::table::{Bound, Entry};
use super::thread::SearchThread;
use crate::game::{Pit, Rules};
use crate::value::Proof;
use std::ops::ControlFlow::{self, Break, Continue};

/// By how many plies a table's value may be less deep than its node, and still say what the move is worth (chosen, not
/// measured).
const SHALLOWER: u8 = 3;
/// The least depth of the search of the others, in plies (chosen, not measured; only a tuner's `SeMinDepth` gets there).
const MIN_DEPTH_OF_OTHERS: u8 = 2;

impl<R: Rules> SearchThread<'_, R> {
    /// The table's move of a node, if it has a legal one, with the depth in plies at which it is searched there; or the
    /// node's result, if the other moves are good enough without it.
    #[inline]
    pub fn first_move(
        &mut self,
        frame: Frame,
        window: Window,
        depth: u8,
        entry: Option<Entry>,
    ) -> ControlFlow<NodeResult, Option<(Pit, u8)>> {
        let Some(entry) = entry else { return Continue(None) };
        let Some(pit) = entry.pit.filter(|&pit| R::moves(frame.board).contains(pit)) else {
            return Continue(None);
        };
        let depth_of_move =
            match extends_singular_moves(R::VARIANT) && self.may_be_singular(frame, window, depth, entry) {
                true => self.compare_with_others(frame, window, depth, (entry, pit))?,
                false => depth,
            };
        Continue(Some((pit, depth_of_move)))
    }

    /// Whether the others are worth a search: deep enough, with a value to compare with, and where no line has grown to
    /// twice the depth of the iteration. Lines stay equally long where a win in so many moves is asked for, and where a
    /// known win or loss is to be converted: the soonest way, or the latest, is the one that the least depth finds.
    #[inline]
    fn may_be_singular(&self, frame: Frame, window: Window, depth: u8, entry: Entry) -> bool {
        i32::from(depth) >= min_singular_depth()
            && entry.bound != Bound::Upper
            && !entry.is_proven()
            && entry.depth + SHALLOWER >= depth
            && [entry.value, window.alpha, window.beta].into_iter().all(is_estimate)
            && self.tablebase.known_root.is_none()
            && !self.shared.request.until_won
            && frame.ply <= 2 * usize::from(self.root_depth)
    }

    /// The depth for the table's move after a search of the others, as the table above says.
    fn compare_with_others(
        &mut self,
        frame: Frame,
        window: Window,
        depth: u8,
        (entry, pit): (Entry, Pit),
    ) -> ControlFlow<NodeResult, u8> {
        let bound = entry.value.shifted(-singular_margin() * i32::from(depth));
        let mut others = MoveLoop::new(Window::above(bound.shifted(-1)));
        self.path.push(frame.board);
        self.search_others(frame, Some(pit), &mut others, ((depth - 1) / 2).max(MIN_DEPTH_OF_OTHERS));
        self.path.pop();
        if self.stop.stopped || others.best_pit.is_none() {
            return Continue(depth);
        }
        if others.best < bound {
            // No child is deeper than the iteration, or the depth would grow by a ply a node.
            debug_assert!(depth <= self.root_depth, "a child of the root is less deep");
            let by_far = window.is_empty()
                && depth < self.root_depth
                && others.best < bound.shifted(-margin_of_two_plies());
            return Continue(depth + 1 + u8::from(by_far));
        }
        if window.is_empty() && bound >= window.beta {
            return Break(NodeResult { value: bound, ..others.result(Proof::NONE, frame.ply) });
        }
        Continue(if entry.value >= window.beta { depth - 1 } else { depth })
    }
}
