//! The report of a match: counts and curves, with their tables and pictures.

use super::picture::{Curve, Picture};
use super::series::Report;
use super::tables;
use crate::ledger::results::Summary;
use crate::output::{table, text};
use crate::plan::MatchPlan;
use horrorshow::{Raw, html};
use kroo::printable::{agreeing, counted};

/// Least space above and below the curves of a picture, in Elo or seeds.
const LEAST_ROOM: f64 = 0.5;

impl Report {
    /// The tables other than the standings, and the pictures, each on a card.
    pub fn cards(&self, summary: &Summary, plan: &MatchPlan) -> String {
        let tables = [
            ("Crosstable", table::crosstable(summary).html()),
            ("How games ended", tables::endings(summary)),
        ];
        tables
            .iter()
            .chain(&self.pictures(summary, plan))
            .map(|(title, inside)| card(title, inside))
            .collect()
    }

    /// The pictures, each with its title.
    fn pictures(&self, summary: &Summary, plan: &MatchPlan) -> Vec<(&'static str, String)> {
        let picture = |across, curves: &[Curve], marks: &[(f64, String)]| {
            Picture { across, curves, marks, least_room: LEAST_ROOM }.svg()
        };
        let level = [(0.0, String::new())];
        let mut pictures = vec![("Elo over the games", picture("games", &self.elo, &level))];
        if let Some(status) = summary.score.sprt {
            let bounds = [(status.lower, "H0".to_owned()), (status.upper, "H1".to_owned())];
            let curve = std::slice::from_ref(&self.llr);
            pictures.push(("LLR over the games", picture("games", curve, &bounds)));
        }
        let seeds = self.seeds_by_move(summary, plan);
        pictures.push(("Seeds in the store by move", picture("moves", &seeds, &[])));
        pictures
    }
}

/// The match in a few sentences.
pub(in crate::output) fn about(summary: &Summary, plan: &MatchPlan) -> String {
    let cut = match &summary.broken {
        Some(why) => format!(" The match is broken and has no verdict: {why}."),
        None if summary.interrupted => " The match was interrupted.".to_owned(),
        None => String::new(),
    };
    let uncounted = match summary.uncounted {
        0 => String::new(),
        games => format!(
            " {} behind a missing one {} not counted.",
            counted(games, "game"),
            agreeing(games, "is", "are")
        ),
    };
    let games = summary.score.games;
    format!(
        "{}. {} {} played, {} of them distinct.{uncounted}{cut} {}",
        text::header(plan),
        counted(games, "game"),
        agreeing(games, "was", "were"),
        summary.distinct_games,
        tables::verdict(summary, plan)
    )
}

/// A part of the page with a title; nothing without anything inside.
pub(super) fn card(title: &str, inside: &str) -> String {
    if inside.is_empty() {
        return String::new();
    }
    html! {
        section(class = "card") {
            h2 : title;
            : Raw(inside);
        }
    }
    .to_string()
}
