//! The lines on the screen.

use super::table::{crosstable, standings};
use crate::ledger::record::GameRecord;
use crate::ledger::results::{Contest, Fault, HeadToHeadResult, Score, Standing, Summary, Totals};
use crate::plan::{MatchPlan, NAMED, joined_names};
use crate::schedule::{Event, Shard};
use crate::statistics::{Estimate, Sprt, SprtStatus, hundredths};
use crate::tuning::TuningPlan;
use kroo::printable::counted;
use std::fmt::Write;
use std::time::Duration;

/// With more engines than this a crosstable would be too wide to read.
const MAX_CROSSTABLE: usize = 32;

/// The plan in one line.
pub(super) fn header(plan: &MatchPlan) -> String {
    let (games, rounds) = (counted(plan.games(), "game"), counted(plan.rounds, "round"));
    let most = match plan.event {
        Event::Knockout => "at least ",
        _ if plan.sprt.is_some() => "at most ",
        _ => "",
    };
    let event = match plan.event {
        _ if let Some(tuning) = &plan.tuning => tuned(tuning, plan),
        Event::RoundRobin => format!("{most}{games} in {rounds}"),
        Event::Knockout => format!("{}, {most}{games}", plan.event),
        event => format!("{event}, {games} in {rounds}"),
    };
    let part = if plan.shard == Shard::WHOLE { String::new() } else { format!(" (part {})", plan.shard) };
    let sprt = plan.sprt.map(|sprt| format!(", {}", hypotheses(&sprt))).unwrap_or_default();
    format!(
        "{}: {}, {event}{part}, {}, openings: {}{sprt}",
        joined_names(&plan.all_names(), " vs "),
        plan.variant,
        plan.limits(),
        plan.openings
    )
}

/// The parameters.
fn tuned(tuning: &TuningPlan, plan: &MatchPlan) -> String {
    let parameters = counted(tuning.parameters.len() as u64, "parameter");
    let (iterations, pairs) = (counted(plan.rounds, "iteration"), counted(plan.pairs, "pair"));
    format!("tuning of {parameters} in {iterations} of {pairs}, lag {}", tuning.lag)
}

/// How many games the journal holds.
pub(super) fn resumed(games: u64, plan: &MatchPlan) -> String {
    format!("Resumed: {games} of {} are in the journal", counted(plan.games(), "game"))
}

fn hypotheses(sprt: &Sprt) -> String {
    let (elo0, elo1, unit) = (sprt.elo0, sprt.elo1, sprt.model.unit());
    format!("SPRT: {elo0} or {elo1} {unit}, alpha {}, beta {}", sprt.alpha, sprt.beta)
}

/// The LLR of an SPRT, and its bounds.
fn llr(status: &SprtStatus) -> String {
    format!("LLR {} ({:.2}, {:.2})", hundredths(status.llr), status.lower, status.upper)
}

/// A finished game, and below it the last words of an engine at fault.
pub(super) fn finished(record: &GameRecord, plan: &MatchPlan) -> String {
    let [south, north] = plan.names(&record.scheduled);
    let played = &record.played;
    let [south_store, north_store] = played.stores();
    let line = format!(
        "Finished game {} ({south} vs {north}): {} {{stores {south_store}-{north_store}, {}}}",
        record.scheduled.number,
        played.outcome.score(),
        played.reason([south, north])
    );
    let words = [south, north].into_iter().zip(&played.last_words).map(|(name, words)| words.text(name));
    format!("{line}\n{}", words.collect::<String>()).trim_end().to_owned()
}

/// A line of progress, with the speed of this run, which has `played` games in `elapsed`.
pub(super) fn progress(score: &Score, plan: &MatchPlan, played: u64, elapsed: Duration) -> String {
    let games = counted(plan.games(), "game");
    let seconds = elapsed.as_secs_f64();
    let speed = if played > 0 && seconds > 0.0 {
        let rate = played as f64 / seconds;
        let all = plan.games().saturating_sub(score.games) as f64;
        // A test mostly ends before its last round.
        let games = match score.sprt {
            Some(status) => status.games_left(score.games).map(|games| ("about ", games.min(all))),
            None => Some(("", all)),
        };
        let left = games.map(|(about, games)| format!(", {about}{} left", duration(games / rate)));
        format!(", {rate:.1} games/s{}", left.unwrap_or_default())
    } else {
        String::new()
    };
    format!("Progress: {} of {games}{}{speed}{}", score.games, points(score, plan), test(score))
}

