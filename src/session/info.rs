//! Search reports as protocol lines.

use crate::game::{Position, Verdict};
use crate::protocol::{Bound, Info, InfoScore, ScoreValue};
use crate::search::{Report, ReportedLine};
use crate::value::{Proof, Score, Value};
use std::time::Duration;

/// The `info` lines of an iteration, one for each line of MultiPV.
pub fn infos(report: &Report, elapsed: Duration, show_wdl: bool) -> Vec<Info> {
    let lines = report.lines();
    let scores: Vec<Score> = lines.iter().map(|line| line.score).collect();
    let infos = lines.into_iter().zip(1..).map(|(line, place)| info(report, place, line, elapsed, show_wdl));
    let mut infos: Vec<Info> = infos.collect();
    keep_order(&scores, &mut infos);
    infos
}

/// MultiPV ranks an unproven win above every estimate, even if its margin is smaller, and a loss below. Its displayed score is an
/// estimate too, and is raised to that of the lines below, or lowered to that of the lines above.
fn keep_order(scores: &[Score], infos: &mut [Info]) {
    let is_open = |score: &Score| !matches!(score.proven(), Some(Verdict::Win | Verdict::Loss));
    let mut least = i32::MIN;
    for (score, info) in scores.iter().zip(infos.iter_mut()).rev().filter(|(score, _)| is_open(score)) {
        let Some(InfoScore { value: ScoreValue::Cp(shown), .. }) = &mut info.score else { continue };
        if score.found() == Some(Verdict::Win) {
            *shown = least.max(*shown);
        }
        least = least.max(*shown);
    }
    let mut most = i32::MAX;
    for (score, info) in scores.iter().zip(infos).filter(|(score, _)| is_open(score)) {
        let Some(InfoScore { value: ScoreValue::Cp(shown), .. }) = &mut info.score else { continue };
        if score.found() == Some(Verdict::Loss) {
            *shown = most.min(*shown);
        }
        most = most.min(*shown);
    }
}

fn info(report: &Report, place: u32, line: ReportedLine, elapsed: Duration, show_wdl: bool) -> Info {
    let mut score = score(line.score, show_wdl);
    if line.is_lower_bound {
        score.bound = Bound::Lower;
    }
    Info {
        depth: Some(u32::from(line.depth)),
        seldepth: Some(report.seldepth as u32),
        multipv: Some(place),
        score: Some(score),
        nodes: Some(report.nodes),
        nps: Some(per_second(report.nodes, elapsed)),
        hashfull: Some(u32::from(report.hashfull)),
        tbhits: Some(report.tablebase_hits),
        time: Some(elapsed.as_millis() as u64),
        pv: line.pv,
        ..Info::default()
    }
}

/// The `info` line for a finished game: its value for the side that would be to move.
pub fn game_over(position: &Position, verdict: Verdict, show_wdl: bool) -> Info {
    let score = Score { value: Value::ended(verdict, position.board().lead()), proof: Proof::EXACT };
    Info { depth: Some(0), score: Some(self::score(score, show_wdl)), ..Info::default() }
}

/// An integer rate per second.
pub fn per_second(count: u64, elapsed: Duration) -> u64 {
    (count as f64 / elapsed.as_secs_f64().max(1e-6)) as u64
}

/// A score in the protocol's format.
pub fn score(score: Score, show_wdl: bool) -> InfoScore {
    let proven = score.proven();
    // If the winner is certain but the margin may be larger, the margin is a bound.
    let bound = match proven {
        Some(Verdict::Win) if !score.proof.at_most => Bound::Lower,
        Some(Verdict::Loss) if !score.proof.at_least => Bound::Upper,
        _ => Bound::Exact,
    };
    InfoScore {
        value: ScoreValue::Cp(score.value.shown_centiseeds()),
        bound,
        proven,
        found: score.found(),
        wdl: show_wdl.then(|| score.chances()),
    }
}
