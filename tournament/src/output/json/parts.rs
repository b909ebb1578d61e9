//! The plan and the results in the document. The names of the fields are a format that other programs read.

use crate::game::{AdjudicationRules, Termination};
use crate::plan::MatchPlan;
use crate::statistics::{Elo, Estimate, Sprt, SprtStatus};
use crate::tally::{HeadToHead, Tally};
use serde::Serialize;
use std::collections::BTreeMap;

/// What was to be played.
#[derive(Serialize)]
pub(super) struct PlanJson<'a> {
    variant: &'a str,
    event: String,
    rounds: u64,
    pairs: u64,
    shard: String,
    games: u64,
    openings: &'a str,
    max_moves: usize,
    #[serde(rename = "conduct")]
    adjudication: AdjudicationRules,
    concurrency: usize,
    sprt: Option<SprtJson>,
    engines: Vec<EngineJson<'a>>,
}

/// An SPRT.
#[derive(Debug, Serialize)]
struct SprtJson {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    lower: f64,
    upper: f64,
}

impl SprtJson {
    fn new(sprt: &Sprt) -> SprtJson {
        let (lower, upper) = sprt.bounds();
        SprtJson {
            model: sprt.model().name(),
            elo0: sprt.elo0(),
            elo1: sprt.elo1(),
            alpha: sprt.alpha(),
            beta: sprt.beta(),
            lower,
            upper,
        }
    }
}

#[derive(Serialize)]
struct EngineJson<'a> {
    name: &'a str,
    command: String,
    args: &'a [String],
    options: BTreeMap<&'a str, &'a str>,
    limits: String,
}

impl<'a> PlanJson<'a> {
    pub fn new(plan: &'a MatchPlan) -> PlanJson<'a> {
        let engines = plan.contestants.iter().map(|contestant| EngineJson {
            name: &contestant.engine.name,
            command: contestant.engine.command.display().to_string(),
            args: &contestant.engine.args,
            options: contestant.engine.options.iter().map(|(name, value)| (&**name, &**value)).collect(),
            limits: contestant.limits.to_string(),
        });
        PlanJson {
            variant: plan.variant.name(),
            event: plan.event.to_string(),
            rounds: plan.rounds,
            pairs: plan.pairs,
            shard: plan.shard.to_string(),
            games: plan.games(),
            openings: &plan.openings,
            max_moves: plan.adjudication.max_moves,
            adjudication: plan.adjudication,
            concurrency: plan.concurrency,
            sprt: plan.sprt.as_ref().map(SprtJson::new),
            engines: engines.collect(),
        }
    }
}

/// The results.
#[derive(Serialize)]
pub(super) struct ResultJson<'a> {
    games: u64,
    /// How many of them are no repetition of another one, move by move.
    distinct_games: u64,
    /// Pairs that repeat another one. They are no evidence, and `ptnml` does not count them.
    repeated_pairs: u64,
    /// How often a game was played again because the machine was not there.
    replays: u64,
    interrupted: bool,
    /// Why an engine has broken the match, which then has no verdict.
    broken: Option<&'a str>,
    average_plies: f64,
    terminations: BTreeMap<&'a str, u64>,
    faults: Vec<FaultJson<'a>>,
    sprt: Option<DecisionJson>,
    /// Whether there are ratings; they use a prior, one drawn game of each engine.
    #[serde(rename = "ratings_helped")]
    ratings_with_prior: bool,
    /// The winner of a knockout.
    winner: Option<&'a str>,
    engines: Vec<StandingJson<'a>>,
    #[serde(rename = "meetings")]
    head_to_head: Vec<HeadToHeadJson<'a>>,
}

/// The state of a match's SPRT; the plan says the rest.
#[derive(Serialize)]
struct DecisionJson {
    llr: f64,
    #[serde(rename = "verdict")]
    decision: &'static str,
}

/// An SPRT and its state.
#[derive(Debug, Serialize)]
pub struct SprtStatusJson {
    #[serde(flatten)]
    sprt: SprtJson,
    llr: f64,
    #[serde(rename = "verdict")]
    decision: &'static str,
}

impl SprtStatusJson {
    /// A test, and its state.
    #[must_use]
    pub fn new(sprt: &Sprt, status: &SprtStatus) -> SprtStatusJson {
        SprtStatusJson { sprt: SprtJson::new(sprt), llr: status.llr, decision: status.decision.name() }
    }
}

#[derive(Serialize)]
struct FaultJson<'a> {
    engine: &'a str,
    termination: &'a str,
    games: u64,
}

#[derive(Serialize)]
struct StandingJson<'a> {
    /// Its place in the standings, from 1.
    rank: usize,
    name: &'a str,
    /// What it calls itself.
    id_name: Option<&'a str>,
    games: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    /// With those of byes.
    points: f64,
    bye_games: u64,
    score: f64,
    average_seeds: f64,
    average_margin: f64,
    /// The rating in Elo, if there are more than two engines; `null` for one that has not played.
    rating: Option<f64>,
    rating_error: Option<f64>,
    moves: u64,
    time: f64,
    /// Moves that used the margin, and the longest time beyond the limit.
    overruns: u64,
    longest_overrun: f64,
    /// How long it was watched while its opponents were to move, and the processor time that it used then, in seconds.
    idle_watched: f64,
    idle_worked: f64,
}

