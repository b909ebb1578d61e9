//! The tables of the page.

use super::picture::escaped;
use crate::plan::MatchPlan;
use crate::statistics::{Elo, Rating, hundredths};
use crate::tally::{HeadToHead, Tally};

/// All engines, the best first.
pub(super) fn standings(tally: &Tally, plan: &MatchPlan) -> String {
    let (order, elos) = (order(tally), elos(tally));
    let mut text = "<table id=\"standings\"><tr><th>#<th class=\"name\">Engine<th>Games<th>Won<th>Drawn<th>Lost<th>Points\
                    <th>Score<th>Elo (95 %)<th>Seeds a game<th>Margin<th>Seconds a move</tr>\n"
        .to_owned();
    for (rank, &engine) in (1..).zip(&order) {
        let totals = tally.engines()[engine];
        let elo = elos.get(engine).cloned().unwrap_or_default();
        let time = totals.micros as f64 / 1e6 / totals.moves.max(1) as f64;
        text.push_str(&format!(
            "<tr><td>{rank}<td class=\"name\">{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{:.2} %<td>{}<td>{:.2}<td>{:+.2}<td>{time:.3}</tr>\n",
            escaped(plan.name(engine)),
            totals.games(),
            totals.wins,
            totals.draws,
            totals.losses,
            totals.points(),
            100.0 * totals.score(),
            escaped(&elo.replace("+/-", "±")),
            totals.average_seeds(),
            totals.average_margin()
        ));
    }
    text + "</table>"
}

/// What is known of each engine's strength, in the order of the list: of two, how much better it is than the other.
fn elos(tally: &Tally) -> Vec<String> {
    if tally.engines().len() > 2 {
        let rated = |rating: Rating| format!("{} +/- {:.2}", hundredths(rating.elo), rating.error);
        let engines = tally.ratings().engines.into_iter();
        return engines.map(|rating| rating.map_or("n/a".to_owned(), rated)).collect();
    }
    let elo =
        tally.meetings().next().and_then(|(_, games)| games.estimate()).map_or(Elo::Unknown, |all| all.elo());
    let turned = match elo {
        Elo::About { value, error } => Elo::About { value: -value, error },
        Elo::AtLeast(bound) => Elo::AtMost(-bound),
        Elo::AtMost(bound) => Elo::AtLeast(-bound),
        Elo::Unknown => Elo::Unknown,
    };
    vec![elo.to_string(), turned.to_string()]
}

/// Who has scored what against whom.
pub(super) fn crosstable(tally: &Tally, plan: &MatchPlan) -> String {
    let order = order(tally);
    let mut text = "<table id=\"crosstable\"><tr><th class=\"name\">".to_owned();
    for rank in 1..=order.len() {
        text.push_str(&format!("<th>{rank}"));
    }
    text.push_str("</tr>\n");
    for (rank, &engine) in (1..).zip(&order) {
        text.push_str(&format!("<tr><td class=\"name\">{rank}. {}", escaped(plan.name(engine))));
        for &other in &order {
            text.push_str(&if other == engine {
                "<td class=\"own\">".to_owned()
            } else {
                cell(tally, engine, other)
            });
        }
        text.push_str("</tr>\n");
    }
    text + "</table>"
}

/// Points of one engine against another, of how many games, and the pairs.
fn cell(tally: &Tally, engine: usize, other: usize) -> String {
    let (mut points, mut games) = (0.0, 0);
    for (players, meeting) in tally.meetings() {
        let all = meeting.totals.games() as f64;
        if players == (engine, other) {
            (points, games) = (points + meeting.totals.points(), games + meeting.totals.games());
        } else if players == (other, engine) {
            (points, games) = (points + all - meeting.totals.points(), games + meeting.totals.games());
        }
    }
    if games == 0 { "<td>–".to_owned() } else { format!("<td>{points} of {games}") }
}

/// How games ended, with bars, and by whose faults.
pub(super) fn endings(tally: &Tally, plan: &MatchPlan) -> String {
    let games = tally.games().max(1) as f64;
    let mut text =
        "<table id=\"endings\"><tr><th class=\"name\">Ended<th>Games<th class=\"name\"></tr>\n".to_owned();
    for (reason, count) in tally.terminations() {
        let share = count as f64 / games;
        text.push_str(&format!(
            "<tr><td class=\"name\">{}<td>{count}<td class=\"name\"><span class=\"bar\" style=\"width:{:.0}px\"></span> {:.1} %</tr>\n",
            escaped(&reason.to_string()),
            (160.0 * share).max(1.0),
            100.0 * share
        ));
    }
    for (engine, reason, count) in tally.faults() {
        text.push_str(&format!(
            "<tr><td class=\"name\">by {}: {}<td>{count}<td></tr>\n",
            escaped(plan.name(engine)),
            escaped(&reason.to_string())
        ));
    }
    text.push_str("</table>");
    text.push_str(&format!("<p class=\"about\">{:.1} moves a game on average.</p>", tally.average_plies()));
    text
}

/// What a match of two shows, in a sentence or two.
pub(super) fn verdict(tally: &Tally, plan: &MatchPlan) -> String {
    let mut text = String::new();
    let meeting = tally.meetings().next().filter(|_| plan.contestants.len() == 2).map(|(_, games)| games);
    if let Some(estimate) = meeting.and_then(HeadToHead::estimate) {
        let normalised = estimate
            .normalised()
            .map_or("n/a".to_owned(), |(value, error)| format!("{} ± {error:.2}", hundredths(value)));
        let [a, b, c, d, e] = meeting.map(|games| games.pairs).unwrap_or_default();
        text.push_str(&format!(
            "{} against {}: Elo {}, nElo {normalised}, likelihood of superiority {:.2} %, pairs by points {a}, {b}, {c}, {d}, {e}. ",
            escaped(plan.name(0)),
            escaped(plan.name(1)),
            escaped(&estimate.elo().to_string().replace("+/-", "±")),
            100.0 * estimate.los()
        ));
    }
    if let (Some(sprt), Some(trial)) = (&plan.sprt, tally.trial(plan)) {
        text.push_str(&format!(
            "SPRT, {} against {} {}: LLR {} ({:.2}, {:.2}), {}.",
            sprt.elo0(),
            sprt.elo1(),
            sprt.model().unit(),
            hundredths(trial.llr),
            trial.lower,
            trial.upper,
            trial.verdict
        ));
    }
    text
}

fn order(tally: &Tally) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tally.engines().len()).collect();
    let key = |&engine: &usize| tally.engines()[engine].points();
    order.sort_by(|one, other| key(other).total_cmp(&key(one)));
    order
}
