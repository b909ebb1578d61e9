//! The tables of more than two engines: the standings, and the crosstable.

use crate::ledger::results::{Contest, Summary};
use crate::schedule::Event;
use crate::statistics::hundredths;

/// With more engines than this a crosstable would be too wide to read.
const MAX_CROSSTABLE: usize = 32;

/// The standings, with the best engine first, and the crosstable.
pub(super) fn tables(summary: &Summary, contest: &dyn Contest) -> String {
    let names = summary.engines.iter().map(|standing| standing.name.chars().count());
    let width = names.max().unwrap_or(0).max("Name".len());
    let mut text = format!(
        "\nStandings ({}):\n\
         {:4}  {:width$}  Points  Games   Wins  Draws Losses   Score  Seeds  Margin  Elo (95 %)\n",
        contest.conditions(),
        if contest.has_ranks() { "Rank" } else { "" },
        "Name"
    );
    for standing in summary.standings() {
        let totals = standing.totals;
        text.push_str(&format!(
            "{:>4}  {:width$}  {:6.1} {:6} {:6} {:6} {:6} {:6.2}% {:6.2} {:>7}  {}\n",
            standing.rank.map(|rank| rank.to_string()).unwrap_or_default(),
            standing.name,
            totals.points(),
            totals.games(),
            totals.wins,
            totals.draws,
            totals.losses,
            100.0 * totals.score(),
            totals.average_seeds(),
            signed(totals.average_margin()),
            standing.rating_text()
        ));
    }
    text.push_str(
        "Elo: the most likely ratings for all results, with mean 0. Margin: seeds minus the opponent's, average of a game\n",
    );
    text.push_str("     (One drawn game against an average engine was added for each, as a prior.)\n");
    if let Some(games) = contest.games_of_bye() {
        text.push_str(&format!("Points include {games} for each bye.\n"));
    }
    if !contest.has_ranks() {
        text.push_str(
            "No ranks: not all games have the tags Event, Round, Game and Players of one event; the order is by points.\n",
        );
    } else if contest.event() == Event::Knockout {
        text.push_str("Rank: the winner, then by the round reached, then by points.\n");
    }
    if summary.engines.len() <= MAX_CROSSTABLE {
        text.push_str(&crosstable(summary, width));
    }
    if let Some(winner) = &summary.winner {
        text.push_str(&format!("\nWinner: {winner}\n"));
    }
    text.push_str(&format!("Games: {}\n", summary.score.games));
    text
}

/// The points of each engine against each other one, in the order of the standings.
fn crosstable(summary: &Summary, width: usize) -> String {
    let order = &summary.score.order;
    let cell = |one: usize, other: usize| match summary.against(one, other) {
        _ if one == other => "-".to_owned(),
        (_, 0) => ".".to_owned(),
        (points, games) => format!("{points}/{games}"),
    };
    let cells = order.iter().flat_map(|&one| order.iter().map(move |&other| cell(one, other).len()));
    let column = cells.max().unwrap_or(0).max(3) + 2;
    let mut text = format!("\nCrosstable (points/games):\n{:4}  {:width$}", "", "");
    for rank in 1..=order.len() {
        text.push_str(&format!("{rank:>column$}"));
    }
    for (rank, &one) in (1..).zip(order) {
        text.push_str(&format!("\n{rank:4}  {:width$}", summary.engines[one].name));
        for &other in order {
            text.push_str(&format!("{:>column$}", cell(one, other)));
        }
    }
    text.push('\n');
    text
}

fn signed(value: f64) -> String {
    let text = hundredths(value);
    if value >= 0.005 { format!("+{text}") } else { text }
}
