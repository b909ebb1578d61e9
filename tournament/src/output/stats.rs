//! What `referee stats` prints: the results of game files as those of a match, and estimates from numbers alone.

use super::json::SprtJson;
use super::text::{counted_games, sprt_lines, strength};
use crate::ledger::results::{GameFiles, ResultNumbers, Summary, strength as strength_json};
use crate::statistics::{Estimate, Sprt, SprtStatus};
use serde::Serialize;
use std::collections::BTreeMap;

/// A test, and its state.
type Test<'a> = Option<(&'a Sprt, &'a SprtStatus)>;

/// The results of game files as text. Other programs read two of the lines by pattern: `Games:` and `Ptnml(0-2):`.
pub fn files_text(files: &GameFiles, summary: &Summary) -> String {
    let mut text = counted_games(summary, files).trim_start().to_owned();
    if summary.score.games == 0 {
        text.push_str("Games: 0\n");
    }
    if let Some(remark) = files.remark() {
        text.push_str(&format!("{remark}\n"));
    }
    if files.unfinished > 0 {
        text.push_str(&format!("Without a result, and not counted: {}\n", files.unfinished));
    }
    if let Some(why) = &summary.broken {
        text.push_str(&format!("No verdict: {why}\n"));
    }
    text
}

/// The results of game files as JSON, on one line: those of a match, and what only files have.
///
/// # Panics
/// Never: numbers and texts can be written.
pub fn files_json(files: &GameFiles, summary: &Summary) -> String {
    #[derive(Serialize)]
    struct FilesJson<'a> {
        #[serde(flatten)]
        summary: &'a Summary,
        rule_sets: &'a BTreeMap<String, u64>,
        without_result: u64,
    }
    let document = FilesJson { summary, rule_sets: &files.rule_sets, without_result: files.unfinished };
    serde_json::to_string(&document).expect("numbers and texts can be written")
}

/// The statistics of numbers of results, as text.
pub fn numbers_text(numbers: ResultNumbers, test: Test<'_>) -> String {
    let mut text = match numbers.estimate() {
        Some(estimate) => strength(&estimate, numbers.pairs().iter().sum(), is_decided(test)),
        None => "Elo: n/a, nElo: n/a (no games)\nLOS: n/a\n".to_owned(),
    };
    let (played, points) = (numbers.games(), numbers.points());
    let percent =
        |share: Option<f64>| share.map_or("n/a".to_owned(), |share| format!("{:.2} %", 100.0 * share));
    let share = percent((played > 0).then(|| points / played as f64));
    let ratio = percent(numbers.draw_ratio());
    match numbers {
        ResultNumbers::Games([losses, draws, wins]) => text.push_str(&format!(
            "Games: {played}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points} ({share})\n\
             Draws: {ratio}\n"
        )),
        ResultNumbers::Pairs(pairs) => {
            text.push_str(&format!("Games: {played}, Points: {points} ({share})\n"));
            if pairs != [0; 5] {
                text.push_str(&format!("Ptnml(0-2): {pairs:?}\n"));
            }
            text.push_str(&format!("Level pairs: {ratio}\n"));
        }
    }
    if let Some((sprt, status)) = test {
        text.push_str(&sprt_lines(sprt, status));
    }
    text
}

/// The same as JSON: one object, on one line. An unknown number is `null`; none is ever infinite.
///
/// # Panics
/// Never: numbers and texts can be written.
pub fn numbers_json(numbers: ResultNumbers, test: Test<'_>) -> String {
    #[derive(Serialize)]
    struct NumbersJson<'a> {
        games: u64,
        points: f64,
        score: Option<f64>,
        draw_ratio: Option<f64>,
        ptnml: [u64; 5],
        #[serde(flatten, serialize_with = "strength_json")]
        strength: Option<Estimate>,
        elo_biased: bool,
        sprt: Option<SprtJson<'a>>,
    }
    let estimate = numbers.estimate();
    let document = NumbersJson {
        games: numbers.games(),
        points: numbers.points(),
        score: estimate.map(|estimate| estimate.score()),
        draw_ratio: numbers.draw_ratio(),
        ptnml: numbers.pairs(),
        strength: estimate,
        elo_biased: is_decided(test),
        sprt: test.map(|(sprt, status)| SprtJson { sprt, status }),
    };
    serde_json::to_string(&document).expect("numbers and texts can be written")
}

/// Whether a test has decided on the same results.
fn is_decided(test: Test<'_>) -> bool {
    test.is_some_and(|(_, status)| status.is_decided())
}
