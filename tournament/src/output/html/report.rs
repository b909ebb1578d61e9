//! The report of a match: counts and curves, with their tables and pictures.

use super::picture::{Curve, Picture};
use super::series::Series;
use super::tables;
use crate::ledger::record::GameRecord;
use crate::ledger::results::{Summary, Tally};
use crate::output::text;
use crate::plan::MatchPlan;
use horrorshow::{Raw, html};
use kroo::printable::{agreeing, counted};

/// The games of a match so far, counted in the order of the schedule.
#[derive(Debug)]
pub struct Report {
    tally: Tally,
    series: Series,
}

impl Report {
    /// Nothing yet.
    pub fn new(plan: &MatchPlan) -> Report {
        Report { tally: Tally::new(plan), series: Series::new(plan) }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord, plan: &MatchPlan) {
        self.tally.add(record);
        self.series.add(record, &self.tally, plan);
    }

    /// How many games it has.
    pub fn games(&self) -> u64 {
        self.tally.games
    }

    /// The results of these games.
    pub fn summary(&self, plan: &MatchPlan) -> Summary {
        Summary::new(plan, &self.tally, false)
    }

    /// The tables other than the standings, and the pictures, each on a card.
    pub fn cards(&self, summary: &Summary, plan: &MatchPlan) -> String {
        let tables =
            [("Crosstable", tables::crosstable(summary)), ("How games ended", tables::endings(summary))];
        tables
            .iter()
            .chain(&self.pictures(summary, plan))
            .map(|(title, inside)| card(title, inside))
            .collect()
    }

    /// The pictures, each with its title.
    fn pictures(&self, summary: &Summary, plan: &MatchPlan) -> Vec<(&'static str, String)> {
        let picture =
            |across, curves: &[Curve], marks: &[(f64, String)]| Picture { across, curves, marks }.svg();
        let level = [(0.0, String::new())];
        let mut pictures = vec![("Elo over the games", picture("games", self.series.elo(), &level))];
        if let Some(status) = summary.sprt {
            let bounds = [(status.lower, "H0".to_owned()), (status.upper, "H1".to_owned())];
            let curve = std::slice::from_ref(self.series.llr());
            pictures.push(("LLR over the games", picture("games", curve, &bounds)));
        }
        let seeds = self.series.seeds(&self.tally, plan);
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
    let games = summary.games;
    format!(
        "{}. {} {} played, {} of them distinct.{cut} {}",
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
