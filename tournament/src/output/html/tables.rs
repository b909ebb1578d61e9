//! The tables of the page.

use crate::ledger::results::Summary;
use crate::output::table::{self, printed};
use crate::output::text::BIASED;
use crate::plan::MatchPlan;
use crate::statistics::hundredths;
use horrorshow::html;

/// All engines, the best first.
pub(in crate::output) fn standings(summary: &Summary, plan: &MatchPlan) -> String {
    let mut table = table::standings(summary);
    let totals = summary.standings().map(|standing| standing.totals);
    let time = totals.map(|totals| totals.micros as f64 / 1e6 / totals.moves.max(1) as f64);
    table.add("Seconds a move", time.map(|time| format!("{time:.3}")));
    let byes = plan.games_of_bye().map(|games| format!("Points include {games} for each bye."));
    let byes = byes.map(|byes| html! { p(class = "about") : &byes; }.to_string());
    table.html() + &byes.unwrap_or_default()
}

/// The ends of games, with bars and faults.
pub(super) fn endings(summary: &Summary) -> String {
    if summary.score.games == 0 {
        return html! { p(class = "about") : "No game has ended yet."; }.to_string();
    }
    let games = summary.score.games as f64;
    html! {
        table(id = "endings") {
            tr {
                th(class = "name") : "Ended";
                th : "Games";
                th(class = "name");
            }
            @ for (reason, &count) in &summary.terminations {
                tr {
                    td(class = "name") : reason.name();
                    td : count;
                    td(class = "name") {
                        meter(value = count, max = summary.score.games);
                        : format_args!(" {:.1} %", 100.0 * count as f64 / games);
                    }
                }
            }
            @ for fault in &summary.faults {
                tr {
                    td(class = "name") : format_args!("by {}: {}", fault.engine, fault.termination);
                    td : fault.games;
                    td;
                }
            }
        }
        p(class = "about") : format_args!("A game has {:.1} moves on average.", summary.average_plies);
    }
    .to_string()
}

/// The result of a match of two and the state of its test, in a sentence or two.
pub(super) fn verdict(summary: &Summary, plan: &MatchPlan) -> String {
    let mut text = String::new();
    if let Some(games) = summary.match_of_two()
        && let Some(estimate) = &games.estimate
    {
        let normalised = estimate.normalised().map_or("n/a".to_owned(), |(value, error)| {
            printed(&format!("{} ± {error:.2}", hundredths(value)))
        });
        let prior = estimate.prior().map(|said| format!("{said}. ")).unwrap_or_default();
        let biased = if games.is_biased { format!(" ({BIASED})") } else { String::new() };
        let [a, b, c, d, e] = games.pairs;
        text.push_str(&format!(
            "{} against {}: Elo {}{biased}, normalised Elo {normalised}, likelihood of superiority {:.2} %. Pairs of games that brought \
             0, ½, 1, 1½ and 2 points: {a}, {b}, {c}, {d}, {e}. {prior}",
            plan.name(0),
            plan.name(1),
            printed(&estimate.elo().to_string()),
            100.0 * estimate.los()
        ));
    }
    if let (Some(sprt), Some(status)) = (&plan.sprt, summary.score.sprt) {
        text.push_str(&format!(
            "SPRT of {} against {} {}: LLR {}, {}.",
            printed(&sprt.elo0.to_string()),
            printed(&sprt.elo1.to_string()),
            sprt.model.unit(),
            printed(&format!("{} ({:.2}, {:.2})", hundredths(status.llr), status.lower, status.upper)),
            status.decision
        ));
    }
    text
}
