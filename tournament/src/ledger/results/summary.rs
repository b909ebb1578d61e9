//! The results as all outputs show them. Serialised, it is the `result` of the JSON document: its names are a format that other
//! programs read.

use super::contest::Contest;
use super::counts::Results;
use super::couple::Couple;
use super::score::Score;
use super::totals::Totals;
use super::workers::WorkerTable;
use crate::game::Termination;
use crate::statistics::{Elo, Estimate, Rating, hundredths};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::collections::BTreeMap;

/// The results of a match.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The score, the standings and the state of the SPRT.
    #[serde(flatten)]
    pub score: Score,
    /// Finished games that do not count, because an earlier one, needed by a test, is missing.
    pub uncounted: u64,
    /// How many of the counted games differ from all others, move by move.
    pub distinct_games: u64,
    /// Pairs that repeat another one, and are not in the pentanomial counts.
    pub repeated_pairs: u64,
    /// How often a game was played again because the referee or an engine was suspended.
    pub replays: u64,
    /// Whether the match was stopped before its end.
    pub interrupted: bool,
    /// Why an engine has broken the match, which then has no verdict.
    pub broken: Option<String>,
    /// Moves in a game, on average, the opening's included.
    pub average_plies: f64,
    /// How many games have ended for each reason.
    pub terminations: BTreeMap<Termination, u64>,
    /// Games with an unknown reason for their end.
    #[serde(skip)]
    pub unexplained: u64,
    /// How many games each engine has ended by each kind of fault.
    pub faults: Vec<Fault>,
    /// Why the SPRT ended without a decision before its last round.
    pub exhausted: Option<String>,
    /// Whether there are ratings; they use a prior, one drawn game of each engine.
    pub ratings_with_prior: bool,
    /// The winner of a knockout.
    pub winner: Option<String>,
    /// The engines, in the order of the plan.
    pub engines: Vec<Standing>,
    /// Each two engines that have played each other.
    pub head_to_head: Vec<HeadToHeadResult>,
    /// The games of each worker of a queue.
    #[serde(skip)]
    pub workers: WorkerTable,
}

/// Games that an engine has ended by one kind of fault.
#[derive(Clone, Debug, Serialize)]
pub struct Fault {
    /// The engine's name.
    pub engine: String,
    /// The kind.
    pub termination: Termination,
    /// How many games.
    pub games: u64,
}

/// An engine's place and results.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// Its rank, from 1; `None` if it is not known how engines are ranked.
    pub rank: Option<usize>,
    pub name: String,
    pub id_name: Option<String>,
    /// Its games.
    #[serde(flatten, serialize_with = "with_thinking")]
    pub totals: Totals,
    /// Its rating, with more than two engines; `None` for one that has not played.
    #[serde(flatten, serialize_with = "rating")]
    pub rating: Option<Rating>,
}

/// The games of two engines against each other. The numbers belong to the first one.
#[derive(Clone, Debug, Serialize)]
pub struct HeadToHeadResult {
    /// Both engines, by their places in the plan.
    #[serde(skip)]
    pub players: [usize; 2],
    /// The name of the first.
    pub first: String,
    /// The name of the second.
    pub second: String,
    /// The results of the first.
    #[serde(flatten)]
    pub totals: Totals,
    /// Complete pairs by the half points they brought the first: 0 to 4.
    #[serde(rename = "ptnml")]
    pub pairs: [u64; 5],
    /// The difference in strength that they show.
    #[serde(flatten, serialize_with = "strength")]
    pub estimate: Option<Estimate>,
    /// Whether an SPRT has ended the match: the estimate then overstates the difference.
    #[serde(rename = "elo_biased")]
    pub is_biased: bool,
}

impl Summary {
    /// The current results of a contest.
    pub fn new(contest: &dyn Contest, tally: &Results, interrupted: bool) -> Summary {
        let fault = |(&(engine, termination), &games): (&(usize, Termination), &u64)| Fault {
            engine: contest.engine(engine).to_owned(),
            termination,
            games,
        };
        let has_ratings = contest.names().len() > 2;
        let ratings = if has_ratings { tally.ratings().engines } else { vec![None; contest.names().len()] };
        let score = Score::ranked(tally, contest, tally.order_by(contest, &ratings));
        let is_biased = score.sprt.is_some_and(|status| status.is_decided());
        Summary {
            uncounted: tally.uncounted,
            distinct_games: tally.distinct_games(),
            repeated_pairs: tally.repeated_pairs(),
            replays: tally.replays,
            interrupted,
            broken: tally.broken.clone(),
            average_plies: tally.average_plies(),
            terminations: tally.terminations.clone(),
            unexplained: tally.unexplained,
            faults: tally.faults.iter().map(fault).collect(),
            exhausted: tally.exhausted(contest).filter(|_| !is_biased),
            ratings_with_prior: has_ratings,
            winner: tally.champion.map(|engine| contest.engine(engine).to_owned()),
            engines: engines(contest, tally, &ratings, &score.order),
            head_to_head: tally
                .couples
                .iter()
                .map(|(&players, games)| HeadToHeadResult::new(contest, players, games, is_biased))
                .collect(),
            score,
            workers: tally.workers.clone(),
        }
    }

