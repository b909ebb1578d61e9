//! Counts as text and as JSON.

use super::count::Counts;
use crate::output::{SprtStatusJson, distinct_games, sprt_lines, strength};
use crate::results::StrengthJson;
use crate::statistics::{Sprt, SprtStatus};
use kroo::printable;
use serde::Serialize;
use std::borrow::Cow;

/// The counts as text. Other programs read two of the lines by pattern: `Games:` and `Ptnml(0-2):`.
#[must_use]
pub fn text(counts: &Counts, test: Option<(&Sprt, &SprtStatus)>) -> String {
    let mut text = String::new();
    if let Some([first, second]) = &counts.names {
        let [first, second] = [first, second].map(|name| printable::name(name));
        text.push_str(&format!("Results of {first} vs {second}:\n"));
    }
    match counts.estimate() {
        Some(estimate) => {
            text.push_str(&strength(&estimate, counts.pairs.counts.iter().sum(), is_decided(test)))
        }
        None => text.push_str("Elo: n/a, nElo: n/a (no games)\nLOS: n/a\n"),
    }
    let (played, points) = (counts.played(), counts.points());
    let share =
        if played == 0 { "n/a".to_owned() } else { format!("{:.2} %", 100.0 * points / played as f64) };
    match counts.games {
        Some([losses, draws, wins]) => text.push_str(&format!(
            "Games: {played}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points} ({share})\n"
        )),
        None => text.push_str(&format!("Games: {played}, Points: {points} ({share})\n")),
    }
    let [a, b, c, d, e] = counts.pairs.counts;
    if counts.pairs.counts != [0; 5] || counts.names.is_some() {
        text.push_str(&format!("Ptnml(0-2): [{a}, {b}, {c}, {d}, {e}]\n"));
    }
    let of = if counts.games.is_some() { "Draws" } else { "Level pairs" };
    let ratio = counts.draw_ratio().map_or("n/a".to_owned(), |ratio| format!("{:.2} %", 100.0 * ratio));
    text.push_str(&format!("{of}: {ratio}\n"));
    if let Some(distinct) = counts.distinct_games {
        text.push_str(&distinct_games(distinct, counts.played(), counts.pairs.repeated));
        text.push('\n');
    }
    if counts.unfinished > 0 {
        text.push_str(&format!("Without a result, and not counted: {}\n", counts.unfinished));
    }
    if let Some((sprt, status)) = test {
        text.push_str(&sprt_lines(sprt, status));
        if let Some(why) = counts.faulty_verdict(status) {
            text.push_str(&format!("No verdict: {why}\n"));
        }
    }
    text
}

/// Whether a test has decided on the same results.
fn is_decided(test: Option<(&Sprt, &SprtStatus)>) -> bool {
    test.is_some_and(|(_, status)| status.is_decided())
}

/// An unknown number is `null`; none is ever infinite.
#[derive(Serialize)]
struct StatsJson<'a> {
    engines: Option<[Cow<'a, str>; 2]>,
    games: u64,
    wins: Option<u64>,
    losses: Option<u64>,
    draws: Option<u64>,
    points: f64,
    score: Option<f64>,
    draw_ratio: Option<f64>,
    ptnml: [u64; 5],
    without_result: u64,
    /// Of the games of files; and how many pairs have repeated another one, which `ptnml` does not count.
    distinct_games: Option<u64>,
    repeated_pairs: u64,
    #[serde(flatten)]
    strength: StrengthJson,
    sprt: Option<SprtStatusJson>,
    /// Why there is no verdict: an engine has lost all its games by faults.
    no_verdict: Option<String>,
}

/// The counts as JSON: one object, on one line.
#[must_use]
pub fn json(counts: &Counts, test: Option<(&Sprt, &SprtStatus)>) -> String {
    let estimate = counts.estimate();
    let of = |index: usize| counts.games.map(|games| games[index]);
    let document = StatsJson {
        engines: counts.names.as_ref().map(|names| names.each_ref().map(|name| printable::name(name))),
        games: counts.played(),
        wins: of(2),
        losses: of(0),
        draws: of(1),
        points: counts.points(),
        score: estimate.map(|estimate| estimate.score()),
        draw_ratio: counts.draw_ratio(),
        ptnml: counts.pairs.counts,
        without_result: counts.unfinished,
        distinct_games: counts.distinct_games,
        repeated_pairs: counts.pairs.repeated,
        strength: estimate.map(|estimate| StrengthJson::new(&estimate, is_decided(test))).unwrap_or_default(),
        sprt: test.map(|(sprt, status)| SprtStatusJson::new(sprt, status)),
        no_verdict: test.and_then(|(_, status)| counts.faulty_verdict(status)),
    };
    serde_json::to_string(&document).expect("numbers and texts can be written")
}
