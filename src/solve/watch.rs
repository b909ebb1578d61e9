//! What a search is told while a position is solved.

use crate::endgames::Endgames;
use crate::game::Variant;
use crate::plan::background::Growth;
use crate::protocol::Question;
use crate::search::{Observer, Report};
use crate::time::Instant;
use crate::under;
use crate::value::{Bounds, UNKNOWN_PLIES};
use std::sync::Arc;
use std::time::Duration;

/// How the work goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// It continues.
    GoOn,
    /// It ends with what is proven.
    Stop,
    /// It is left, and goes on when it is asked to work again.
    Leave,
}

/// Ends a search at a limit, gets the endgames that it has paid for, and tells how it goes.
pub(super) struct Watch<'a> {
    pub endgames: &'a Arc<Endgames>,
    /// Builds endgames in the background; without it they are built here.
    pub growth: Option<&'a Growth>,
    /// Whether they are built here, otherwise.
    pub builds: bool,
    pub variant: Variant,
    pub until: Option<Instant>,
    /// Nodes of the searches before.
    pub nodes: u64,
    /// Nodes of this search when it was last asked.
    pub searched: u64,
    pub limit: u64,
    /// The bounds that the seeds prove, of the position and of each move.
    pub reach: Bounds,
    /// The position's bounds so far.
    pub bounds: Bounds,
    pub question: Question,
    /// When the work began.
    pub began: Instant,
    /// Takes the bounds so far, the nodes and the time, and says how to go on.
    pub tell: &'a mut dyn FnMut(Bounds, u64, Duration) -> Pause,
    /// It was stopped, or the time is up. Final.
    pub ended: bool,
    /// The work was left. Final: what it has stopped early does not count.
    pub left: bool,
}

impl Watch<'_> {
    /// The nodes that are left.
    pub fn nodes_left(&self) -> u64 {
        self.limit.saturating_sub(self.nodes)
    }

    fn ends(&mut self, nodes: u64) -> bool {
        self.searched = nodes;
        let pause = (self.tell)(self.bounds, self.nodes + nodes, self.began.elapsed());
        self.ended |= pause == Pause::Stop || self.until.is_some_and(|until| Instant::now() >= until);
        self.left = (self.left || pause == Pause::Leave) && !self.ended;
        self.left || self.ended
    }
}

impl Observer for Watch<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.ends(nodes)
    }

    fn iteration(&mut self, report: &Report) -> bool {
        self.bounds.narrow(Bounds::of(report.score, UNKNOWN_PLIES));
        report.lines().iter().all(|line| {
            let mut bounds = self.reach;
            bounds.narrow(Bounds::of(line.score, UNKNOWN_PLIES));
            bounds.answer(self.question)
        })
    }

    fn wants_endgames(&mut self, seeds: u8) {
        if let Some(growth) = self.growth {
            growth.want(seeds);
            return;
        }
        if !self.builds {
            return;
        }
        let (variant, endgames) = (self.variant, Arc::clone(self.endgames));
        let stop = &mut || self.ends(self.searched);
        under!(variant, R => endgames.build::<R>(seeds, stop));
        self.builds = !self.left;
    }
}
