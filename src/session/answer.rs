//! From what a search found to what the protocol says.

use crate::game::{Move, Position, Side, Verdict};
use crate::protocol::{Bound, GameResult, Info, Proven, Score as ScoreWords, Worth};
use crate::search::Report;
use crate::value::{Kind, Proof, Score, Value};
use std::time::Duration;

/// Hundredths of a seed at which win and draw are equally likely.
const DRAW_WIDTH: f64 = 80.0;
/// Hundredths of a seed in which that likelihood falls by a factor e.
const SPREAD: f64 = 250.0;

/// The lines about an iteration, one for each of the best lines.
#[must_use]
pub fn infos(report: &Report, elapsed: Duration, show_wdl: bool) -> Vec<Info> {
    let others = report.others.iter().map(|(score, line)| (*score, line));
    let lines = std::iter::once((report.score, &report.pv)).chain(others);
    lines.zip(1..).map(|((score, line), place)| info(report, place, score, line, elapsed, show_wdl)).collect()
}

fn info(report: &Report, place: u32, score: Score, line: &[Move], elapsed: Duration, show_wdl: bool) -> Info {
    Info {
        depth: Some(u32::from(report.depth)),
        seldepth: Some(report.seldepth as u32),
        multipv: Some(place),
        score: Some(self::score(score, show_wdl)),
        nodes: Some(report.nodes),
        nps: Some(per_second(report.nodes, elapsed)),
        hashfull: Some(u32::from(report.hashfull)),
        tbhits: Some(report.tablebase_hits),
        time: Some(elapsed.as_millis() as u64),
        pv: line.to_vec(),
        ..Info::default()
    }
}

/// The line about a game that is over: its value to the side that would be to move.
#[must_use]
pub fn game_over(position: &Position, verdict: Verdict, show_wdl: bool) -> Info {
    let score = Score { value: Value::ended(verdict, position.board().lead()), proof: Proof::EXACT };
    Info { depth: Some(0), score: Some(self::score(score, show_wdl)), ..Info::default() }
}

/// How many a second, as a whole number.
#[must_use]
pub fn per_second(count: u64, elapsed: Duration) -> u64 {
    (count as f64 / elapsed.as_secs_f64().max(1e-6)) as u64
}

/// A score in the words of the protocol.
fn score(score: Score, show_wdl: bool) -> ScoreWords {
    let proven = score.proven();
    // The winner is certain, the margin may be larger: then it is a bound.
    let bound = match proven {
        Some(Verdict::Win) if !score.proof.at_most => Bound::Lower,
        Some(Verdict::Loss) if !score.proof.at_least => Bound::Upper,
        _ => Bound::Exact,
    };
    ScoreWords {
        worth: Worth::Cp(score.value.centiseeds()),
        bound,
        proven: proven.map(|verdict| match verdict {
            Verdict::Win => Proven::Win,
            Verdict::Draw => Proven::Draw,
            Verdict::Loss => Proven::Loss,
        }),
        wdl: show_wdl.then(|| chances(score.value, proven)),
    }
}

/// The chances of win, draw and loss in thousandths; 1000 only for what is proven.
fn chances(value: Value, proven: Option<Verdict>) -> [u16; 3] {
    match proven {
        Some(Verdict::Win) => return [1000, 0, 0],
        Some(Verdict::Draw) => return [0, 1000, 0],
        Some(Verdict::Loss) => return [0, 0, 1000],
        None => {}
    }
    let likely = |centiseeds: f64| 1.0 / (1.0 + (-(centiseeds - DRAW_WIDTH) / SPREAD).exp());
    let expected = match value.kind() {
        Kind::Estimate(centiseeds) => f64::from(centiseeds),
        Kind::Win(_) => f64::INFINITY,
        Kind::Loss(_) => f64::NEG_INFINITY,
    };
    let thousandths = |chance: f64| ((chance * 1000.0) as u16).clamp(1, 998);
    let (win, loss) = (thousandths(likely(expected)), thousandths(likely(-expected)));
    [win, 1000 - win - loss, loss]
}

/// How a game stands.
#[must_use]
pub fn result(position: &Position) -> GameResult {
    match position.verdict_for(Side::South) {
        None => GameResult::Ongoing,
        Some(Verdict::Win) => GameResult::SouthWins,
        Some(Verdict::Draw) => GameResult::Draw,
        Some(Verdict::Loss) => GameResult::NorthWins,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_only_proofs_are_whole() {
        for centiseeds in (-15_000..=15_000).step_by(37) {
            let [win, draw, loss] = chances(Value::estimate(centiseeds), None);
            assert_eq!(win + draw + loss, 1000, "{centiseeds}");
            assert!(win < 1000 && draw < 1000 && loss < 1000);
        }
        let won = Value::ended(Verdict::Win, 3);
        assert_eq!(chances(won, None), [998, 1, 1]);
        assert_eq!(chances(won, Some(Verdict::Win)), [1000, 0, 0]);
    }
}
