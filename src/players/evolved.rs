//! The evolved player of Davis and Kendall (2002): six weights and a minimax of seven plies.
//!
//! Its evaluation f adds up how many of the opponent's pits and of its own can be captured, and both stores ([`Terms`]). A
//! finished game is also evaluated by f, after the rules have awarded seeds to the stores: this player knows seeds but not
//! winning, which is why the paper's preferred thirteen seeds to a win.
//!
//! The weights are in a text file ([`EvolvedWeights`]) that the experiment `evolve` writes; [`Minimax`] chooses the moves.

mod captures;
mod minimax;
mod terms;
mod weights;

use super::candidates::requested_moves;
use super::player::{Player, Turn};
use crate::game::{Move, Pit, Rules, Variant};
use crate::search::{MAX_DEPTH, Observer, Report, ReportedLine};
use crate::under;
use crate::value::{Proof, Score, Value};
pub use captures::CaptureTargets;
pub use minimax::{Choice, Iteration, Minimax, Stop, legal_pits};
use std::path::Path;
pub use terms::{Evaluator, TERM_NAMES, Terms, Threats};
pub use weights::{EvolvedWeights, MAX_WEIGHT, WeightsError, WeightsFault, WeightsFaultKind};

/// Search depth of the paper's player, in plies.
pub const DEPTH: u8 = 7;

/// The evolved player.
#[derive(Debug)]
pub struct Evolved {
    evaluator: Evaluator,
    minimax: Minimax,
}

impl Evolved {
    /// A player with these weights.
    pub fn new(weights: &EvolvedWeights) -> Evolved {
        Evolved { evaluator: weights.evaluator(), minimax: Minimax::default() }
    }

    /// The player of a file, or, if its path is empty, the one that our run evolved in `awari`, for any rule set.
    pub fn named(path: &str, variant: Variant) -> Result<Evolved, WeightsError> {
        let weights = match path {
            "" => EvolvedWeights::built_in(),
            path => EvolvedWeights::read(Path::new(path), variant)?,
        };
        Ok(Evolved::new(&weights))
    }
}

impl Player for Evolved {
    fn choose(&mut self, turn: &Turn, observer: &mut dyn Observer) -> Report {
        under!(turn.request.game.position().variant(), R => choose::<R>(self, turn, observer))
    }
}

/// Chooses a move, and for each further line another one among the remaining moves.
fn choose<R: Rules>(player: &mut Evolved, turn: &Turn, observer: &mut dyn Observer) -> Report {
    let Evolved { evaluator, minimax } = player;
    let request = &turn.request;
    let depth = if request.depth == MAX_DEPTH { DEPTH } else { request.depth.max(1) };
    let legal = turn.request.game.position().moves();
    let mut left: Vec<Pit> = requested_moves(turn).into_iter().map(|mv| mv.pit).collect();
    let mut report = Report { pv: vec![Move { side: legal[0].side, pit: left[0] }], ..Report::default() };
    report.forced = legal.len() == 1;
    let mut before = 0;
    while report.others.len() < request.multipv.max(1) && !left.is_empty() {
        let mut found = None;
        minimax.node_limit = request.nodes.saturating_sub(before);
        let chosen = minimax.choose::<R>(
            evaluator,
            turn.request.game.line(),
            &left,
            depth,
            &mut |nodes| observer.stop(before + nodes),
            &mut |iteration| found = Some(iteration),
        );
        let Some((choice, Iteration { depth: reached, nodes, .. })) = chosen.zip(found) else { break };
        before += nodes;
        left.retain(|&pit| pit != choice.pit);
        let pv = vec![Move { side: legal[0].side, pit: choice.pit }];
        let score = score(choice.value);
        report.others.push(ReportedLine { depth: reached, score, pv, ..ReportedLine::default() });
        report.nodes = before;
        if report.others.len() == 1 {
            (report.depth, report.seldepth) = (reached, usize::from(reached));
        }
        if reached < depth {
            break;
        }
    }
    if !report.others.is_empty() {
        ReportedLine { score: report.score, pv: report.pv, .. } = report.others.remove(0);
    }
    // The root counts even if no depth was completed.
    report.nodes = report.nodes.max(1);
    observer.iteration(&report);
    report
}

/// f in hundredths. It proves nothing.
fn score(value: f64) -> Score {
    Score { value: Value::estimate((value * 100.0).round().clamp(-1e6, 1e6) as i32), proof: Proof::NONE }
}
