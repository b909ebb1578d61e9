//! The tables of the page.
//!
//! They are templates of horrorshow, which escapes all text that is not marked as raw. It is made of `macro_rules` only:
//! measured in a first release build, it costs one second of processor time, where maud costs 11 and askama 18.

#![expect(unused_parens, reason = "in a template of horrorshow, an expression in a loop needs them")]

use crate::ledger::results::{Standing, Summary};
use crate::output::text::BIASED;
use crate::plan::MatchPlan;
use crate::statistics::{Elo, hundredths};
use horrorshow::html;

/// All engines, the best first.
pub(in crate::output) fn standings(summary: &Summary, plan: &MatchPlan) -> String {
    const HEAD: [&str; 12] = [
        "#",
        "Engine",
        "Games",
        "Won",
        "Drawn",
        "Lost",
        "Points",
        "Score",
        "Elo (95 %)",
        "Seeds a game",
        "Margin",
        "Seconds a move",
    ];
    let elos = elos(summary);
    let row = |engine: usize| {
        let standing = &summary.engines[engine];
        let totals = standing.totals;
        let time = totals.micros as f64 / 1e6 / totals.moves.max(1) as f64;
        [
            standing.rank.map(|rank| rank.to_string()).unwrap_or_default(),
            standing.name.clone(),
            totals.games().to_string(),
            totals.wins.to_string(),
            totals.draws.to_string(),
            totals.losses.to_string(),
            totals.points().to_string(),
            format!("{:.2} %", 100.0 * totals.score()),
            printed(&elos[engine]),
            format!("{:.2}", totals.average_seeds()),
            printed(&format!("{:+.2}", totals.average_margin())),
            format!("{time:.3}"),
        ]
    };
    html! {
        table(id = "standings") {
            tr {
                @ for (column, title) in (HEAD.iter().enumerate()) {
                    th(class? = (name_class(column == 1))) : title;
                }
            }
            @ for &engine in (&summary.score.order) {
                tr {
                    @ for (column, cell) in (row(engine).iter().enumerate()) {
                        td(class? = (name_class(column == 1))) : cell;
                    }
                }
            }
        }
        @ if let Some(games) = plan.games_of_bye() {
            p(class = "about") : format_args!("Points include {games} for each bye.");
        }
    }
    .to_string()
}

/// A number as it is printed in a page, with the signs of print.
fn printed(number: &str) -> String {
    number.replace("+/-", "±").replace('-', "−")
}

/// The class of cells with text in them.
fn name_class(is_name: bool) -> Option<&'static str> {
    is_name.then_some("name")
}

/// The strength of each engine: its rating; in a match of two, the difference.
fn elos(summary: &Summary) -> Vec<String> {
    if summary.engines.len() > 2 {
        return summary.engines.iter().map(Standing::rating_text).collect();
    }
    let estimate = summary.match_of_two().and_then(|games| games.estimate.as_ref());
    let elo = estimate.map(|estimate| estimate.elo());
    let shown = |elo: Option<Elo>| elo.map_or("n/a".to_owned(), |elo| elo.to_string());
    vec![shown(elo), shown(elo.map(Elo::turned))]
}

/// The points of each engine against each other one.
pub(super) fn crosstable(summary: &Summary) -> String {
    let order = &summary.score.order;
    let cell = |engine: usize, other: usize| match summary.against(engine, other) {
        _ if engine == other => String::new(),
        (_, 0) => "–".to_owned(),
        (points, games) => format!("{points} of {games}"),
    };
    html! {
        table(id = "crosstable") {
            tr {
                th(class = "name");
                @ for rank in (1..=order.len()) { th : rank; }
            }
            @ for (place, &engine) in (order.iter().enumerate()) {
                tr {
                    td(class = "name") : format_args!("{}. {}", place + 1, summary.engines[engine].name);
                    @ for &other in (order.iter()) {
                        td(class? = (other == engine).then_some("own")) : cell(engine, other);
                    }
                }
            }
        }
    }
    .to_string()
}

/// How games ended, with bars, and by whose faults.
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
            @ for (reason, &count) in (&summary.terminations) {
                tr {
                    td(class = "name") : reason.name();
                    td : count;
                    td(class = "name") {
                        meter(value = count, max = summary.score.games);
                        : format_args!(" {:.1} %", 100.0 * count as f64 / games);
                    }
                }
            }
            @ for fault in (&summary.faults) {
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
