//! The table of what was measured.

use super::measure::{Accuracy, EngineAccuracy};
use super::options::AccuracyOptions;
use crate::plan::Contestant;
use crate::statistics::share_interval;
use kroo::printable::agreeing;
use std::fmt::Write;

/// The table, in Markdown, below a line that says what it is about.
#[must_use]
pub fn text(options: &AccuracyOptions, contestants: &[Contestant], accuracy: &Accuracy) -> String {
    let Accuracy { positions, with_choice, wanted, .. } = accuracy;
    let (least, most) = (options.seeds.0.start(), options.seeds.0.end());
    let games: Vec<String> = options.games.iter().map(|file| file.display().to_string()).collect();
    let of = if positions < wanted { format!(" of {wanted}") } else { String::new() };
    let mut text = format!(
        "{}: {positions}{of} {} with {least} to {most} seeds from {} (seed {}); in {with_choice} some move gives the \
         result away\n\n\
         | engine | limit | moves | give the result away | give seeds away | seeds a move | late |\n|---|---|---|---|---|---|---|\n",
        accuracy.variant,
        agreeing(*wanted, "position", "positions"),
        games.join(", "),
        options.seed
    );
    for (contestant, count) in contestants.iter().zip(&accuracy.engines) {
        let EngineAccuracy { moves, gave_result, gave_seeds, half_seeds, late } = *count;
        let seeds = half_seeds as f64 / 2.0 / (moves as f64).max(1.0);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| {} | {} | {moves} | {gave_result} ({}) | {gave_seeds} ({}) | {seeds:.3} | {late} |",
            contestant.engine.name,
            contestant.limits,
            share(gave_result, moves),
            share(gave_seeds, moves)
        );
    }
    text
}

/// A share in percent, with its 95 % interval.
pub fn share(count: u64, of: u64) -> String {
    if of == 0 {
        return "–".to_owned();
    }
    let [least, most] = share_interval(count, of);
    let percent = |share: f64| 100.0 * share;
    format!("{:.1} %, {:.1} to {:.1}", percent(count as f64 / of as f64), percent(least), percent(most))
}
