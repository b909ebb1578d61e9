//! The plan in the document, and the state of a test. The names of the fields are a format that other programs read.

use crate::game::AdjudicationRules;
use crate::plan::MatchPlan;
use crate::statistics::{Sprt, SprtStatus};
use serde::Serialize;
use std::collections::BTreeMap;

/// The plan.
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
    adjudication: AdjudicationRules,
    concurrency: usize,
    sprt: Option<SprtJson>,
    engines: Vec<EngineJson<'a>>,
}

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
            model: sprt.model.name(),
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
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
    pub fn new(sprt: &Sprt, status: &SprtStatus) -> SprtStatusJson {
        SprtStatusJson { sprt: SprtJson::new(sprt), llr: status.llr, decision: status.decision.name() }
    }
}