/// Two engines against each other. The numbers belong to the first one.
#[derive(Serialize)]
struct HeadToHeadJson<'a> {
    first: &'a str,
    second: &'a str,
    games: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    points: f64,
    score: f64,
    ptnml: [u64; 5],
    #[serde(flatten)]
    strength: Option<StrengthJson>,
}

/// What results say about strength. A number that cannot be told is `null`.
#[derive(Debug, Default, Serialize)]
pub struct StrengthJson {
    elo: Option<f64>,
    elo_error: Option<f64>,
    elo_at_least: Option<f64>,
    elo_at_most: Option<f64>,
    /// The ends of the interval of 95 %.
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    /// What is to be known about an estimate from a small sample.
    prior: Option<&'static str>,
    /// Whether an SPRT has ended the match, so that the estimate overstates the difference.
    elo_biased: bool,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: Option<f64>,
}

impl<'a> ResultJson<'a> {
    pub fn new(plan: &'a MatchPlan, tally: &'a Tally, interrupted: bool) -> ResultJson<'a> {
        let fault = |(engine, termination, games): (usize, Termination, u64)| FaultJson {
            engine: plan.name(engine),
            termination: termination.name(),
            games,
        };
        let decided = tally.sprt(plan).is_some_and(|status| status.is_decided());
        ResultJson {
            games: tally.games(),
            distinct_games: tally.distinct_games(),
            repeated_pairs: tally.repeated_pairs(),
            replays: tally.replays(),
            interrupted,
            broken: tally.broken.as_deref(),
            average_plies: tally.average_plies(),
            terminations: tally
                .terminations()
                .map(|(termination, count)| (termination.name(), count))
                .collect(),
            faults: tally.faults().map(fault).collect(),
            sprt: tally
                .sprt(plan)
                .map(|status| DecisionJson { llr: status.llr, decision: status.decision.name() }),
            ratings_with_prior: plan.contestants.len() > 2,
            winner: tally.champion.map(|engine| plan.name(engine)),
            engines: standings(plan, tally),
            head_to_head: tally
                .head_to_head()
                .map(|(engines, games)| HeadToHeadJson::new(plan, engines, games, decided))
                .collect(),
        }
    }
}

fn standings<'a>(plan: &'a MatchPlan, tally: &'a Tally) -> Vec<StandingJson<'a>> {
    let ratings = tally.ratings().engines;
    let rating = |engine: usize| ratings[engine].filter(|_| ratings.len() > 2);
    let engines = tally.engines().iter().enumerate();
    let order = tally.order(plan);
    let rank = |engine: usize| 1 + order.iter().take_while(|&&other| other != engine).count();
    let standing = engines.map(|(engine, totals)| StandingJson {
        rank: rank(engine),
        name: plan.name(engine),
        id_name: tally.id_name(engine),
        games: totals.games(),
        wins: totals.wins,
        losses: totals.losses,
        draws: totals.draws,
        points: totals.points(),
        bye_games: totals.bye_games,
        score: totals.score(),
        average_seeds: totals.average_seeds(),
        average_margin: totals.average_margin(),
        rating: rating(engine).map(|rating| rating.elo),
        rating_error: rating(engine).map(|rating| rating.error),
        moves: totals.moves,
        time: totals.micros as f64 / 1e6,
        overruns: totals.overruns.moves,
        longest_overrun: totals.overruns.longest.as_secs_f64(),
        idle_watched: totals.idle_work.watched.as_secs_f64(),
        idle_worked: totals.idle_work.worked.as_secs_f64(),
    });
    standing.collect()
}

impl<'a> HeadToHeadJson<'a> {
    fn new(
        plan: &'a MatchPlan,
        (first, second): (usize, usize),
        games: &HeadToHead,
        decided: bool,
    ) -> HeadToHeadJson<'a> {
        let totals = games.totals;
        HeadToHeadJson {
            first: plan.name(first),
            second: plan.name(second),
            games: totals.games(),
            wins: totals.wins,
            losses: totals.losses,
            draws: totals.draws,
            points: totals.points(),
            score: totals.score(),
            ptnml: games.pairs,
            strength: games.estimate().map(|estimate| StrengthJson::new(&estimate, decided)),
        }
    }
}

impl StrengthJson {
    /// From an estimate, and whether an SPRT has decided on the same games.
    #[must_use]
    pub fn new(estimate: &Estimate, decided: bool) -> StrengthJson {
        let normalised = estimate.normalised();
        let [elo_low, elo_high] = estimate.elo().ends();
        let rest = StrengthJson {
            nelo: normalised.map(|(value, _)| value),
            nelo_error: normalised.map(|(_, error)| error),
            los: Some(estimate.los()),
            elo_low,
            elo_high,
            prior: estimate.prior(),
            elo_biased: decided,
            ..StrengthJson::default()
        };
        match estimate.elo() {
            Elo::About { value, error } => StrengthJson { elo: Some(value), elo_error: Some(error), ..rest },
            Elo::AtLeast(bound) => StrengthJson { elo_at_least: Some(bound), ..rest },
            Elo::AtMost(bound) => StrengthJson { elo_at_most: Some(bound), ..rest },
            Elo::Within { .. } => rest,
        }
    }
}
