//! Drivers, which play the games of a match: the threads of this process, or workers behind a queue.

use super::event::{MatchObserver, WorkerEvent};
use super::identities::Identities;
use super::latest::Latest;
use super::live_boards::LiveBoards;
use super::live_workers::LiveWorkers;
use super::scheduler::Scheduler;
use crate::engine::Stop;
use crate::plan::MatchPlan;
use crate::results::Score;
use crossbeam_channel::Sender;

/// The state that the drivers of a match share.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The plan.
    pub plan: &'a MatchPlan,
    /// Hands out the games.
    pub scheduler: &'a Scheduler,
    /// The engines by their `id name`.
    pub identities: &'a Identities,
    /// Ends it early.
    pub stop: &'a Stop,
    /// The score of the games that it has passed on.
    pub progress: &'a Latest<Score>,
    /// Where boards are shown, if they are.
    pub boards: Option<&'a LiveBoards>,
    /// Where the workers of a queue are shown, if they are.
    pub workers: Option<&'a LiveWorkers>,
}

/// Whether the games can begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// They can.
    Ready,
    /// These engines do not work, or refuse their options: a sentence about each.
    Broken(Vec<String>),
    /// Something else does not work.
    Failed(String),
    /// The match was stopped.
    Stopped,
}

/// When finished games are written to the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitOrder {
    /// At once, so that nothing that was played is lost.
    AsFinished,
    /// When all games before them are there; the queue keeps them until then.
    AsScheduled,
}

/// Plays what a scheduler hands out.
pub trait Driver: Send {
    /// When its games are to be written to the journal.
    fn commit_order(&self) -> CommitOrder;

    /// Gets ready, before the first game and only if there is one left to play.
    fn prepare(&mut self, context: &Context<'_>, observer: &mut dyn MatchObserver) -> Readiness;

    /// Plays until no game is left or the match is stopped, and sends events.
    fn play(&mut self, context: &Context<'_>, events: Sender<WorkerEvent>);
}
