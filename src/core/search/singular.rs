//! Singular extension (T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions", 1988; in the current form in chess
//! programs since about 2009): sets the depth of the hash move by whether it is better than all others by a margin.
//!
//! The others are searched to half the depth, with a null window a margin below the table's value:
//!
//! | the others | the hash move |
//! |---|---|
//! | all fail low by far, in a node with a null window | two plies deeper (double extension; chess programs since about 2020) |
//! | all fail low | a ply deeper: the node depends on it |
//! | one fails high, and the table's value less the margin beats beta, in a node with a null window | not searched: two moves cut off (multi-cut, Y. Björnsson and T. Marsland, 2001) |
//! | one fails high, and the table's value beats beta | a ply less deep: some move is likely to cut off |
//! | one fails high otherwise, or there are none | full depth |
//!
//! Used in `awari` and `oware`; `docs/experiments.csv` has the matches.

use super::frame::{Frame, MoveLoop, Window};
use super::parameters::{extends_singular_moves, margin_of_two_plies, min_singular_depth, singular_margin};
use super::reductions::is_estimate;
use super::request::Purpose;
use super::result::NodeResult;
use super::table::{Bound, Entry};
use super::thread::SearchThread;
use crate::game::{Pit, Rules};
use crate::value::Proof;
use std::ops::ControlFlow::{self, Break, Continue};

/// Plies by which a table entry may be shallower than its node and still be used for comparison (chosen, not measured).
const SHALLOWER: u8 = 3;
/// Least depth of the search of the others, in plies (chosen, not measured; only a tuner's `SeMinDepth` reaches it).
const MIN_DEPTH_OF_OTHERS: u8 = 2;

impl<R: Rules> SearchThread<'_, R> {
    /// The legal hash move of a node, if any, with the depth in plies to search it at; or the node's result, if the other moves
    /// cut off without it.
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

    /// Whether to search the others: the node is deep enough, has a table value to compare with, and its line is not longer
    /// than twice the depth of the iteration. Extensions are off where the shortest win is requested or a known result is
    /// converted: there the least depth must find the soonest or latest way.
    #[inline]
    fn may_be_singular(&self, frame: Frame, window: Window, depth: u8, entry: Entry) -> bool {
        i32::from(depth) >= min_singular_depth()
            && entry.bound != Bound::Upper
            && !entry.is_proven()
            && entry.depth + SHALLOWER >= depth
            && [entry.value, window.alpha, window.beta].into_iter().all(is_estimate)
            && self.tablebase.known_root.is_none()
            && self.shared.request.purpose != Purpose::FirstWin
            && frame.ply <= 2 * usize::from(self.root_depth)
    }

    /// Searches the others; returns the hash move's depth by the table above.
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
            // Otherwise the depth would grow by a ply a node.
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