    #[cfg(feature = "public")]
    /// Whether no more games count.
    pub fn is_over(&self) -> bool {
        self.broken.is_some()
            || self.exhausted.is_some()
            || self.score.sprt.is_some_and(|status| status.is_decided())
    }

    /// The engines in the order of the standings.
    pub fn standings(&self) -> impl Iterator<Item = &Standing> {
        self.score.order.iter().map(|&engine| &self.engines[engine])
    }

    /// The games of a match of two engines, if there are any.
    pub fn match_of_two(&self) -> Option<&HeadToHeadResult> {
        self.head_to_head.first().filter(|_| self.engines.len() == 2)
    }

    /// The points of one engine against another, and the number of their games.
    pub fn against(&self, engine: usize, other: usize) -> (f64, u64) {
        let players = [engine.min(other), engine.max(other)];
        let Ok(place) = self.head_to_head.binary_search_by_key(&players, |result| result.players) else {
            return (0.0, 0);
        };
        let totals = &self.head_to_head[place].totals;
        let (points, games) = (totals.points(), totals.games());
        (if engine < other { points } else { games as f64 - points }, games)
    }
}

impl Standing {
    /// Its rating with its error: `12.34 +/- 5.67`.
    pub fn rating_text(&self) -> String {
        let text = |rating: Rating| format!("{} +/- {:.2}", hundredths(rating.elo), rating.error);
        self.rating.map_or("n/a".to_owned(), text)
    }
}

fn engines(
    contest: &dyn Contest,
    tally: &Results,
    ratings: &[Option<Rating>],
    order: &[usize],
) -> Vec<Standing> {
    let mut ranks = vec![0; order.len()];
    order.iter().zip(1..).for_each(|(&engine, rank)| ranks[engine] = rank);
    let standing = |(engine, totals): (usize, &Totals)| Standing {
        rank: contest.has_ranks().then_some(ranks[engine]),
        name: contest.engine(engine).to_owned(),
        id_name: tally.id_names[engine].clone(),
        totals: *totals,
        rating: ratings[engine],
    };
    tally.engines.iter().enumerate().map(standing).collect()
}

impl HeadToHeadResult {
    fn new(
        contest: &dyn Contest,
        (first, second): (usize, usize),
        couple: &Couple,
        is_biased: bool,
    ) -> HeadToHeadResult {
        HeadToHeadResult {
            players: [first, second],
            first: contest.engine(first).to_owned(),
            second: contest.engine(second).to_owned(),
            totals: couple.totals,
            pairs: couple.pairs,
            estimate: couple.estimate(),
            is_biased,
        }
    }
}

/// The strength that results show. A number that is not known is `null`.
///
/// # Errors
/// Those of the serializer.
pub fn strength<S: Serializer>(estimate: &Option<Estimate>, serializer: S) -> Result<S::Ok, S::Error> {
    let (elo, normalised) =
        (estimate.map(|estimate| estimate.elo()), estimate.and_then(|one| one.normalised()));
    let [low, high] = elo.map_or([None; 2], Elo::ends);
    let about = match elo {
        Some(Elo::About { value, error }) => Some((value, error)),
        _ => None,
    };
    json!({
        "elo": about.map(|(value, _)| value),
        "elo_error": about.map(|(_, error)| error),
        "elo_at_least": low.filter(|_| high.is_none()),
        "elo_at_most": high.filter(|_| low.is_none()),
        "elo_low": low,
        "elo_high": high,
        "prior": estimate.and_then(|estimate| estimate.prior()),
        "nelo": normalised.map(|(value, _)| value),
        "nelo_error": normalised.map(|(_, error)| error),
        "los": estimate.map(|estimate| estimate.los()),
    })
    .serialize(serializer)
}

/// All results of an engine, and its thinking: times are in seconds.
fn with_thinking<S: Serializer>(totals: &Totals, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Thinking<'a> {
        #[serde(flatten)]
        totals: &'a Totals,
        moves: u64,
        time: f64,
        overruns: u64,
        longest_overrun: f64,
    }
    let (Totals { moves, overruns, .. }, time) = (totals, totals.micros as f64 / 1e6);
    let longest_overrun = overruns.longest.as_secs_f64();
    Thinking { totals, moves: *moves, time, overruns: overruns.moves, longest_overrun }.serialize(serializer)
}

fn rating<S: Serializer>(rating: &Option<Rating>, serializer: S) -> Result<S::Ok, S::Error> {
    let (elo, error) = (rating.map(|rating| rating.elo), rating.map(|rating| rating.error));
    json!({ "rating": elo, "rating_error": error }).serialize(serializer)
}
