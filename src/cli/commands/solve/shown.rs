//! Answers as text and as JSON.

use crate::game::{Game, Move, Verdict};
use crate::printable::{agreeing, counted};
use crate::protocol::{Question, SolveCommand};
use crate::solve::{Answer, Bounds};
use crate::value::Value;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// Bounds as text: `+8 win`, `win (+2 to +48)`, `-4 to +2, not decided`.
pub(super) fn bounds_text(bounds: Bounds, question: Question) -> String {
    let range = format!("{:+} to {:+}", bounds.at_least.shown_seeds(), bounds.at_most.shown_seeds());
    match (bounds.value(), bounds.result()) {
        (Some(_), Some(Verdict::Draw)) => "draw".to_owned(),
        (Some(value), Some(result)) => format!("{:+} {}", value.shown_seeds(), result.word()),
        (None, Some(result)) => format!("{} ({range})", result.word()),
        _ if bounds.answer(question) => format!("no win ({range})"),
        _ => format!("{range}, not proven"),
    }
}

/// Nodes and seconds.
pub(super) fn effort(nodes: u64, time: Duration) -> String {
    format!("{}, {:.2} s", counted(nodes, "node"), time.as_secs_f64())
}

/// The lines of an answer.
pub(super) fn text(game: &Game, answer: &Answer, task: SolveCommand) -> String {
    let bounds = bounds_text(answer.bounds, task.question);
    let best = answer.best.map_or(String::new(), |best| format!(", best {best}"));
    let effort = effort(answer.nodes, answer.time);
    let mut text = format!("{}  {bounds}{best}  ({effort})", game.position());
    for (mv, bounds) in &answer.moves {
        text.push_str(&format!("\n  {mv}  {}", bounds_text(*bounds, task.question)));
    }
    text
}

/// The part of an answer's JSON that is known before.
pub(super) fn asked(game: &Game, task: SolveCommand) -> Json {
    let position = game.position();
    json!({ "variant": position.variant().name(), "position": position.to_string(), "asked": task.question.name(),
        "moves": task.moves.then(Vec::<Json>::new) })
}

/// An answer for programs.
pub(super) fn json(game: &Game, answer: &Answer, task: SolveCommand) -> Json {
    let mut told = asked(game, task);
    add(&mut told, answer.bounds);
    told["proven"] = answer.is_proven(task.question).into();
    told["best"] = answer.best.map(|best| best.to_string()).into();
    told["play"] = answer.play.iter().map(|mv| mv.letter()).collect::<String>().into();
    told["nodes"] = answer.nodes.into();
    told["seconds"] = ((answer.time.as_micros() as f64) / 1e6).into();
    if task.moves {
        told["moves"] = answer.moves.iter().map(|(mv, bounds)| move_json(*mv, *bounds)).collect();
    }
    told
}

fn move_json(mv: Move, bounds: Bounds) -> Json {
    let mut told = json!({ "move": mv.to_string() });
    add(&mut told, bounds);
    told
}

fn add(told: &mut Json, bounds: Bounds) {
    told["value"] = bounds.value().map(Value::shown_seeds).into();
    told["result"] = bounds.result().map(Verdict::word).into();
    told["at_least"] = bounds.at_least.shown_seeds().into();
    told["at_most"] = bounds.at_most.shown_seeds().into();
}

/// Counts of the answers of a batch.
#[derive(Default)]
pub(super) struct Totals {
    wins: u64,
    draws: u64,
    losses: u64,
    /// Positions with an answered question but without a proven result.
    no_wins: u64,
    pub(super) unproven: u64,
    /// Answers that an interrupted batch had.
    pub(super) before: u64,
    nodes: u64,
}

impl Totals {
    pub(super) fn add(&mut self, result: Option<&str>, proven: bool, nodes: u64) {
        let count = match result {
            _ if !proven => &mut self.unproven,
            Some("win") => &mut self.wins,
            Some("draw") => &mut self.draws,
            Some("loss") => &mut self.losses,
            _ => &mut self.no_wins,
        };
        *count += 1;
        self.nodes += nodes;
    }

    pub(super) fn text(&self, time: Duration) -> String {
        let Totals { wins, draws, losses, no_wins, unproven, before, nodes } = *self;
        let all = wins + draws + losses + no_wins + unproven;
        let parts = [
            (wins, agreeing(wins, "win", "wins")),
            (draws, agreeing(draws, "draw", "draws")),
            (losses, agreeing(losses, "loss", "losses")),
            (no_wins, "not won"),
            (unproven, "not proven"),
        ];
        let parts: Vec<String> =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, of)| format!("{count} {of}")).collect();
        let known = if before > 0 { format!(", {before} of them before") } else { String::new() };
        format!("{}: {}{known}; {}", counted(all, "position"), parts.join(", "), effort(nodes, time))
    }
}
