//! Several threads on one search: lazy SMP over the shared table (D. Homan, about 2013), in which every thread
//! deepens by itself and finds in the table what the others have found out.
//!
//! Whoever completes an iteration first has done it for all: the others leave theirs, take over the moves of the root
//! with their order, scores and lines, and go on from there ([`Team::publish`]). And so that two threads do not do the same
//! work, a helper looks a few plies further ahead ([`AHEAD`]).
//!
//! What two threads gain, without what the machine adds or takes: nodes to the depths of the suite, those of one thread
//! over those of the thread that reports, while the two took turns of 32 nodes each (geometric means over the positions
//! that take one thread 20 ms to 1.6 s):
//!
//! | | `awari` | `oware` | `ayoayo` | `kalah` | `awari1978` |
//! |---|---|---|---|---|---|
//! | taken over, two plies ahead | 1.96 | 1.93 | 1.80 | 2.30 | 1.12 |
//! | taken over, not ahead | 1.62 | 1.26 | 1.45 | 1.90 | 1.04 |
//! | the first, and what another thread is at put off (T. Kerrigan's simplified form of ABDADA) | 1.76 | 2.00 | 1.73 | 2.14 | 1.12 |
//! | the second, and put off | 1.42 | 1.52 | 1.60 | 2.14 | 1.14 |
//! | put off, a ply ahead, nothing taken over (commit f2cde5e) | 1.71 | 1.61 | 1.72 | 1.82 | 1.30 |
//!
//! More than 2 is possible because whoever looks further ahead leaves iterations out. In `awari1978` most positions are
//! solved before the depth, which one thread does alone. Putting off costs some 5 % of the speed besides, so it is left out.
//!
//! With 6,000 nodes a move for each thread, taking turns, two threads beat one by 93 ± 76 Elo in `awari` and 80 ± 74 in
//! `oware` (80 games each), and looked 20.3 plies ahead in place of 18.6, and 19.6 in place of 17.8.

use super::node::Worker;
use super::root::{Root, RootMove};
use super::{MOST_PLIES, Observer, Report, Request};
use crate::game::Rules;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many plies further ahead than the thread that reports the first helper looks; the next two one ply less each, and so
/// on from the beginning. Only one helper has been measured.
const AHEAD: u8 = 2;

/// What the threads of a search share.
pub struct Team {
    over: AtomicBool,
    /// The nodes of each helper, and last those of the thread that reports, as each has told.
    nodes: Vec<AtomicU64>,
    node_limit: u64,
    /// The deepest iteration that anyone has completed, and the moves of the root as it left them.
    reached: AtomicU8,
    moves: Mutex<Vec<RootMove>>,
    /// How many moves the root has before anyone leaves some out.
    whole: usize,
    /// One more than the seeds of the boards that the thread which reports looks up in the endgames; 0 if none.
    covered: AtomicU8,
}

impl Team {
    pub fn new(helpers: usize, node_limit: u64, whole: usize) -> Team {
        Team {
            over: AtomicBool::new(false),
            nodes: (0..=helpers).map(|_| AtomicU64::new(0)).collect(),
            node_limit,
            reached: AtomicU8::new(0),
            moves: Mutex::new(Vec::new()),
            whole,
            covered: AtomicU8::new(0),
        }
    }

    /// Whether anyone has completed an iteration so deep.
    #[inline]
    pub fn has_reached(&self, depth: u8) -> bool {
        self.reached.load(Ordering::Relaxed) >= depth
    }

    /// An iteration is complete, for all.
    fn publish(&self, depth: u8, moves: &[RootMove]) {
        let mut shared = self.moves();
        if !self.has_reached(depth) {
            shared.clear();
            shared.extend_from_slice(moves);
            self.reached.store(depth, Ordering::Relaxed);
        }
    }

    /// Takes over the deepest iteration that anyone has completed, and says how deep it is.
    fn adopt(&self, moves: &mut Vec<RootMove>) -> u8 {
        let shared = self.moves();
        moves.clone_from(&shared);
        self.reached.load(Ordering::Relaxed)
    }