/// A time in seconds, in the form for people: `45 s`, `12 min`, `3 h 20 min`.
fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match seconds {
        _ if seconds < 90.0 => format!("{seconds:.0} s"),
        _ if minutes < 90 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

/// The points of a match of two engines, after a comma; or the leader of more engines.
fn points(score: &Score, plan: &MatchPlan) -> String {
    let [first, second] = *score.points else { return leader(score, plan) };
    let elo = score.elo.map(|elo| format!(", Elo {elo}")).unwrap_or_default();
    format!(", {} {first} - {second} {}{elo}", plan.name(0), plan.name(1))
}

/// The state of an SPRT, after a comma.
fn test(score: &Score) -> String {
    score.sprt.map(|status| format!(", {}", llr(&status))).unwrap_or_default()
}

/// The results in one line.
pub fn verdict(summary: &Summary, plan: &MatchPlan) -> String {
    let score = &summary.score;
    let decision = score.sprt.map(|status| format!(", {}", status.decision)).unwrap_or_default();
    format!("{}{}{}{decision}", counted(score.games, "game"), points(score, plan), test(score))
}

/// A score for a line that may be cut off at its end: the most interesting part comes first.
pub(super) fn live(score: &Score, plan: &MatchPlan) -> String {
    let [first, second] = *score.points else {
        return leader(score, plan).trim_start_matches(", ").to_owned();
    };
    let test = score.sprt.map(|status| format!("{}, ", llr(&status))).unwrap_or_default();
    let elo = score.elo.map(|elo| format!("Elo {elo}, ")).unwrap_or_default();
    format!("{test}{elo}{first} - {second}, {} vs {}", plan.name(0), plan.name(1))
}

/// The leader of more than two engines, after a comma.
fn leader(score: &Score, plan: &MatchPlan) -> String {
    let best = score.order.iter().find(|&&engine| score.played[engine] > 0);
    best.map_or_else(String::new, |&engine| {
        let (points, games) = (score.points[engine], score.played[engine]);
        format!(", {} leads with {points} points of {games}", plan.name(engine))
    })
}

pub(super) fn results(summary: &Summary, plan: &MatchPlan) -> String {
    let mut text = String::new();
    if summary.broken.is_some() {
        // Standard error has the reason, once.
        text.push_str(&format!(
            "\nBroken, without a verdict: {} finished before that.\n",
            counted(summary.score.games, "game")
        ));
    } else if summary.interrupted {
        let games = counted(plan.games(), "game");
        text.push_str(&format!("\nInterrupted after {} of {games}.\n", summary.score.games));
    }
    text.push_str(&counted_games(summary, plan));
    text
}

/// The results of the games that count, from a match or from game files.
pub(super) fn counted_games(summary: &Summary, contest: &dyn Contest) -> String {
    let mut text = String::new();
    match summary.match_of_two() {
        Some(games) => two(&mut text, games, contest),
        None if summary.engines.len() > 2 => text.push_str(&tables(summary, contest)),
        None => {}
    }
    if let (Some(sprt), Some(status)) = (contest.test(), summary.score.sprt) {
        text.push_str(&sprt_lines(&sprt, &status));
    }
    if let Some(why) = &summary.exhausted {
        text.push_str(&format!("Ended before its last round: {why}\n"));
    }
    if summary.uncounted > 0 {
        text.push_str(&format!("Behind a missing game, and not counted: {}\n", summary.uncounted));
    }
    if summary.score.games > 0 {
        endings(&mut text, summary, contest);
    }
    text
}

/// The tables of more than two engines: the standings, and the crosstable.
fn tables(summary: &Summary, contest: &dyn Contest) -> String {
    let mut text = format!("\nStandings ({}):\n{}", contest.conditions(), standings(summary).text());
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
        text.push_str(&format!("\nCrosstable (points/games):\n{}", crosstable(summary).text()));
    }
    if let Some(winner) = &summary.winner {
        text.push_str(&format!("\nWinner: {winner}\n"));
    }
    text.push_str(&format!("Games: {}\n", summary.score.games));
    text
}

/// The results of a match of two. Other programs read the lines `Games:` and `Ptnml(0-2):` by pattern.
fn two(text: &mut String, games: &HeadToHeadResult, contest: &dyn Contest) {
    let Totals { wins, losses, draws, .. } = games.totals;
    let [a, b, c, d, e] = games.pairs;
    text.push_str(&format!("\nResults of {} vs {} ({}):\n", games.first, games.second, contest.conditions()));
    if let Some(estimate) = &games.estimate {
        text.push_str(&strength(estimate, games.pairs.iter().sum(), games.is_biased));
    }
    text.push_str(&format!(
        "Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {} ({:.2} %)\n\
         Ptnml(0-2): [{a}, {b}, {c}, {d}, {e}]\n",
        games.totals.games(),
        games.totals.points(),
        100.0 * games.totals.score()
    ));
}

