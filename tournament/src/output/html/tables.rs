//! The tables of the page.
//!
//! They are templates of horrorshow, which escapes all text that is not marked as raw. It is made of `macro_rules` only:
//! measured in a first release build, it costs one second of processor time, where maud costs 11 and askama 18.

#![expect(unused_parens, reason = "in a template of horrorshow, an expression in a loop needs them")]

use crate::output::text::BIASED;
use crate::plan::MatchPlan;
use crate::statistics::{Elo, Rating, hundredths};
use crate::tally::{HeadToHead, Tally};
use horrorshow::html;

/// All engines, the best first.
pub(super) fn standings(tally: &Tally, plan: &MatchPlan) -> String {
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
    let elos = elos(tally);
    let row = |rank: usize, engine: usize| {
        let totals = tally.engines()[engine];
        let time = totals.micros as f64 / 1e6 / totals.moves.max(1) as f64;
        [
            rank.to_string(),
            plan.name(engine).to_owned(),
            totals.games().to_string(),
            totals.wins.to_string(),
            totals.draws.to_string(),
            totals.losses.to_string(),
            totals.points().to_string(),
            format!("{:.2} %", 100.0 * totals.score()),
            elos.get(engine).map(|elo| elo.replace("+/-", "±")).unwrap_or_default(),
            format!("{:.2}", totals.average_seeds()),
            format!("{:+.2}", totals.average_margin()),
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
            @ for (place, &engine) in (tally.order(plan).iter().enumerate()) {
                tr {
                    @ for (column, cell) in (row(place + 1, engine).iter().enumerate()) {
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

/// The class of cells with text in them.
fn name_class(is_name: bool) -> Option<&'static str> {
    is_name.then_some("name")
}

/// What is known about each engine's strength, in the order of the list; in a match of two, the difference.
fn elos(tally: &Tally) -> Vec<String> {
    if tally.engines().len() > 2 {
        let rated = |rating: Rating| format!("{} +/- {:.2}", hundredths(rating.elo), rating.error);
        let engines = tally.ratings().engines.into_iter();
        return engines.map(|rating| rating.map_or("n/a".to_owned(), rated)).collect();
    }
    let estimate = tally.head_to_head().next().and_then(|(_, games)| games.estimate());
    let shown = |elo: Option<Elo>| elo.map_or("n/a".to_owned(), |elo| elo.to_string());
    let elo = estimate.map(|estimate| estimate.elo());
    vec![shown(elo), shown(elo.map(Elo::turned))]
}

/// The points of each engine against each other one.
pub(super) fn crosstable(tally: &Tally, plan: &MatchPlan) -> String {
    let order = tally.order(plan);
    html! {
        table(id = "crosstable") {
            tr {
                th(class = "name");
                @ for rank in (1..=order.len()) { th : rank; }
            }
            @ for (place, &engine) in (order.iter().enumerate()) {
                tr {
                    td(class = "name") : format_args!("{}. {}", place + 1, plan.name(engine));
                    @ for &other in (order.iter()) {
                        td(class? = (other == engine).then_some("own")) : cell(tally, engine, other);
                    }
                }
            }
        }
    }
    .to_string()
}

/// The points of one engine against another, and the number of games.
fn cell(tally: &Tally, engine: usize, other: usize) -> String {
    if engine == other {
        return String::new();
    }
    let (mut points, mut games) = (0.0, 0);
    for (players, head_to_head) in tally.head_to_head() {
        let all = head_to_head.totals.games();
        if players == (engine, other) {
            (points, games) = (points + head_to_head.totals.points(), games + all);
        } else if players == (other, engine) {
            (points, games) = (points + all as f64 - head_to_head.totals.points(), games + all);
        }
    }
    if games == 0 { "–".to_owned() } else { format!("{points} of {games}") }
}

/// How games ended, with bars, and by whose faults.
pub(super) fn endings(tally: &Tally, plan: &MatchPlan) -> String {
    let games = tally.games().max(1) as f64;
    html! {
        table(id = "endings") {
            tr {
                th(class = "name") : "Ended";
                th : "Games";
                th(class = "name");
            }
            @ for (reason, count) in (tally.terminations()) {
                tr {
                    td(class = "name") : reason.name();
                    td : count;
                    td(class = "name") {
                        meter(value = count, max = tally.games().max(1));
                        : format_args!(" {:.1} %", 100.0 * count as f64 / games);
                    }
                }
            }
            @ for (engine, reason, count) in (tally.faults()) {
                tr {
                    td(class = "name") : format_args!("by {}: {reason}", plan.name(engine));
                    td : count;
                    td;
                }
            }
        }
        p(class = "about") : format_args!("A game has {:.1} moves on average.", tally.average_plies());
    }
    .to_string()
}

/// What a match of two shows, in a sentence or two.
pub(super) fn summary(tally: &Tally, plan: &MatchPlan) -> String {
    let mut text = String::new();
    let games = tally.head_to_head().next().filter(|_| plan.contestants.len() == 2).map(|(_, games)| games);
    if let Some(estimate) = games.and_then(HeadToHead::estimate) {
        let normalised = estimate
            .normalised()
            .map_or("n/a".to_owned(), |(value, error)| format!("{} ± {error:.2}", hundredths(value)));
        let prior = estimate.prior().map(|said| format!("{said}. ")).unwrap_or_default();
        let decided = tally.sprt(plan).is_some_and(|status| status.is_decided());
        let biased = if decided { format!(" ({BIASED})") } else { String::new() };
        let [a, b, c, d, e] = games.map(|games| games.pairs).unwrap_or_default();
        text.push_str(&format!(
            "{} against {}: Elo {}{biased}, normalised Elo {normalised}, likelihood of superiority {:.2} %. Pairs of games that brought \
             0, ½, 1, 1½ and 2 points: {a}, {b}, {c}, {d}, {e}. {prior}",
            plan.name(0),
            plan.name(1),
            estimate.elo().to_string().replace("+/-", "±"),
            100.0 * estimate.los()
        ));
    }
    if let (Some(sprt), Some(status)) = (&plan.sprt, tally.sprt(plan)) {
        text.push_str(&format!(
            "SPRT of {} against {} {}: LLR {} ({:.2}, {:.2}), {}.",
            sprt.elo0(),
            sprt.elo1(),
            sprt.model().unit(),
            hundredths(status.llr),
            status.lower,
            status.upper,
            status.decision
        ));
    }
    text
}