    fn moves(&self) -> MutexGuard<'_, Vec<RootMove>> {
        // Nothing that can fail is done with the lock.
        self.moves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread that reports looks up boards with up to so many seeds from here on; the helpers do as it does.
    pub fn look_up_to(&self, seeds: u8) {
        self.covered.store(seeds + 1, Ordering::Relaxed);
    }

    /// Sends the helpers home.
    pub fn dismiss(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// The nodes that all helpers have visited.
    fn helpers_nodes(&self) -> u64 {
        self.nodes[..self.nodes.len() - 1].iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    /// A thread tells its nodes. Says whether all together have visited enough: each looks for itself, so that none
    /// runs on while another sleeps.
    fn tell(&self, index: usize, nodes: u64) -> bool {
        self.nodes[index].store(nodes, Ordering::Relaxed);
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum::<u64>() >= self.node_limit
    }
}

/// A thread that helps: it reports its nodes to the team, and ends when the team does.
pub struct Helper<'a> {
    pub team: &'a Team,
    pub index: usize,
}

impl Observer for Helper<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.team.tell(self.index, nodes) || self.team.over.load(Ordering::Relaxed)
    }

    fn iteration(&mut self, _report: &Report) -> bool {
        false
    }
}

/// The thread that reports: it adds the others' nodes to its own.
pub struct Leader<'a> {
    pub team: &'a Team,
    pub observer: &'a mut dyn Observer,
}

impl Observer for Leader<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.team.tell(self.team.nodes.len() - 1, nodes)
            || self.observer.stop(nodes + self.team.helpers_nodes())
    }

    fn iteration(&mut self, report: &Report) -> bool {
        self.observer.iteration(&self.with_all_nodes(report))
    }

    fn current(&mut self, depth: u8, mv: crate::game::Move, number: usize) {
        self.observer.current(depth, mv, number);
    }
}

impl Leader<'_> {
    /// The report with the nodes of all threads.
    pub fn with_all_nodes(&self, report: &Report) -> Report {
        let mut report = report.clone();
        report.nodes += self.team.helpers_nodes();
        report
    }
}

impl<'a, R: Rules> Worker<'a, R> {
    /// A helper's part: to deepen until it is stopped or nothing is left to do.
    pub(super) fn help(&mut self, request: &Request, team: &Team, index: usize) {
        let mut root = Root::new::<R>(request);
        self.may_stop = true;
        let most = request.depth.clamp(1, MOST_PLIES);
        let ahead = AHEAD - (index % (usize::from(AHEAD) + 1)) as u8;
        let mut depth = 0;
        while depth < most && !root.is_exact() {
            if let Some(seeds) = team.covered.load(Ordering::Relaxed).checked_sub(1) {
                self.look_up_to(&mut root, seeds);
            }
            match self.deepen(&mut root, most.min(depth + 1 + ahead)) {
                Some(reached) => depth = reached,
                None => break,
            }
        }
    }

    /// Whether another thread was quicker with the iteration that this one is at.
    #[inline]
    pub(super) fn is_overtaken(&self) -> bool {
        self.team.is_some_and(|team| team.has_reached(self.aim))
    }

    /// The others, if an iteration of this root is also theirs. What the endgames know of a root, or how to bring it about,
    /// may leave moves out that are looked at elsewhere, and then nothing that is said of the rest holds there.
    pub(super) fn sharing(&self, root: &Root) -> Option<&'a Team> {
        self.team.filter(|team| root.certain.is_none() && root.moves.len() == team.whole)
    }

    /// The end of an iteration, completed or not: it is shared, or that of a thread that was quicker is taken over. Says
    /// how deep it is, if there is one.
    pub(super) fn agree(&mut self, root: &mut Root, depth: u8, done: bool) -> Option<u8> {
        let Some(team) = self.sharing(root) else { return done.then_some(depth) };
        if done {
            team.publish(depth, &root.moves);
            return Some(depth);
        }
        std::mem::take(&mut self.overtaken).then(|| {
            self.stopped = false;
            team.adopt(&mut root.moves)
        })
    }
}