/// The remark about an estimate from a match that its own SPRT has ended.
pub(super) const BIASED: &str =
    "biased: a test that stops at an extreme overstates the difference (J. Whitehead, Biometrika 73, 1986)";

/// Elo, normalised Elo and the likelihood of superiority (LOS), in two lines, from this number of pairs, or from single games if
/// it is 0. `decided`: an SPRT has decided on the same games, which biases the estimate.
pub fn strength(estimate: &Estimate, pairs: u64, decided: bool) -> String {
    let normalised = estimate.normalised();
    let normalised =
        normalised.map_or("n/a".to_owned(), |(value, error)| format!("{} +/- {error:.2}", hundredths(value)));
    let sample = if pairs > 0 { counted(pairs, "pair") } else { "single games".to_owned() };
    let prior = estimate.prior().map(|said| format!("{said}\n")).unwrap_or_default();
    let biased = if decided { format!("Elo is {BIASED}\n") } else { String::new() };
    format!(
        "Elo: {}, nElo: {normalised} (95 %, from {sample})\n{prior}{biased}LOS: {:.2} %\n",
        estimate.elo(),
        100.0 * estimate.los()
    )
}

/// The state of an SPRT. Other programs read the line `LLR:` by pattern.
pub fn sprt_lines(sprt: &Sprt, status: &SprtStatus) -> String {
    format!(
        "LLR: {} ({:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}]\n{}: {}\n",
        hundredths(status.llr),
        100.0 * status.progress(),
        status.lower,
        status.upper,
        sprt.elo0,
        sprt.elo1,
        hypotheses(sprt),
        status.decision
    )
}

/// The ends of the games, the faults, and averages.
pub(super) fn endings(text: &mut String, summary: &Summary, contest: &dyn Contest) {
    let ended: Vec<String> =
        summary.terminations.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let unknown = (summary.unexplained > 0).then(|| format!("for an unknown reason {}", summary.unexplained));
    let ended: Vec<String> = ended.into_iter().chain(unknown).collect();
    text.push_str(&format!("Ended: {}\n", ended.join(", ")));
    let by_fault = summary.faults.iter();
    let by_fault: Vec<String> = by_fault
        .map(|Fault { engine, termination, games }| format!("{engine} {termination} {games}"))
        .collect();
    if !by_fault.is_empty() {
        text.push_str(&format!("Faults: {}\n", by_fault.join(", ")));
    }
    let overruns = summary.engines.iter().filter(|standing| standing.totals.overruns.moves > 0);
    let overruns: Vec<String> = overruns
        .map(|Standing { name, totals: Totals { overruns, .. }, .. }| {
            let longest = overruns.longest.as_secs_f64();
            format!("{name} {} (longest {longest:.3} s)", counted(overruns.moves, "move"))
        })
        .collect();
    if !overruns.is_empty() {
        text.push_str(&format!("Time overruns within the margin: {}\n", overruns.join(", ")));
    }
    if summary.replays > 0 {
        text.push_str(&format!("Games replayed after machine stalls or disturbances: {}\n", summary.replays));
    }
    // A tuning run counts repeated pairs, too.
    let repeated = if contest.counts_repeated_pairs() { 0 } else { summary.repeated_pairs };
    text.push_str(&distinct_games(summary.distinct_games, summary.score.games, repeated));
    text.push_str(&format!("\nAverage: {:.1} plies a game", summary.average_plies));
    let few = if summary.engines.len() > NAMED { &[] } else { &summary.engines[..] };
    let few = few.iter().filter(|standing| standing.totals.seed_games > 0);
    for (standing, word) in few.zip([" seeds"].into_iter().chain(std::iter::repeat(""))) {
        write!(text, ", {:.2}{word} for {}", standing.totals.average_seeds(), standing.name)
            .expect("writing to a string does not fail");
    }
    text.push('\n');
}

/// The numbers of distinct games and of repeated pairs, a line without its end.
fn distinct_games(distinct: u64, games: u64, repeated_pairs: u64) -> String {
    let line = format!("Distinct games: {distinct} of {games}");
    if repeated_pairs == 0 {
        return line;
    }
    let repeated = counted(repeated_pairs, "pair");
    format!("{line}; {repeated} repeated another one move by move, and did not count as evidence")
}
